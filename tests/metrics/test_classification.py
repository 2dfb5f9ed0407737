"""Scores of labels against scikit-learn's."""

import numpy as np
import pytest
from sklearn import metrics as reference

from regard.errors import DataError
from regard.metrics.bootstrap import difference, interval, resample
from regard.metrics.classification import (
    accuracy_statistics,
    confusion_matrix,
    label_scores,
    label_statistics,
    marks,
    one_label_statistics,
)
from regard.metrics.f_score import Mean, Measure

LABELS = 5
RANDOM = np.random.default_rng(1)
RIGHT = RANDOM.integers(0, LABELS - 1, 200)  # the last label never occurs
SAID = np.where(RANDOM.random(200) < 0.6, RIGHT, RANDOM.integers(0, LABELS - 1, 200))
SAID[SAID == 2] = 1  # label 2 is never found
SEVERAL_RIGHT = RANDOM.random((200, LABELS)) < 0.3
SEVERAL_SAID = SEVERAL_RIGHT ^ (RANDOM.random((200, LABELS)) < 0.2)
SCORES = {
    "precision": reference.precision_score,
    "recall": reference.recall_score,
    "f1": reference.f1_score,
}


@pytest.mark.parametrize("mean", ["micro", "macro"])
@pytest.mark.parametrize("measure", ["precision", "recall", "f1"])
def test_the_means_are_those_of_scikit_learn(measure: Measure, mean: Mean) -> None:
    one = label_statistics(marks(SAID, LABELS), marks(RIGHT, LABELS), measure=measure, mean=mean)
    assert one.value() == pytest.approx(SCORES[measure](RIGHT, SAID, average=mean, zero_division=0))
    several = label_statistics(SEVERAL_SAID, SEVERAL_RIGHT, measure=measure, mean=mean)
    assert several.value() == pytest.approx(SCORES[measure](SEVERAL_RIGHT, SEVERAL_SAID, average=mean))


def test_a_sample_is_scored_as_scikit_learn_scores_it() -> None:
    """Some rows, in which fewer labels occur; each label's own score comes from its column."""
    rows = np.flatnonzero(RIGHT > 1)[:40]
    ours = label_statistics(marks(SAID, LABELS), marks(RIGHT, LABELS))
    assert ours.value(rows) == pytest.approx(
        reference.f1_score(RIGHT[rows], SAID[rows], average="macro", zero_division=0)
    )
    own = label_statistics(marks(SAID, LABELS)[:, [3]], marks(RIGHT, LABELS)[:, [3]])
    assert own.value() == pytest.approx(reference.f1_score(RIGHT == 3, SAID == 3))


def test_each_label_and_the_confusion_are_those_of_scikit_learn() -> None:
    for said, right, in_theirs in (
        (marks(SAID, LABELS), marks(RIGHT, LABELS), (RIGHT, SAID)),
        (SEVERAL_SAID, SEVERAL_RIGHT, (SEVERAL_RIGHT, SEVERAL_SAID)),
    ):
        theirs = reference.precision_recall_fscore_support(*in_theirs, labels=range(LABELS), zero_division=0)
        np.testing.assert_allclose(np.array(label_scores(said, right)).T, np.array(theirs))
    np.testing.assert_array_equal(
        confusion_matrix(SAID, RIGHT, LABELS), reference.confusion_matrix(RIGHT, SAID, labels=range(LABELS))
    )


def test_accuracy_is_that_of_scikit_learn() -> None:
    assert accuracy_statistics(SAID, RIGHT).value() == pytest.approx(reference.accuracy_score(RIGHT, SAID))
    assert accuracy_statistics(SEVERAL_SAID, SEVERAL_RIGHT).value() == pytest.approx(
        reference.accuracy_score(SEVERAL_RIGHT, SEVERAL_SAID)
    )


def test_f1_by_hand() -> None:
    """Label 0: found twice, once rightly, there once: F1 = 2/3. Label 1: there twice, found once: 2/3."""
    said, right = marks([0, 0, 1], 3), marks([0, 1, 1], 3)
    assert label_statistics(said, right).value() == pytest.approx(2 / 3)
    assert label_statistics(said, right, measure="precision").value() == pytest.approx((1 / 2 + 1) / 2)
    assert confusion_matrix([0, 0, 1], [0, 1, 1], 3).tolist() == [[1, 0, 0], [1, 1, 0], [0, 0, 0]]
    assert list(label_scores(said, right)[1]) == pytest.approx([1.0, 0.5, 2 / 3, 2])


def test_nothing_has_no_score() -> None:
    assert np.isnan(label_statistics(marks([], 3), marks([], 3)).value())


def test_two_systems_can_be_compared() -> None:
    """A worse one is told apart, by the draws that every other metric has."""
    worse = np.where(RANDOM.random(200) < 0.3, (RIGHT + 1) % 4, SAID)
    systems = [label_statistics(marks(said, LABELS), marks(RIGHT, LABELS)) for said in (SAID, worse)]
    scores = [resample({"f1": system}, samples=200)["f1"] for system in systems]
    low, high = interval(scores[0])
    assert low < systems[0].value() < high
    found = difference(systems[0], systems[1], scores[0], scores[1])
    assert found.value < 0
    assert found.p_value < 0.05


def test_other_numbers_of_labels_are_refused() -> None:
    with pytest.raises(DataError, match=r"\(3,\), found \(2,\)"):
        accuracy_statistics([1, 2], [1, 2, 0])


@pytest.mark.parametrize("mean", ["micro", "macro"])
def test_numbers_give_what_marks_give_in_less_memory(mean: Mean) -> None:
    numbers = one_label_statistics(SAID, RIGHT, LABELS, mean=mean)
    marked = label_statistics(marks(SAID, LABELS), marks(RIGHT, LABELS), mean=mean)
    rows = np.flatnonzero(RANDOM.random(200) < 0.1)
    assert numbers.value() == pytest.approx(marked.value())
    assert numbers.value(rows) == pytest.approx(marked.value(rows))
    np.testing.assert_allclose(numbers.each(), marked.each())
    drawn = resample({"numbers": numbers, "marks": marked}, samples=20)
    np.testing.assert_allclose(drawn["numbers"], drawn["marks"])
    assert numbers.counts.size == 2 * len(SAID)
