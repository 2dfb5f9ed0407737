"""The best spans, against all of them one by one."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from regard.tasks.question_answering.span_search import SpanScores

INF = math.inf


def test_by_hand() -> None:
    """Start 2 and end 1 are the best of each, but an end is not before its start."""
    scores = SpanScores(np.array([-INF, 0.0, 3.0, 1.0]), np.array([-INF, 4.0, 1.0, 2.0]), longest=2)
    best = scores.best(3)
    assert [(one.first, one.last) for one in best] == [(2, 3), (1, 1), (2, 2)]
    total = sum(map(math.exp, [4, 1, 4, 5, 3]))  # 11, 12, 22, 23, 33
    assert [one.probability for one in best] == pytest.approx([math.exp(s) / total for s in (5, 4, 4)])
    assert scores.probability(1, 3) == 0.0, "three tokens, and two are the most"
    assert scores.probability(3, 2) == scores.probability(0, 1) == scores.probability(0, 0) == 0.0


def test_no_answer_competes() -> None:
    scores = SpanScores(np.array([2.0, 0.0, 1.0]), np.array([2.0, 0.0, 1.0]), longest=5)
    first, second = scores.best(2)
    assert (first.first, first.last, second.first) == (0, 0, 2)
    assert first.probability == pytest.approx(math.exp(4) / sum(map(math.exp, [4, 0, 1, 2])))
    assert scores.probability(0, 0) == first.probability


def test_what_else_could_be_said() -> None:
    """Of two tokens, no answer, 11, 12 and 22; the last is at the fourth place."""
    scores = SpanScores(np.array([2.0, 0.0, 1.0]), np.array([2.0, 0.0, 1.0]), longest=5)
    found = scores.choices(2, 2)
    assert found is not None
    assert (found[0].tolist(), found[1]) == ([4.0, 0.0, 1.0, 2.0], 3)
    nothing = scores.choices(0, 0)
    assert nothing is not None
    assert nothing[1] == 0
    only = SpanScores(np.array([-INF, 0.0, 1.0]), np.array([-INF, 0.0, 1.0]), longest=1)
    assert only.choices(0, 0) is only.choices(1, 2) is only.choices(2, 1) is None
    assert SpanScores(np.array([-INF, 1.0]), np.array([-INF, 1.0]), longest=1).choices(1, 1) is None


def test_where_nothing_may_be_there_is_nothing() -> None:
    assert SpanScores(np.full(3, -INF), np.full(3, -INF), longest=2).best() == []


def test_a_text_that_is_shorter_than_the_longest_span_costs_no_more_than_its_own_spans() -> None:
    start, end = np.array([0.0, 0.0, 3.0, 1.0]), np.array([0.0, 4.0, 1.0, 2.0])
    without_end, own = SpanScores(start, end, longest=10**15), SpanScores(start, end, longest=3)
    assert without_end.best(100) == own.best(100)
    assert without_end.probability(1, 3) == own.probability(1, 3) > 0.0


@given(st.integers(1, 7), st.integers(1, 4), st.booleans(), st.integers(0, 2**16))
def test_probabilities_are_those_of_all_spans(size: int, longest: int, nothing: bool, seed: int) -> None:
    rng = np.random.default_rng(seed)
    start, end = rng.normal(size=(2, size + 1))
    if not nothing:
        start[0] = end[0] = -INF
    scores = SpanScores(start, end, longest)
    spans = [(i, j) for i in range(1, size + 1) for j in range(i, min(size, i + longest - 1) + 1)]
    every = spans + [(0, 0)] * nothing
    found = scores.best(100)
    assert {(one.first, one.last) for one in found} == set(every)
    assert sum(one.probability for one in found) == pytest.approx(1.0)
    assert [one.probability for one in found] == sorted((one.probability for one in found), reverse=True)
    assert all(scores.probability(one.first, one.last) == pytest.approx(one.probability) for one in found)
