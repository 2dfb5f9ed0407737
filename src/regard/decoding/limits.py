"""The special tokens and maximum lengths of a search."""

from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class SearchLimits:
    """Special tokens, tokens that are never generated, and maximum lengths."""

    bos: int
    eos: int
    never: tuple[int, ...]
    """Tokens that are never generated: padding, the unknown word, <s>."""
    max_lengths: tuple[int, ...]
    """The maximum length of each sentence, </s> counted; what has not ended by then is truncated."""
    expected: tuple[int | None, ...] = ()
    """A length for some sentences, beyond which more gains nothing in the ranking. Where phrases must appear,
    cheap words would else be added to outweigh the dear ones."""
    borders: frozenset[int] = frozenset()
    """Tokens that begin a new word, for phrases that must end at a word boundary."""

    def of(self, sentences: list[int]) -> "SearchLimits":
        """The limits of some of the sentences."""
        return replace(
            self,
            max_lengths=tuple(self.max_lengths[row] for row in sentences),
            expected=tuple(self.expected[row] for row in sentences) if self.expected else (),
        )
