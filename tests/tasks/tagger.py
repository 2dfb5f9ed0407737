"""A small tagger of the built-in world of parts of speech, with attention, trained through the real door."""

from pathlib import Path

import regard

SMALL = [
    "data.train.rows=800", "data.dev.rows=60", "data.test.rows=100", "model.embedding_size=24",
    "model.characters={kind: cnn, character_size: 12, filters: 16, widths: [2, 3]}",
    "model.encoder.hidden_size=16", "model.attention={heads: 2, feed_forward: 24}", "model.dropout=0.1",
    "training.epochs=3", "training.batch_tokens=256", "training.optimizer.learning_rate=0.01",
    "training.schedule.warmup_steps=10",
]  # fmt: skip


def train_tagger(out: Path) -> None:
    regard.train("tagger", out=out, set_=SMALL, quiet=True)
