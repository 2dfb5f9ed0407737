"""How often the partner of a text is the nearest."""

import numpy as np
import pytest

from regard.errors import DataError
from regard.metrics.retrieval import partner_ranks, retrieval_statistics


def test_ranks_by_hand() -> None:
    first = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
    second = np.array([[2.0, 0.0], [1.0, 0.1], [3.0, 2.9]])
    ranks = partner_ranks(first, second, ["a", "b", "c"], ["x", "y", "z"])
    assert ranks.tolist() == [1, 2, 1]  # of b, z is nearer than its own
    measures = {name: metric.value() for name, metric in retrieval_statistics(ranks).items()}
    assert measures == {"retrieval": pytest.approx(2 / 3), "mrr": pytest.approx(2.5 / 3)}


def test_whoever_says_the_same_of_all_texts_finds_nothing() -> None:
    same = np.ones((5, 3))
    assert partner_ranks(same, same, list("abcde"), list("vwxyz")).tolist() == [5] * 5


def test_a_text_that_comes_twice_is_one_candidate_and_several_partners_are_all_right() -> None:
    first = np.array([[1.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
    second = np.array([[1.0, 0.1], [1.0, 0.2], [1.0, 0.1]])
    # Both x and y belong to a, so neither stands before the other; x is one candidate for b.
    assert partner_ranks(first, second, ["a", "a", "b"], ["x", "y", "x"]).tolist() == [1, 1, 2]


def test_a_text_is_not_counted_against_its_own_partner() -> None:
    first = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
    second = np.array([[1.0, 1.0], [1.0, 0.0], [0.0, 1.0]])
    # Of a, the nearest is a itself, which is not counted; of the others it is one of the seconds.
    assert partner_ranks(first, second, ["a", "b", "c"], ["x", "a", "y"]).tolist() == [1, 3, 3]
    assert partner_ranks(first, second, ["a", "b", "y"], ["x", "a", "y"]).tolist() == [1, 3, 3]


def test_texts_without_partners() -> None:
    with pytest.raises(DataError, match="expected as many texts on both sides, found 2 and 1"):
        partner_ranks(np.ones((2, 2)), np.ones((1, 2)), ["a", "b"], ["x"])
