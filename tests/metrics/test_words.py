"""Scores of what is said of each word, by hand and against scikit-learn."""

import numpy as np
import pytest
from sklearn.metrics import accuracy_score, f1_score

from regard.metrics.classification import label_counts, word_accuracy
from regard.metrics.f_score import class_scores, f_statistics

SAID = [np.array([0, 1, 1]), np.array([2]), np.array([0, 0])]
RIGHT = [np.array([0, 1, 2]), np.array([2]), np.array([1, 0])]


def test_by_hand() -> None:
    """Four of six words are right; of the last of each sentence one of three, two alone in the third."""
    last = [np.array([False, False, True]), np.array([False]), np.array([True, True])]
    assert word_accuracy(SAID, RIGHT).value() == pytest.approx(4 / 6)
    assert word_accuracy(SAID, RIGHT, last).value() == pytest.approx(1 / 3)
    assert word_accuracy(SAID, RIGHT).value(np.array([0])) == pytest.approx(2 / 3)
    assert np.isnan(word_accuracy(SAID, RIGHT, last).value(np.array([1])))
    both, said, there = label_counts(SAID, RIGHT, 3)
    assert both.tolist() == [[1, 1, 0], [0, 0, 1], [1, 0, 0]]
    assert said.tolist() == [[1, 2, 0], [0, 0, 1], [2, 0, 0]]
    assert there.tolist() == [[1, 1, 1], [0, 0, 1], [1, 1, 0]]


def test_it_is_that_of_scikit_learn() -> None:
    random = np.random.default_rng(1)
    right = [random.integers(0, 5, size) for size in random.integers(1, 9, 40)]
    said = [np.where(random.random(len(own)) < 0.7, own, random.integers(0, 5, len(own))) for own in right]
    flat = np.concatenate(right), np.concatenate(said)
    assert word_accuracy(said, right).value() == pytest.approx(accuracy_score(*flat))
    counts = label_counts(said, right, 5)
    assert f_statistics(*counts).value() == pytest.approx(f1_score(*flat, average="macro"))
    assert [own.f1 for own in class_scores(*counts)] == pytest.approx(f1_score(*flat, average=None).tolist())
