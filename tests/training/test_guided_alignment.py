"""Guided alignment, from the links of a corpus to a model that looks where they lead."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from tests.training.tiny import TINY, assert_same, steps, stop_in, train

import regard
from regard.config.data import DataConfig
from regard.config.load import load_recipe
from regard.config.text import CharConfig, WordConfig
from regard.config.translation import TranslationRecipe
from regard.data.batching import SYMBOLS, Batch, make_batch
from regard.errors import ConfigError, DataError, StoppedError, StoreError
from regard.nn.dropout import DropoutRng
from regard.tasks.translation.examples import pair_corpus
from regard.tasks.translation.trainer import TranslationTrainer
from regard.text.token_links import respelt_links
from regard.training import teacher_forcing
from regard.training.step import forward_backward

GUIDED = "training.guided_alignment.weight=0.5"


def table(path: Path, *rows: str, header: str = "a\tb\tlinks") -> str:
    path.write_text("\n".join([header, *rows]) + "\n", encoding="utf-8")
    return str(path)


def linked(path: str | list[str] | dict[str, str], text: Any = None, **data: Any) -> Any:
    config = DataConfig.model_validate({"source": "a", "target": "b", "train": path, **data})
    return pair_corpus(config, text or WordConfig(), linked=True, quiet=True)


def test_word_links_are_spread_to_the_tokens_of_the_words(tmp_path: Path) -> None:
    """The tokens are x · y · ▁ · z and m · ▁ · o · p · q, and a space is of the word after it."""
    path = table(tmp_path / "t.tsv", "xy z\tm opq\t0-1", "xy z\tm opq\t0-1 1-0")
    _, _, pairs = linked(path, CharConfig())
    spread = [[written, read] for written in (1, 2, 3, 4) for read in (0, 1)]
    assert np.asarray(pairs[0].links).reshape(-1, 2).tolist() == spread
    assert np.asarray(pairs[1].links).reshape(-1, 2).tolist() == [[0, 2], [0, 3], *spread]


def test_rows_of_a_batch_have_their_shares(tmp_path: Path) -> None:
    path = table(tmp_path / "t.tsv", "x y z\tm n\t0-0 2-0 1-1", "x y\tm n\t", "y\tn\t0-0")
    _, _, pairs = linked(path)
    batch = make_batch(pairs, [0, 1, 2], SYMBOLS)
    assert batch.links is not None
    assert batch.links.rows.tolist() == [0, 0, 0, 2]
    assert batch.links.targets.tolist() == [0, 0, 1, 0]
    assert batch.links.sources.tolist() == [0, 2, 1, 0]
    assert batch.links.shares.tolist() == [0.5, 0.5, 1.0, 1.0]
    assert batch.links.tokens == 3
    assert make_batch(pairs, [1], SYMBOLS).links is None


def test_the_possible_links_are_not_learned(tmp_path: Path) -> None:
    rows = ("x y\tm n\t0-0\t0-0 1-1",)
    _, _, pairs = linked(table(tmp_path / "t.tsv", *rows, header="a\tb\tsure\tpossible"))
    assert list(pairs[0].links) == [0, 0]


def test_links_from_the_target_to_the_source_are_turned(tmp_path: Path) -> None:
    """The column of the target comes first."""
    _, _, pairs = linked(table(tmp_path / "t.tsv", "m n o\tx y\t2-1", header="b\ta\tlinks"))
    assert list(pairs[0].links) == [2, 1]


def test_what_links_count_is_decided_by_the_whole_corpus(tmp_path: Path) -> None:
    """The second row has a link to the full stop, so in the first, too, it is a word of its own."""
    rows = ("x, y\tm n\t2-1", "x y.\tm n.\t2-2")
    _, _, pairs = linked(table(tmp_path / "t.tsv", *rows))
    assert np.asarray(pairs[0].links).reshape(-1, 2)[0, 0] == 1
    assert len(pairs[0].links) > 0
    with pytest.raises(DataError, match=r"t.tsv:2: the link 2-1 is beyond the sentences of 2 words"):
        linked(table(tmp_path / "t.tsv", rows[0].replace(",", ""), "x y\tm n\t1-1"))


def test_a_pharaoh_file_beside_two_texts(tmp_path: Path) -> None:
    paths = [tmp_path / name for name in ("t.a", "t.b", "t.links")]
    for path, lines in zip(paths, ("x y\nz\nz x\n", "m n\no\no m\n", "0-1 1-0\n\n1-1\n"), strict=True):
        path.write_text(lines)
    corpus = dict(zip(("source_path", "target_path", "links_path"), map(str, paths), strict=True))
    corpus["kind"] = "parallel"
    _, _, pairs = linked(corpus)
    assert [list(pairs[row].links) for row in range(3)] == [[0, 1, 1, 0], [], [1, 1]]
    key = pairs.ids_key
    paths[2].write_text("0-1 1-0\n0-0\n1-1\n")
    _, _, changed = linked(corpus)
    assert list(changed[1].links) == [0, 0], "the cache knows the file of the links"
    assert changed.ids_key != key
    paths[2].write_text("0-1\n0-0\n")
    with pytest.raises(DataError, match=r"t.a:3: the source has more lines, but .*t.links has ended"):
        linked(corpus)
    paths[2].write_text("0-1\n0-0\n1-1\n0-0\n")
    with pytest.raises(DataError, match=r"t.links:4: the alignment has more lines, but .*t.a has ended"):
        linked(corpus)
    paths[2].write_text("0-1\n0:0\n1-1\n")
    with pytest.raises(DataError, match=r"t.a:2: .*t.links: the links side: expected links i-j .*'0:0'"):
        linked(corpus)
    paths[2].write_text("0-1\n0-0\n1-2\n")
    with pytest.raises(DataError, match=r"t.a:3: .*t.links: the link 1-2 is beyond the sentences of 2 words"):
        linked(corpus)
    _, _, rest = linked(corpus, on_bad_row="skip")
    assert (len(rest), rest.bad) == (2, 1)


def test_a_corpus_without_links_is_refused_before_anything_is_learned(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"training.guided_alignment: expected word alignments in data.train"):
        linked(table(tmp_path / "t.tsv", "x\tm", header="a\tb"))
    with pytest.raises(DataError, match="for none of its rows"):
        linked(table(tmp_path / "t.tsv", "x\tm\t"))


def test_a_part_of_a_mix_may_have_none(tmp_path: Path) -> None:
    parts = [table(tmp_path / "t.tsv", "x\tm\t0-0"), table(tmp_path / "u.tsv", "y\tn", header="a\tb")]
    _, _, pairs = linked(parts)
    assert [list(pairs[row].links) for row in range(2)] == [[0, 0], []]


def test_links_follow_tokens_that_bpe_dropout_cuts_otherwise() -> None:
    """Each new token has the links of the word that it is cut from, in every segmentation."""
    recipe = load_recipe("demo", [*TINY, "text.dropout=0.5", GUIDED], kind=TranslationRecipe)
    source, target, pairs = pair_corpus(recipe.data, recipe.text, linked=True, quiet=True)
    different = 0
    for row in range(30):
        pair = pairs[row]
        old = [[int(token) for token in ids] for ids in (pair.source, pair.target)]
        new = [
            side.resample(ids, key=(1, row, place))
            for place, (side, ids) in enumerate(zip((source, target), old, strict=True))
        ]
        decoded = [
            (side.decode(before), side.decode(after))
            for side, before, after in zip((source, target), old, new, strict=True)
        ]
        found = respelt_links(list(pair.links), decoded[0], decoded[1])
        assert words_linked(pair.links, decoded[0][0], decoded[1][0]) == words_linked(
            found, decoded[0][1], decoded[1][1]
        )
        targets = {written for written, _ in np.asarray(found).reshape(-1, 2).tolist()}
        assert max(targets) < len(new[1])
        different += [*new[0]] != old[0]
    assert different > 10


def test_links_of_a_batch_are_respelt_with_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No link of a training step leads beyond its tokens, and each first token of a linked word has one."""
    task = trainer(tmp_path, GUIDED, "text.dropout=0.5")
    made: list[Batch] = []
    real = teacher_forcing.loss_of_batch

    def seen(network: Any, batch: Batch, *args: Any, **settings: Any) -> Any:
        made.append(batch)
        return real(network, batch, *args, **settings)

    monkeypatch.setattr(teacher_forcing, "loss_of_batch", seen)
    for step in range(5):
        task.loss(range(10), DropoutRng(task.model, seed=1, step=step))
    plain = [len(np.unique(np.asarray(task._train[row].links).reshape(-1, 2)[:, 0])) for row in range(10)]
    shares = [len(task._train[row].target) for row in range(10)]
    for batch in made:
        assert batch.links is not None
        assert (batch.links.sources < batch.lengths[batch.links.rows] - 1).all()
        assert batch.real[batch.links.rows, batch.links.targets].all()
        longer = int(batch.real.sum()) - 10 - sum(shares)
        assert longer > 0, "more pieces than without dropout"
        assert batch.links.tokens > sum(plain), "and more that have links"


