"""A small language model of the built-in world, trained through the real door."""

from pathlib import Path

import regard

SMALL = [
    "data.train={kind: builtin, rows: 4000, max_words: 3}",
    "data.dev={kind: builtin, rows: 60, max_words: 3}",
    "data.test={kind: builtin, rows: 80, max_words: 3}",
    "text.vocabulary_size=900",
    "model={kind: transformer_lm, width: 48, heads: 2, feed_forward: 96, layers: 2, dropout: 0}",
    "training.batch_tokens=384",
    "training.optimizer.learning_rate=0.01",
    "training.schedule.warmup_steps=10",
]


def train_language_model(out: Path) -> None:
    regard.train("lm-transformer", out=out, set_=SMALL, quiet=True)
