"""A linear classifier, the simple model that every other one is measured against."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from regard.errors import DataError, MissingExtraError

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Linear:
    """p(label | x) = softmax(W x + b); also known as logistic regression, or maximum entropy."""

    weights: Floats
    """(labels, features)."""
    biases: Floats
    """(labels,)."""

    @classmethod
    def fit(cls, features: Any, numbers: npt.ArrayLike, *, labels: int, strength: float = 1.0) -> "Linear":
        """Maximise the likelihood less |W|² / (2 · strength), by scikit-learn (extra `baselines`).

        features: (n, features), an array or a sparse matrix of scipy
        numbers:  (n,), the right label of each row, from 0 to labels - 1; all of them occur
        """
        try:
            from sklearn.linear_model import LogisticRegression
        except ImportError:
            raise MissingExtraError("fitting a linear baseline", "baselines") from None
        right = np.asarray(numbers)
        found = np.unique(right)
        if labels < 2 or not np.array_equal(found, np.arange(labels)):
            raise DataError(f"expected rows of {labels} labels, 2 or more, found rows of {len(found)}")
        fitted = LogisticRegression(C=strength, max_iter=1000).fit(features, right)
        weights, biases = fitted.coef_, fitted.intercept_
        if labels == 2:  # it has the scores of the second label alone; those of the first are 0
            weights, biases = np.vstack([0 * weights, weights]), np.append(0.0, biases)
        return cls(weights, biases)

    def probabilities(self, features: Any) -> Floats:
        """(n, features) -> (n, labels)."""
        scores = features @ self.weights.T + self.biases
        powers = np.exp(scores - scores.max(axis=1, keepdims=True))
        normal: Floats = powers / powers.sum(axis=1, keepdims=True)
        return normal