def words_linked(links: Any, source: Any, target: Any) -> set[tuple[int, int]]:
    """The links as pairs of words between spaces, by the characters of the tokens."""

    def word(encoding: Any, token: int) -> int:
        text, (start, _) = encoding.text.text, encoding.spans[token]
        letter = next(place for place in range(start, len(text)) if not text[place].isspace())
        return len(text[: letter + 1].split()) - 1

    pairs = np.asarray(links).reshape(-1, 2).tolist()
    return {(word(source, read), word(target, written)) for written, read in pairs}


def trainer(tmp_path: Path, *settings: str) -> TranslationTrainer:
    recipe = load_recipe("demo", [*TINY, *settings])
    return TranslationTrainer(recipe, tmp_path, torch.device("cpu"), quiet=True)


def test_parts_of_a_step_add_up(tmp_path: Path) -> None:
    """The gradient of several batches is that of all their pairs in one; so is the loss that is told."""
    task = trainer(tmp_path, GUIDED, "model.dropout=0", "text.dropout=0")
    found = []
    for batches in ([[0, 1, 2], [3], [4, 5]], [[0, 1, 2, 3, 4, 5]]):
        task.model.zero_grad(set_to_none=True)
        done = forward_backward(task, task.config, batches, 1)
        found.append((done, [p.grad.clone() for p in task.model.parameters() if p.grad is not None]))
    (parts, own), (whole, theirs) = found
    assert parts.auxiliary == pytest.approx(whole.auxiliary, rel=1e-5)
    assert parts.loss == pytest.approx(whole.loss, rel=1e-5)
    for one, other in zip(own, theirs, strict=True):
        torch.testing.assert_close(one, other, rtol=1e-4, atol=1e-7)


