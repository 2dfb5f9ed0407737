"""A language model's run: stopped and gone on with, begun with another model, refused where it must be."""

from pathlib import Path

import pytest
import torch
from tests.contracts.language_models import LANGUAGE_MODELS
from tests.training.tiny import assert_same, stop_in

import regard
from regard.api import dry_run
from regard.config.load import load_recipe
from regard.errors import ConfigError, DataError, StoppedError

TINY = [
    "data.train={kind: builtin, rows: 60, max_words: 3}", "data.dev={kind: builtin, rows: 4, max_words: 3}",
    "data.test=null", "text={kind: bpe, vocabulary_size: 400, dropout: 0.1}", "training.batch_tokens=96",
    "training.epochs=2", "training.validations_per_epoch=2",
]  # fmt: skip
STOPPED = ["lm-lstm", "lm-lstmn", "lm-transformer-rotary"]


def train(out: Path, *settings: str, model: str = "lm-gru") -> None:
    recipe = load_recipe("lm-lstm", [*TINY, *settings])
    regard.train(recipe.model_copy(update={"model": LANGUAGE_MODELS[model]}), out=out, quiet=True)


def sentences(path: Path, *texts: str) -> Path:
    path.write_text("".join(f"{text}\n" for text in texts), encoding="utf-8")
    return path


@pytest.mark.parametrize("model", STOPPED)
def test_a_stopped_run_goes_on_to_the_same_bits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, model: str
) -> None:
    train(tmp_path / "whole", model=model)
    stop_in(monkeypatch, {5})
    with pytest.raises(StoppedError, match="after step 5;"):
        train(tmp_path / "r", model=model)
    train(tmp_path / "r", model=model)
    assert_same(tmp_path / "whole", tmp_path / "r")


def test_files_of_ones_own_need_no_column(tmp_path: Path) -> None:
    """Plain text has one column, whatever the recipe calls it; a table has the one that is named."""
    plain = sentences(tmp_path / "a.txt", *["그 학생이 책을 읽었다.", "그 학생이 달을 봤다."] * 6)
    table = sentences(tmp_path / "b.tsv", "ko\ten", *["그가 갔다.\tHe went."] * 4)
    dev = f"data.dev=[{plain}, {table}]"
    train(tmp_path / "r", f"data.train={plain}", dev, "training.epochs=1")
    assert regard.load(tmp_path / "r").complete("그").text.startswith("그")
    with pytest.raises(DataError, match="'fr'"):
        train(tmp_path / "x", f"data.train={table}", "data.text=fr")


def test_a_run_begins_with_another_model_or_with_vectors(tmp_path: Path) -> None:
    first = ["vectors.text={kind: word2vec, epochs: 1}", "text.dropout=0", "training.epochs=1"]
    train(tmp_path / "a", *first, "training.scheduled_sampling={share: 0.2, steps: 2}")
    new = sentences(tmp_path / "new.txt", *["새 고양이가 옛 집에 산다."] * 12)
    settings = [f"data.train={new}", f"data.dev={new}", "training.epochs=1", "start.vocabulary=extend"]
    regard.train(out=tmp_path / "b", from_=tmp_path / "a", set_=settings, quiet=True)
    one, other = (regard.load(tmp_path / name) for name in ("a", "b"))
    size = len(one.tokenizer)
    assert len(other.tokenizer) > size
    assert other.tokenizer.encode("그 학생이").ids
    assert not torch.equal(one.module.embedding.weight, other.module.embedding.weight[:size])


def test_the_perplexity_of_a_run_is_that_of_the_evaluation(language_run: Path) -> None:
    dev = "{kind: builtin, rows: 60, max_words: 3, split: dev}"
    found = regard.evaluate(language_run, dev, samples=0, quiet=True).metrics["perplexity"]
    kept = regard.load(language_run).summary["dev"]
    assert found == pytest.approx(kept["perplexity"], rel=1e-4)
    assert found < 4000, "it has learned something; 900 pieces that are all alike would give 10⁶ and more"


def test_n_grams_are_counted_and_measured_as_the_others_are(tmp_path: Path) -> None:
    regard.train("lm-ngram", out=tmp_path / "r", set_=TINY, quiet=True)
    model = regard.load(tmp_path / "r")
    dev = "{kind: builtin, rows: 4, max_words: 3, split: dev}"
    found = regard.evaluate(model, dev, samples=0, quiet=True).metrics["perplexity"]
    assert found == pytest.approx(model.summary["dev"]["perplexity"], rel=1e-6)
    assert model.complete("그").text.startswith("그")
    with pytest.raises(ConfigError, match="n-grams are counted and have no weights to begin with"):
        regard.train(out=tmp_path / "x", from_=tmp_path / "r", quiet=True)
    with pytest.raises(ConfigError, match=r"model.kind ngram_lm is not trained in steps"):
        dry_run("lm-ngram", set_=TINY, quiet=True)


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ("data.source=ko", r"data.source: unknown setting; valid: text, train, dev"),
        ("training.best_by=bleu", r"training.best_by: unknown value 'bleu'; valid: loss"),
        ("model.kind=transformer", r"model.kind: 'transformer' is for translation; models for language-mod"),
        ("model.hidden_size=64", r"vectors of 192, but hidden_size is 64; make them equal"),
        ("text.joint=true", r"text.joint is for two languages, and a language model has one text"),
        ("decoding.coverage_beta=0.2", r"look at a source, and a language model has none"),
        ("model={kind: transformer_lm, positions: learned, longest: 9}", r"has no room for data.max_tokens"),
        ("training.precision=bfloat16", r"leave it out for model.kind recurrent_lm"),
    ],
)
def test_settings_that_do_not_fit_are_named(setting: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=message):
        regard.train("lm-lstm", out=tmp_path / "r", set_=[*TINY, setting], quiet=True)


def test_a_dev_sentence_without_room_is_named(tmp_path: Path) -> None:
    dev = sentences(tmp_path / "dev.txt", "그가 갔다.", "책을 " * 100)
    with pytest.raises(DataError, match=r"dev.txt:2: expected at most 199 tokens"):
        train(tmp_path / "r", f"data.dev={dev}", model="lm-transformer-post")
