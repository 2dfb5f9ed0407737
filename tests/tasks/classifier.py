"""A small classifier of the built-in world of opinions, trained through the real door."""

from pathlib import Path

import regard

SMALL = [
    "data.train.rows=2000", "data.dev.rows=100", "data.test.rows=200", "text.vocabulary_size=800",
    "model.embedding_size=24", "model.encoder.hidden_size=16", "model.pooling.hops=3",
    "model.pooling.hidden_size=12", "model.pooling.penalty=0.01", "model.head.hidden_size=10",
    "training.epochs=3", "training.batch_tokens=512", "training.optimizer.learning_rate=0.01",
]  # fmt: skip


def train_classifier(out: Path) -> None:
    regard.train("self-attentive", out=out, set_=SMALL, quiet=True)
