"""What experiments that pre-train and fine-tune share: a small encoder, its plain text, its score."""

from pathlib import Path

from regard import api
from regard.config.load import Setting
from regard.config.recipe import Recipe
from regard.experiments.estimates import Quantity, quantities

SMALL: list[Setting] = [
    ("model", {"kind": "bert", "width": 128, "heads": 4, "feed_forward": 512, "layers": 3, "places": 160,
               "pooler": False}),
    ("training.batch_tokens", 1024),
    ("training.schedule.warmup_steps", 200),
]  # fmt: skip
KOREAN_WORLD: list[Setting] = [
    *SMALL,
    ("data.text", "ko"),
    ("data.documents", "rows"),
    ("data.length", 64),
    ("data.train", {"kind": "builtin", "world": "ko-en", "rows": 20000}),
    ("data.dev", {"kind": "builtin", "world": "ko-en", "rows": 200}),
    ("text", {"kind": "bpe", "vocabulary_size": 2000}),
    ("training.epochs", 100),
    ("training.minutes", 2.5),
]
NOTHING: list[Setting] = [("training.minutes", 1e-6)]
"""One step, with the smallest rate of the warm-up: the vocabulary is learned, and nothing else."""


def tuned_score(recipe: Recipe, run: Path, measure: str, *, quiet: bool) -> Quantity:
    """Fine-tune, unless that is done, and measure on the test set, in percent."""
    if not api.is_trained(run, recipe):
        api.train(recipe, out=run, quiet=quiet)
    result = api.evaluate(run, metrics=(measure,), samples=0, quiet=quiet)
    found = quantities({measure: result.statistics[measure]})[measure]
    return Quantity(100 * found.value, tuple(100 * value for value in found.resampled))
