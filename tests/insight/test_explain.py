"""A row by hand: scores 1 = 3 - 2, 0 and 5 over three keys, of which the last is hidden."""

import json
import math

import numpy as np
import pytest
from numpy.testing import assert_allclose

from regard.insight.explain import Explanation


def row(
    *, factor: tuple[float, ...] = (1.0, 1.0, 1.0), allowed: tuple[bool, ...] = (True, True, False)
) -> Explanation:
    return Explanation(
        path="attention",
        kind="cross",
        head=None,
        row=2,
        label="▁sent",
        columns=("▁책을", "▁a", "</s>"),
        chosen=(0,),
        formula="e_j = s · h_j",
        query=np.array([3.0, 1.0]),
        values=np.array([[1.0, -2.0], [0.0, 0.0], [1.0, 2.0]]),
        terms={"s": np.array([3.0, 1.0]), "h": np.array([[1.0, -2.0], [0.0, 0.0], [1.0, 2.0]])},
        summands=np.array([[3.0, -2.0], [0.0, 0.0], [3.0, 2.0]]),
        allowed=np.array(allowed),
        factor=np.array(factor),
        model=np.array([0.7310586, 0.2689414, 0.0]),
    )


def test_the_softmax_is_over_what_may_be_looked_at() -> None:
    told = row()
    assert_allclose(told.scores, [1, 0, 5])
    assert_allclose(told.exponentials, [1, math.exp(-1), 0])
    assert_allclose(told.weights, [math.e / (math.e + 1), 1 / (math.e + 1), 0])
    assert_allclose(told.context, told.weights[0] * np.array([1, -2]))
    assert told.error < 1e-7


def test_a_window_multiplies_the_softmax() -> None:
    assert_allclose(row(factor=(0.5, 1, 1)).weights, [0.5 * math.e / (math.e + 1), 1 / (math.e + 1), 0])
    assert "window" in str(row(factor=(0.5, 1, 1)))


def test_a_row_that_may_look_at_nothing() -> None:
    assert_allclose(row(allowed=(False,) * 3).weights, 0)


def test_what_is_shown() -> None:
    lines = str(row()).splitlines()
    assert lines[0] == "row 2 '▁sent' of attention (cross)"
    assert lines[1].startswith("e_j = s · h_j;")
    assert any(
        line.split() == ["→0", "▁책을", "2.2361", "1.000000", "1.000000", "0.731059", "0.731059"]
        for line in lines
    )
    assert any(line.split()[:1] == ["2"] and "masked" in line for line in lines)
    start = next(n for n, line in enumerate(lines) if line.startswith("e_0, of '▁책을', is a sum of 2"))
    shown = [line.split() for line in lines[start + 1 :]]
    assert shown == [
        ["n", "s", "h", "summand"],
        ["0", "3.000000", "1.000000", "3.000000"],
        ["1", "1.000000", "-2.000000", "-2.000000"],
        ["0", "more", "0.000000"],
        ["e_0", "1.000000"],
    ]


def test_as_json() -> None:
    values = json.loads(json.dumps(row().to_dict()))
    assert values["scores"] == [1, 0, 5]
    assert values["weights"] == pytest.approx(row().weights.tolist())
    assert values["terms"]["s"] == [3, 1]
