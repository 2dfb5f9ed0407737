import numpy as np
import pytest

from regard.metrics.calibration import calibration_statistics, fit_temperature, log_softmax


def test_the_calibration_error_by_hand() -> None:
    """Two bins: 0.9 said of four, half of them right, is off by 0.4; 0.55 of one that is wrong by 0.55."""
    found = calibration_statistics(np.array([0.9, 0.9, 0.9, 0.9, 0.55]), [True, True, False, False, False])
    assert found.value() == pytest.approx((4 * 0.4 + 0.55) / 5)
    assert calibration_statistics(np.array([1.0, 1.0]), [True, True]).value() == 0.0


def test_too_sure_a_model_gets_its_temperature_back() -> None:
    """Labels drawn by softmax(z): a model that says 3 z needs T = 3."""
    dice = np.random.default_rng(0)
    logits = dice.normal(size=(20_000, 4))
    likely = np.exp(log_softmax(logits))
    labels = [int(dice.choice(4, p=row)) for row in likely]
    assert fit_temperature(3 * logits, labels) == pytest.approx(3.0, rel=0.05)
    before, after = (
        calibration_statistics(said.max(axis=1), said.argmax(axis=1) == labels).value()
        for said in (np.exp(log_softmax(3 * logits / t)) for t in (1.0, 3.0))
    )
    assert after < 0.02 < before


def test_rows_that_are_all_right_do_not_make_a_model_certain() -> None:
    """With n rows, no more than 1 - 1 / (n + 2) is said of an average row."""
    logits = np.array([[4.0, 0.0]] * 8)
    temperature = fit_temperature(logits, [0] * 8)
    assert np.exp(log_softmax(logits / temperature))[0, 0] == pytest.approx(0.9, abs=1e-3)
