"""Sizes that fit a corpus, and epochs that fit the time there is."""

import math
from collections.abc import Callable
from dataclasses import dataclass

from regard.config.load import Setting, with_settings
from regard.config.recipe import Recipe
from regard.training.estimate import Estimate

FEWEST_EPOCHS = 5
"""With less than this, a smaller model is the better choice."""
_FASTER = 4
"""The next smaller model is at most so many times as fast; where that cannot be enough, it is not tried."""
_WARM_UP_SHARE = 10
"""The warm-up is at most one in so many steps."""


@dataclass(frozen=True)
class Rung:
    """Sizes for a corpus of some number of pairs; the larger the corpus, the larger the model."""

    pairs: int
    """Up to so many training pairs."""
    vocabulary: int
    width: int
    """Of embeddings, of one direction of the encoder, of the attention; the decoder has twice that."""
    dropout: float
    most_epochs: int
    batch_tokens: int

    def settings(self, recipe: Recipe) -> list[tuple[str, float]]:
        """The same as settings of a recipe: of those parts that its model has.

        A model to start from has its own sizes and vocabulary; of words that are given, none is left out; a
        recipe without dropout stays without.
        """
        batches: list[tuple[str, float]] = [("training.batch_tokens", self.batch_tokens)]
        if recipe.start is not None:
            return batches
        model = recipe.model
        wide = {
            "embedding_size": self.width,
            "hidden_size": self.width,
            **{f"{part}.hidden_size": self.width for part in ("encoder", "attention", "pooling", "head")},
            "decoder.hidden_size": 2 * self.width,
        }
        for part, owner in (("", model), ("encoder.", getattr(model, "encoder", None))):
            heads = getattr(owner, "heads", 1)
            width = self.width // heads * heads
            wide |= {f"{part}width": width, f"{part}feed_forward": 4 * width}
        sizes: list[tuple[str, float]] = [
            (f"model.{path}", size) for path, size in wide.items() if _has(model, path)
        ]
        if getattr(model, "dropout", 0.0):
            sizes.append(("model.dropout", self.dropout))
        if recipe.text.kind != "given":
            sizes.append(("text.vocabulary_size", self.vocabulary))
        return sizes + batches


def _has(model: object, path: str) -> bool:
    """Whether a model has this setting, and it says something."""
    for name in path.split("."):
        model = getattr(model, name) if name in getattr(type(model), "model_fields", ()) else None
    return model is not None


# The third was tuned on 29,000 captions; the others are scaled from it: fewer pairs want a
# smaller vocabulary and more passes, more pairs can fill a wider model.
LADDER = (
    Rung(5_000, 1_500, 96, 0.3, 40, 512),
    Rung(20_000, 3_000, 160, 0.3, 25, 768),
    Rung(100_000, 6_000, 256, 0.3, 12, 1024),
    Rung(500_000, 12_000, 384, 0.2, 8, 2048),
    Rung(2**40, 24_000, 512, 0.1, 6, 4096),
)


def rung_of(pairs: int) -> int:
    """The place in `LADDER` for a corpus of this size."""
    return next(place for place, rung in enumerate(LADDER) if pairs <= rung.pairs)


def sample_rows(rows: int) -> int:
    """How many rows are enough to estimate a run: its vocabulary can be learned on them."""
    return max(3_000, LADDER[rung_of(rows)].vocabulary)


@dataclass(frozen=True)
class Fitted:
    """A recipe with its sizes, and why they are what they are, by the path of a setting."""

    recipe: Recipe
    measured: Estimate
    reasons: dict[str, str]


def fit_sizes(
    recipe: Recipe,
    hours: float,
    measure: Callable[[Recipe], Estimate],
    *,
    rows: int,
    stop: bool = False,
) -> Fitted:
    """The largest model on the ladder that the corpus can fill and that has the time to learn here.

    rows: how many there are to learn from
    stop: end the run when the time is over, however far it has come; else it has the epochs that should fit
    """
    what = f"{recipe.example}s"
    place = rung_of(rows)
    while True:
        rung = LADDER[place]
        sizes = rung.settings(recipe)
        sized = with_settings(recipe, sizes)
        found = measure(sized)
        fits = 0.9 * hours * 3600 / found.epoch_seconds  # a tenth of the time is left to validation
        if fits >= FEWEST_EPOCHS or place == 0:
            break
        place = max(0, place - math.ceil(math.log(FEWEST_EPOCHS / fits, _FASTER)))
    epochs = max(1, min(rung.most_epochs, int(fits)))
    chosen = [path for path, _ in sizes]
    widths = [f"model.{name}" for name in ("embedding_size", "width", "encoder.width", "dropout")]
    pace = f"an epoch takes {_duration(found.epoch_seconds)} here"
    reasons = {"text.vocabulary_size": f"the corpus has {rows:,} {what}; the more, the larger"}
    for size in [path for path in widths if path in chosen][:1]:
        reasons[size] = f"a model that {rows:,} {what} can fill and {hours:g} h can train"
    reasons["model.dropout"] = "the smaller the corpus, the more"
    reasons = {path: why for path, why in reasons.items() if path in chosen}
    reasons["training.epochs"] = f"{pace}; there are {hours:g} h"
    settings: list[Setting] = [("training.epochs", epochs)]
    steps = epochs * found.steps_per_epoch
    if stop:
        settings = [("training.epochs", rung.most_epochs), ("training.minutes", round(60 * hours, 2))]
        steps = min(rung.most_epochs * found.steps_per_epoch, int(hours * 3600 / found.step_seconds))
        reasons["training.epochs"] = f"more would hardly help; {pace}"
        reasons["training.minutes"] = f"--hours {hours:g}; the time of validations comes on top"
    usual = recipe.training.schedule.warmup_steps
    if (warmup := min(usual, max(1, steps // _WARM_UP_SHARE))) < usual:
        settings.append(("training.schedule.warmup_steps", warmup))
        reasons["training.schedule.warmup_steps"] = f"a tenth of about {steps:,} steps"
    return Fitted(with_settings(sized, settings), found, reasons)


def _duration(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 100 else f"{seconds / 60:.1f} min"
