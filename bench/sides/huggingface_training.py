"""Hugging Face's Marian in the loop that its users write: torch's cross-entropy, clipping and Adam.

It runs in regard's own environment, since the tests need the library, too.
"""

import sys
from collections.abc import Callable
from importlib.metadata import version
from typing import Any

import torch
from bench.job import Job
from bench.padded import Padded, read_batches, torch_steps, training_facts
from bench.worker import Facts, serve
from tests.models.marian import marian_config
from torch import Tensor
from transformers import MarianMTModel

from regard.config.load import recipe_from_dict


def prepare(job: Job) -> tuple[Facts, Callable[[], Facts]]:
    """Build the network; the work is a step on every batch."""
    torch.manual_seed(job.seed)
    sizes: Any = recipe_from_dict(job.recipe, "the job").model
    config = marian_config(
        sizes,
        source_size=job.vocabulary,
        target_size=job.vocabulary,
        pad=job.pad,
        start=job.bos,
        end=job.eos,
    )
    model = MarianMTModel(config).train()
    batches = read_batches(job)

    def logits_of(batch: Padded, fed: Tensor) -> Tensor:
        logits: Tensor = model(
            input_ids=batch.source,
            attention_mask=batch.source != job.pad,
            decoder_input_ids=fed,
            decoder_attention_mask=fed != job.pad,
            use_cache=False,
        ).logits
        return logits

    work = torch_steps(job, model, batches, logits_of)
    return training_facts(f"transformers {version('transformers')}", model, batches, job.pad), work


def main() -> None:
    job = Job.read(sys.argv[1])
    serve(lambda: prepare(job), polite=job.polite)


if __name__ == "__main__":
    main()
