"""The result of a search."""

from dataclasses import dataclass


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
