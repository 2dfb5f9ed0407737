"""The temperature of a model, fitted again: weights that no validation has seen have none."""

from dataclasses import replace

import numpy as np

from regard.config.classification import ClassificationRecipe
from regard.config.tagging import TaggingRecipe
from regard.data.labelled import read_labelled
from regard.data.tagged import read_tagged
from regard.metrics.calibration import fit_temperature
from regard.store.folder import StoredModel
from regard.tasks.classification import Classifier
from regard.tasks.tagging import Tagger


def calibrated(stored: StoredModel, where: str) -> StoredModel:
    """A classifier or tagger with its temperature, fitted on the dev set of its recipe; others as before."""
    recipe = stored.recipe
    if isinstance(recipe, ClassificationRecipe) and recipe.data.answer.kind != "number":
        temperature = _of_classifier(Classifier.opened(stored, where))
    elif isinstance(recipe, TaggingRecipe):
        temperature = _of_tagger(Tagger.opened(stored, where))
    else:
        return stored
    return replace(stored, summary={**stored.summary, "temperature": temperature})


def _of_classifier(model: Classifier) -> float:
    data, answer = model.recipe.data, model.answer
    rows = list(read_labelled(data.dev, data, split="dev"))
    encoded = model.encode([row.texts for row in rows], [row.where for row in rows])
    ids = [[text.ids for text in texts] for texts in encoded]
    wanted = answer.wanted([answer.said.numbers(row.target, row.where) for row in rows])
    return answer.temperature(model.logits(ids), wanted)


def _of_tagger(model: Tagger) -> float:
    data = model.recipe.data
    rows = list(read_tagged(data.dev, data, split="dev"))
    encoded = model.encode([row.words for row in rows], [row.where for row in rows])
    marginals, right = [], []
    for batch in model.scored(encoded):
        marginals += model.marginals(batch)
        right += [model.names.number(tag, rows[row].where) for row in batch.rows for tag in rows[row].tags]
    return fit_temperature(np.concatenate(marginals), np.array(right))
