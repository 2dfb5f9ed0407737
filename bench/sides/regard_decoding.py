"""regard's search on sentences in ids."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
from bench.job import Job
from bench.sentences import BEAM, LONGEST, read_sentences, search_all
from bench.worker import Facts, serve
from safetensors.torch import load_file
from torch import Tensor

from regard.config.decoding import DecodingConfig
from regard.config.load import recipe_from_dict
from regard.decoding.limits import Limits
from regard.decoding.search import search
from regard.models.catalogue import build_model
from regard.version import __version__

TOGETHER = 64
"""Sentences that are searched together; about what `decoding.batch_tokens` makes of captions by default."""


def main() -> None:
    given, sentences, weights = sys.argv[1:]
    job = Job.read(given)

    def prepare() -> tuple[Facts, Callable[[], Facts]]:
        recipe = recipe_from_dict(job.recipe, "the job")
        model: Any = build_model(recipe.model, source_size=job.vocabulary, target_size=job.vocabulary)
        model.load_state_dict(load_file(Path(weights)))
        batches = read_sentences(sentences, together=TOGETHER)

        def write(ids: Tensor, lengths: Tensor, beam: int) -> list[list[int]]:
            limits = Limits(
                job.bos,
                job.eos,
                never=(job.pad, job.unk, job.bos),
                max_lengths=(LONGEST,) * len(ids),
            )
            settings = DecodingConfig(beam_size=beam, length_penalty="gnmt", min_length=1)
            return [list(found[0].tokens) for found in search(model, ids, lengths, limits, settings)]

        def work() -> Facts:
            outputs = search_all(write, batches, BEAM)
            return {"outputs": outputs, "tokens": sum(len(output) + 1 for output in outputs)}

        facts = {
            "version": f"regard {__version__}",
            "torch": torch.__version__,
            "together": TOGETHER,
            "greedy": search_all(write, batches, 1),
        }
        return facts, work

    serve(prepare, polite=job.polite)


if __name__ == "__main__":
    main()
