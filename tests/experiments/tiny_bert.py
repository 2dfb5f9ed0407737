"""An encoder and labels as few as make the experiments that pre-train and fine-tune quick."""

from regard.config.load import Setting

TINY: list[Setting] = [
    ("model.width", 8), ("model.feed_forward", 12), ("model.heads", 2), ("model.layers", 1),
    ("data.train.rows", 40), ("data.dev.rows", 10), ("text.vocabulary_size", 400),
    ("training.minutes", None), ("training.epochs", 1),
]  # fmt: skip
FEW: list[Setting] = [
    ("data.train.rows", 20), ("data.dev.rows", 6), ("data.test.rows", 12), ("training.epochs", 1),
]  # fmt: skip
