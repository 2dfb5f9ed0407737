"""Training encoders of sentences: each objective, what the dev set says, where a run begins and goes on."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from sentence_transformers import SentenceTransformer
from tests.tasks.tiny_encoder import stored_encoder, write_tiny_encoder
from tests.training.tiny import assert_same, log, stop_in
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace
from tokenizers.processors import TemplateProcessing
from torch.testing import assert_close
from transformers import PreTrainedTokenizerFast, RobertaConfig, RobertaModel

import regard
from regard.config.load import Setting, load_recipe
from regard.errors import ConfigError, DataError, StoppedError, StoreError
from regard.nn.dropout import DropoutRng
from regard.nn.text_embedder import in_batch_loss
from regard.store.convert.encoder import write_encoder
from regard.store.folder import weights_of
from regard.tasks.embedding.sentence_encoder import SentenceEncoder
from regard.tasks.embedding.trained import TrainedEmbedder
from regard.tasks.embedding.trainer import EmbeddingTrainer
from regard.training.memory import halves
from regard.training.step import forward_backward

LETTERS = "abcdefghijkl"
TINY: list[Setting] = [
    "model.embedding_size=8", "model.encoder.hidden_size=8", "training.epochs=2", "training.batch_tokens=64",
    "training.schedule.warmup_steps=2",
]  # fmt: skip
"""Of the recurrent encoder."""
BERT: list[Setting] = [
    "training.epochs=1", "training.batch_tokens=64", "data.max_tokens=8", "training.schedule.warmup_steps=2",
    "training.optimizer.learning_rate=0.001",
]  # fmt: skip


@pytest.fixture(scope="module")
def pairs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Texts of letters. The nearer two are, the more letters they share; a label says which kind it is."""
    rows = []
    rng = np.random.default_rng(0)
    for number in range(48):
        text = rng.permutation(list(LETTERS))[:4].tolist()
        shared = int(rng.integers(0, 5))
        fresh = [letter for letter in LETTERS if letter not in text]
        other = rng.permutation([*text[:shared], *rng.permutation(fresh)[: 4 - shared].tolist()]).tolist()
        label = "near" if shared > 2 else "far" if shared < 2 else "between"
        twin = rng.permutation(text).tolist()
        rows.append(
            (" ".join(text), " ".join(other), f"{1.25 * shared:g}", label, " ".join(twin), str(number))
        )
    path = tmp_path_factory.mktemp("pairs") / "pairs.tsv"
    head = ("sentence1", "sentence2", "score", "label", "twin", "number")
    path.write_text("\n".join("\t".join(row) for row in (head, *rows)) + "\n", encoding="utf-8")
    return path


def data_of(pairs: Path, **columns: Any) -> list[Setting]:
    """The same rows to learn from, to choose by and to measure on."""
    named = {"text": "sentence1", "second": "sentence2", **columns}
    parts = ("train", "dev", "test")
    return [*((f"data.{part}", str(pairs)) for part in parts), *((f"data.{k}", v) for k, v in named.items())]


def train(pairs: Path, out: Path, *settings: Setting, start: Path | None = None, **columns: Any) -> Any:
    recipe, usual = ("bilstm-embedder", TINY) if start is None else ("bert-embedder", BERT)
    changes = [*data_of(pairs, **columns), *usual, *settings]
    regard.train(recipe, out=out, from_=start, set_=changes, quiet=True)
    return regard.load(out)


def validations(run: Path) -> list[dict[str, Any]]:
    return [event for event in log(run) if event["event"] == "validation"]


@pytest.mark.parametrize(
    ("objective", "columns", "measures"),
    [
        ("in-batch-negatives", {"second": "twin"}, ["retrieval", "mrr"]),
        ("in-batch-negatives", {"second": "twin", "negative": "sentence2"}, ["retrieval", "mrr"]),
        ("in-batch-negatives", {"score": "score"}, ["spearman", "pearson"]),
        ("cosine", {"score": "score"}, ["spearman", "pearson"]),
        ("softmax", {}, ["accuracy"]),
        ("softmax", {"score": "score"}, ["spearman", "pearson"]),
    ],
)
def test_every_objective_learns_and_is_measured_by_what_the_dev_set_has(
    pairs: Path,
    tmp_path: Path,
    objective: str,
    columns: dict[str, Any],
    measures: list[str],
    capsys: pytest.CaptureFixture[str],
) -> None:
    settings = [f"model.objective={objective}", "training.epochs=4", "training.optimizer.learning_rate=0.01"]
    model = train(pairs, tmp_path / "r", *settings, **columns)
    assert isinstance(model, TrainedEmbedder)
    first, *_, last = seen = validations(tmp_path / "r")
    assert [name for name in first if name in ("loss", *measures)] == ["loss", *measures]
    losses = [event["loss"] for event in log(tmp_path / "r") if event["event"] == "step"]
    assert np.mean(losses[-3:]) < np.mean(losses[:3])
    best = max(seen, key=lambda event: float(event[measures[0]]))
    marked = [event for event in seen if event["best"]][-1]
    assert marked[measures[0]] == best[measures[0]], "the first measure makes a checkpoint the best"
    assert last["step"] >= first["step"]
    scored = columns.get("score", "")
    found = regard.evaluate(tmp_path / "r", samples=0)
    told = "the score means little unless all are of equal meaning" in capsys.readouterr().err
    assert told == (objective == "softmax" and not scored)
    names = ["spearman", "pearson"] if scored else ["retrieval", "mrr"]
    assert list(found.metrics) == names
    if names == measures:
        assert found.metrics[names[0]] == pytest.approx(best[names[0]], abs=1e-4)


