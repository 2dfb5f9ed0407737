"""Parts that train translators: real runs of a tiny model, stopped, gone on with, and measured."""

import json
import math
from pathlib import Path

import pytest
from tests.training.tiny import stop_in

from regard.config.load import Setting
from regard.errors import StoppedError, StoreError
from regard.evaluation.test_set import TestSet, read_test_set
from regard.experiments.koehn_beam import koehn_beam
from regard.experiments.parts import length_ratio_statistics, token_perplexity_statistics
from regard.experiments.reproduce import reproduce
from regard.tasks.translation.predictor import Translator

TINY: list[Setting] = [
    ("data.train.rows", 60), ("data.train.max_words", 3), ("data.dev.rows", 4), ("data.dev.max_words", 3),
    ("data.test.rows", 12), ("data.test.max_words", 3), ("text.vocabulary_size", 400),
    ("model.embedding_size", 8), ("model.encoder.hidden_size", 8), ("model.attention.hidden_size", 8),
    ("model.decoder.hidden_size", 8), ("training.batch_tokens", 96), ("training.epochs", 1),
]  # fmt: skip
"""About 12 steps."""
BEAMS = (1, 5, 50)


@pytest.fixture(autouse=True)
def _no_data(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("REGARD_DATA", raising=False)


@pytest.fixture(name="test_set")
def own_test_set(translator: Translator) -> TestSet:
    assert translator.recipe.data.test is not None
    return read_test_set(translator.recipe.data.test, translator.recipe.data)


def test_perplexity_is_that_of_all_tokens(translator: Translator, test_set: TestSet) -> None:
    pairs = test_set.pairs[:20]
    scores = list(translator.score([(pair.source, pair.target) for pair in pairs]))
    total = sum(score.log_probability for score in scores)
    tokens = sum(len(score.tokens) for score in scores)
    assert token_perplexity_statistics(translator, pairs).value() == pytest.approx(math.exp(-total / tokens))


def test_the_length_ratio_by_hand(test_set: TestSet) -> None:
    pairs = test_set.pairs[:2]
    words = sum(len(pair.target.split()) for pair in pairs)
    assert length_ratio_statistics(["one two three", ""], pairs).value() == pytest.approx(300 / words)


@pytest.mark.long("contracts/test_resume.py::test_a_stopped_run_goes_on_to_the_same_bits")
def test_training_that_was_stopped_goes_on_and_ends_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A signal in the 4th step; the experiment goes on with the run, measures, and gives the same scores."""
    experiment = koehn_beam(BEAMS, BEAMS, TINY)
    stop_in(monkeypatch, {4})
    with pytest.raises(StoppedError):
        reproduce(experiment, tmp_path / "x", seeds=1, quiet=True)
    log = tmp_path / "x" / "parts" / "built-in-bahdanau-1" / "run" / "log.jsonl"
    assert len([line for line in log.read_text().splitlines() if '"step"' in line[:20]]) == 4
    stopped = reproduce(experiment, tmp_path / "x", seeds=1, quiet=True)
    whole = reproduce(experiment, tmp_path / "whole", seeds=1, quiet=True)
    assert stopped.parts[0].values == whole.parts[0].values
    assert stopped.recipes.keys() == {"built-in/bahdanau"}
    assert stopped.recipes["built-in/bahdanau"]["model"]["embedding_size"] == 8
    assert stopped.parts[0].about.keys() == {"cores", "parameters", "steps", "epochs", "dev"}
    # Greedy search does not know of lengths: both rankings are one.
    values = whole.parts[0].values
    assert values["bleu sum 1"] == values["bleu average 1"]
    assert {f"length {ranking} {width}" for ranking in ("sum", "average") for width in BEAMS} <= values.keys()


def test_a_run_of_another_recipe_is_not_measured(tmp_path: Path) -> None:
    reproduce(koehn_beam(BEAMS, BEAMS, TINY), tmp_path / "x", seeds=1, quiet=True)
    part = tmp_path / "x" / "parts" / "built-in-bahdanau-1"
    kept = json.loads((part / "measured.json").read_text())
    assert kept["facts"]["measuring"] == "beams (1, 5, 50)"
    (part / "measured.json").unlink()  # as if it had been stopped between training and measuring
    other = koehn_beam(BEAMS, BEAMS, [*TINY, ("model.dropout", 0.1)])
    with pytest.raises(StoreError, match=r"another recipe \(model.dropout is 0.3 there, 0.1 here\)"):
        reproduce(other, tmp_path / "x", seeds=1, quiet=True)
