"""regard's search on sentences in ids."""

import sys
from collections.abc import Callable
from typing import Any

import torch
from bench.job import Job
from bench.sentences import BEAM, LONGEST, read_sentences, search_facts, timed_searches
from bench.twin import load_model
from bench.worker import Facts, serve
from torch import Tensor

from regard.config.translation import TranslationRecipe
from regard.decoding.hypothesis import SearchLimits
from regard.decoding.search import search
from regard.nn.parallel import run_parallel
from regard.version import __version__

CPU = torch.device("cpu")


def prepare(job: Job, sentences: str, weights: str, together: int) -> tuple[Facts, Callable[[], Facts]]:
    """Read the weights and the sentences; the work is to search them all."""
    settings = TranslationRecipe.model_validate(job.recipe).decoding
    model: Any = load_model(job, weights)
    batches = read_sentences(sentences, together=together)

    def write(ids: Tensor, lengths: Tensor, beam: int) -> list[list[int]]:
        limits = SearchLimits(
            job.bos,
            job.eos,
            never=(job.pad, job.unk, job.bos),
            max_lengths=(LONGEST,) * len(ids),
        )
        found = search(model, ids, lengths, limits, settings.changed({"beam_size": beam}))
        return [list(best.tokens) for best, *_ in found]

    facts = search_facts(f"regard {__version__}", write, batches, together=together) | {"beam": BEAM}
    if together == 1:  # what a sentence takes that comes alone
        return facts, timed_searches(write, batches)
    return facts, timed_searches(write, batches, lambda work, parts: run_parallel(work, parts, CPU))


def main() -> None:
    given, sentences, weights, together = sys.argv[1:]
    job = Job.read(given)
    serve(lambda: prepare(job, sentences, weights, int(together)), polite=job.polite)


if __name__ == "__main__":
    main()
