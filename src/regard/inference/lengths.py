"""How long a text may be; and that it is not empty, where words are needed."""

from typing import Any

from torch import nn

from regard.config.decoding import DecodingConfig
from regard.data.batching import EncodedPair, Ids
from regard.errors import DataError
from regard.inference.constraints import LexicalConstraints
from regard.nn.step import EncoderDecoder
from regard.text.tokenizer import Encoding

MAX_SOURCE_TOKENS = 1024


def check_length(ids: Ids, text: str, where: str, most: int = MAX_SOURCE_TOKENS) -> None:
    """Refuse a text of too many tokens, naming its place."""
    if len(ids) > most:
        raise DataError(
            f"{where}: expected at most {most:,} tokens, found {len(ids):,} in "
            f"'{text[:30]}…'; split it into sentences"
        )


def check_pair(source: str, target: str, where: str, encoded: EncodedPair) -> None:
    """Refuse a pair with an empty or a too long side, naming its place."""
    if not len(encoded.source) or not len(encoded.target):
        raise DataError(f"{where}: both the sentence and its translation need words, found an empty text")
    check_length(encoded.source, source, where)
    check_length(encoded.target, target, where)


def check_text(ids: Ids, text: str, where: str, module: nn.Module) -> None:
    """Refuse a text that a language model cannot be shown, naming its place; an empty one ends at once."""
    check_length(ids, text, where)
    network: EncoderDecoder[Any] = module  # type: ignore[assignment]
    if network.longest is not None and len(ids) >= network.longest:
        raise DataError(
            f"{where}: expected at most {network.longest - 1:,} tokens, which is the most that this model "
            f"has positions for, found {len(ids):,} in '{text[:30]}…'; split it into sentences"
        )


def longest_output(source: Encoding, settings: DecodingConfig, network: EncoderDecoder[Any]) -> int:
    """How many tokens the translation of a sentence may have: what is asked for, and the model can write."""
    wanted = settings.max_length(len(source.ids))
    if network.longest is None:
        return wanted
    return max(1, min(wanted, network.longest - 1))  # <s> is read, too, when the whole is looked at


def check_room(source: Encoding, longest: int, constraints: LexicalConstraints) -> None:
    """Refuse constraints that the longest translation of a sentence has no room for."""
    tokens = constraints.tokens
    if (tokens.prefix or tokens.must) and tokens.least > longest:
        raise DataError(
            f"the prefix and the words that must appear need up to {tokens.least} tokens, but the "
            f"translation of '{source.text.original[:30]}' may have {longest}; raise max_length_extra"
        )
