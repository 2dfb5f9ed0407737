"""Sizes that fit a corpus, and epochs that fit the time there is."""

from collections.abc import Callable
from dataclasses import dataclass

from regard.config.classification import ClassificationRecipe
from regard.config.load import Setting, with_settings
from regard.config.recipe import Recipe
from regard.config.translation import TranslationRecipe
from regard.data.bad_rows import BadRows
from regard.data.labelled import read_labelled
from regard.data.pairs import read_pairs
from regard.errors import ConfigError
from regard.training.estimate import Estimate

FEWEST_EPOCHS = 5
"""With less than this, a smaller model is the better choice."""


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

    def settings(self, recipe: Recipe) -> list[Setting]:
        """The same as settings of a recipe: of those parts that its model has."""
        model = {
            "embedding_size": self.width,
            "width": self.width,
            "feed_forward": 4 * self.width,
            "hidden_size": self.width,
            **{f"{part}.hidden_size": self.width for part in ("encoder", "attention", "pooling", "head")},
            "decoder.hidden_size": 2 * self.width,
            "dropout": self.dropout,
        }
        return [
            ("text.vocabulary_size", self.vocabulary),
            *((f"model.{path}", value) for path, value in model.items() if _has(recipe.model, path)),
            ("training.batch_tokens", self.batch_tokens),
        ]


def _has(model: object, path: str) -> bool:
    """Whether a model has this setting, and it says something."""
    for name in path.split("."):
        model = getattr(model, name, None)
    return model is not None


# The third is what was measured on 29,000 captions; the others are scaled from it: fewer pairs want a
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


def epochs_within(found: Estimate, rung: Rung, hours: float) -> int:
    """How many epochs fit into this time, a tenth of it left to validation; no more than are of use."""
    fits = int(0.9 * hours * 3600 / found.epoch_seconds)
    return max(1, min(rung.most_epochs, fits))


@dataclass(frozen=True)
class Fitted:
    """A recipe with its sizes, and why they are what they are, by the path of a setting."""

    recipe: Recipe
    measured: Estimate
    reasons: dict[str, str]


def fit_sizes(recipe: Recipe, hours: float, measure: Callable[[Recipe], Estimate]) -> Fitted:
    """The largest model on the ladder that the corpus can fill and that has the time to learn here."""
    rows, what = _rows(recipe)
    for place in range(rung_of(rows), -1, -1):
        rung = LADDER[place]
        sized = with_settings(recipe, rung.settings(recipe))
        found = measure(sized)
        epochs = epochs_within(found, rung, hours)
        if epochs >= FEWEST_EPOCHS:
            break
    size = next(name for name in ("embedding_size", "width", "dropout") if _has(sized.model, name))
    reasons = {
        "text.vocabulary_size": f"the corpus has {rows:,} {what}; the more, the larger",
        f"model.{size}": f"a model that {rows:,} {what} can fill and {hours:g} h can train",
        "model.dropout": "the smaller the corpus, the more",
        "training.epochs": f"an epoch takes {found.epoch_seconds / 60:.1f} min; there are {hours:g} h",
    }
    return Fitted(with_settings(sized, [("training.epochs", epochs)]), found, reasons)


def _rows(recipe: Recipe) -> tuple[int, str]:
    """How many training rows there are, and what they are called."""
    bad = BadRows.of(recipe.data)
    if isinstance(recipe, ClassificationRecipe):
        return sum(1 for _ in read_labelled(recipe.data.train, recipe.data, split="train", bad=bad)), "texts"
    if isinstance(recipe, TranslationRecipe):
        found = read_pairs(recipe.data.train, recipe.data, split="train", bad=bad, links=False)
        return sum(1 for _ in found), "pairs"
    raise ConfigError(f"sizes are chosen for translation and classification, not for {recipe.task}")
