"""Alarms: every score by hand or by another way, what a dev set fits, models of all kinds of vocabularies."""

import json
import math
from pathlib import Path

import numpy as np
import pytest
from scipy import stats
from tests.analysis.families import EVERY, family
from tests.analysis.rows import rows_of
from tests.examples import cells
from tests.tasks.tiny_encoder import write_tiny_encoder

import regard
from regard.analysis.alarm_features import (
    attention_mass,
    copied_share,
    foreign_share,
    length_deviation,
    low_runs,
    positions,
    repeated_words,
    total_variation_to_uniform,
    uncovered,
    wasserstein_to_all,
)
from regard.analysis.alarms import check_alarms, fit_alarms, fit_observed
from regard.analysis.judging import default_thresholds, judge
from regard.analysis.observations import Observation, SourceAttention
from regard.analysis.thresholds import NEAREST, AlarmThresholds, AttentionReference
from regard.data.pairs import Pair
from regard.errors import DataError
from regard.text.scripts import script_of

WEIGHTS = np.array([[0.5, 0.1, 0.1, 0.3], [0.7, 0.1, 0.0, 0.2]])
QUICK = ["translation:transformer", "language:lm-transformer", "label:pairs-factored", "tag:attention-crf",
         "embedding:bert-mean", "answer:always", "fill:bert"]  # fmt: skip


def observed(weights: np.ndarray = WEIGHTS, **told: object) -> Observation:
    """An output with attention over two words, a full stop and the end."""
    labels = ("나는", "책을", ".", "</s>")
    given = {"source": "나는 책을.", "text": "I read it.", "log_probabilities": (-1.0, -6.0, -7.0, -2.0)}
    return Observation(**{**given, "attention": SourceAttention(weights, weights, labels), **told})  # type: ignore[arg-type]


def test_scores_of_attention_by_hand() -> None:
    found = judge(observed(), default_thresholds()).scores
    # 나는 gets 1.2 in all, and lacks nothing; 책을 gets 0.2, and lacks 0.8.
    assert uncovered(WEIGHTS, [0, 1]).tolist() == pytest.approx([0.0, 0.8])
    assert found["dropped"] == pytest.approx(0.4)
    assert found["off-words"] == pytest.approx((0.1 + 0.3 + 0.0 + 0.2) / 2)
    mass = [0.6, 0.1, 0.05, 0.25]
    assert attention_mass(WEIGHTS).tolist() == pytest.approx(mass)
    assert total_variation_to_uniform(np.array(mass)) == pytest.approx((0.35 + 0.15 + 0.2 + 0.0) / 2)
    assert found["detached"] == pytest.approx(0.35)  # without references


def test_scores_of_probabilities_by_hand() -> None:
    found = judge(observed(), default_thresholds()).scores
    assert found["improbable"] == pytest.approx(4.0)
    limit = -math.log(0.01)
    assert found["low-confidence"] == pytest.approx((6 - limit) + (7 - limit))
    assert low_runs([-5.0, -1.0, -6.0, -7.0], -2.0) == [(0, 1, 3.0), (2, 4, 9.0)]
    label = Observation("x", "good", is_written=False, confidence=0.9)
    assert judge(label, default_thresholds()).scores["unsure"] == pytest.approx(0.1)


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("a b c", 0),
        ("the the cat", 1),
        ("a b a b c", 2),
        ("a b c a b c a b c", 6),
        ("a b c d e a b c d f", 1),  # d ends a 4-gram that came before
        ("", 0),
    ],
)
def test_words_that_repeat(text: str, count: int) -> None:
    assert repeated_words(text) == count


def test_scores_of_texts_by_hand() -> None:
    assert copied_share("나는 Anna 를 봤다 .", "I saw Anna .") == pytest.approx(1 / 3)
    assert copied_share("나는 .", ".") == 0.0
    assert foreign_share("책 book", {str(script_of("a"))}) == pytest.approx(1 / 5)
    assert length_deviation("x" * 20, "y" * 10, 2.0) == pytest.approx(math.log(50 / 20))
    assert length_deviation("x" * 10, "y" * 20, 2.0) == 0.0
    known = default_thresholds()
    repeats = observed(source="go go go", text="no no no no no")
    assert judge(repeats, known).scores["repeated"] == 4 - 2  # the source may repeat as often
    assert judge(observed(unknown=(1, 4)), known).scores["unknown"] == 0.25
    assert judge(observed(foreign=True), known).scores["script"] == 1.0


