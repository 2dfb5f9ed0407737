"""Parts that train a recipe, in a run folder of its own, and measure the model."""

import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from regard import api
from regard.config.recipe import Recipe
from regard.data.pairs import Pair
from regard.evaluation.evaluator import load_test_set
from regard.evaluation.test_set import TestSet
from regard.experiments.estimates import Quantity
from regard.experiments.experiment import Measured, Part
from regard.training.log import end_of_run

RUN = "run"


def trained_part(
    recipe: Recipe,
    measure: Callable[[Any, TestSet, bool], Mapping[str, Quantity]],
    *,
    read: Callable[..., Iterator[Pair]],
    minutes: float,
    measuring: str = "",
) -> Part:
    """Train a recipe and measure the best model on the recipe's own test set.

    measure:   what is measured of a trained model of the recipe's task; and whether to be quiet
    read:      the reader of the task
    measuring: what is measured, in words, where that is a setting of the part
    """

    def work(folder: Path, quiet: bool) -> Measured:
        run = folder / RUN
        about: dict[str, Any] = {}
        if not api.is_trained(run, recipe):
            begun, computed = time.monotonic(), time.process_time()
            api.train(recipe, out=run, quiet=quiet)
            about["cores"] = round((time.process_time() - computed) / (time.monotonic() - begun), 2)
        begun = time.monotonic()
        model = api.load(run)
        test_set = load_test_set(recipe, None, read=read, by=(), references=(), quiet=quiet)
        found = measure(model, test_set, quiet)
        end = end_of_run(run) or {}
        about |= {
            "parameters": sum(parameter.numel() for parameter in model.module.parameters()),
            "steps": end["steps"],
            "epochs": end["epochs"],
            "dev": end["best"],
        }
        return Measured(found, about, end["seconds"] + time.monotonic() - begun)

    facts = {"recipe": recipe.model_dump(mode="json"), "measuring": measuring}
    return Part(work, facts, minutes, recipe)
