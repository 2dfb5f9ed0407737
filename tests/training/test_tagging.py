"""A tagger's run: stopped and gone on with, begun with another model, refused where it must be."""

import json
import math
from dataclasses import replace
from pathlib import Path

import pytest
from tests.contracts.tagger_models import TAGGERS
from tests.training.tiny import assert_same, stop_in

import regard
from regard.config.base import FamilyConfig
from regard.config.load import load_recipe
from regard.config.tagger import CRFLabellingConfig
from regard.config.tagging import TaggingRecipe
from regard.errors import ConfigError, DataError, StoppedError, StoreError
from regard.store.folder import read_model
from regard.tasks.tagging.examples import tagged_corpus
from regard.tasks.tagging.predictor import MOST_OF_A_CRF, Tagger
from regard.text.labels import Labels

TINY = [
    "data.train.rows=60", "data.dev.rows=10", "data.test=null", "model.embedding_size=8",
    "model.characters={kind: bilstm, character_size: 4, hidden_size: 3}", "model.encoder.hidden_size=4",
    "training.epochs=2", "training.batch_tokens=96", "training.validations_per_epoch=2",
]  # fmt: skip
SPANS = "B-X I-X O\nO B-X\n"


def train(out: Path, *settings: str, model: FamilyConfig | None = None) -> None:
    recipe = load_recipe("tagger", [*TINY, *settings])
    regard.train(recipe.model_copy(update={"model": model} if model else {}), out=out, quiet=True)


def columns(path: Path, tags: str) -> Path:
    """A file with a sentence for each line of tags, whose words are the tags in lower case."""
    lines = ["".join(f"{tag.lower()}\t{tag}\n" for tag in line.split()) for line in tags.splitlines()]
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("whole") / "r"
    train(out)
    return out


def test_the_loss_is_a_mean_over_words(whole: Path) -> None:
    """Ten tags before anything is learned: about ln 10 each, however many words a sentence has."""
    lines = (whole / "log.jsonl").read_text(encoding="utf-8").splitlines()
    first = next(event for event in map(json.loads, lines) if event["event"] == "step")
    assert first["nll"] == pytest.approx(math.log(len(regard.load(whole).labels)), abs=0.4)
    assert 30 < first["tokens"] <= 96


@pytest.mark.parametrize(("model", "step"), [("cnn-softmax", 1), ("attention-crf", 4)])
def test_a_stopped_run_goes_on_to_the_same_bits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, model: str, step: int
) -> None:
    train(tmp_path / "whole", model=TAGGERS[model])
    stop_in(monkeypatch, {step})
    with pytest.raises(StoppedError):
        train(tmp_path / "r", model=TAGGERS[model])
    train(tmp_path / "r", model=TAGGERS[model])
    assert_same(tmp_path / "whole", tmp_path / "r")
    whole, stopped = (regard.load(tmp_path / name, task="tagging") for name in ("whole", "r"))
    assert whole.temperature == stopped.temperature != 1.0


def test_the_folder_has_the_tags_the_words_the_characters_and_the_temperature(whole: Path) -> None:
    stored = read_model(whole)
    assert stored.tokenizers.keys() == {"joint", "characters"}
    assert regard.load(whole).temperature == stored.summary["temperature"] > 0
    assert json.loads(str(stored.labels))["labels"] == list(regard.load(whole).labels)


def test_labels_that_the_weights_are_not_for_are_refused_before_a_model_is_made(whole: Path) -> None:
    stored = read_model(whole)
    many = replace(stored, labels=Labels([f"B-{number}" for number in range(MOST_OF_A_CRF + 1)]).to_json())
    with pytest.raises(StoreError, match=r"^m: labels.json has 501 labels, but output.weight has 10 rows"):
        Tagger.opened(many, "m")
    output = stored.weights["output.weight"]
    wide = {**stored.weights, "output.weight": output.new_zeros(MOST_OF_A_CRF + 1, output.shape[1])}
    with pytest.raises(StoreError, match=r"^m: a crf takes up to 500 tags, found 501"):
        Tagger.opened(replace(many, weights=wide), "m")


def test_batches_are_filled_by_words_whatever_their_characters(tmp_path: Path) -> None:
    """A row of few words with many characters is not left out as too long."""
    path = tmp_path / "t.conll"
    path.write_text(f"{'가' * 60}\tA\n나\tB\n\n나 나 나\tB\n".replace(" ", "\tB\n"), encoding="utf-8")
    settings = [*TINY, f"data.train={path}", "data.max_tokens=3"]
    recipe = load_recipe("tagger", settings, kind=TaggingRecipe)
    _, characters, _, rows = tagged_corpus(recipe, quiet=True)
    assert (len(rows), rows.left_out) == (2, 0)
    assert characters is not None
    first = rows[0]
    assert (len(first.words), len(first.tags), len(first.characters)) == (2, 2, 32 + 1 + 1 + 1)


