"""A linear baseline with its scores, and what it took."""

from dataclasses import dataclass

from regard.config.classification import ClassificationRecipe
from regard.tasks.baseline import LinearBaseline
from regard.tasks.evaluation import Evaluation


@dataclass(frozen=True)
class MeasuredBaseline:
    """What was fitted to the training rows of a recipe, and measured on its test rows."""

    recipe: ClassificationRecipe
    baseline: LinearBaseline
    rows: int
    """What it was fitted to."""
    seconds: float
    """How long the fitting took; reading is not counted."""
    result: Evaluation