def test_wasserstein_is_that_of_scipy() -> None:
    draw = np.random.default_rng(1)
    one, *others = (draw.dirichlet(np.ones(size)) for size in (5, 3, 8, 3, 5))
    theirs = [stats.wasserstein_distance(positions(5), positions(len(o)), one, o) for o in others]
    assert wasserstein_to_all(one, others) == pytest.approx(theirs)


def test_distances_to_references_by_a_plain_loop() -> None:
    draw = np.random.default_rng(2)
    masses = [draw.dirichlet(np.ones(size)) for size in draw.integers(4, 8, 60)]
    reference = AttentionReference.fitted(masses)
    mass = draw.dirichlet(np.ones(6))
    near = sorted(wasserstein_to_all(mass, [own for own in reference.masses if len(own) == 6]))  # within 10 %
    assert len(near) >= NEAREST
    assert reference.to_data(mass) == pytest.approx(np.mean(near[:NEAREST]))
    assert reference.combined(mass) == reference.to_data(mass)
    beyond = np.array([1.0, *np.zeros(29)])  # all on one token: further from uniform than any of these
    uniform, (low, high), (least, most) = (1 - 1 / 30, reference.uniform_range, reference.data_range)
    assert uniform > reference.fallback
    assert reference.combined(beyond) == pytest.approx(
        least + (uniform - low) / (high - low) * (most - least)
    )


def test_a_threshold_is_the_quantile_of_good_outputs_and_severity_counts_steps() -> None:
    seen = [observed(log_probabilities=(-float(n),)) for n in range(1, 101)]
    fitted = fit_observed(seen, 0.05)
    limit = fitted.limits["improbable"]
    flagged = [one for one in seen if "improbable" in {each.name for each in judge(one, fitted).raised}]
    assert 0 < len(flagged) <= 5
    assert limit.scale == pytest.approx(limit.threshold - 50.5)  # a step: from the median to the threshold
    (worst,) = (
        each
        for each in judge(observed(log_probabilities=(-200.0,)), fitted).raised
        if each.name == "improbable"
    )
    assert worst.severity == pytest.approx(1 + (200 - limit.threshold) / limit.scale)
    assert fitted.limits["repeated"].threshold == 1.0  # none of them repeats; one word more is no alarm
    assert "unsure" in fitted.missing
    assert fitted.length_ratio == pytest.approx(10 / 6)
    again = AlarmThresholds.from_dict(json.loads(json.dumps(fitted.to_dict())))
    assert again.to_dict() == fitted.to_dict()


@cells("name", EVERY, quick=QUICK)
def test_models_of_every_family_are_judged(name: str) -> None:
    own = family(name)
    rows = rows_of(own).pairs
    section = check_alarms(own.model, rows)
    assert len(section.judged) == len(rows)
    assert set(section.counts) | set(section.not_applicable) == set(default_thresholds().limits)
    assert all(math.isfinite(score) for one in section.judged for score in one.scores.values())
    assert section.lines()
    assert json.dumps(section.to_dict(), allow_nan=False)


def test_a_model_from_elsewhere_is_judged_by_its_own_vocabulary(tmp_path: Path) -> None:
    model = regard.load(write_tiny_encoder(tmp_path / "their"))
    (one, other) = check_alarms(model, [Pair("a b c", "", "rows:1"), Pair("a ☃ ☃ ☃", "", "rows:2")]).judged
    assert one.one.unknown == (0, 3)
    assert other.one.unknown == (3, 4)  # special tokens do not count
    assert [each.name for each in other.raised] == ["unknown"]


def test_too_few_good_rows_are_refused() -> None:
    own = family("label:pairs-factored")
    with pytest.raises(DataError, match="50 good rows or more, found 3"):
        fit_alarms(own.model, rows_of(own).pairs)
