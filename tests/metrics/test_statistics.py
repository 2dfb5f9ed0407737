import math

import numpy as np
import pytest

from regard.metrics.statistics import Statistics, mean_of, ratio


def test_a_mean_by_hand() -> None:
    scores = mean_of([1.0, 0.0, 0.5, 0.5])
    assert scores.value() == 0.5
    assert scores.value(np.array([0, 2])) == 0.75
    assert scores.each().tolist() == [1.0, 0.0, 0.5, 0.5]
    assert len(scores) == 4


def test_sums_come_before_the_score() -> None:
    """An F-score of (true positives, found, there): 2 * 3 / (4 + 6), not the mean of the sentences' own."""
    f_score = Statistics(
        np.array([[1.0, 1.0, 5.0], [2.0, 3.0, 1.0]]), lambda sums: 2 * sums[0] / (sums[1] + sums[2])
    )
    assert f_score.value() == pytest.approx(0.6)
    assert f_score.values(np.array([[3.0, 4.0, 6.0], [1.0, 1.0, 1.0]])).tolist() == pytest.approx([0.6, 1.0])


def test_nothing_to_divide_by_is_no_score() -> None:
    assert math.isnan(ratio([0.0, 0.0]))
