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
    expected: tuple[int | None, ...] = ()
    """A length for some sentences, beyond which more gains nothing in the ranking. Where phrases must appear,
    cheap words would else be added to outweigh the dear ones."""
    borders: frozenset[int] = frozenset()
    """Tokens that begin a new word, for phrases that must end with a word."""

    def of(self, sentences: list[int]) -> "Limits":
        """The limits of some of the sentences."""
        return replace(
            self,
            max_lengths=tuple(self.max_lengths[row] for row in sentences),
            expected=tuple(self.expected[row] for row in sentences) if self.expected else (),
        )