def test_the_loss_of_a_batch_is_that_of_its_vectors(pairs: Path, tmp_path: Path) -> None:
    recipe: Any = load_recipe("bilstm-embedder", [*data_of(pairs, second="twin"), *TINY])
    task = EmbeddingTrainer(recipe, tmp_path, torch.device("cpu"), quiet=True)
    rows = list(task.plan(0)[0])
    texts = [line.split("\t") for line in pairs.read_text().splitlines()[1:]]
    first, second = (
        torch.from_numpy(task.embedder.embed([texts[row][side] for row in rows])) for side in (0, 4)
    )
    found = task.loss(rows, None)
    assert found.count == len(rows) > 3
    assert_close(found.loss, in_batch_loss(first, second, scale=20.0), rtol=1e-4, atol=1e-4)


def test_batches_that_are_added_up_stay_apart(pairs: Path, tmp_path: Path) -> None:
    """In-batch negatives are those of a batch: two that make one step are not each other's."""
    recipe: Any = load_recipe("bilstm-embedder", [*data_of(pairs, second="twin"), *TINY, "model.dropout=0"])
    task = EmbeddingTrainer(recipe, tmp_path, torch.device("cpu"), quiet=True)
    batches = task.plan(0)[:2]
    apart = [float(task.loss(rows, DropoutRng(task.model, seed=1, step=1)).loss.detach()) for rows in batches]
    together = float(task.loss([row for rows in batches for row in rows], None).loss.detach())
    done = forward_backward(task, recipe.training, batches, 1)
    assert done.loss == pytest.approx(sum(apart), rel=1e-5)
    assert done.loss < 0.95 * together
    with pytest.raises(DataError, match="they are each other's negatives, so that it cannot be cut"):
        halves(batches[0], MemoryError(), task)


