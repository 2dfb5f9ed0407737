"""Pearson's correlation, and Spearman's rank correlation, of predicted and gold scores."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from regard.errors import DataError
from regard.metrics.statistics import Floats, Rows, Statistics


def pearson_statistics(said: npt.ArrayLike, right: npt.ArrayLike) -> Statistics:
    """r = cov(x, y) / (σ_x σ_y), a function of the sums of 1, x, y, x², y² and xy.

    Both are centred first, so that the difference of two large sums is not lost in rounding.
    """
    x, y = (values - values.mean() if len(values) else values for values in _paired(said, right))
    return Statistics(np.column_stack([np.ones_like(x), x, y, x * x, y * y, x * y]), _pearson)


def _pearson(sums: list[float]) -> float:
    n, x, y, xx, yy, xy = sums
    spread = max(n * xx - x * x, 0.0) * max(n * yy - y * y, 0.0)
    return float((n * xy - x * y) / spread**0.5) if spread > 0 else float("nan")


def spearman_statistics(said: npt.ArrayLike, right: npt.ArrayLike) -> Statistics:
    """Pearson's correlation of the ranks; equal values share the mean of their ranks."""
    return _Ranked(np.column_stack(_paired(said, right)), lambda _: float("nan"))


@dataclass(frozen=True, eq=False)
class _Ranked(Statistics):
    """Ranks are those among the sentences that were drawn: no sum over sentences knows them.

    So what a sample gives is how often each sentence is in it, and the score is made from that.
    """

    def value(self, rows: Rows | None = None) -> float:
        """The score of the corpus, or of some of its sentences."""
        chosen = np.arange(len(self)) if rows is None else rows
        times = np.bincount(chosen, minlength=len(self)).astype(np.float64)
        return float(self.values(times[None])[0])

    def sums(self, times: Floats) -> Floats:
        """The draws themselves."""
        return times

    def values(self, sums: Floats) -> Floats:
        """The score of each sample, from how often it has each sentence."""
        groups = [np.unique(column, return_inverse=True)[1] for column in self.counts.T]
        return np.array([_spearman(times, groups) for times in sums], dtype=np.float64)


def _spearman(times: Floats, groups: list[npt.NDArray[np.intp]]) -> float:
    """Of sentences that are there so often, (n,), given the place of each among the different values."""
    ranks = []
    for group in groups:
        number = np.bincount(group, times)
        ranks.append((np.cumsum(number) - number / 2)[group])  # the mean rank of equal values, less 1/2
    n = times.sum()
    x, y = (rank - n / 2 for rank in ranks)
    return _pearson([n, times @ x, times @ y, times @ (x * x), times @ (y * y), times @ (x * y)])


def _paired(said: npt.ArrayLike, right: npt.ArrayLike) -> tuple[Floats, Floats]:
    x, y = np.asarray(said, dtype=np.float64), np.asarray(right, dtype=np.float64)
    if x.shape != y.shape:
        raise DataError(f"expected as many scores as there are right ones, {len(y):,}, found {len(x):,}")
    return x, y