def test_a_run_begins_with_the_weights_words_characters_and_tags_of_another(
    whole: Path, tmp_path: Path
) -> None:
    data = tmp_path / "t.conll"
    data.write_text("좋은\tadjective\n책을\tnoun\n\n컴퓨터가\tnoun\n", encoding="utf-8")
    settings = [f"data.train={data}", f"data.dev={data}", "training.epochs=1"]
    for name, more in (("kept", []), ("extended", ["start.vocabulary=extend"])):
        regard.train(out=tmp_path / name, from_=whole, set_=[*settings, *more], quiet=True)
    first, kept, extended = (regard.load(run) for run in (whole, tmp_path / "kept", tmp_path / "extended"))
    assert len(first.tokenizer) == len(kept.tokenizer) < len(extended.tokenizer)
    assert first.characters.to_json() == kept.characters.to_json() == extended.characters.to_json()
    assert extended.is_known(["컴퓨터가", "바다가"]) == [True, False]
    assert first.labels == kept.labels
    unknown = tmp_path / "u.conll"
    unknown.write_text("책을\tN\n", encoding="utf-8")
    with pytest.raises(DataError, match=r"u.conll:1: the label 'N' is not one that training knows"):
        regard.train(out=tmp_path / "x", from_=whole, set_=[f"data.train={unknown}"], quiet=True)


def test_spans_are_measured_and_never_written_ill(tmp_path: Path) -> None:
    data = columns(tmp_path / "t.conll", SPANS * 4)
    settings = [f"data.train={data}", f"data.dev={data}", "training.best_by=span_f1", "training.epochs=1"]
    train(tmp_path / "r", *settings, "model.labelling.scheme=bio")
    tagger = regard.load(tmp_path / "r", task="tagging")
    assert "span_f1" in tagger.summary["dev"]
    inside = tagger.labels.index("I-X")
    assert tagger.tag("i-x o i-x").marginals[0, inside] == pytest.approx(0.0, abs=1e-9)


def test_a_dev_set_without_spans_cannot_choose_by_them(tmp_path: Path) -> None:
    train_data, dev = columns(tmp_path / "t.conll", SPANS * 4), tmp_path / "d.conll"
    dev.write_text("a O\nb O\n")
    settings = [f"data.train={train_data}", f"data.dev={dev}", "training.epochs=1"]
    with pytest.raises(DataError, match=r"data.dev: training.best_by: span_f1 needs a span, found none"):
        train(tmp_path / "r", *settings, "training.best_by=span_f1")
    train(tmp_path / "s", *settings)
    assert regard.load(tmp_path / "s", task="tagging").summary["dev"]["span_f1"] == 0.0


def test_what_a_scheme_forbids_is_refused_with_its_line(tmp_path: Path) -> None:
    good, bad = columns(tmp_path / "t.conll", SPANS), columns(tmp_path / "d.conll", SPANS + "O I-X\n")
    for train_file, dev_file in ((good, bad), (bad, good)):
        with pytest.raises(DataError, match=r"d.conll:8: I-X after O is not well-formed BIO; correct it"):
            train(
                tmp_path / "r",
                f"data.train={train_file}",
                f"data.dev={dev_file}",
                "model.labelling.scheme=bio",
            )


def test_too_many_tags_for_a_crf_are_refused(tmp_path: Path) -> None:
    data = columns(tmp_path / "t.conll", " ".join(f"T{number}" for number in range(MOST_OF_A_CRF + 1)))
    settings = [f"data.train={data}", f"data.dev={data}", "data.max_tokens=1000"]
    with pytest.raises(ConfigError, match=r"takes up to 500 of them; the corpus has 501; say kind: softmax"):
        train(tmp_path / "r", *settings)


def test_vectors_and_averages_work_for_words_too(tmp_path: Path) -> None:
    settings = ["vectors.text={kind: word2vec, epochs: 1}", "training.average={of: last, count: 2}"]
    train(tmp_path / "r", *settings, "model.characters=null", "model.labelling.kind=softmax")
    assert len(regard.load(tmp_path / "r").tag("책을 읽었다").tags) == 2


def test_a_tag_of_the_dev_set_that_training_does_not_have_is_refused(tmp_path: Path) -> None:
    good, other = columns(tmp_path / "t.conll", "A B\n"), columns(tmp_path / "d.conll", "A B\nC\n")
    with pytest.raises(DataError, match=r"d.conll:4: the label 'C' is not one that training knows; valid: "):
        train(tmp_path / "r", f"data.train={good}", f"data.dev={other}")


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ("data.source=ko", r"data.source: unknown setting"),
        ("text.kind=bpe", r"text.kind: a tagger looks words up as they are given; say given, not bpe"),
        ("text.keep=[a]", r"keep and keep_patterns have no use here: a word is looked up as a whole"),
        ("training.best_by=bleu", r"training.best_by: unknown value 'bleu'; valid: accuracy, macro_f1, span"),
        ("training.best_by=span_f1", r"training.best_by: span_f1 needs tags such as B-X, I-X and O, found "),
        ("training.label_smoothing=0.1", r"training.label_smoothing is not for taggers"),
        ("model.kind=sentence", r"model.kind: 'sentence' is for classification; models for tagging are of "),
        ("model.characters.kind=lstm", r"model.characters: unknown value 'lstm'; did you mean 'bilstm'"),
        ("model.attention={heads: 3}", r"attention.heads: the states have a width of 8, no multiple of 3"),
        ("training.precision=bfloat16", r"training.precision is for models that train all positions at once"),
    ],
)
def test_settings_that_do_not_fit_are_named(setting: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=message):
        regard.train("tagger", out=tmp_path / "r", set_=[*TINY, setting], quiet=True)


def test_a_crf_without_a_scheme_is_the_default() -> None:
    assert load_recipe("tagger", kind=TaggingRecipe).model.labelling == CRFLabellingConfig()
