"""What a search is limited by, what it results in, and what that is ranked by (Wu et al. 2016, section 7)."""

from dataclasses import dataclass, replace

from regard.config.decoding import DecodingConfig, LengthPenalty


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


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """One generated sentence: its tokens without <s> and </s>, and its probability."""

    tokens: tuple[int, ...]
    log_probability: float
    """Of all tokens, and of </s> where the sentence ended. The model's own, whatever the search was."""
    score: float
    """What the search ranked by: the log-probability / the length penalty, + the coverage penalty."""
    ended: bool
    """False where the sentence was truncated: at the maximum length, or where no token is allowed."""
    met: bool = True
    """False where a lexical constraint is not met."""

    @property
    def rank(self) -> tuple[bool, bool, float]:
        """The larger, the better."""
        return self.met, self.ended, self.score


@dataclass(frozen=True, slots=True)
class Ranking:
    """score = log p / penalty(length) + beta * coverage."""

    penalty: LengthPenalty = "average"
    alpha: float = 1.0
    beta: float = 0.0

    @classmethod
    def of(cls, settings: DecodingConfig) -> "Ranking":
        """The ranking that the settings ask for."""
        return cls(settings.length_penalty, settings.length_alpha, settings.coverage_beta)

    def score(self, log_probability: float, length: int, coverage: float = 0.0) -> float:
        """The score of a hypothesis.

        length:   in tokens, </s> counted where there is one
        coverage: sum_i log min(sum_t a_ti, 1), at most 0
        """
        base = float(length) if self.penalty == "average" else (5 + length) / 6
        normalised: float = log_probability / base**self.alpha
        return normalised + self.beta * coverage if self.beta else normalised
