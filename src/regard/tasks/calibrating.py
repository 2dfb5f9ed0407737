"""The temperature of a classifier, fitted again: weights that no validation has seen have none."""

from dataclasses import replace

from regard.config.classification import ClassificationRecipe
from regard.data.labelled import read_labelled
from regard.store.folder import StoredModel
from regard.tasks.classification import Classifier


def calibrated(stored: StoredModel, where: str) -> StoredModel:
    """A classifier with its temperature, fitted on the dev set of its recipe; any other model as it is."""
    recipe = stored.recipe
    if not isinstance(recipe, ClassificationRecipe) or recipe.data.answer.kind == "number":
        return stored
    model = Classifier.opened(stored, where)
    rows = list(read_labelled(recipe.data.dev, recipe.data, split="dev"))
    ids = [[text.ids for text in texts] for texts in model.encode([row.texts for row in rows])]
    wanted = model.answer.wanted([model.answer.said.numbers(row.target, row.where) for row in rows])
    temperature = model.answer.temperature(model.logits(ids), wanted)
    return replace(stored, summary={**stored.summary, "temperature": temperature})
