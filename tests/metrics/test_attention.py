"""Measures of attention rows, beside a plain computation of each formula."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from regard.metrics.attention import (
    coverage,
    diagonality,
    distributions,
    entropy,
    head_divergence,
    js_divergence,
    kendall_tau,
    mean_distance,
    relative_entropy,
)

HEADS = [  # two heads, three rows, four columns
    [[0.7, 0.1, 0.1, 0.1], [0.0, 1.0, 0.0, 0.0], [0.25, 0.25, 0.25, 0.25]],
    [[0.1, 0.2, 0.3, 0.4], [0.5, 0.5, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0]],
]


def plain_entropy(row: list[float]) -> float:
    return -sum(p * math.log(p) for p in row if p)


def test_each_measure_is_its_formula() -> None:
    p = np.array(HEADS)
    assert entropy(p)[0] == pytest.approx([plain_entropy(row) for row in HEADS[0]])
    shares = relative_entropy(p, [4, 1, 2])[0]
    assert shares[[0, 2]] == pytest.approx([plain_entropy(HEADS[0][0]) / math.log(4), 2.0])
    assert np.isnan(shares[1])  # one key alone: there is nothing to choose
    for head in range(2):
        for i, row in enumerate(HEADS[head]):
            assert mean_distance(p)[head, i] == pytest.approx(sum(w * abs(i - j) for j, w in enumerate(row)))
            off = sum(w * abs(i / 2 - j / 3) for j, w in enumerate(row))
            assert diagonality(p)[head, i] == pytest.approx(1 - off)
        columns = [sum(row[j] for row in HEADS[head]) for j in range(3)]  # the last one is no word
        assert coverage(p, slice(0, 3))[head] == pytest.approx(sum(min(1, c) for c in columns) / 3)


def test_heads_differ_by_the_mean_of_their_divergences() -> None:
    third = [[1.0, 0.0, 0.0, 0.0]] * 3
    every = [*HEADS, third]
    found = head_divergence(np.array(every))
    for i in range(3):
        middle = [[(a + b) / 2 for a, b in zip(every[0][i], other[i], strict=True)] for other in every]
        apart = [
            plain_entropy(middle[n]) - (plain_entropy(every[0][i]) + plain_entropy(every[n][i])) / 2
            for n in (1, 2)
        ]
        assert found[0, i] == pytest.approx(sum(apart) / 2)
    assert np.isnan(head_divergence(np.array(every[:1]))).all()


def test_divergence_reaches_its_bounds() -> None:
    one, other = np.array([1.0, 0.0]), np.array([0.0, 1.0])
    assert js_divergence(one, other) == pytest.approx(math.log(2))
    assert js_divergence(one, one) == 0


def test_a_row_without_weight_has_no_measures() -> None:
    p = distributions([[0.0, 0.0], [0.2, 0.2]])
    assert np.isnan(p[0]).all()
    assert p[1] == pytest.approx([0.5, 0.5])
    assert np.isnan(entropy(p)[0])
    assert coverage(p) == pytest.approx(1 / 2)


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=2, max_size=9))
def test_tau_counts_pairs(points: list[tuple[int, int]]) -> None:
    pairs = [(a, b) for n, a in enumerate(points) for b in points[:n]]
    score = untied_x = untied_y = 0
    for (x, y), (u, v) in pairs:
        score += ((x > u) - (x < u)) * ((y > v) - (y < v))
        untied_x += x != u
        untied_y += y != v
    found = kendall_tau(*zip(*points, strict=True))
    if untied_x * untied_y == 0:
        assert math.isnan(found)
    else:
        assert found == pytest.approx(score / math.sqrt(untied_x * untied_y))
