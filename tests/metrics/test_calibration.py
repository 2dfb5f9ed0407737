import numpy as np
import pytest
from scipy.special import expit, softmax

from regard.errors import DataError
from regard.metrics.bootstrap import interval, resample
from regard.metrics.calibration import (
    BINS,
    calibration_statistics,
    fit_temperature,
    fit_temperature_of_each,
    log_softmax,
)

RANDOM = np.random.default_rng(1)
TRUE = RANDOM.normal(0, 2, (4000, 3))
LABELS = np.array([RANDOM.choice(3, p=row) for row in softmax(TRUE, axis=1)])


def test_the_error_by_hand() -> None:
    """Two answers of 0.9, one right: |1.8 - 1|. One of 0.62, right: |0.62 - 1|. Over 3 answers."""
    error = calibration_statistics(np.array([0.9, 0.62, 0.9]), [True, True, False])
    assert error.value() == pytest.approx((0.8 + 0.38) / 3)
    assert error.value(np.array([1])) == pytest.approx(0.38)
    several = calibration_statistics(
        np.array([[0.9, 0.62], [0.9, 1.0]]), np.array([[True, True], [False, True]])
    )
    assert several.value() == pytest.approx((0.8 + 0.38) / 4)


def test_ends_of_bins() -> None:
    """A bin has its upper end: 1 and 14/15 + ε are in one bin, 14/15 in the one before; 0 in the first."""
    counts = calibration_statistics(np.array([0.0, 14 / 15, 14 / 15 + 1e-6, 1.0]), [True] * 4).counts[
        :, :BINS
    ]
    assert counts.argmax(axis=1).tolist() == [0, 13, 14, 14]


def test_true_probabilities_have_a_small_error_and_sharper_ones_a_large_one() -> None:
    for sharpness, low, high in ((1, 0.0, 0.04), (3, 0.08, 1.0)):
        probabilities = softmax(TRUE * sharpness, axis=1)
        said = probabilities.argmax(axis=1)
        error = calibration_statistics(probabilities.max(axis=1), said == LABELS)
        assert low < error.value() < high
        below, above = interval(resample({"ece": error}, samples=100)["ece"])
        assert below < above


@pytest.mark.parametrize("sharpness", [0.5, 1.0, 4.0])
def test_the_temperature_undoes_what_was_too_sharp(sharpness: float) -> None:
    """Labels drawn with given probabilities; logits that are `sharpness` times as far apart."""
    assert fit_temperature(TRUE * sharpness, LABELS) == pytest.approx(sharpness, rel=0.06)
    marks = RANDOM.random(TRUE.shape) < expit(TRUE)
    assert fit_temperature(TRUE * sharpness, marks) == pytest.approx(sharpness, rel=0.06)


def test_sentences_with_choices_of_their_own_have_the_same_temperature() -> None:
    few = 2 * TRUE[:200]
    same = fit_temperature_of_each(list(few), LABELS[:200].tolist())
    assert same == pytest.approx(fit_temperature(few, LABELS[:200]), rel=1e-3)
    cut = [row[: 2 + place % 2] for place, row in enumerate(few)]
    right = [min(label, len(row) - 1) for label, row in zip(LABELS[:200].tolist(), cut, strict=True)]
    assert fit_temperature_of_each(cut, right) > 0
    with pytest.raises(DataError, match="expected a right answer for each of 0 sentences"):
        fit_temperature_of_each([], [])


def test_the_temperature_is_where_the_slope_is_0() -> None:
    """At the best T, the mean logit of what is wanted is the mean logit of what is said."""
    logits, labels = 2 * TRUE[:50], LABELS[:50]
    rest = 1 / 52
    wanted = np.full(logits.shape, rest / 2)
    wanted[np.arange(50), labels] = 1 - rest
    said = softmax(logits / fit_temperature(logits, labels), axis=1)
    assert (said * logits).sum() == pytest.approx((wanted * logits).sum(), abs=0.05)


def test_rows_that_are_all_right_do_not_make_it_sure() -> None:
    """9 of 9 right, with logits 1 apart: 1 - 1/11 is wanted, so T = 1 / ln 10."""
    logits = np.tile([1.0, 0.0], (9, 1))
    assert fit_temperature(logits, [0] * 9) == pytest.approx(1 / np.log(10), rel=1e-3)


def test_what_is_forbidden_is_no_choice() -> None:
    """As with the marginals of a CRF that has rules: a tag that may not be there has the logarithm of 0."""
    few, labels = TRUE[:60], LABELS[:60]
    forbidden = np.full((60, 2), np.log(5e-324))
    log_probabilities = np.hstack([log_softmax(few), forbidden])
    assert fit_temperature(log_probabilities, labels) == pytest.approx(fit_temperature(few, labels), rel=1e-3)
    wrong = [*labels[:50], *[4] * 10]  # what cannot be is no matter of sureness
    without = fit_temperature(few[:50], labels[:50])
    assert fit_temperature(log_probabilities, wrong) == pytest.approx(without, rel=1e-3)
    assert fit_temperature(log_probabilities[:3], [4, 4, 4]) == 1.0


def test_log_softmax() -> None:
    np.testing.assert_allclose(np.exp(log_softmax(TRUE[:5] + 1000)), softmax(TRUE[:5], axis=1))


def test_missing_answers_are_refused() -> None:
    with pytest.raises(DataError, match="a right answer for each row of logits, 5, found 4"):
        fit_temperature(TRUE[:5], LABELS[:4])
    with pytest.raises(DataError, match="expected a confidence for each answer"):
        calibration_statistics(np.array([0.5]), [True, False])
