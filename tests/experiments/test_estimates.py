"""Effects and their intervals: by hand, and by simulation."""

import math

import numpy as np
import pytest

from regard.errors import DataError
from regard.experiments.estimates import Quantity, Seen, estimate, more_than, quantities, student_interval
from regard.metrics.statistics import Floats, mean_of


def difference(seen: Seen) -> Floats:
    return seen("b", "bleu") - seen("a", "bleu")


def systems(a: Quantity, b: Quantity) -> dict[str, dict[str, Quantity]]:
    return {"a": {"bleu": a}, "b": {"bleu": b}}


def test_students_interval_by_hand() -> None:
    """Mean 2, deviation 1, and 4.3027 is in every table of t with 2 degrees of freedom."""
    low, high = student_interval([1.0, 2.0, 3.0])
    assert (low, high) == pytest.approx((2 - 4.3027 / math.sqrt(3), 2 + 4.3027 / math.sqrt(3)), abs=1e-4)


def test_several_seeds() -> None:
    seeds = [systems(Quantity(10.0), Quantity(10.0 + more)) for more in (1.0, 2.0, 3.0)]
    found = estimate(difference, seeds)
    assert (found.value, found.each, found.over) == (2.0, (1.0, 2.0, 3.0), "seeds")
    assert found.interval == student_interval([1.0, 2.0, 3.0])


def test_one_seed_is_resampled_in_pairs() -> None:
    """Both systems swing together from draw to draw; their difference does not."""
    swing = tuple(float(place) for place in range(80))
    found = estimate(
        difference, [systems(Quantity(40.0, swing), Quantity(43.0, tuple(s + 3 for s in swing)))]
    )
    assert (found.value, found.over, found.interval) == (3.0, "test rows", (3.0, 3.0))


def test_the_middle_of_the_resamples() -> None:
    """Of 80 draws from 0 to 79, two are outside on each side."""
    draws = tuple(float(place) for place in reversed(range(80)))
    found = estimate(difference, [systems(Quantity(0.0, (0.0,) * 80), Quantity(40.0, draws))])
    assert found.interval == (2.0, 77.0)


def test_one_seed_without_resamples_has_no_interval() -> None:
    with pytest.raises(DataError, match="nothing was resampled"):
        estimate(difference, [systems(Quantity(1.0), Quantity(2.0))])


def test_groups_are_scored_by_their_rows_alone() -> None:
    scores = mean_of([1.0, 2.0, 3.0, 10.0])
    found = quantities({"x": scores}, {"few": np.array([0, 3]), "one": np.array([1])}, samples=200)
    assert {name: each.value for name, each in found.items()} == {"x": 4.0, "x few": 5.5, "x one": 2.0}
    drawn = [value for value in found["x one"].resampled if not math.isnan(value)]
    assert set(drawn) == {2.0}
    assert 0 < len(drawn) < 200  # some draws do not have that row
    assert set(found["x few"].resampled) - {math.nan} >= {1.0, 5.5, 10.0}


def test_the_same_draws_for_every_system() -> None:
    values = [1.0, 5.0, 2.0, 8.0]
    one = quantities({"x": mean_of(values)}, samples=50)["x"]
    other = quantities({"x": mean_of([value + 1 for value in values])}, samples=50)["x"]
    assert np.subtract(other.resampled, one.resampled) == pytest.approx(1.0)


def shares(true: float, *, seeds: int, spread: float = 1.0, trials: int = 2000) -> dict[str, float]:
    """How often each verdict falls, and how often the interval holds the truth, where that is known."""
    generator = np.random.default_rng(7)
    claim, told = more_than(0.0), {"confirmed": 0.0, "opposite": 0.0, "not resolved": 0.0, "held": 0.0}
    for values in generator.normal(true, spread, size=(trials, seeds)):
        low, high = found = student_interval(values.tolist())
        told[claim.verdict(found)] += 1 / trials
        told["held"] += (low <= true <= high) / trials
    return told


@pytest.mark.parametrize("seeds", [2, 3, 5])
def test_seeds_that_scatter_rarely_mislead(seeds: int) -> None:
    """Without an effect, each wrong verdict falls in 2.5 % of experiments; 95 % of intervals hold."""
    told = shares(0.0, seeds=seeds)
    assert told["held"] == pytest.approx(0.95, abs=0.015)
    assert told["confirmed"] == pytest.approx(0.025, abs=0.012)
    assert told["opposite"] == pytest.approx(0.025, abs=0.012)


def test_more_seeds_resolve_more() -> None:
    few, many = (shares(1.5, seeds=seeds, trials=500) for seeds in (3, 8))
    assert few["confirmed"] < 0.8 < 0.9 < many["confirmed"]
    assert few["opposite"] + many["opposite"] < 0.005


def test_resampled_rows_hold_the_truth() -> None:
    """200 rows, the second system better by 0.3 on average: the interval holds that in about 95 %."""
    generator, held, trials = np.random.default_rng(3), 0, 300
    for _ in range(trials):
        hard = generator.normal(size=200)  # a hard row is hard for both
        a, b = hard + generator.normal(size=200) / 2, hard + 0.3 + generator.normal(size=200) / 2
        pair = [quantities({"bleu": mean_of(each.tolist())}, samples=200)["bleu"] for each in (a, b)]
        low, high = estimate(difference, [systems(*pair)]).interval
        held += low <= 0.3 <= high
    assert held / trials == pytest.approx(0.95, abs=0.04)
