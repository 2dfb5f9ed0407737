"""A side of the comparison of pre-training: regard's own step, or BertForMaskedLM in a plain loop."""

import json
import sys
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any

import torch
from bench.sides.sentence import regard_steps
from bench.worker import Facts, serve
from torch import nn
from torch.nn.utils import clip_grad_norm_
from transformers import BertConfig, BertForMaskedLM

from regard.config.load import recipe_from_dict
from regard.config.masked_language_model import MaskedLanguageModelRecipe
from regard.store.convert.names import BERT
from regard.tasks.masked_lm.pretraining_example import ExampleBatch
from regard.tasks.masked_lm.trainer import MaskedLanguageModelTrainer
from regard.version import __version__

Steps = list[list[int]]
NOTHING = -100


def training_of(recipe: dict[str, Any], batches: int) -> tuple[MaskedLanguageModelTrainer, Steps]:
    """The model with its corpus, and the rows of each step: batches spread over the first epoch."""
    read = recipe_from_dict(recipe, "the job")
    if not isinstance(read, MaskedLanguageModelRecipe):
        raise SystemExit("the job is not one of pre-training")
    task = MaskedLanguageModelTrainer(read, Path(), torch.device("cpu"), quiet=True)
    plan = task.plan(0)
    places = [round(step * (len(plan) - 1) / max(1, batches - 1)) for step in range(batches)]
    return task, [plan[place] for place in places]


def twin_of(task: MaskedLanguageModelTrainer) -> nn.Module:
    """BertForMaskedLM of the same sizes and weights."""
    own = task.recipe.model
    size = len(task.vocabularies[0])
    twin = BertForMaskedLM(
        BertConfig(
            vocab_size=size, hidden_size=own.width, num_attention_heads=own.heads,
            intermediate_size=own.feed_forward, num_hidden_layers=own.layers,
            max_position_embeddings=own.places, type_vocab_size=own.segments, pad_token_id=0,
            hidden_dropout_prob=own.dropout, attention_probs_dropout_prob=own.attention_dropout,
        )
    )  # fmt: skip
    theirs = dict(twin.named_parameters())
    weights = dict(task.model.named_parameters())
    with torch.no_grad():
        for entry in BERT.entries(own, size, BERT.prefix):
            for name, part in zip(entry.theirs, weights[entry.own].chunk(len(entry.theirs)), strict=True):
                theirs[name].copy_(part)
    made: nn.Module = twin
    return made


def labelled(batch: ExampleBatch) -> dict[str, torch.Tensor]:
    """A batch as the peer takes it."""
    labels = torch.full_like(batch.tokens, NOTHING).flatten()
    labels[batch.places] = batch.right
    real = torch.arange(batch.tokens.shape[1]) < batch.lengths[:, None]
    return {
        "input_ids": batch.tokens,
        "attention_mask": real.long(),
        "token_type_ids": batch.segments,
        "labels": labels.view_as(batch.tokens),
    }


def regard_side(task: MaskedLanguageModelTrainer, steps: Steps) -> tuple[str, Callable[[], Facts]]:
    return f"regard {__version__}", regard_steps(task, steps)


def peer_side(task: MaskedLanguageModelTrainer, steps: Steps) -> tuple[str, Callable[[], Facts]]:
    config, twin = task.recipe.training, twin_of(task).train()
    own = config.optimizer
    optimizer = torch.optim.AdamW(
        twin.parameters(), lr=own.learning_rate, betas=own.betas, eps=own.epsilon,
        weight_decay=own.weight_decay, fused=True,
    )  # fmt: skip
    batches = [labelled(batch) for batch in read(task, steps)]

    def work() -> Facts:
        for batch in batches:
            loss = twin(**batch).loss
            torch.autograd.backward(loss)
            clip_grad_norm_(twin.parameters(), config.clip_norm)
            optimizer.step()
            optimizer.zero_grad(set_to_none=True)
        return {"loss": float(loss.detach())}

    return f"transformers {version('transformers')}", work


def read(task: MaskedLanguageModelTrainer, steps: Steps) -> list[ExampleBatch]:
    """What regard reads in each step."""
    return [task.batch(rows, step) for step, rows in enumerate(steps, start=1)]


def main() -> None:
    job, side = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8")), sys.argv[2]

    def prepare() -> tuple[Facts, Callable[[], Facts]]:
        task, steps = training_of(job["recipe"], job["batches"])
        tokens = sum(int(batch.lengths.sum()) for batch in read(task, steps))
        name, work = (regard_side if side == "regard" else peer_side)(task, steps)
        parameters = sum(parameter.numel() for parameter in task.model.parameters())
        return {"version": name, "tokens": tokens, "parameters": parameters}, work

    serve(prepare, polite=job["polite"])


if __name__ == "__main__":
    main()
