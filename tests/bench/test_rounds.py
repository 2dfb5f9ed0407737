"""The driver of the benchmarks."""

import sys

import pytest
from bench.rounds import Measured, in_turn


def test_a_side_that_dies_is_named_with_its_last_words() -> None:
    dies = [sys.executable, "-c", "raise SystemExit('no such corpus')"]
    with pytest.raises(SystemExit, match=r"(?s)plain gave up:.*no such corpus"):
        in_turn({"plain": dies}, rounds=1, threads=1)


def test_a_ratio_is_the_median_over_rounds() -> None:
    one, other = Measured({}, [2.0, 9.0, 4.0], {}), Measured({}, [1.0, 3.0, 4.0], {})
    assert one.times(other) == (2.0, 1.0, 3.0)
