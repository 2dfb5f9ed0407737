"""Which translators can work as one."""

from collections.abc import Sequence

from regard.errors import ConfigError
from regard.text.tokenizer import Tokenizer


def check_vocabularies(tokenizers: Sequence[tuple[Tokenizer, Tokenizer]], names: Sequence[str]) -> None:
    """Refuse models whose source or target vocabularies differ.

    tokenizers: of source and target, for each model
    names:      what to call the models
    """
    first, *others = tokenizers
    for own_pair, name in zip(others, names[1:], strict=True):
        for side, own, other in zip(("source", "target"), first, own_pair, strict=True):
            if own is not other and own.to_json() != other.to_json():
                raise ConfigError(
                    f"an ensemble needs models with one vocabulary, but the {side} vocabularies of "
                    f"{names[0]} ({len(own):,} entries) and {name} ({len(other):,} entries) differ; "
                    f"train them on the same data with the same text settings"
                )
