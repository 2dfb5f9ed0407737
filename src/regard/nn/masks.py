"""Which positions exist. The one rule: bool, True = may be looked at."""

import torch
from torch import Tensor


def padding_mask(lengths: Tensor, size: int) -> Tensor:
    """True where a batch has a real token, (b,) -> (b, size)."""
    return torch.arange(size, device=lengths.device) < lengths[:, None]


def reverse_within(values: Tensor, lengths: Tensor) -> Tensor:
    """Turn each sequence around in its own length; padding stays where it is. (b, s, d) -> (b, s, d)."""
    positions = torch.arange(values.shape[1], device=values.device)
    mirrored = lengths[:, None] - 1 - positions  # (b, s)
    index = torch.where(mirrored >= 0, mirrored, positions)
    return values.gather(1, index[:, :, None].expand_as(values))