def test_the_loss_of_the_task_is_told_apart(tmp_path: Path) -> None:
    """With and without guidance the first step has the same translation loss, and the same dev loss."""
    train(tmp_path / "guided", GUIDED, "training.epochs=1")
    train(tmp_path / "plain", "training.epochs=1")
    guided, plain = (steps(tmp_path / name)[0] for name in ("guided", "plain"))
    assert guided["loss"] == pytest.approx(plain["loss"], abs=1e-4)
    assert guided["guided_loss"] > 0
    assert "guided_loss" not in plain
    task = trainer(tmp_path / "new", GUIDED)
    assert task.validate()["loss"] == pytest.approx(trainer(tmp_path / "other").validate()["loss"], abs=1e-6)


@pytest.mark.parametrize("more", ["training.accumulate=1", "training.accumulate=3"])
def test_a_stopped_run_goes_on_to_the_same_bits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, more: str
) -> None:
    train(tmp_path / "whole", GUIDED, more)
    stop_in(monkeypatch, {4})
    with pytest.raises(StoppedError):
        train(tmp_path / "stopped", GUIDED, more)
    train(tmp_path / "stopped", GUIDED, more)
    assert_same(tmp_path / "whole", tmp_path / "stopped")
    train(tmp_path / "plain", more)
    with pytest.raises(AssertionError):
        assert_same(tmp_path / "whole", tmp_path / "plain")


