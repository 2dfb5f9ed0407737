"""What a paper claims of an effect, as a range; and what an interval says of the claim."""

import math
from dataclasses import dataclass
from typing import Literal

from regard.metrics.bootstrap import Interval

Verdict = Literal["confirmed", "opposite", "not resolved"]


@dataclass(frozen=True)
class Claim:
    """Where an effect lies if the paper is right, and where it lies if the opposite is."""

    words: str
    paper: Interval
    opposite: tuple[Interval, ...]

    def verdict(self, found: Interval) -> Verdict:
        """An interval must lie within a range as a whole; one that reaches out of it resolves nothing."""
        if _within(found, self.paper):
            return "confirmed"
        return "opposite" if any(_within(found, other) for other in self.opposite) else "not resolved"


def more_than(smallest: float) -> Claim:
    """The effect is positive, and large enough to speak of; the opposite is as large, and negative.

    >>> more_than(1.0).verdict(Interval(1.2, 3.0)), more_than(1.0).verdict(Interval(0.5, 3.0))
    ('confirmed', 'not resolved')
    """
    return Claim(f"more than {smallest:g}", Interval(smallest, math.inf), (Interval(-math.inf, -smallest),))


def about_equal(margin: float) -> Claim:
    """The effect is too small to speak of: two systems are equal for all that matters."""
    return Claim(
        f"from {-margin:g} to {margin:g}",
        Interval(-margin, margin),
        (Interval(-math.inf, -margin), Interval(margin, math.inf)),
    )


def less_than(limit: float) -> Claim:
    """The effect stays under a limit; the opposite is above it."""
    return Claim(f"less than {limit:g}", Interval(-math.inf, limit), (Interval(limit, math.inf),))


def _within(found: Interval, bounds: Interval) -> bool:
    """Strictly inside; so what is not known at all, an interval without an end, lies in no range."""
    return bounds.low < found.low and found.high < bounds.high
