"""A run that starts from a trained model: its weights, its vocabulary, and nothing of its run."""

import json
from pathlib import Path
from typing import Any

import pytest
import torch
from tests.conftest import Run
from tests.examples import cells
from tests.training.tiny import TINY, assert_same, stop_in

import regard
from regard.config.load import Setting
from regard.errors import ConfigError, RegardError, StoppedError, StoreError
from regard.store.folder import read_model, weights_of
from regard.tasks.translation.trainer import TranslationTrainer
from regard.training.warm_start import WarmStart


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    run = tmp_path_factory.mktemp("base") / "run"
    regard.train("demo", out=run, set_=TINY, quiet=True)
    return run


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("table") / "x.tsv"
    rows = "".join(f"환자 {n} 약을 먹는다 ②\tpatient {n} takes a pill ②\n" for n in range(40))
    path.write_text("ko\ten\n" + rows, encoding="utf-8")
    return path


def data(table: Path) -> list[Setting]:
    return [f"data.{split}={table}" for split in ("train", "dev", "test")]


def event(run: Path, kind: str) -> dict[str, Any]:
    lines = map(json.loads, (run / "log.jsonl").read_text(encoding="utf-8").splitlines())
    return next(line for line in lines if line["event"] == kind)


def task(recipe: Any, run: Path, start: WarmStart) -> TranslationTrainer:
    return TranslationTrainer(recipe, run, torch.device("cpu"), start=start, quiet=True)


def test_weights_and_vocabulary_are_the_models(base: Path, table: Path, tmp_path: Path) -> None:
    stored = read_model(base)
    recipe = regard.load(base).recipe.model_copy(update={"start": None})
    begun = task(recipe, tmp_path, WarmStart(stored, "base", extends=False))
    for name, weight in begun.model.named_parameters():
        assert torch.equal(weight, stored.weights[name]), name
    assert begun.translator.source_tokenizer.to_json() == stored.tokenizers["source"]


def test_the_rows_of_new_entries_are_means_of_their_spellings(
    base: Path, table: Path, tmp_path: Path
) -> None:
    from regard.config.load import with_settings

    stored = read_model(base)
    recipe = with_settings(regard.load(base).recipe, [*data(table), "text.min_frequency=1"])
    begun = task(recipe, tmp_path, WarmStart(stored, "base", extends=True))
    old = regard.load(base).source_tokenizer
    new = begun.translator.source_tokenizer
    assert len(new) > len(old)
    (number,) = new.encode("②").ids
    assert number >= len(old), "a word of the new text has an entry of its own"
    spelt = old.encode("②").ids
    assert [old.piece(token) for token in spelt][1:] == ["<0xE2>", "<0x91>", "<0xA1>"]
    rows = dict(begun.model.named_parameters())["source_embedding.weight"]
    torch.testing.assert_close(rows[number], rows[list(spelt)].mean(0))
    for name, weight in begun.model.named_parameters():
        assert torch.equal(weight[: len(stored.weights[name])], stored.weights[name]), name


def test_it_says_that_it_is_a_new_run(
    base: Path, table: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    regard.train(out=tmp_path / "r", from_=base, set_=[*data(table), "start.vocabulary=extend"])
    told = " ".join(capsys.readouterr().err.split())
    assert "starting from the weights and the vocabulary, extended by" in told
    assert "this is a new run and does not resume the old one: step 0" in told
    assert event(tmp_path / "r", "step")["step"] == 1
    start = event(tmp_path / "r", "start")["recipe"]["start"]
    assert start == {"model": str(base), "vocabulary": "extend", "weights": "keep"}
    assert regard.load(tmp_path / "r").translate("환자 ②").ended is not None


@cells(
    ("vocabulary", "weights"),
    [("keep", "keep"), ("extend", "keep"), ("keep", "chance")],
    quick=[("extend", "keep")],
)
def test_a_stop_changes_no_bit(
    base: Path, table: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, vocabulary: str, weights: str
) -> None:
    """Going on needs the checkpoint alone: the model it started from may be gone."""
    moved = tmp_path / "start"
    base.rename(moved)
    try:
        settings = [*data(table), f"start.vocabulary={vocabulary}", f"start.weights={weights}"]
        regard.train(out=tmp_path / "whole", from_=moved, set_=settings, quiet=True)
        recipe = regard.load(tmp_path / "whole").recipe
        stop_in(monkeypatch, {3})
        with pytest.raises(StoppedError):
            regard.train(recipe, out=tmp_path / "r", quiet=True)
    finally:
        moved.rename(base)
    regard.train(recipe, out=tmp_path / "r", quiet=True)
    assert_same(tmp_path / "whole", tmp_path / "r")


@pytest.mark.parametrize(
    ("settings", "problem"),
    [
        (
            ["model.decoder.hidden_size=16"],
            r"another recipe \(model.decoder.hidden_size is 8 there, 16 here\)",
        ),
        (["text.vocabulary_size=500"], r"text.vocabulary_size is 400 there, 500 here"),
        (
            ["start.vocabulary=extend", "text={kind: char}"],
            r"text.dropout is 0.1 there|text.kind is 'bpe' there",
        ),
    ],
)
def test_another_model_or_text_is_refused(
    base: Path, tmp_path: Path, settings: list[str], problem: str
) -> None:
    with pytest.raises(ConfigError, match=problem):
        regard.train(out=tmp_path / "r", from_=base, set_=settings)
    assert not (tmp_path / "r" / "log.jsonl").exists()


def test_weights_by_chance_stay_as_they_were(base: Path) -> None:
    stored = read_model(base)
    model = regard.load(base).module
    for parameter in model.parameters():
        torch.nn.init.ones_(parameter)
    start = WarmStart(stored, "x", extends=False, by_chance=True)
    start.put(model, [(), ()])
    assert all(bool((weight == 1).all()) for weight in weights_of(model).values())
    assert "initialised at random" in start.told()
    WarmStart(stored, "x", extends=False).put(model, [(), ()])
    assert all(torch.equal(weight, stored.weights[name]) for name, weight in weights_of(model).items())


def test_careless_starts(base: Path, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="is the model to start from, too"):
        regard.train(out=base, from_=base)
    with pytest.raises(StoreError, match="no such folder"):
        regard.train(out=tmp_path / "r", from_=tmp_path / "none")
    with pytest.raises(ConfigError, match="which recipe"):
        regard.train(out=tmp_path / "r")
    with pytest.raises(RegardError, match="the run in it is finished"):
        regard.train("demo", out=base, set_=TINY)


def test_the_command(base: Path, table: Path, tmp_path: Path, run: Run) -> None:
    for split in ("train", "dev"):
        (tmp_path / f"{split}.tsv").write_bytes(table.read_bytes())
    command = ["train", "--from", base, "--data", tmp_path, "--extend-vocabulary"]
    done = run(*command, "--out", tmp_path / "r", "--set", "training.epochs=1")
    assert done.returncode == 0, done.stderr
    assert "starting from the weights" in done.stderr
    assert "best at step" in done.stdout
    refused = run("train", "demo", "--extend-vocabulary", "--out", tmp_path / "q")
    assert (refused.returncode, refused.stderr.count("\n")) == (2, 1)