def test_a_stopped_run_goes_on_to_the_same_bits(
    pairs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = ["model.objective=softmax", "model.pooling={kind: structured, hops: 2, hidden_size: 6}"]
    settings += ["text={kind: bpe, vocabulary_size: 300, dropout: 0.1}", "training.validations_per_epoch=2"]
    train(pairs, tmp_path / "whole", *settings)
    stop_in(monkeypatch, {3})
    with pytest.raises(StoppedError):
        train(pairs, tmp_path / "r", *settings)
    train(pairs, tmp_path / "r", *settings)
    assert_same(tmp_path / "whole", tmp_path / "r")


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_tiny_encoder(tmp_path_factory.mktemp("models") / "tiny")


@pytest.fixture(scope="module")
def tuned(pairs: Path, tiny: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An encoder of sentence-transformers, trained on."""
    out = tmp_path_factory.mktemp("tuned") / "r"
    train(pairs, out, "model.objective=cosine", start=tiny, score="score")
    return out


def test_a_run_begins_with_the_vectors_of_its_start(pairs: Path, tiny: Path, tmp_path: Path) -> None:
    there = regard.load(tiny)
    frozen = ["training.optimizer.learning_rate=1e-30", "training.optimizer.weight_decay=0"]
    model = train(pairs, tmp_path / "r", "model.objective=cosine", *frozen, start=tiny, score="score")
    texts = ["a b c", "kjihg ab", "l"]
    np.testing.assert_allclose(model.embed(texts), there.embed(texts), atol=1e-5)
    assert model.attentions.keys() == {"bert.encoder.0.self", "bert.encoder.1.self"}


def test_a_run_from_elsewhere_goes_on_to_the_same_bits(
    pairs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = write_tiny_encoder(tmp_path / "tiny")
    settings = ["model.objective=cosine"]
    train(pairs, tmp_path / "whole", *settings, start=folder, score="score")
    stop_in(monkeypatch, {2})
    with pytest.raises(StoppedError):
        train(pairs, tmp_path / "r", *settings, start=folder, score="score")
    train(pairs, tmp_path / "r", *settings, start=folder, score="score")
    assert_same(tmp_path / "whole", tmp_path / "r")


def test_one_objective_after_the_other(pairs: Path, tuned: Path, tmp_path: Path) -> None:
    """As Reimers and Gurevych do with inference and then similarity; the pooling is taken along."""
    hops = "model.pooling={kind: structured, hops: 2, hidden_size: 6}"
    first = train(pairs, tmp_path / "a", "model.objective=softmax", hops, start=tuned)
    still = ["training.optimizer.learning_rate=1e-30", "training.optimizer.weight_decay=0"]
    columns = {"score": "score"}
    then = train(
        pairs, tmp_path / "b", "model.objective=cosine", hops, *still, start=tmp_path / "a", **columns
    )
    own, there = weights_of(then.module), weights_of(first.module)
    assert own.keys() == there.keys() - {"relation.output.weight", "relation.output.bias"}
    assert_close(own["pooling.first.weight"], there["pooling.first.weight"])
    assert len(then.embed("a b")) == 24


def test_vectors_leave_for_sentence_transformers(pairs: Path, tuned: Path, tmp_path: Path) -> None:
    texts = ["a b c", "kjihg ab", "l", "zz a"]
    assert regard.export_model(tuned, tmp_path / "st", to="sentence-transformers") == ()
    theirs = SentenceTransformer(str(tmp_path / "st"), device="cpu").encode(texts)
    own = regard.load(tuned).embed(texts)
    np.testing.assert_allclose(own, theirs, atol=1e-5)
    again = regard.load(tmp_path / "st")
    assert isinstance(again, SentenceEncoder)
    np.testing.assert_allclose(again.embed(texts), own, atol=1e-5)
    (note,) = regard.export_model(tuned, tmp_path / "alone", to="transformers")
    assert note.startswith("the encoder alone")
    assert regard.load(tmp_path / "alone").is_alone
    hops = "model.pooling={kind: structured, hops: 2, hidden_size: 6}"
    train(pairs, tmp_path / "hops", hops, start=tuned, second="twin")
    with pytest.raises(
        StoreError, match=r"model\.pooling: sentence-transformers has mean, first, max, found st"
    ):
        regard.export_model(tmp_path / "hops", tmp_path / "x", to="sentence-transformers")


def test_a_roberta_leaves_as_one(pairs: Path, tmp_path: Path) -> None:
    """Its places are counted from behind the padding, and its symbols have other names."""
    torch.manual_seed(0)
    words = ["<s>", "<pad>", "</s>", "<unk>", "<mask>", *LETTERS]
    backend = Tokenizer(WordLevel({word: number for number, word in enumerate(words)}, unk_token="<unk>"))
    backend.pre_tokenizer = Whitespace()
    backend.add_special_tokens(words[:5])
    backend.post_processor = TemplateProcessing(
        single="<s> $A </s>", pair="<s> $A </s> </s> $B </s>", special_tokens=[("<s>", 0), ("</s>", 2)]
    )
    names = {"pad_token": "<pad>", "unk_token": "<unk>", "cls_token": "<s>", "sep_token": "</s>"}
    PreTrainedTokenizerFast(tokenizer_object=backend, **names).save_pretrained(tmp_path / "m")
    config = RobertaConfig(
        vocab_size=len(words), hidden_size=12, num_attention_heads=3, intermediate_size=20,
        num_hidden_layers=1, max_position_embeddings=20, type_vocab_size=1, pad_token_id=1,
    )  # fmt: skip
    RobertaModel(config).save_pretrained(tmp_path / "m")
    model = train(pairs, tmp_path / "r", start=tmp_path / "m", second="twin")
    regard.export_model(tmp_path / "r", tmp_path / "st", to="sentence-transformers")
    texts = ["a b c", "k j i h", "l"]
    theirs = SentenceTransformer(str(tmp_path / "st"), device="cpu").encode(texts)
    np.testing.assert_allclose(model.embed(texts), theirs, atol=1e-5)


@pytest.mark.parametrize("pooling", ["first", "max"])
def test_a_vocabulary_learned_here_leaves_too(pairs: Path, tmp_path: Path, pooling: str) -> None:
    sizes = "model.encoder={kind: bert, width: 8, heads: 2, feed_forward: 12, layers: 1, places: 20}"
    settings = [*data_of(pairs, second="twin"), *BERT, sizes, f"model.pooling={{kind: {pooling}}}"]
    settings += ["model.normalise=true", "text={kind: bpe, vocabulary_size: 300}"]
    regard.train("bert-embedder", out=tmp_path / "r", set_=settings, quiet=True)
    regard.export_model(tmp_path / "r", tmp_path / "st", to="sentence-transformers")
    texts = ["a b c", "k j i", "l"]
    theirs = SentenceTransformer(str(tmp_path / "st"), device="cpu").encode(texts)
    np.testing.assert_allclose(regard.load(tmp_path / "r").embed(texts), theirs, atol=1e-5)
    np.testing.assert_allclose(np.linalg.norm(theirs, axis=1), 1.0, rtol=1e-5)


def test_a_recurrent_encoder_has_no_counterpart(pairs: Path, tmp_path: Path) -> None:
    train(pairs, tmp_path / "r", "training.epochs=1", second="twin")
    with pytest.raises(StoreError, match="a sentence_embedder for embedding cannot be exported"):
        regard.export_model(tmp_path / "r", tmp_path / "x", to="sentence-transformers")


def test_what_was_trained_is_compared_with_what_it_began_with(pairs: Path, tiny: Path, tuned: Path) -> None:
    found = regard.compare(
        {"before": tiny, "after": tuned}, str(pairs), label="score", samples=20, quiet=True
    )
    scores = {name: each.metrics["spearman"] for name, each in found.evaluations.items()}
    assert scores["after"] > scores["before"]
    assert found.contrasts[0].metric == "cosine"
    near = regard.load(tuned).similarity("a b c", "c b a")
    assert near.tokens().values.sum() == pytest.approx(near.cosine, abs=1e-5)
    assert regard.load(tuned).look("a b c").attention.words().rows == ("[CLS]", "a", "b", "c", "[SEP]")


@pytest.mark.parametrize(
    ("settings", "error", "message"),
    [
        (
            ["model.objective=cosine"],
            ConfigError,
            "cosine learns from numbers; name their column: data.score",
        ),
        (["model.objective=cosin"], ConfigError, "model.objective"),
        (["data.negative=twin", "model.objective=softmax"], ConfigError, "data.negative is for in-batch-neg"),
        (["training.label_smoothing=0.1"], ConfigError, "training.label_smoothing is for labels"),
        (["training.best_by=spearman"], ConfigError, "does not measure this dev set; choose score, retr"),
        (["data.second=sentence1"], ConfigError, "expected different columns, found one named twice"),
        (
            ["model.objective=softmax", "data.label=sentence2"],
            ConfigError,
            "found one named twice: sentence1",
        ),
        (["data.range=[5, 0]"], ConfigError, r"the smaller first, such as \[0, 5\], found \[5"),
        (["data.score=number"], DataError, r"pairs.tsv:8: expected a number from 0 to 5, found 6; say which"),
        (["training.batch_tokens=5"], DataError, r"two pairs or more, found 48 pairs, each alone; give more"),
    ],
)
def test_what_has_no_meaning_is_told(
    pairs: Path, tmp_path: Path, settings: list[str], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        train(pairs, tmp_path / "r", *settings)


def test_an_encoder_that_is_frozen_as_a_whole_is_told(pairs: Path, tiny: Path, tmp_path: Path) -> None:
    with pytest.raises(
        ConfigError, match=r"training\.frozen_layers: with 2 nothing is left to learn, .*fewer"
    ):
        train(pairs, tmp_path / "r", "training.frozen_layers=2", start=tiny)


def test_what_may_be_a_mistake_is_said(
    pairs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    some = tmp_path / "some.tsv"
    head, *rows = pairs.read_text().splitlines()
    some.write_text("\n".join([head, *rows[:5]]) + "\n")
    settings = [*data_of(some, score="score"), *TINY, "data.range=[0, 100]", "training.batch_tokens=10"]
    recipe: Any = load_recipe("bilstm-embedder", settings)
    task = EmbeddingTrainer(recipe, tmp_path / "r", torch.device("cpu"))
    assert sorted(map(len, task.plan(0))) == [1, 2, 2]
    told = capsys.readouterr().err
    assert (
        told.count("1 pair of 5 alone in a batch, with nothing to learn from; a larger training.batch_t") == 1
    )
    assert "or less, and data.range goes to 100; if that is not so, say which there are, such as" in told


def test_a_start_that_makes_other_vectors_is_told(pairs: Path, tiny: Path, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"model\.pooling is max here, and mean in .*; say the same"):
        train(pairs, tmp_path / "r", "model.pooling={kind: max}", start=tiny, second="twin")
    write_encoder(tmp_path / "alone", stored_encoder())
    train(pairs, tmp_path / "r", "model.pooling={kind: max}", start=tmp_path / "alone", second="twin")
