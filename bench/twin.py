"""One network with one set of weights in regard and in a peer, for a fair comparison of their searches.

It is trained by regard for some minutes, once, and kept: long enough for sentences of natural length, not for
good ones.
"""

import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import torch
from bench.job import Job, Network, Transformer
from bench.prepare import make_job
from bench.rounds import say
from safetensors.torch import load_file, save_file
from torch import nn

from regard.config.translation import TranslationRecipe
from regard.data.pairs import Pair, read_pairs
from regard.models.catalogue import build_model
from regard.store.folder import load_weights, weights_of
from regard.tasks.translation.examples import pair_corpus
from regard.tasks.translation.trainer import TranslationTrainer
from regard.text.tokenizer import Tokenizer
from regard.training.optimizer import learning_rate_share, make_optimizer
from regard.training.step import forward_backward

SHOWN_EVERY = 50


@dataclass(frozen=True)
class Twin:
    """A folder with the weights."""

    folder: Path

    @property
    def job(self) -> Path:
        """The network; written last, so that a folder that has it is whole."""
        return self.folder / "job.json"

    @property
    def weights(self) -> Path:
        """As regard names them."""
        return self.folder / "regard.safetensors"

    @property
    def recipe(self) -> TranslationRecipe:
        """What it was trained with."""
        return TranslationRecipe.model_validate(Job.read(self.job).recipe)

    def vocabularies(self) -> tuple[Tokenizer, Tokenizer]:
        """Of source and target."""
        source, target, _ = pair_corpus(self.recipe.data, self.recipe.text, quiet=True)
        return source, target

    def test_pairs(self) -> list[Pair]:
        """The test set of its corpus."""
        data = self.recipe.data
        if data.test is None:
            raise SystemExit("the corpus has no test set")
        return list(read_pairs(data.test, data, split="test"))


def load_model(job: Job, weights: str | Path) -> nn.Module:
    """The model of a job with stored weights."""
    recipe = TranslationRecipe.model_validate(job.recipe)
    model = build_model(recipe.model, source_size=job.vocabulary, target_size=job.vocabulary)
    load_weights(model, load_file(weights), str(weights))
    return model


def make_twin(
    folder: Path,
    recipe: TranslationRecipe,
    network: Network | Transformer,
    *,
    steps: int,
    polite: bool = False,
    hold: Callable[[nn.Module], None] | None = None,
    store: Callable[[nn.Module], None] | None = None,
) -> Twin:
    """The twin in this folder; trained now if it is not there, or is of another network or corpus.

    hold:  puts the weights back, before the first step and after each, into what the peer can have
    store: writes them as the peer has them
    """
    twin = Twin(folder)
    if twin.job.is_file() and Job.read(twin.job).recipe == recipe.model_dump(mode="json"):
        return twin
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    job = make_job(recipe, network, folder, batches=1, polite=polite)
    task = TranslationTrainer(recipe, folder, torch.device("cpu"), quiet=True)
    _train(task, steps, hold or _leave)
    save_file(weights_of(task.model), twin.weights)
    if store is not None:
        store(task.model)
    job.write(twin.job)
    return twin


def _leave(model: nn.Module) -> None:
    del model


def _train(task: TranslationTrainer, steps: int, hold: Callable[[nn.Module], None]) -> None:
    config = task.recipe.training
    optimizer = make_optimizer(task.model, config.optimizer)
    hold(task.model)
    plans = (rows for epoch in range(steps) for rows in task.plan(epoch))
    for step, rows in zip(range(1, steps + 1), plans, strict=False):
        share = learning_rate_share(step, steps, config.schedule)
        for group in optimizer.param_groups:
            group["lr"] = config.optimizer.learning_rate * share
        done = forward_backward(task, config, [rows], step)
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        hold(task.model)
        if step % SHOWN_EVERY == 0:
            loss = done.loss / done.tokens
            say(f"training the network for decoding: step {step} of {steps}, loss {loss:.2f}")
