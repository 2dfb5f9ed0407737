"""The `generate` of Hugging Face's Marian on sentences in ids, with the weights of regard's Transformer."""

import sys
from collections.abc import Callable
from importlib.metadata import version
from typing import Any

import torch
from bench.job import Job
from bench.sentences import LONGEST, read_sentences, search_facts, timed_searches
from bench.twin import load_model
from bench.worker import Facts, serve
from tests.models.marian import to_marian
from torch import Tensor
from transformers import GenerationConfig


def prepare(job: Job, sentences: str, weights: str, together: int) -> tuple[Facts, Callable[[], Facts]]:
    """Read the weights and the sentences; the work is to search them all."""
    ours: Any = load_model(job, weights)
    model = to_marian(ours, pad=job.pad, start=job.bos, end=job.eos)
    never = [job.pad, job.unk, job.bos]  # as a bias that is there anyway: it costs nothing a step
    model.final_logits_bias[0, never] = torch.finfo(torch.float32).min / 2
    batches = read_sentences(sentences, together=together)

    def write(ids: Tensor, lengths: Tensor, beam: int) -> list[list[int]]:
        settings = GenerationConfig(
            num_beams=beam,
            max_new_tokens=LONGEST,
            length_penalty=1.0,
            early_stopping=False,
            pad_token_id=job.pad,
            eos_token_id=job.eos,
            decoder_start_token_id=job.bos,
        )
        mask = torch.arange(ids.shape[1]) < lengths[:, None]
        with torch.inference_mode():
            found = model.generate(ids, attention_mask=mask, generation_config=settings)
        return [_written(row, job.eos) for row in found[:, 1:].tolist()]

    facts = search_facts(f"transformers {version('transformers')}", write, batches, together=together)
    return facts, timed_searches(write, batches)


def main() -> None:
    given, sentences, weights, together = sys.argv[1:]
    job = Job.read(given)
    serve(lambda: prepare(job, sentences, weights, int(together)), polite=job.polite)


def _written(row: list[int], end: int) -> list[int]:
    """The ids up to </s>."""
    return row[: row.index(end)] if end in row else row


if __name__ == "__main__":
    main()
