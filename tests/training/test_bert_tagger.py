"""A tagger that begins with an encoder: trained, stopped, opened, looked into, measured."""

import json
from pathlib import Path
from shutil import copytree, rmtree

import numpy as np
import pytest
import torch
from tests.conftest import Run
from tests.tasks.test_filling import foreign  # noqa: F401  # a folder that transformers wrote
from tests.training.test_pretrained_encoder import encoder  # noqa: F401  # two layers, 40 places
from tests.training.tiny import resumes_to_the_same_bits

import regard
from regard.config.bert_tagger import BertTaggerConfig
from regard.errors import ConfigError, DataError
from regard.store.folder import weights_of
from regard.tasks.tagging.predictor import Tagger

FEW = [
    "data.train.rows=60", "data.dev.rows=10", "data.test.rows=20", "data.max_tokens=38",
    "training.epochs=2", "training.batch_tokens=128",
]  # fmt: skip
TEXT = "그  학생이 책을 읽었다 ."


def train(start: Path, out: Path, *settings: str) -> Tagger:
    regard.train("bert-tagger", out=out, from_=start, set_=[*FEW, *settings], quiet=True)
    return regard.load(out, task="tagging")


@pytest.fixture(scope="module")
def run_folder(encoder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:  # noqa: F811
    out = tmp_path_factory.mktemp("tagger") / "r"
    train(encoder, out, "training.frozen_layers=1")
    return out


@pytest.fixture(scope="module")
def tagger(run_folder: Path) -> Tagger:
    return regard.load(run_folder, task="tagging")


def test_sizes_vocabulary_and_weights_are_those_of_the_encoder(tagger: Tagger, encoder: Path) -> None:  # noqa: F811
    before = regard.load(encoder, task="masked-language-model")
    assert isinstance(tagger.recipe.model, BertTaggerConfig)
    assert (tagger.recipe.model.encoder.width, tagger.recipe.text) == (8, before.recipe.text)
    assert tagger.tokenizer.to_json() == before.tokenizer.to_json()
    own, there = weights_of(tagger.module), weights_of(before.module)
    frozen = [name for name in there if "embedding" in name or name.startswith("encoder.0.")]
    assert all(torch.equal(own[f"bert.{name}"], there[name]) for name in frozen)
    assert not torch.equal(own["bert.encoder.1.self.input.weight"], there["encoder.1.self.input.weight"])


def test_a_stopped_run_goes_on_to_the_same_bits(
    encoder: Path,  # noqa: F811
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    settings = ["training.optimizer.layer_decay=0.8", "model.labelling={kind: crf}", "model.word=mean"]
    moved = tmp_path / "encoder"
    copytree(encoder, moved)
    resumes_to_the_same_bits(
        lambda out: train(moved, out, *settings),
        tmp_path,
        monkeypatch,
        {3},
        meanwhile=lambda: rmtree(moved),  # what resumes needs no more than its run
    )


def test_words_and_their_attention_are_those_that_were_given(tagger: Tagger) -> None:
    found = tagger.tag(TEXT)
    assert (found.source, found.words) == (TEXT, ("그", "학생이", "책을", "읽었다", "."))
    words = found.attention.words()
    assert words.columns == words.rows == ("<s>", *found.words, "</s>")
    assert words.weights.sum(axis=1) == pytest.approx(np.ones(7), abs=1e-5)
    assert len(found.attention.maps()) == 4, "two layers of two heads"
    (alone,) = tagger.tag([list(found.words)])
    assert alone.marginals == pytest.approx(found.marginals)
    together = tagger.tag([TEXT, "책을 " * 9, ""], attention=False)
    assert together[0].marginals == pytest.approx(found.marginals, abs=1e-5)
    assert (together[2].words, together[2].tags) == ((), ())


def test_words_are_edited_and_removed_with_all_their_pieces(tagger: Tagger) -> None:
    masked = tagger.tag(TEXT, edit=regard.mask("학생이"))
    assert any(value > 0 for value in masked.divergences.values())
    gone = tagger.tag(TEXT, edit=regard.remove("학생이"))
    assert gone.after.words == ("그", "책을", "읽었다", ".")
    assert gone.attention.words().columns == ("<s>", "그", "책을", "읽었다", ".", "</s>")
    fresh = tagger.tag("그 책을 읽었다 .")
    assert gone.after.marginals == pytest.approx(fresh.marginals, abs=1e-5)
    for edit, message in (
        (regard.remove("<s>"), "<s>, </s> frame every sentence and cannot be removed"),
        (regard.remove("바다"), "바다"),
    ):
        with pytest.raises(DataError, match=message):
            tagger.tag(TEXT, edit=edit)


def test_a_long_sentence_is_read_in_windows_and_says_so(tagger: Tagger) -> None:
    long, short = tagger.tag(["책을 " * 60, TEXT])
    assert len(long.tags) == 60
    assert long.notes[0].endswith("windows of at most 38 that overlap")
    assert "longer than what this model reads at once" in str(long.attention.reason)
    assert (short.notes, short.attention.reason) == ((), None)
    with pytest.raises(DataError, match="what is read in windows has no attention over the whole sentence"):
        tagger.tag("책을 " * 60, edit=regard.mask("책을"))


def test_it_is_measured_compared_and_looked_at(
    run: Run, run_folder: Path, tagger: Tagger, tmp_path: Path
) -> None:
    found = regard.evaluate(tagger, samples=0, quiet=True)
    assert found.metrics.keys() >= {"accuracy", "macro_f1", "ece"}
    copytree(run_folder, tmp_path / "other")
    compared = run("compare", run_folder, tmp_path / "other", "--json", "-q")
    assert compared.returncode == 0, compared.stderr
    told = run("tag", run_folder, "--json", text=f"{TEXT}\n{'책을 ' * 60}\n")
    assert json.loads(told.stdout.splitlines()[0])["words"] == TEXT.split()
    assert "<stdin>:2: " in told.stderr
    assert "windows of at most 38" in told.stderr
    shown = run("look", run_folder, TEXT, "--mask-head", "bert.encoder.1.self:0")
    assert "학생이" in shown.stdout


def test_a_folder_of_transformers_is_fine_tuned_with_its_own_tokens(
    foreign: Path,  # noqa: F811
    tmp_path: Path,
) -> None:
    data = tmp_path / "t.jsonl"
    rows = [(["나는", "학교에", "갔다."], ["N", "S", "V"]), (["나는", "바다에", "갔다."], ["N", "W", "V"])]
    lines = [json.dumps({"words": words, "tags": tags}, ensure_ascii=False) for words, tags in rows * 6]
    data.write_text("\n".join(lines) + "\n", encoding="utf-8")
    settings = [f"data.train={data}", f"data.dev={data}", "data.test=null", "data.max_tokens=14"]
    settings += ["training.epochs=15", "training.optimizer.learning_rate=0.03", "model.labelling.kind=crf"]
    settings += ["training.schedule.warmup_steps=2", "training.batch_tokens=24", "model.dropout=0.0"]
    settings += ["model.encoder.dropout=0.0", "model.encoder.attention_dropout=0.0"]
    tuned = train(foreign, tmp_path / "r", *settings)
    found = tuned.tag(["나는 바다에 갔다.", "나는 하늘에 갔다."])
    assert found[0].tags == ("N", "W", "V")
    assert found[0].attention.tokens().columns == ("[CLS]", "나는", "바다에", "갔다", ".", "[SEP]")
    assert found[0].attention.words().columns == ("[CLS]", "나는", "바다에", "갔다.", "[SEP]")
    assert tuned.is_known(["나는", "하늘에", "갔다."]) == [True, False, True]
    regard.train(from_=tmp_path / "r", out=tmp_path / "again", set_=["training.epochs=1"], quiet=True)
    again = regard.load(tmp_path / "again", task="tagging")
    assert again.labels == tuned.labels


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (["model.encoder.width=16"], r"model.encoder.width is 16 here, and 8 in .*; leave it out"),
        (["data.max_tokens=39"], "data.max_tokens 39 is more than the 38 tokens that"),
        (["vectors.text={kind: word2vec}"], "vectors has no use"),
    ],
)
def test_what_does_not_fit_is_told(
    encoder: Path,  # noqa: F811
    tmp_path: Path,
    settings: list[str],
    message: str,
) -> None:
    with pytest.raises(ConfigError, match=message):
        train(encoder, tmp_path / "r", *settings)


def test_without_a_start_a_sentence_must_fit() -> None:
    with pytest.raises(ConfigError, match=r"data.max_tokens 60 is more than the 8 tokens that model.e"):
        regard.train("bert-tagger", out="nowhere", set_=["model.encoder.places=10"])
