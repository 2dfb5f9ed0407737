"""A classifier's run: stopped and gone on with, begun with another model, refused where it must be."""

import json
import math
from pathlib import Path

import pytest
from tests.contracts.sentence_models import SENTENCE_MODELS
from tests.training.tiny import assert_same, stop_in

import regard
from regard.config.load import load_recipe
from regard.errors import ConfigError, DataError, StoppedError
from regard.store.folder import read_model

TINY = [
    "data.train.rows=60", "data.dev.rows=10", "data.test=null", "model.embedding_size=8",
    "model.encoder.hidden_size=4", "model.pooling.hops=2", "model.pooling.hidden_size=4",
    "model.head.hidden_size=4", "text={kind: bpe, vocabulary_size: 400, dropout: 0.1}",
    "training.epochs=2", "training.batch_tokens=96", "training.validations_per_epoch=2",
]  # fmt: skip


MODELS = ["bag-mean", "gru-attention", "self-attentive-pruned"]
"""Whose runs are stopped: one of each kind of encoder, of pooling and of head."""


def train(out: Path, *settings: str, model: str = "") -> None:
    recipe = load_recipe("self-attentive", [*TINY, *settings])
    chosen = {"model": SENTENCE_MODELS[model]} if model else {}
    regard.train(recipe.model_copy(update=chosen), out=out, quiet=True)


def table(path: Path, rows: list[tuple[str, str]]) -> Path:
    path.write_text("text\tlabel\n" + "".join(f"{a}\t{b}\n" for a, b in rows), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("whole") / "r"
    train(out)
    return out


def test_the_loss_is_a_mean_over_labels(whole: Path) -> None:
    """Two labels before anything is learned: about ln 2 each, however many words a text has."""
    lines = (whole / "log.jsonl").read_text(encoding="utf-8").splitlines()
    first = next(event for event in map(json.loads, lines) if event["event"] == "step")
    assert first["nll"] == pytest.approx(math.log(2), abs=0.2)
    assert first["tokens"] > 30


@pytest.mark.parametrize(("model", "step"), list(zip(MODELS, (1, 4, 7), strict=True)))
def test_a_stopped_run_goes_on_to_the_same_bits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, model: str, step: int
) -> None:
    train(tmp_path / "whole", model=model)
    stop_in(monkeypatch, {step})
    with pytest.raises(StoppedError):
        train(tmp_path / "r", model=model)
    train(tmp_path / "r", model=model)
    assert_same(tmp_path / "whole", tmp_path / "r")
    whole, stopped = (regard.load(tmp_path / name, task="classification") for name in ("whole", "r"))
    assert whole.temperature == stopped.temperature


def test_the_folder_has_the_labels_and_the_temperature(whole: Path) -> None:
    stored = read_model(whole)
    assert stored.labels == '{"format": 1, "labels": ["negative", "positive"]}'
    assert stored.tokenizers.keys() == {"joint"}
    assert regard.load(whole).temperature == stored.summary["temperature"] > 0


def test_a_run_begins_with_the_weights_vocabulary_and_labels_of_another(whole: Path, tmp_path: Path) -> None:
    data = table(tmp_path / "t.tsv", [("새 책은 좋다.", "positive"), ("낡은 책은 나쁘다.", "negative")] * 4)
    settings = [f"data.train={data}", f"data.dev={data}", "training.epochs=1", "text.dropout=0.1"]
    extended = [*settings, "start.vocabulary=extend"]
    for name, more in (("kept", settings), ("extended", extended)):
        regard.train(out=tmp_path / name, from_=whole, set_=more, quiet=True)
    sizes = [len(regard.load(run).tokenizer) for run in (whole, tmp_path / "kept", tmp_path / "extended")]
    assert sizes[0] == sizes[1] <= sizes[2]
    assert regard.load(tmp_path / "kept").labels == ("negative", "positive")
    unknown = table(tmp_path / "u.tsv", [("책이다.", "neutral"), ("좋다.", "positive")])
    with pytest.raises(DataError, match=r"u.tsv:2: the label 'neutral' is not one that training knows"):
        regard.train(out=tmp_path / "x", from_=whole, set_=[f"data.train={unknown}"], quiet=True)
    with pytest.raises(ConfigError, match="is a model for classification, and the recipe is for translation"):
        regard.train("demo", out=tmp_path / "y", from_=whole, quiet=True)


def test_a_label_of_the_dev_set_that_training_does_not_have_is_refused(tmp_path: Path) -> None:
    train_file = table(tmp_path / "train.tsv", [("좋다.", "good"), ("나쁘다.", "bad")] * 4)
    dev = table(tmp_path / "dev.tsv", [("좋다.", "good"), ("그렇다.", "so so")])
    with pytest.raises(DataError, match=r"dev.tsv:3: the label 'so so' is not one that training knows; "):
        train(tmp_path / "r", f"data.train={train_file}", f"data.dev={dev}")


def test_vectors_and_averages_work_for_one_vocabulary_too(tmp_path: Path) -> None:
    settings = ["vectors.text={kind: word2vec, epochs: 1}", "training.average={of: last, count: 2}"]
    train(tmp_path / "r", *settings, "text.dropout=0", "training.best_by=loss")
    assert regard.load(tmp_path / "r").classify("좋다.").label in ("negative", "positive")


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ("data.source=ko", r"data.source: unknown setting; valid: text, second, label"),
        ("decoding.beam_size=3", r"decoding: unknown setting"),
        (
            "training.best_by=bleu",
            r"training.best_by: unknown value 'bleu'; valid: accuracy, macro_f1, micro_f1, ",
        ),
        (
            "model.kind=seq2seq",
            r"model.kind: 'seq2seq' is for translation; models for classification are ",
        ),
        ("model.kind=sentnce", r"model: unknown value 'sentnce'; did you mean 'sentence'"),
        ("text.joint=true", r"text.joint is for two languages"),
        ("model.combination={kind: matching}", r"model.combination is for two texts; name the column"),
        ("data.answer=nubmer", r"data.answer: unknown value 'nubmer'; did you mean 'number'"),
        (
            "data={answer: number, train: x.tsv, dev: x.tsv, label: score}",
            r"training.best_by: accuracy does not measure data.answer: number; choose spearman, pearson or",
        ),
        (
            "model={encoder: {kind: bag}, pooling: {kind: last}}",
            r"pooling: last is the last state of a rec",
        ),
        ("model={pooling: {kind: max}, head: {kind: pruned}}", r"pooling: max gives one vector"),
    ],
)
def test_settings_that_do_not_fit_are_named(setting: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        regard.train("self-attentive", out="nowhere", set_=["training.best_by=accuracy", setting])
