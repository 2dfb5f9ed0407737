"""What experiments that pre-train and fine-tune share: a small encoder, its plain text, its score."""

import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from regard import api
from regard.config.load import Setting
from regard.config.recipe import Recipe
from regard.experiments.estimates import Quantity, quantities
from regard.training.log import end_of_run

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


def train_once(recipe: Recipe, run: Path, *, quiet: bool) -> Mapping[str, Any]:
    """Train, unless that is done; what the log says of the end."""
    if not api.is_trained(run, recipe):
        api.train(recipe, out=run, quiet=quiet)
    return end_of_run(run) or {"best": None, "seconds": 0.0}


def tuned_score(recipe: Recipe, run: Path, measure: str, *, quiet: bool) -> tuple[Quantity, float]:
    """Fine-tune, unless that is done, and measure on the test set, in percent; the seconds of both."""
    end = train_once(recipe, run, quiet=quiet)
    begun = time.monotonic()
    result = api.evaluate(run, metrics=(measure,), samples=0, quiet=quiet)
    found = quantities({measure: result.statistics[measure]})[measure]
    score = Quantity(100 * found.value, tuple(100 * value for value in found.resampled))
    return score, end["seconds"] + time.monotonic() - begun
