"""The links between the tokens of the pairs of a batch, as one list."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor


@dataclass(frozen=True, slots=True)
class BatchLinks:
    """What the target tokens of a batch are linked with; (n,) each, one entry a link."""

    rows: Tensor
    targets: Tensor
    """Positions of the target tokens, of those that are to be predicted."""
    sources: Tensor
    shares: Tensor
    """1 / the links that the target token has."""
    tokens: int
    """Target tokens that have links."""

    def to(self, device: torch.device) -> "BatchLinks":
        """The same on another device."""
        return BatchLinks(
            self.rows.to(device),
            self.targets.to(device),
            self.sources.to(device),
            self.shares.to(device),
            self.tokens,
        )


def batch_links(links: Sequence[Sequence[int] | NDArray[np.integer[Any]]]) -> BatchLinks | None:
    """Put the links of each row, as `TokenLinkIds` gives them, together; None where no row has any."""
    if not any(map(len, links)):
        return None
    pairs = [np.asarray(own, np.int64).reshape(-1, 2) for own in links]
    rows = np.repeat(np.arange(len(pairs)), [len(own) for own in pairs])
    targets, sources = np.concatenate(pairs).T
    _, which, counts = np.unique(np.stack([rows, targets]), axis=1, return_inverse=True, return_counts=True)
    shares = (1 / counts[which.reshape(-1)]).astype(np.float32)
    return BatchLinks(
        torch.from_numpy(rows),
        torch.from_numpy(targets.copy()),
        torch.from_numpy(sources.copy()),
        torch.from_numpy(shares),
        len(counts),
    )
