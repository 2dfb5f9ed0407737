"""The table of tasks: every entry is there, and one task does not import the others."""

import subprocess
import sys

import pytest

from regard.config.catalogue import RECIPES, TaskName
from regard.config.data import JsonLinesCorpus
from regard.config.load import load_recipe, recipe_from_dict
from regard.inference.model import TaskModel
from regard.models.catalogue import BUILDERS
from regard.tasks.catalogue import TASKS
from regard.training.trainer import Trainer


def test_every_task_of_a_recipe_is_in_the_table() -> None:
    assert TASKS.keys() == RECIPES.keys() == {*TaskName.__args__}  # type: ignore[attr-defined]


@pytest.mark.parametrize("task", TASKS)
def test_an_entry_resolves(task: str) -> None:
    entry = TASKS[task]
    assert issubclass(entry.predictor, TaskModel)
    assert entry.predictor.task == task
    assert issubclass(entry.trainer, Trainer)
    assert entry.evaluator(recipe_from_dict({"task": task}, "recipe")).metrics
    assert entry.embedder is None or issubclass(entry.embedder, TaskModel)
    start = load_recipe(entry.starter, kind=RECIPES[task])
    columns = (*entry.columns, *entry.optional.values())
    assert {*columns} <= type(start.data).model_fields.keys()
    assert {*entry.texts} <= {*entry.columns, *entry.optional}
    assert entry.schema(start.data, JsonLinesCorpus(path="x.jsonl"), "train").columns
    assert RECIPES[task].example
    assert RECIPES[task].loss_unit


def test_looking_up_a_task_imports_no_other() -> None:
    code = (
        "import sys; from regard.tasks.catalogue import TASKS; assert 'torch' not in sys.modules; "
        "TASKS['tagging'].trainer; print(*sys.modules)"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    rooms = {name.split(".")[2] for name in found.split() if name.startswith("regard.tasks.")}
    assert rooms & TASKS.keys() == {"tagging"}


def test_every_kind_of_model_has_a_builder() -> None:
    assert all(RECIPES[name].families for name in RECIPES)
    assert all(callable(BUILDERS[kind]) for kind in BUILDERS)
