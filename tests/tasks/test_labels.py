"""A model that copies must look at the word that it is about to write: labels that are one off are seen."""

import numpy as np
from tests.tasks.copying import sentences

from regard.tasks.translation.predictor import Translator


def test_the_row_of_a_word_looks_at_that_word(copier: Translator) -> None:
    texts = sentences(100, seed=1)
    at_its_word, at_the_one_before = [], []
    for result in copier.force([(text, text) for text in texts]):
        rows, columns, weights = result.attention.words()
        assert rows == columns == (*result.source.split(), "</s>")
        best = weights.argmax(axis=1)
        at_its_word += [columns[column] == row for row, column in zip(rows, best, strict=True)]
        at_the_one_before += [column == row - 1 for row, column in enumerate(best)]
    assert np.mean(at_its_word) > 0.8
    assert np.mean(at_the_one_before) < 0.2


def test_the_same_while_it_searches(copier: Translator) -> None:
    """Its own outputs, which are mostly right."""
    outputs = copier.translate(sentences(50, seed=2))
    maps = [result.attention.words() for result in outputs]
    hits = [
        m.columns[column] == row
        for m in maps
        for row, column in zip(m.rows, m.weights.argmax(1), strict=True)
    ]
    assert np.mean(hits) > 0.8
