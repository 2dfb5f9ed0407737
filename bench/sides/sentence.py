"""A side of the comparison of models that read: regard's own step, or its matrix products alone."""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
from bench.recorded import Recording
from bench.worker import Facts, serve

from regard.config.load import recipe_from_dict
from regard.tasks.catalogue import TASKS
from regard.training.optimizer import make_optimizer
from regard.training.step import forward_backward
from regard.training.trainer import Trainer
from regard.version import __version__


def training_of(recipe: dict[str, Any], batches: int) -> tuple[Trainer, list[list[int]]]:
    """The model with its corpus, and the rows of each step: batches spread over the first epoch."""
    read = recipe_from_dict(recipe, "the job")
    task = TASKS[read.task].trainer(read, Path(), torch.device("cpu"), quiet=True)
    plan = task.plan(0)
    places = [round(step * (len(plan) - 1) / max(1, batches - 1)) for step in range(batches)]
    return task, [list(plan[place]) for place in places]


def regard_steps(task: Trainer, steps: list[list[int]]) -> Callable[[], Facts]:
    """The work of regard: these steps of training."""
    config = task.recipe.training
    optimizer = make_optimizer(task.model, config.optimizer)

    def work() -> Facts:
        for number, rows in enumerate(steps, start=1):
            done = forward_backward(task, config, [rows], number)
            optimizer.step()
            optimizer.zero_grad(set_to_none=True)
        return {"loss": done.loss / done.count}

    return work


def main() -> None:
    job, side = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8")), sys.argv[2]

    def prepare() -> tuple[Facts, Callable[[], Facts]]:
        task, steps = training_of(job["recipe"], job["batches"])
        config, work = task.recipe.training, regard_steps(task, steps)
        with Recording() as seen:
            tokens = sum(
                forward_backward(task, config, [rows], number).tokens for number, rows in enumerate(steps, 1)
            )
        task.model.zero_grad(set_to_none=True)
        facts = {"torch": torch.__version__, "tokens": tokens, "operations": seen.operations}
        if side == "regard":
            parameters = sum(parameter.numel() for parameter in task.model.parameters())
            return facts | {"version": f"regard {__version__}", "parameters": parameters}, work
        products = seen.work()

        def alone() -> Facts:
            for product in products:
                product()
            return {}

        return facts | {"version": f"torch {torch.__version__}"}, alone

    serve(prepare, polite=job["polite"])


if __name__ == "__main__":
    main()
