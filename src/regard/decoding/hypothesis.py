"""What a search gives back."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """One written sentence: its tokens without <s> and </s>, and how probable the model finds it."""

    tokens: tuple[int, ...]
    log_probability: float
    """Of all tokens, and of </s> where the sentence was ended."""
    score: float
    """What the search ranked by: log-probability / length ** alpha, </s> counted."""
    ended: bool
    """False where the sentence was cut off at the longest length allowed."""
