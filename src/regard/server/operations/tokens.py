"""Texts to tokens and back."""

from collections.abc import Mapping, Sequence
from typing import Any

from regard.server.operations.observer import BatchObserver
from regard.server.operations.options import check_options
from regard.server.service import ServiceError
from regard.text.symbols import SPECIAL


def tokenize(
    model: Any, inputs: Sequence[Mapping[str, Any]], options: Mapping[str, Any], observer: BatchObserver
) -> list[dict[str, Any]]:
    """The tokens of each text, with the characters that each covers."""
    del observer
    check_options(options, {"side"})
    tokenizer = tokenizer_of(model, options.get("side"))
    texts = [one["text"] for one in inputs]
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
    return [{"text": tokenizer.decode(one["ids"], whole=True).text.text} for one in inputs]


def tokenizer_of(model: Any, side: str | None) -> Any:
    """The vocabulary of a side: of a translator the source's, where none is named."""
    if side not in (None, "source", "target"):
        raise ServiceError(422, "invalid", "expected source or target", field="side", found=str(side)[:64])
    if hasattr(model, "source_tokenizer"):
        return model.target_tokenizer if side == "target" else model.source_tokenizer
    return model.tokenizer
