"""The driver of the benchmarks, with real sides that take a step of a tiny network."""

import sys
from dataclasses import replace
from pathlib import Path

import pytest
from bench.decoding import write_sentences
from bench.job import Job
from bench.padded import parameters_of
from bench.prepare import make_job, recipe_of
from bench.rounds import Measured, in_turn
from bench.sides.huggingface_decoding import prepare as marians_search
from bench.sides.huggingface_training import prepare as train_marian
from bench.sides.regard_decoding import prepare as regards_search
from bench.training import training_sides, training_table
from bench.transformer import SIDES, SMALLEST
from bench.twin import make_twin

from regard.config.load import recipe_from_dict
from regard.models.catalogue import build_model

FEW = [(f"data.{split}", {"kind": "builtin", "rows": 40}) for split in ("train", "dev", "test")]


@pytest.fixture
def job(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A tiny Transformer and one batch of the built-in world."""
    monkeypatch.delenv("REGARD_DATA", raising=False)
    monkeypatch.setenv("REGARD_CACHE", str(tmp_path / "cache"))
    recipe = recipe_of(SMALLEST, vocabulary=400, batch_tokens=64, more=FEW)
    path = tmp_path / "job.json"
    make_job(recipe, SMALLEST, tmp_path, batches=1, polite=True).write(path)
    return path


def test_sides_take_turns(job: Path, capsys: pytest.CaptureFixture[str]) -> None:
    own = {name: SIDES[name] for name in ("floor", "regard")}

    measured = in_turn(training_sides(job, own, peers={}), rounds=2, threads=1)

    assert list(measured) == ["floor", "regard"]
    assert all(len(side.seconds) == 2 and min(side.seconds) > 0 for side in measured.values())
    assert all(side.last["memory"] > 0 for side in measured.values())
    assert measured["regard"].last["steps"] == 3  # one to get warm, one a round
    assert measured["regard"].facts["tokens"] == measured["floor"].facts["tokens"] > 0
    assert measured["regard"].facts["parameters"] > 0
    assert 0 < measured["regard"].last["loss"] < 12
    assert "round 2 of 2" in capsys.readouterr().err
    assert "x floor" in training_table(measured, 1)[1]


def test_marian_takes_the_same_steps(job: Path) -> None:
    facts, work = train_marian(Job.read(job))
    assert work()["steps"] == 1
    assert 0 < work()["loss"] < 12
    recipe = recipe_from_dict(Job.read(job).recipe, "the job")
    ours = build_model(recipe.model, source_size=400, target_size=400)
    norms_at_the_end, output_bias = 2 * 2 * SMALLEST.width, 400  # Marian has neither
    assert facts["parameters"] == parameters_of(ours) - norms_at_the_end - output_bias


@pytest.mark.usefixtures("job")  # for its corpus
def test_both_searches_write_the_same_for_the_sentences_of_a_test_set(tmp_path: Path) -> None:
    network = replace(SMALLEST, order="post")
    recipe = recipe_of(network, vocabulary=400, batch_tokens=64, more=FEW)
    twin = make_twin(tmp_path / "twin", recipe, network, steps=2, polite=True)
    assert make_twin(tmp_path / "twin", recipe, network, steps=10**9) == twin  # it is there already
    sentences = tmp_path / "sentences.npz"
    wanted = write_sentences(sentences, twin, 5)
    given = (Job.read(twin.job), str(sentences), str(twin.weights))

    (ours, search), (theirs, generate) = regards_search(*given, 2), marians_search(*given, 3)
    found, other = search(), generate()

    assert sorted(wanted) == sorted(pair.target for pair in twin.test_pairs()[:5])
    assert ours["greedy"] == theirs["greedy"]
    assert found["outputs"] == other["outputs"]
    assert len(found["outputs"]) == 5
    assert (len(found["each"]), len(other["each"])) == (3, 2)  # batches of two, and of three


def test_a_side_that_dies_is_named_with_its_last_words() -> None:
    dies = [sys.executable, "-c", "raise SystemExit('no such corpus')"]
    with pytest.raises(SystemExit, match=r"(?s)plain gave up:.*no such corpus"):
        in_turn({"plain": dies}, rounds=1, threads=1)


def test_a_ratio_is_the_median_over_rounds() -> None:
    one, other = Measured({}, [2.0, 9.0, 4.0], []), Measured({}, [1.0, 3.0, 4.0], [])
    assert one.times(other) == (2.0, 1.0, 3.0)
