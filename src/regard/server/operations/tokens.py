"""Texts to tokens and back."""

from collections.abc import Mapping, Sequence
from typing import Any

from regard.server.operations.observer import BatchObserver
from regard.server.operations.options import check_options
from regard.server.service import ServiceError
from regard.text.foreign import ForeignEncoding, ForeignTokenizer
from regard.text.symbols import SPECIAL


def tokenize(
    model: Any, inputs: Sequence[Mapping[str, Any]], options: Mapping[str, Any], observer: BatchObserver
) -> list[dict[str, Any]]:
    """The tokens of each text, with the characters that each covers."""
    del observer
    check_options(options, {"side"})
    tokenizer = tokenizer_of(model, options.get("side"))
    texts = [one["text"] for one in inputs]
    if isinstance(tokenizer, ForeignTokenizer):
        return [{"tokens": _foreign(found)} for found in tokenizer.encode(texts)]
    return [
        {
            "tokens": [
                {"id": number, "text": piece, "start": start, "stop": stop, "special": piece in SPECIAL}
                for number, piece, (start, stop) in zip(
                    found.ids, found.pieces, map(found.text.to_original, found.spans), strict=True
                )
            ]
        }
        for found in tokenizer.encode_many(texts)
    ]


def decode(
    model: Any, inputs: Sequence[Mapping[str, Any]], options: Mapping[str, Any], observer: BatchObserver
) -> list[dict[str, Any]]:
    """The text that tokens spell."""
    del observer
    check_options(options, {"side"})
    tokenizer = tokenizer_of(model, options.get("side"))
    if isinstance(tokenizer, ForeignTokenizer):
        return [{"text": tokenizer.decode(one["ids"])} for one in inputs]
    return [{"text": tokenizer.decode(one["ids"], whole=True).text.text} for one in inputs]


def _foreign(found: ForeignEncoding) -> list[dict[str, Any]]:
    """The same of a tokenizer of another library, which puts special tokens around a text."""
    return [
        {"id": number, "text": piece, "start": start, "stop": stop, "special": of is None}
        for number, piece, (start, stop), of in zip(
            found.ids, found.pieces, found.spans, found.texts, strict=True
        )
    ]


def tokenizer_of(model: Any, side: str | None) -> Any:
    """The vocabulary of a side: of a translator the source's, where none is named."""
    if side not in (None, "source", "target"):
        raise ServiceError(422, "invalid", "expected source or target", field="side", found=str(side)[:64])
    if hasattr(model, "source_tokenizer"):
        return model.target_tokenizer if side == "target" else model.source_tokenizer
    return model.tokenizer
