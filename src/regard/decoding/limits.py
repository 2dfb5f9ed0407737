"""The symbols and bounds that a search must know."""

from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Limits:
    """Where a sentence begins and ends, what is never written, and how long it may get."""

    bos: int
    eos: int
    never: tuple[int, ...]
    """Tokens that are never written: padding, the unknown word, <s>."""
    max_lengths: tuple[int, ...]
    """For each sentence, the most tokens it may have, </s> counted; what has not ended by then is cut off."""
    borders: frozenset[int] = frozenset()
    """Tokens that begin a new word, for phrases that must end with a word."""

    def of(self, sentences: list[int]) -> "Limits":
        """The limits of some of the sentences."""
        return replace(self, max_lengths=tuple(self.max_lengths[row] for row in sentences))
