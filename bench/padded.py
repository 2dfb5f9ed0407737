"""The shared batches, as every side reads them: numpy and torch, nothing else."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from bench.job import Job
from torch import Tensor
from torch.nn import functional as F
from torch.nn.utils import clip_grad_norm_


@dataclass(frozen=True)
class Padded:
    """A batch: (b, s) with </s>, (b, t + 1) with <s> and </s>; and its rows in the corpus."""

    source: Tensor
    target: Tensor
    rows: list[int]

    def source_lengths(self, pad: int) -> Tensor:
        """(b,), </s> counted."""
        return (self.source != pad).sum(1)

    def target_lengths(self, pad: int) -> Tensor:
        """(b,) words to write, </s> counted."""
        return (self.target[:, 1:] != pad).sum(1)


def read_batches(job: Job) -> list[Padded]:
    """All batches of a job."""
    with np.load(job.batches) as arrays:
        return [
            Padded(
                torch.from_numpy(arrays[f"source{place}"]),
                torch.from_numpy(arrays[f"target{place}"]),
                arrays[f"rows{place}"].tolist(),
            )
            for place in range(sum(name.startswith("rows") for name in arrays.files))
        ]


def tokens_of(batches: list[Padded], pad: int) -> int:
    """Target words to write, without padding."""
    return sum(int(batch.target_lengths(pad).sum()) for batch in batches)


def parameters_of(model: torch.nn.Module) -> int:
    """Numbers that are learned; shared ones count once."""
    return sum(parameter.numel() for parameter in model.parameters() if parameter.requires_grad)


def training_facts(version: str, model: torch.nn.Module, batches: list[Padded], pad: int) -> dict[str, Any]:
    """What a side that trains tells about itself."""
    return {
        "version": version,
        "torch": torch.__version__,
        "parameters": parameters_of(model),
        "tokens": tokens_of(batches, pad),
    }


def torch_steps(
    job: Job, model: torch.nn.Module, batches: list[Padded], logits_of: Callable[[Padded, Tensor], Tensor]
) -> Callable[[], dict[str, Any]]:
    """A step on every batch in the loop that users of torch write: cross-entropy, clipping, Adam.

    logits_of: (b, t, v) of a batch, whose target is given without its last word
    """
    optimizer = torch.optim.Adam(model.parameters(), lr=job.learning_rate)
    steps = 0

    def work() -> dict[str, Any]:
        nonlocal steps
        for batch in batches:
            logits = logits_of(batch, batch.target[:, :-1]).flatten(0, 1)
            wanted = batch.target[:, 1:].flatten()
            loss = F.cross_entropy(logits, wanted, ignore_index=job.pad, label_smoothing=job.smoothing)
            torch.autograd.backward(loss)
            clip_grad_norm_(model.parameters(), job.clip)
            optimizer.step()
            optimizer.zero_grad(set_to_none=True)
            steps += 1
        return {"loss": float(loss.detach()), "steps": steps}

    return work
