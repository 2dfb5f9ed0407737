"""What a search gives back."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """One written sentence: its tokens without <s> and </s>, and how probable the model finds it."""

    tokens: tuple[int, ...]
    log_probability: float
    """Of all tokens, and of </s> where the sentence was ended. The model's own, whatever the search was."""
    score: float
    """What the search ranked by: the log-probability / the length penalty, + the coverage penalty."""
    ended: bool
    """False where the sentence was cut off: at the longest length allowed, or where nothing may follow."""
    met: bool = True
    """False where a phrase that must appear does not."""

    @property
    def rank(self) -> tuple[bool, bool, float]:
        """The larger, the better."""
        return self.met, self.ended, self.score
