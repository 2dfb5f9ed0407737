"""The rows that a model is checked on: those of `regard evaluate`, and texts without labels."""

from collections.abc import Sequence
from typing import Any

from regard.config.classification import ClassificationRecipe, LabelledConfig
from regard.config.data import OneCorpus
from regard.config.recipe import Recipe
from regard.data.labelled import LabelledText, explained_schema, text_columns
from regard.data.readers import open_rows
from regard.data.schema import Cells, Reader, Schema
from regard.evaluation.evaluator import Data, EvaluationOptions, load_test_set, recipe_with_test
from regard.evaluation.test_set import TestSet
from regard.tasks.catalogue import evaluator_of


def rows_to_check(
    recipe: Recipe, data: Data | None, options: EvaluationOptions, *, rows: int | None, quiet: bool
) -> TestSet:
    """The first rows of a test set.

    rows: how many; None = all
    """
    chosen = recipe_with_test(recipe, data, options, evaluator_of(recipe))
    read: Any = evaluator_of(chosen).reader
    if isinstance(chosen, ClassificationRecipe):
        read = Reader(text_schema)
    test = load_test_set(chosen, data, read=read, by=(), references=(), quiet=quiet)
    return test if rows is None or rows >= len(test) else TestSet.of(test.pairs[:rows])


def text_schema(data: LabelledConfig, part: OneCorpus, split: str) -> Schema[LabelledText]:
    """Texts with their labels and rationale; where a corpus has no column of labels, with an empty one."""
    columns: Sequence[str] = open_rows(part, split=split).columns
    called = getattr(part, "names", {})
    if called.get(data.label, data.label) in columns:
        return explained_schema(data, part, split)

    def make(cells: Cells, where: str, more: Cells) -> LabelledText:
        first, *others = map(str, cells)
        return LabelledText(first, "", where, None, more, others[0] if others else None)

    return Schema(dict.fromkeys(text_columns(data), "text"), make)
