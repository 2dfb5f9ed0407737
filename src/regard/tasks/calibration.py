"""The temperature of a model, fitted again: weights that no validation has seen have none."""

from dataclasses import replace

import numpy as np

from regard.config.classification import ClassificationRecipe
from regard.config.question_answering import QuestionAnsweringRecipe
from regard.config.tagging import TaggingRecipe
from regard.data.labelled import read_labelled
from regard.data.questions import read_questions
from regard.data.tagged import read_tagged
from regard.metrics.calibration import fit_temperature
from regard.metrics.statistics import Floats
from regard.store.folder import StoredModel
from regard.tasks.classification.predictor import Classifier
from regard.tasks.question_answering.predictor import QuestionAnswerer, calibration_rows, temperature_of
from regard.tasks.tagging.predictor import Tagger


def calibrated(stored: StoredModel, where: str) -> StoredModel:
    """A model that gives probabilities with its temperature, fitted on the dev set of its recipe."""
    recipe = stored.recipe
    if "from" in stored.summary:  # of another library: its recipe knows no dev set
        return stored
    if isinstance(recipe, ClassificationRecipe) and recipe.data.answer.kind != "number":
        temperature = _of_classifier(Classifier.opened(stored, where))
    elif isinstance(recipe, TaggingRecipe):
        temperature = _of_tagger(Tagger.opened(stored, where))
    elif isinstance(recipe, QuestionAnsweringRecipe):
        temperature = _of_answerer(QuestionAnswerer.opened(stored, where))
    else:
        return stored
    return replace(stored, summary={**stored.summary, "temperature": temperature})


def _of_classifier(model: Classifier) -> float:
    data, answer = model.recipe.data, model.answer
    rows = list(read_labelled(data.dev, data, split="dev"))
    encoded = model.encode([row.texts for row in rows], [row.where for row in rows])
    wanted = answer.wanted([answer.said.numbers(row.target, row.where) for row in rows])
    return answer.temperature(model.logits([texts.ids for texts in encoded]), wanted)


def _of_tagger(model: Tagger) -> float:
    data = model.recipe.data
    rows = list(read_tagged(data.dev, data, split="dev"))
    encoded = model.encode([row.words for row in rows], [row.where for row in rows])
    marginals, right = [], []
    for batch in model.outputs(encoded):
        marginals += batch.output.marginals
        right += [model.names.number(tag, rows[row].where) for row in batch.rows for tag in rows[row].tags]
    return fit_temperature(np.concatenate(marginals), np.array(right))


def _of_answerer(model: QuestionAnswerer) -> float:
    data = model.recipe.data
    every = list(read_questions(data.dev, data, split="dev"))
    rows = [every[row] for row in calibration_rows(len(every))]
    encoded = model.encode([(row.question, row.source) for row in rows], [row.where for row in rows])
    choices: list[tuple[Floats, int]] = []
    for batch in model.outputs([model.example(one) for one in encoded]):
        for at, row in enumerate(batch.rows):
            choices += model.choices(batch.output, at, encoded[row].text, rows[row].spans)
    return temperature_of(choices)
