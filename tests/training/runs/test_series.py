import pytest
from hypothesis import given
from hypothesis import strategies as st

from regard.training.runs.history import Bins, smooth


def binned(count: int, most: int) -> Bins:
    bins = Bins(most)
    for x in range(count):
        bins.add(x, x * x)
    return bins


def test_a_short_series_is_kept_as_it_is() -> None:
    assert binned(3, 4).points() == [(0, 0), (1, 1), (2, 4)]


def test_a_full_list_is_halved() -> None:
    """Four points become two means of two, the fifth waits alone."""
    bins = binned(5, 4)
    assert bins.size == 2
    assert bins.points() == [(0.5, 0.5), (2.5, 6.5), (4, 16)]


@given(st.integers(1, 3000), st.sampled_from([2, 8, 64]))
def test_bins_are_exact_means_in_little_room(count: int, most: int) -> None:
    bins = binned(count, most)
    points = bins.points()
    assert len(points) <= most
    for place, (x, y) in enumerate(points):
        inside = range(place * bins.size, min(count, (place + 1) * bins.size))
        assert x == pytest.approx(sum(inside) / len(inside))
        assert y == pytest.approx(sum(n * n for n in inside) / len(inside))


def test_smoothing_by_hand() -> None:
    points = [(1.0, 3.0), (2.0, 0.0), (3.0, 6.0), (4.0, 3.0)]
    assert smooth(points, 3) == [(1, 1.5), (2, 3), (3, 3), (4, 4.5)]
    assert smooth(points, 1) == points
    assert smooth([], 5) == []
