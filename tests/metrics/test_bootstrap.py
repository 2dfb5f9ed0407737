"""Intervals and p-values: those of sacreBLEU, and what can be checked by hand."""

import random

import numpy as np
import pytest
import sacrebleu
from sacrebleu.significance import PairedTest, Result, _bootstrap_resample, estimate_ci

from regard.metrics.bleu import METRICS, translation_statistics
from regard.metrics.bootstrap import difference, interval, paired_p_value, resample
from regard.metrics.statistics import Statistics, mean_of
from regard.world import pairs

REFERENCES = [pair.english for pair in pairs("test", 300)]
SACREBLEU = {"bleu": sacrebleu.BLEU, "chrf": sacrebleu.CHRF, "ter": sacrebleu.TER}


def worse(texts: list[str], share: float, seed: int) -> list[str]:
    """Leave out a share of the words."""
    chance = random.Random(seed)
    return [" ".join(word for word in text.split() if chance.random() > share) for text in texts]


ONE, OTHER = worse(REFERENCES, 0.20, 1), worse(REFERENCES, 0.22, 2)


def counted(metric: str, outputs: list[str]) -> Statistics:
    return translation_statistics(metric, outputs, [[text] for text in REFERENCES])


@pytest.mark.parametrize("metric", METRICS)
def test_the_resamples_are_those_of_sacrebleu(metric: str) -> None:
    statistics = counted(metric, ONE)
    ours = resample({metric: statistics}, samples=200)[metric]
    reference = SACREBLEU[metric]()
    _, theirs = _bootstrap_resample(statistics.counts.tolist(), reference, 200)
    np.testing.assert_allclose(ours, [score.score for score in theirs], rtol=1e-5)
    mean, half = estimate_ci(np.array([score.score for score in theirs]))
    low, high = interval(ours)
    assert (ours.mean(), (high - low) / 2) == pytest.approx((mean, half), rel=1e-5)
    public = SACREBLEU[metric]().corpus_score(ONE, [REFERENCES], n_bootstrap=200)
    assert (public._mean, public._ci) == pytest.approx((mean, half), rel=1e-5)


@pytest.mark.parametrize("other", [OTHER, worse(REFERENCES, 0.6, 3)], ids=["close", "far"])
def test_the_p_value_is_that_of_sacrebleus_paired_test(other: list[str]) -> None:
    metrics = {name: make() for name, make in SACREBLEU.items()}
    test = PairedTest([("one", ONE), ("other", other)], metrics, [REFERENCES], test_type="bs", n_samples=400)
    signatures, table = test()
    for metric, name in (("bleu", "BLEU"), ("chrf", "chrF2"), ("ter", "TER")):
        one, two = counted(metric, ONE), counted(metric, other)
        found = difference(
            one,
            two,
            resample({metric: one}, samples=400)[metric],
            resample({metric: two}, samples=400)[metric],
        )
        baseline, theirs = table[name]
        assert isinstance(baseline, Result)
        assert isinstance(theirs, Result)
        assert found.p_value == theirs.p_value
        assert found.value == pytest.approx(theirs.score - baseline.score, abs=1e-9)
        ours = translation_statistics(metric, other, [[text] for text in REFERENCES], samples=400).signature
        assert ours == str(signatures[name])


def test_the_close_pair_is_no_easy_case() -> None:
    """A p-value at an end of its range would agree with many a wrong formula."""
    one, two = counted("bleu", ONE), counted("bleu", OTHER)
    scores = [resample({"bleu": system}, samples=400)["bleu"] for system in (one, two)]
    assert 0.005 < difference(one, two, *scores).p_value < 0.5


def test_the_same_outputs_are_not_told_apart() -> None:
    one = counted("bleu", ONE)
    scores = resample({"bleu": one}, samples=100)["bleu"]
    found = difference(one, one, scores, scores.copy())
    assert (found.value, found.interval, found.p_value) == (0.0, (0.0, 0.0), 1.0)


def test_a_p_value_by_hand() -> None:
    """|differences| are 1, 2, 3, 6; less their mean, 3: -2, -1, 0, 3. One is above 2: (1 + 1) / (4 + 1)."""
    base, system = np.array([5.0, 5.0, 5.0, 5.0]), np.array([6.0, 3.0, 8.0, 11.0])
    assert paired_p_value(2.0, base, system) == paired_p_value(-2.0, base, system) == pytest.approx(0.4)


def test_an_interval_by_hand() -> None:
    """Of 80 scores, 80 // 40 are outside on each side."""
    scores = np.random.default_rng(1).permutation(np.arange(80.0))
    assert interval(scores) == (2.0, 77.0)
    assert interval(np.append(scores, np.nan)) == (2.0, 77.0)


def test_the_draws_do_not_depend_on_how_many_are_made_together(monkeypatch: pytest.MonkeyPatch) -> None:
    statistics = {"mean": mean_of(np.random.default_rng(1).random(101).tolist())}
    together = resample(statistics, samples=50)["mean"]
    monkeypatch.setattr("regard.metrics.bootstrap._DRAWN_TOGETHER", 300)
    np.testing.assert_allclose(resample(statistics, samples=50)["mean"], together, rtol=1e-12)


def test_metrics_are_resampled_together_as_alone() -> None:
    both = {name: counted(name, ONE) for name in ("bleu", "chrf")}
    together = resample(both, samples=20)
    for name, statistics in both.items():
        np.testing.assert_array_equal(together[name], resample({name: statistics}, samples=20)[name])


def test_the_interval_of_an_accuracy_is_that_of_the_binomial() -> None:
    """Any mean of sentence scores will do: 400 of 1000 right has a standard error of 1.55 %."""
    right = mean_of([1.0] * 400 + [0.0] * 600)
    low, high = interval(resample({"accuracy": right}, samples=4000)["accuracy"])
    assert right.value() == pytest.approx(0.4)
    error = (0.4 * 0.6 / 1000) ** 0.5
    assert (low, high) == pytest.approx((0.4 - 1.96 * error, 0.4 + 1.96 * error), abs=0.003)


def test_without_samples_there_is_nothing() -> None:
    assert resample({"bleu": counted("bleu", ONE)}, samples=0) == {}


def test_without_any_score_there_is_no_interval() -> None:
    assert np.isnan(interval(np.full(40, np.nan))).all()
