"""Word vectors to begin with: they are in the right rows, of the right size, and a stop changes no bit."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from tests.training.tiny import TINY, assert_same, last, stop_in, train
from torch import Tensor

import regard
from regard.config.load import load_recipe
from regard.config.recipe import Recipe
from regard.errors import ConfigError, DataError, MissingExtraError, StoppedError
from regard.tasks.translation.trainer import TranslationTrainer
from regard.text.tokenizer import UNK, Tokenizer
from regard.training.step import BatchLoss
from regard.vectors.files import WordVectors, write_vectors

LEARNED = "vectors={source: {kind: word2vec, epochs: 2}, target: {kind: word2vec, method: cbow, epochs: 1}}"
WIDTH = 8


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Pairs in which 학교 and school are words, 는 a piece inside words, and nothing else is known below."""
    path = tmp_path_factory.mktemp("table") / "x.tsv"
    rows = "".join(f"학교는 {n}\tschool {n}.\n" for n in "abcdefgh" * 5)
    path.write_text("ko\ten\n" + rows, encoding="utf-8")
    return path


def recipe(table: Path, *settings: str) -> Recipe:
    return load_recipe(
        "demo", [*TINY, f"data.train={table}", f"data.dev={table}", "text.dropout=0", *settings]
    )


def begun(recipe: Recipe, **options: Any) -> TranslationTrainer:
    return TranslationTrainer(recipe, Path(), torch.device("cpu"), quiet=True, **options)


def weights(task: TranslationTrainer) -> dict[str, Tensor]:
    return {name: weight.detach() for name, weight in task.model.named_parameters()}


def entry(tokenizer: Tokenizer, piece: str) -> int:
    (number,) = [n for n in range(len(tokenizer)) if tokenizer.piece(n) == piece]
    return number


def write(path: Path, vectors: dict[str, list[float]]) -> Path:
    write_vectors(path, WordVectors(list(vectors), np.array(list(vectors.values()), np.float32), "v"))
    return path


def size(tensor: Tensor) -> Tensor:
    return tensor.square().mean().sqrt()


SCHOOL, STOP, ENDING = [3.0] * 4 + [-1.0] * 4, [0.0] * 7 + [9.0], [1.0, 2.0] * 4


