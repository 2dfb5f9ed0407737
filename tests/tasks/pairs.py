"""A small classifier of pairs of the built-in world of inferences, trained through the real door."""

from pathlib import Path

import regard

TINY = [
    "data.train.rows=90", "data.dev.rows=12", "data.test.rows=30", "text.vocabulary_size=400",
    "model.embedding_size=8", "model.encoder.hidden_size=6", "model.pooling.hops=3",
    "model.pooling.hidden_size=5", "model.combination.hidden_size=7", "model.head.hidden_size=9",
    "training.epochs=2", "training.batch_tokens=96",
]  # fmt: skip


def train_pairs(out: Path, *settings: str) -> None:
    regard.train("self-attentive-pairs", out=out, set_=[*TINY, *settings], quiet=True)
