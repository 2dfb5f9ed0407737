"""One point of a curve: a training step, a search, or the opening of a corpus, of a given size."""

import json
import sys
import tempfile
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

import torch
from bench.job import Transformer
from bench.synthetic import SPECIAL, write_corpus
from bench.worker import Facts, serve

from regard.config.load import Setting, load_recipe
from regard.config.translation import TranslationRecipe
from regard.decoding.hypothesis import SearchLimits
from regard.decoding.search import search
from regard.models.catalogue import build_model
from regard.tasks.translation.examples import pair_corpus
from regard.tasks.translation.trainer import TranslationTrainer
from regard.text.tokenizer import BOS, EOS, PAD, UNK
from regard.training.optimizer import make_optimizer
from regard.training.step import forward_backward

Work = Literal["training", "decoding", "opening"]


@dataclass(frozen=True)
class Point:
    """The sizes of one measurement."""

    work: Work
    network: Transformer
    length: int = 20
    """Words of each sentence, on both sides."""
    batch: int = 64
    """Sentences at a time."""
    vocabulary: int = 8000
    beam: int = 5
    corpus: str | None = None
    """To open: a table that was written and encoded before."""
    polite: bool = False

    def recipe(self, corpus: Path) -> TranslationRecipe:
        """As regard has it, with words as they are."""
        sizes: list[Setting] = [(f"model.{name}", value) for name, value in asdict(self.network).items()]
        return load_recipe(
            "transformer-small",
            [
                ("data.source", "one"),
                ("data.target", "other"),
                *[(f"data.{split}", str(corpus)) for split in ("train", "dev", "test")],
                ("data.max_tokens", 1024),
                ("text", {"kind": "word", "joint": True, "vocabulary_size": self.vocabulary}),
                ("training.batch_tokens", self.batch * (self.length + 1)),
                *sizes,
            ],
            kind=TranslationRecipe,
        )

    def command(self) -> list[str]:
        """How to measure it."""
        return [sys.executable, "-m", "bench.sides.growing", json.dumps(asdict(self))]

    @classmethod
    def read(cls, text: str) -> "Point":
        """What `command` wrote."""
        facts = json.loads(text)
        return cls(**{**facts, "network": Transformer(**facts["network"])})


def training(point: Point) -> tuple[Facts, Callable[[], Facts]]:
    """Forward, loss, backward, clipping, Adam."""
    folder = Path(tempfile.mkdtemp())
    rows = max(point.batch, -(-point.vocabulary // point.length))  # every word twice: one is not learned
    corpus = folder / "corpus.tsv"
    write_corpus(corpus, rows=rows, length=point.length, vocabulary=point.vocabulary)
    recipe = point.recipe(corpus)
    task = TranslationTrainer(recipe, folder, torch.device("cpu"), quiet=True)
    optimizer = make_optimizer(task.model, recipe.training.optimizer)

    def work() -> Facts:
        done = forward_backward(task, recipe.training, [list(range(point.batch))], 1)
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        return {"tokens": done.tokens}

    return {"vocabulary": len(task.translator.source_tokenizer)}, work


def decoding(point: Point) -> tuple[Facts, Callable[[], Facts]]:
    """A search with weights that have learned nothing; each output is as long as its source."""
    torch.manual_seed(1)
    recipe = point.recipe(Path("unused.tsv"))
    size = point.vocabulary
    model: Any = build_model(recipe.model, source_size=size, target_size=size)
    ids = torch.randint(SPECIAL, size, (point.batch, point.length))
    lengths = torch.full((point.batch,), point.length)
    limits = SearchLimits(BOS, EOS, never=(PAD, UNK, BOS), max_lengths=(point.length,) * point.batch)
    settings = recipe.decoding.changed({"beam_size": point.beam, "min_length": point.length})

    def work() -> Facts:
        found = search(model, ids, lengths, limits, settings)
        return {"tokens": sum(len(best.tokens) for best, *_ in found)}

    return {"vocabulary": size}, work


def opening(point: Point) -> tuple[Facts, Callable[[], Facts]]:
    """A corpus that the cache has: open it, and plan an epoch."""
    recipe = point.recipe(Path(point.corpus or ""))

    def work() -> Facts:
        _, _, pairs = pair_corpus(recipe.data, recipe.text, quiet=True)
        return {"batches": len(pairs.plan(budget=4096, seed=1, epoch=0))}

    return {}, work


def main() -> None:
    point = Point.read(sys.argv[1])
    kinds: dict[Work, Callable[[Point], tuple[Facts, Callable[[], Facts]]]] = {
        "training": training,
        "decoding": decoding,
        "opening": opening,
    }
    serve(lambda: kinds[point.work](point), polite=point.polite)


if __name__ == "__main__":
    main()
