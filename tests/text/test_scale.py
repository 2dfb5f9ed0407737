"""Numbers in standard units."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from regard.errors import DataError, StoreError
from regard.text.labels import Scale


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_number_comes_back_to_the_bit(value: float) -> None:
    (ids,) = Scale(0.0, 1.0).encode_ids([repr(value)])
    assert Scale.decode(ids) == value
    assert all(0 <= own < len(Scale(0.0, 1.0)) for own in ids)


def test_mean_and_spread_are_those_of_the_rows() -> None:
    scale = Scale.learn([("x:1", "1"), ("x:2", "5.0")], "score")
    assert (scale.mean, scale.spread) == (3.0, 2.0)
    again = Scale.from_json(scale.to_json(), "x")
    assert (again.mean, again.spread) == (3.0, 2.0)


def test_mean_and_spread_far_from_zero_are_those_of_numpy() -> None:
    values = 1e9 + np.random.default_rng(0).normal(size=500)
    scale = Scale.learn((("x", repr(float(value))) for value in values), "score")
    assert (scale.mean, scale.spread) == pytest.approx((values.mean(), values.std()), rel=1e-6)
    with pytest.raises(DataError, match=r"has only 0.1$"):  # rounding is no difference
        Scale.learn([("x", "0.1")] * 10, "score")


def test_what_is_no_scale_is_refused() -> None:
    with pytest.raises(DataError, match="needs to differ, and the column 'score' has only 2"):
        Scale.learn([("x:1", "2"), ("x:2", "2.0")], "score")
    endless = '{"format": 1, "mean": ' + "9" * 400 + ', "spread": 1}'
    for text in ("{}", "[", "[" * 100_000, endless):
        with pytest.raises(StoreError, match=r"^x: not a scale of numbers"):
            Scale.from_json(text, "x")
    for text in ('{"format": 1, "mean": 0, "spread": 0}', '{"format": 2, "mean": 0, "spread": 1}'):
        with pytest.raises(StoreError, match=r"^x: not a scale of numbers"):
            Scale.from_json(text, "x")
