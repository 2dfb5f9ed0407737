import sys

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from regard.errors import DataError, MissingExtraError
from regard.models import linear
from regard.models.linear import Linear

RANDOM = np.random.default_rng(1)


@pytest.mark.parametrize("labels", [2, 3])
def test_it_equals_scikit_learns(labels: int) -> None:
    features = RANDOM.normal(size=(60, 5))
    right = np.arange(60) % labels
    ours = Linear.fit(features, right, labels=labels, strength=2.0)
    theirs = LogisticRegression(C=2.0, max_iter=1000).fit(features, right)
    assert ours.weights.shape == (labels, 5)
    np.testing.assert_allclose(ours.probabilities(features), theirs.predict_proba(features), atol=1e-12)


def test_a_probability_by_hand() -> None:
    linear = Linear(np.array([[0.0], [np.log(3.0)]]), np.array([0.0, 0.0]))
    np.testing.assert_allclose(linear.probabilities(np.array([[1.0], [0.0]])), [[0.25, 0.75], [0.5, 0.5]])


def test_scores_far_from_0_do_not_overflow() -> None:
    linear = Linear(np.array([[0.0], [5000.0]]), np.array([0.0, 0.0]))
    assert linear.probabilities(np.array([[1.0], [-1.0]])).tolist() == [[0.0, 1.0], [1.0, 0.0]]


@pytest.mark.parametrize(("right", "labels"), [([0, 0, 0], 1), ([0, 2, 2], 3)])
def test_labels_without_a_row_are_refused(right: list[int], labels: int) -> None:
    with pytest.raises(DataError, match=f"expected rows of {labels} labels, 2 or more, found rows of"):
        Linear.fit(np.eye(3), right, labels=labels)


def test_what_has_not_converged_is_said_in_one_line(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    features, right = RANDOM.normal(size=(60, 5)), np.arange(60) % 2
    Linear.fit(features, right, labels=2)
    assert capfd.readouterr().err == ""
    monkeypatch.setattr(linear, "_MOST", 1)
    Linear.fit(features, right, labels=2)
    (line,) = capfd.readouterr().err.splitlines()
    assert line.startswith("the linear model has not converged: ")


def test_without_the_extra_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sklearn.linear_model", None)
    with pytest.raises(MissingExtraError, match=r"linear baseline .* pip install 'regard\[baselines\]'"):
        Linear.fit(np.eye(3), [0, 1, 1], labels=2)
