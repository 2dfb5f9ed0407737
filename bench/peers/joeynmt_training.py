"""JoeyNMT's training step: its model, batch, loss, clipping and optimizer, as its trainer calls them."""

import sys
from collections.abc import Callable
from importlib.metadata import version

import torch
from bench.job import Job
from bench.padded import read_batches, training_facts
from bench.peers.joeynmt_model import MODULES, PAD, batch_of, build, exchanged
from bench.worker import Facts, serve


def main() -> None:
    job = Job.read(sys.argv[1])

    def prepare() -> tuple[Facts, Callable[[], Facts]]:
        torch.manual_seed(job.seed)
        model = build(job)
        from joeynmt.builders import build_gradient_clipper, build_optimizer

        model.train()
        settings = {
            "optimizer": "adam",
            "learning_rate": job.learning_rate,
            "clip_grad_norm": job.clip,
            "clip_grad_val": None,
        }
        optimizer = build_optimizer(settings, model.parameters())
        clip = build_gradient_clipper(settings)
        batches = read_batches(job)
        pairs = [(exchanged(batch.source), exchanged(batch.target)) for batch in batches]
        steps = 0

        def work() -> Facts:
            nonlocal steps
            for source, target in pairs:
                batch = batch_of(source, (source != PAD).sum(1), target)
                batch.sort_by_src_length()
                total, _, _, _ = model(return_type="loss", **vars(batch))
                loss = batch.normalize(total, normalization="tokens")
                loss.backward()
                clip(parameters=model.parameters())
                optimizer.step()
                optimizer.zero_grad()
                steps += 1
            return {"loss": float(loss.detach()), "steps": steps}

        return training_facts(f"JoeyNMT {version('joeynmt')}", model, batches, job.pad), work

    serve(prepare, polite=job.polite, modules=MODULES)


if __name__ == "__main__":
    main()