def test_a_run_does_not_go_on_with_other_links(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [f"{'x y z w'[: 2 * (n % 4) + 1]}\t{'m n o p'[: 2 * (n % 4) + 1]}\t0-0" for n in range(40)]
    path = table(tmp_path / "t.tsv", *rows)
    own = [
        "data.source=a",
        "data.target=b",
        f"data.train={path}",
        f"data.dev={path}",
        "text.vocabulary_size=300",
    ]
    stop_in(monkeypatch, {2})
    with pytest.raises(StoppedError):
        train(tmp_path / "run", GUIDED, *own)
    table(tmp_path / "t.tsv", *rows[:-1], rows[-1][:-3])
    dev = table(tmp_path / "d.tsv", *rows)
    with pytest.raises((StoreError, ConfigError), match=r"the data has changed|data.dev"):
        train(tmp_path / "run", GUIDED, *own[:3], f"data.dev={dev}", own[4])


def test_a_step_whose_guided_layer_is_dropped_has_no_guided_loss(tmp_path: Path) -> None:
    recipe = load_recipe(
        "transformer-small",
        [
            "data={source: ko, target: en, train: {kind: builtin, rows: 20, max_words: 4}}",
            "data.dev={kind: builtin, rows: 4, max_words: 4}",
            "text.vocabulary_size=400",
            "model.width=16",
            "model.feed_forward=16",
            "model.layer_drop=0.5",
            GUIDED,
        ],
    )
    task = TranslationTrainer(recipe, tmp_path, torch.device("cpu"), quiet=True)
    found = {
        task.loss([0, 1], DropoutRng(task.model, seed=1, step=step)).auxiliary is None for step in range(12)
    }
    assert found == {True, False}


@pytest.mark.parametrize(
    ("setting", "told"),
    [
        ("training.guided_alignment.weight=-1", "weight: expected more than 0.0, found -1"),
        ("training.guided_alignment={head: 1.5}", "head"),
        ("training.guided_alignment={weigth: 1}", "weigth"),
        ("training={compile: true, guided_alignment: {}}", "compile"),
    ],
)
def test_settings_that_cannot_be_are_refused(setting: str, told: str) -> None:
    with pytest.raises(ConfigError, match=told):
        load_recipe("transformer-small", [setting])


def test_a_model_without_attention_is_refused_before_training(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="needs attention over the source, and this model has none"):
        train(tmp_path / "run", GUIDED, "model.attention=null")
    assert not (tmp_path / "run" / "log.jsonl").exists()


SMALL = [
    "data.train={kind: builtin, rows: 1000, max_words: 4}",
    "data.dev={kind: builtin, rows: 20, max_words: 4}", "data.test={kind: builtin, rows: 60, max_words: 4}",
    "model.embedding_size=32", "model.encoder.hidden_size=32", "model.attention.hidden_size=32",
    "model.decoder.hidden_size=48", "training.epochs=2", "training.best_by=loss", "text.vocabulary_size=600",
    "training.batch_tokens=256", "training.schedule.warmup_steps=20",
    "training.optimizer.learning_rate=0.01",
]  # fmt: skip


def test_a_guided_model_aligns_clearly_better(tmp_path: Path) -> None:
    """A few steps are enough for a guided attention, and leave another at chance."""
    found = {}
    for name, settings in (("plain", []), ("guided", ["training.guided_alignment.weight=1"])):
        regard.train("demo", out=tmp_path / name, set_=[*SMALL, *settings], quiet=True)
        result = regard.evaluate(tmp_path / name, metrics=["aer"], samples=0, quiet=True)
        found[name] = result.metrics["aer"]
    assert found["guided"] < 0.7 * found["plain"]