def test_vectors_of_a_file_are_in_their_rows(
    table: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Checked by hand: the row of ▁school is the vector of school, times one number; of a full stop likewise;
    every other row, and every other weight, is as without vectors."""
    path = write(tmp_path / "en.vec", {"school": SCHOOL, ".": STOP, "elephant": ENDING})
    plain = begun(recipe(table))
    capsys.readouterr()
    task = TranslationTrainer(
        recipe(table, f"vectors.target={{kind: file, path: {path}}}"), Path(), torch.device("cpu")
    )
    tokenizer = task.translator.target_tokenizer
    assert f"vectors.target: 2 of {len(tokenizer):,} entries found in {path}" in capsys.readouterr().err
    before, after = weights(plain), weights(task)
    school, stop = entry(tokenizer, "▁school"), entry(tokenizer, ".")
    rows, old = after["target_embedding.weight"], before["target_embedding.weight"]
    factor = size(old) / torch.tensor([SCHOOL, STOP]).square().mean().sqrt()
    torch.testing.assert_close(rows[school], torch.tensor(SCHOOL) * factor)
    torch.testing.assert_close(rows[stop], torch.tensor(STOP) * factor)
    others = [row for row in range(len(rows)) if row not in (school, stop)]
    assert torch.equal(rows[others], old[others])
    assert all(torch.equal(after[name], before[name]) for name in before if name != "target_embedding.weight")
    assert "output.weight" not in before, "tied: the output layer has the same rows"
    assert torch.equal(task.model.get_parameter("output.weight"), rows)


@pytest.mark.parametrize("inside", [False, True])
def test_pieces_inside_words_get_one_only_where_that_is_wanted(
    table: Path, tmp_path: Path, inside: bool
) -> None:
    path = write(tmp_path / "ko.bin", {"는": ENDING, "학교": SCHOOL})
    text = "text={kind: bpe, vocabulary_size: 400, split: morphemes}"
    plain = begun(recipe(table, text))
    task = begun(
        recipe(
            table, text, f"vectors.source={{kind: file, path: {path}, inside_words: {str(inside).lower()}}}"
        )
    )
    tokenizer = task.translator.source_tokenizer
    rows, old = (weights(each)["source_embedding.weight"] for each in (task, plain))
    changed = {n for n in range(len(rows)) if not torch.equal(rows[n], old[n])}
    expected = {entry(tokenizer, "▁학교")} | ({entry(tokenizer, "는")} if inside else set())
    assert changed == expected


@pytest.mark.parametrize("tied", [True, False])
def test_vectors_learned_on_the_training_text(table: Path, tied: bool) -> None:
    """Every piece that is there twice has a new row of the usual size; the symbols have not."""
    model = f"model.tie_embeddings={str(tied).lower()}"
    plain, task = begun(recipe(table, model)), begun(recipe(table, model, LEARNED))
    before, after = weights(plain), weights(task)
    assert {name for name in before if not torch.equal(before[name], after[name])} == {
        "source_embedding.weight", "target_embedding.weight",
    }  # fmt: skip
    for side, tokenizer in (
        ("source", task.translator.source_tokenizer), ("target", task.translator.target_tokenizer),
    ):  # fmt: skip
        rows, old = (each[f"{side}_embedding.weight"] for each in (after, before))
        changed = {n for n in range(len(rows)) if not torch.equal(rows[n], old[n])}
        column = 0 if side == "source" else 1
        lines = [line.split("\t")[column] for line in table.read_text(encoding="utf-8").splitlines()[1:]]
        assert changed == {token for line in lines for token in tokenizer.encode(line).ids}
        assert UNK not in changed
        torch.testing.assert_close(size(rows[sorted(changed)]), size(old))


def test_they_are_a_function_of_the_seed(table: Path) -> None:
    one, again, other = (begun(recipe(table, LEARNED, f"training.seed={seed}")) for seed in (1, 1, 2))
    name = "source_embedding.weight"
    assert torch.equal(weights(one)[name], weights(again)[name])
    assert not torch.equal(weights(one)[name], weights(other)[name])


def test_a_stop_changes_no_bit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And going on needs the checkpoint alone: nothing is learned again, nor is gensim needed."""
    train(tmp_path / "whole", LEARNED)
    stop_in(monkeypatch, {3})
    with pytest.raises(StoppedError):
        train(tmp_path / "r", LEARNED)
    with monkeypatch.context() as without:
        without.setattr("importlib.util.find_spec", lambda _: None)
        train(tmp_path / "r", LEARNED)
    assert_same(tmp_path / "whole", tmp_path / "r")


def test_going_on_needs_no_file(tmp_path: Path, table: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(tmp_path / "en.vec", {"school": SCHOOL})
    chosen = recipe(table, f"vectors.target={{kind: file, path: {path}}}")
    regard.train(chosen, out=tmp_path / "whole", quiet=True)
    stop_in(monkeypatch, {2})
    with pytest.raises(StoppedError):
        regard.train(chosen, out=tmp_path / "r", quiet=True)
    path.unlink()
    regard.train(chosen, out=tmp_path / "r", quiet=True)
    assert_same(tmp_path / "whole", tmp_path / "r")


def test_a_rollback_before_the_first_checkpoint_goes_back_to_them(table: Path, tmp_path: Path) -> None:
    path = write(tmp_path / "en.vec", {"school": SCHOOL})
    learned = "vectors.source={kind: word2vec}"
    task = begun(recipe(table, learned, f"vectors.target={{kind: file, path: {path}}}"))
    first = {name: weight.clone() for name, weight in weights(task).items()}
    path.unlink()  # what was read is not read again
    with torch.no_grad():
        for weight in task.model.parameters():
            weight.fill_(float("nan"))
    assert task.roll_back() == {}
    assert all(torch.equal(weight, first[name]) for name, weight in weights(task).items())


def test_a_run_that_rolls_back_in_its_first_step(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real, calls = TranslationTrainer.loss, []

    def loss(self: TranslationTrainer, rows: Any, rng: Any) -> BatchLoss:
        calls.append(1)
        batch = real(self, rows, rng)
        return batch if len(calls) > 1 else BatchLoss(batch.loss * float("nan"), batch.log_likelihood, 1, 0.0)

    monkeypatch.setattr(TranslationTrainer, "loss", loss)
    train(tmp_path / "r", LEARNED, "training.on_nan=rollback")
    assert all(bool(weight.isfinite().all()) for weight in last(tmp_path / "r").model.weights.values())


def test_starting_from_a_model_leaves_them_out(tmp_path: Path) -> None:
    train(tmp_path / "base", LEARNED, "training.epochs=1")
    regard.train(out=tmp_path / "r", from_=tmp_path / "base", quiet=True)
    assert not regard.load(tmp_path / "r").recipe.vectors
    with pytest.raises(ConfigError, match=r"vectors has no use with start \(--from\)"):
        regard.train("demo", out=tmp_path / "q", from_=tmp_path / "base", set_=[*TINY, LEARNED])


def test_a_dry_run_has_them(table: Path) -> None:
    from regard.api import dry_run

    told, found = dry_run(recipe(table, LEARNED), quiet=True)
    assert "40 training pairs" in told
    assert found.steps_per_epoch > 0


SHARED = ["text={kind: bpe, vocabulary_size: 400, joint: true}", "model.share_embeddings=true"]


def test_one_tensor_for_both_languages(table: Path) -> None:
    """It is filled once, from the text of both."""
    plain = begun(recipe(table, *SHARED))
    task = begun(recipe(table, *SHARED, "vectors={source: {kind: word2vec}, target: {kind: word2vec}}"))
    tokenizer = task.translator.source_tokenizer
    rows, old = (weights(each)["source_embedding.weight"] for each in (task, plain))
    changed = {n for n in range(len(rows)) if not torch.equal(rows[n], old[n])}
    assert {entry(tokenizer, "▁school"), entry(tokenizer, "▁학교는")} <= changed
    torch.testing.assert_close(size(rows[sorted(changed)]), size(old))
    different = "vectors={source: {kind: word2vec}, target: {kind: word2vec, window: 3}}"
    with pytest.raises(ConfigError, match=r"one tensor .* for both languages; say the same"):
        begun(recipe(table, *SHARED, different))


@pytest.mark.parametrize(
    ("vectors", "error", "told"),
    [
        ("{kind: file, path: none.vec}", DataError, "none.vec: no such file"),
        ("{kind: file, path: narrow.vec}", ConfigError, "vectors of width 2, but target_embedding.weight"),
        ("{kind: file, path: foreign.vec}", DataError, "has a vector for none of the"),
        ("{kind: file, path: zero.vec}", DataError, "has a vector for none of the"),
        ("{kind: file}", ConfigError, "vectors.target.path: missing"),
        ("{kind: word2vec, min_count: 1000}", DataError, "the target text: none of its"),
        ("{kind: word2vec, windw: 5}", ConfigError, "did you mean 'window'"),
        ("{window: 5}", ConfigError, "which kind"),
        ("{kind: glove}", ConfigError, "valid: word2vec, file"),
    ],
)
def test_careless_settings(
    table: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    vectors: str,
    error: type[Exception],
    told: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    write(Path("narrow.vec"), {"school": [1.0, 2.0]})
    write(Path("foreign.vec"), {"학교": SCHOOL})
    write(Path("zero.vec"), {"school": [0.0] * WIDTH})
    with pytest.raises(error) as refused:
        begun(recipe(table, f"vectors.target={vectors}"))
    assert told in str(refused.value)
    assert "\n" not in str(refused.value)


def test_the_missing_part_is_named_before_any_work(table: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    monkeypatch.setattr("regard.data.schema.Reader.__call__", lambda *_, **__: pytest.fail("work was done"))
    with pytest.raises(MissingExtraError, match=r"pip install 'regard\[vectors\]'"):
        begun(recipe(table, LEARNED))
