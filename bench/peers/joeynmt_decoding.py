"""JoeyNMT's search on sentences in ids, with weights that came from regard."""

import sys
from collections.abc import Callable
from importlib.metadata import version

import numpy as np
import torch
from bench.job import Job
from bench.peers.joeynmt_model import EOS, MODULES, PAD, batch_of, build, exchanged
from bench.sentences import LONGEST, read_sentences, search_facts, timed_searches
from bench.worker import Facts, serve
from torch import Tensor

TOGETHER = 16
"""Sentences that are searched together; with more JoeyNMT gets slower."""


def main() -> None:
    given, sentences, weights = sys.argv[1:]
    job = Job.read(given)

    def prepare() -> tuple[Facts, Callable[[], Facts]]:
        model = build(job)
        from joeynmt.search import search

        with np.load(weights) as arrays:
            model.load_state_dict({name: torch.from_numpy(arrays[name]) for name in arrays.files})
        model.eval()
        batches = [(exchanged(ids), lengths) for ids, lengths in read_sentences(sentences, together=TOGETHER)]

        def write(ids: Tensor, lengths: Tensor, beam: int) -> list[list[int]]:
            batch = batch_of(ids, lengths)
            back = batch.sort_by_src_length()
            found, _, _ = search(
                model=model,
                batch=batch,
                max_output_length=LONGEST,
                beam_size=beam,
                beam_alpha=1.0,
                n_best=1,
                generate_unk=False,
            )
            return [_written(found[place].tolist()) for place in back]

        facts = search_facts(f"JoeyNMT {version('joeynmt')}", write, batches, together=TOGETHER)
        return facts, timed_searches(write, batches)

    serve(prepare, polite=job.polite, modules=MODULES)


def _written(row: list[float]) -> list[int]:
    """The ids up to </s> or padding."""
    ids = [int(number) for number in row]
    ends = [place for place, number in enumerate(ids) if number in (EOS, PAD)]
    return ids[: ends[0]] if ends else ids


if __name__ == "__main__":
    main()
