"""Verdicts by hand: an interval must lie in a range as a whole."""

import math

import pytest

from regard.experiments.estimates import Claim, about_equal, less_than, more_than
from regard.metrics.bootstrap import Interval

CASES = [
    (more_than(1.0), (1.1, 3.0), "confirmed"),
    (more_than(1.0), (0.9, 3.0), "not resolved"),  # may be too small to speak of
    (more_than(1.0), (1.0, 3.0), "not resolved"),  # on the bound is not beyond it
    (more_than(1.0), (-3.0, -1.1), "opposite"),
    (more_than(1.0), (-3.0, -0.9), "not resolved"),
    (more_than(1.0), (-0.2, 0.2), "not resolved"),
    (more_than(0.0), (0.1, 0.2), "confirmed"),
    (more_than(0.0), (-0.2, -0.1), "opposite"),
    (about_equal(1.0), (-0.9, 0.9), "confirmed"),
    (about_equal(1.0), (-0.9, 1.1), "not resolved"),
    (about_equal(1.0), (1.1, 5.0), "opposite"),
    (about_equal(1.0), (-5.0, -1.1), "opposite"),
    (about_equal(1.0), (-5.0, 5.0), "not resolved"),
    (less_than(0.8), (-0.5, 0.7), "confirmed"),
    (less_than(0.8), (0.5, 0.9), "not resolved"),
    (less_than(0.8), (0.85, 0.95), "opposite"),
]


@pytest.mark.parametrize(("claim", "found", "verdict"), CASES)
def test_verdicts(claim: Claim, found: tuple[float, float], verdict: str) -> None:
    assert claim.verdict(Interval(*found)) == verdict


@pytest.mark.parametrize("claim", [more_than(1.0), about_equal(1.0), less_than(0.8)])
def test_what_is_not_known_resolves_nothing(claim: Claim) -> None:
    assert claim.verdict(Interval(-math.inf, math.inf)) == "not resolved"
    assert claim.verdict(Interval(math.nan, math.nan)) == "not resolved"
