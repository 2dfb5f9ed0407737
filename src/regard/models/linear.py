"""Linear models: the baselines of the others."""

import importlib
import math
import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.special import expit

from regard.errors import DataError, MissingExtraError
from regard.progress import say

Floats = npt.NDArray[np.float64]
_MOST = 1000
"""Iterations."""


@dataclass(frozen=True)
class Linear:
    """W x + b: of labels their scores, whose softmax or whose sigmoids are probabilities; or a number."""

    weights: Floats
    """(labels, features); of a number one row."""
    biases: Floats
    """(labels,)."""

    @classmethod
    def fit(cls, features: Any, numbers: npt.ArrayLike, *, labels: int, strength: float = 1.0) -> "Linear":
        """Logistic regression, p(label | x) = softmax(W x + b), also known as maximum entropy.

        The likelihood less |W|² / (2 · strength) is maximised by scikit-learn (extra `baselines`).

        features: (n, features), an array or a sparse matrix of scipy
        numbers:  (n,), the label of each row, from 0 to labels - 1; all of them occur
        """
        right = np.asarray(numbers)
        found = np.unique(right)
        if labels < 2 or not np.array_equal(found, np.arange(labels)):
            raise DataError(f"expected rows of {labels} labels, 2 or more, found rows of {len(found)}")
        fitted = _fitted(_models().LogisticRegression(C=strength, max_iter=_MOST), features, right)
        weights, biases = fitted.coef_, fitted.intercept_
        if labels == 2:  # it has the scores of the second label alone; those of the first are 0
            weights, biases = np.vstack([0 * weights, weights]), np.append(0.0, biases)
        return cls(weights, biases)

    @classmethod
    def fit_each(cls, features: Any, marks: npt.NDArray[np.bool_], *, strength: float = 1.0) -> "Linear":
        """A logistic regression for each label alone (one against the rest), p(label | x) = sigmoid(w x + b).

        marks: (n, labels), True where a row has a label
        """
        weights, biases = np.zeros((marks.shape[1], features.shape[1])), np.zeros(marks.shape[1])
        for label, has in enumerate(marks.T):
            if has.all() or not has.any():  # nothing to tell apart: the odds that were seen, and one row more
                biases[label] = math.log(len(has) + 1) * (1 if has.all() else -1)
                continue
            fitted = _fitted(_models().LogisticRegression(C=strength, max_iter=_MOST), features, has)
            weights[label], biases[label] = fitted.coef_[0], fitted.intercept_[0]
        return cls(weights, biases)

    @classmethod
    def fit_numbers(cls, features: Any, values: npt.ArrayLike, *, strength: float = 1.0) -> "Linear":
        """Ridge regression: the least squares, with |w|² / strength added to their sum."""
        right = np.asarray(values, dtype=np.float64)
        fitted = _fitted(_models().Ridge(alpha=1 / strength, tol=1e-8), features, right)
        return cls(np.atleast_2d(fitted.coef_), np.atleast_1d(np.asarray(fitted.intercept_)))

    def scores(self, features: Any) -> Floats:
        """(n, features) -> (n, labels), or (n, 1) of a number."""
        found: Floats = features @ self.weights.T + self.biases
        return found

    def probabilities_of_each(self, features: Any) -> Floats:
        """(n, features) -> (n, labels), each label by itself."""
        found: Floats = expit(self.scores(features))
        return found

    def probabilities(self, features: Any) -> Floats:
        """(n, features) -> (n, labels); a row sums to 1."""
        scores = self.scores(features)
        powers = np.exp(scores - scores.max(axis=1, keepdims=True))
        normal: Floats = powers / powers.sum(axis=1, keepdims=True)
        return normal


def _fitted(model: Any, features: Any, right: npt.NDArray[Any]) -> Any:
    """The model, fitted. Warnings of scikit-learn name its files: what matters of them is said in a line."""
    from sklearn.exceptions import ConvergenceWarning

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        fitted = model.fit(features, right)
    if any(issubclass(one.category, ConvergenceWarning) for one in caught):
        say("the linear model has not converged: its scores may be a little lower than they could be")
    return fitted


def _models() -> Any:
    try:
        return importlib.import_module("sklearn.linear_model")
    except ImportError:
        raise MissingExtraError("fitting a linear baseline", "baselines") from None
