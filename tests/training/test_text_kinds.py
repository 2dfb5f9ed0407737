"""Every kind of vocabulary is learned inside a training run, stored with the model, and read again."""

from pathlib import Path

import torch
from tests.examples import cells
from tests.training.tiny import SMALL

import regard
from regard.config.load import load_recipe
from regard.nn.dropout import DropoutRng
from regard.store.folder import read_model
from regard.tasks.translation.trainer import TranslationTrainer

TINY = [
    *SMALL, "data.train.rows=400", "data.train.max_words=4", "data.dev.rows=10", "data.dev.max_words=4",
    "text.vocabulary_size=500", "training.epochs=1",
]  # fmt: skip
KINDS = [
    "{kind: word}",
    "{kind: char, vocabulary_size: 600}",
    "{kind: bpe, vocabulary_size: 500, joint: true}",
    "{kind: bpe, vocabulary_size: 500, split: morphemes, dropout: 0.1, keep: ['%s']}",
    "{kind: unigram, vocabulary_size: 600, split: jamo}",
    "{kind: byte_bpe, vocabulary_size: 500}",
    "{kind: wordpiece, vocabulary_size: 600}",
]


@cells("text", KINDS, quick=[KINDS[2], KINDS[3], KINDS[4]])
def test_each_kind_trains_stores_and_looks(tmp_path: Path, text: str) -> None:
    regard.train("demo", out=tmp_path / "r", set_=[*TINY, f"text={text}"], quiet=True)
    stored = set(read_model(tmp_path / "r").tokenizers)
    assert stored == ({"joint"} if "joint" in text else {"source", "target"})
    seen = regard.load(tmp_path / "r").translate("나는 학교에서 책을 읽었다.")
    words = seen.attention.words()
    assert words.columns == ("나는", "학교에서", "책을", "읽었다", ".", "</s>")
    torch.testing.assert_close(torch.tensor(words.weights.sum(1)), torch.ones(len(words.rows)))
    morphemes = seen.attention.words("morphemes")
    assert morphemes.columns[:4] == ("나", "는", "학교", "에서")
    torch.testing.assert_close(torch.tensor(morphemes.weights.sum(1)), torch.ones(len(morphemes.rows)))


def test_bpe_dropout_is_a_function_of_seed_and_step(tmp_path: Path) -> None:
    settings = [*TINY, "text={kind: bpe, vocabulary_size: 500, dropout: 0.5}", "model.dropout=0"]
    task = TranslationTrainer(load_recipe("demo", settings), tmp_path, torch.device("cpu"), quiet=True)

    def loss(seed: int, step: int) -> float:
        return float(task.loss([0, 1, 2], DropoutRng(task.model, seed=seed, step=step)).loss.detach())

    first = loss(1, 1)
    assert loss(1, 1) == first
    assert loss(1, 2) != first
    assert loss(2, 1) != first
    plain = float(task.loss([0, 1, 2], None).loss.detach())
    assert float(task.loss([0, 1, 2], None).loss.detach()) == plain != first
