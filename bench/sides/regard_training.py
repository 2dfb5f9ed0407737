"""regard's own training step, as its loop takes it: batch, loss, gradient, clipping, Adam.

A second argument is the precision of its products, if that is not the recipe's.
"""

import sys
from collections.abc import Callable
from pathlib import Path

import torch
from bench.job import Job
from bench.padded import read_batches, training_facts
from bench.worker import Facts, serve

from regard.config.load import recipe_from_dict, with_settings
from regard.tasks.translation.trainer import TranslationTrainer
from regard.training.optimizer import make_optimizer
from regard.training.step import forward_backward
from regard.version import __version__


def main() -> None:
    job, (precision,) = Job.read(sys.argv[1]), sys.argv[2:3] or [""]

    def prepare() -> tuple[Facts, Callable[[], Facts]]:
        recipe = recipe_from_dict(job.recipe, "the job")
        if precision:
            recipe = with_settings(recipe, [("training.precision", precision)])
        task = TranslationTrainer(recipe, Path(), torch.device("cpu"), quiet=True)
        optimizer = make_optimizer(task.model, recipe.training.optimizer)
        batches = read_batches(job)
        steps = 0

        def work() -> Facts:
            nonlocal steps
            for batch in batches:
                done = forward_backward(task, recipe.training, [batch.rows], steps)
                optimizer.step()
                optimizer.zero_grad(set_to_none=True)
                steps += 1
            return {"loss": done.loss / done.tokens, "steps": steps}

        return training_facts(
            " ".join(filter(None, ("regard", __version__, precision))), task.model, batches, job.pad
        ), work

    serve(prepare, polite=job.polite)


if __name__ == "__main__":
    main()
