"""Correlations against scipy's."""

import numpy as np
import pytest
from scipy import stats

from regard.errors import DataError
from regard.metrics.bootstrap import difference, resample
from regard.metrics.correlation import pearson_statistics, spearman_statistics
from regard.metrics.statistics import mean_of

RANDOM = np.random.default_rng(1)
X = np.round(RANDOM.normal(1e4, 1.0, 60), 1)  # far from 0, with equal values
Y = np.round(X - 1e4 + RANDOM.normal(0, 1, 60), 1)
BOTH = [(pearson_statistics, stats.pearsonr), (spearman_statistics, stats.spearmanr)]


@pytest.mark.parametrize(("ours", "theirs"), BOTH)
def test_it_is_that_of_scipy(ours, theirs) -> None:  # type: ignore[no-untyped-def]
    statistics = ours(X, Y)
    assert statistics.value() == pytest.approx(theirs(X, Y).statistic, abs=1e-9)
    rows = np.array([3, 3, 7, 20, 21, 22, 22, 40])  # a sentence may be drawn more than once
    assert statistics.value(rows) == pytest.approx(theirs(X[rows], Y[rows]).statistic, abs=1e-9)


@pytest.mark.parametrize(("ours", "theirs"), BOTH)
def test_every_resample_is_that_of_scipy(ours, theirs) -> None:  # type: ignore[no-untyped-def]
    """Also beside another metric; the draws are those of the seed."""
    drawn = np.random.default_rng(5).choice(60, size=(30, 60), replace=True)
    together = resample({"r": ours(X, Y), "mean": mean_of(X)}, samples=30, seed=5)
    expected = [theirs(X[rows], Y[rows]).statistic for rows in drawn]
    np.testing.assert_allclose(together["r"], expected, atol=1e-9)
    np.testing.assert_allclose(together["mean"], X[drawn].mean(axis=1))


def test_two_systems_can_be_compared() -> None:
    one, other = spearman_statistics(X, Y), spearman_statistics(X, RANDOM.permutation(Y))
    scores = [resample({"r": system}, samples=100)["r"] for system in (one, other)]
    assert difference(one, other, scores[0], scores[1]).p_value < 0.05


@pytest.mark.parametrize("ours", [pearson_statistics, spearman_statistics])
def test_what_never_changes_has_no_correlation(ours) -> None:  # type: ignore[no-untyped-def]
    assert np.isnan(ours([1.0, 1.0, 1.0], [1.0, 2.0, 3.0]).value())
    assert np.isnan(ours([], []).value())


def test_other_numbers_of_scores_are_refused() -> None:
    with pytest.raises(DataError, match="as many scores as there are right ones, 1, found 2"):
        pearson_statistics([1.0, 2.0], [1.0])
