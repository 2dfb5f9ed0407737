"""Position embeddings: sinusoidal and rotary."""

from functools import lru_cache

import torch
from torch import Tensor


def sinusoids(first: int, count: int, width: int, like: Tensor) -> Tensor:
    """sin(p / 10000^(2i/d)) beside cos of the same (Vaswani et al. 2017), (count, width)."""
    size = max(256, 1 << (first + count - 1).bit_length())  # few tables, each made once
    return _sinusoids(size, width, like.dtype, like.device)[first : first + count]


@lru_cache(maxsize=8)
@torch.inference_mode(mode=False)  # else nobody could train with a table that a search has made
def _sinusoids(size: int, width: int, dtype: torch.dtype, device: torch.device) -> Tensor:
    angles = torch.arange(size, device=device)[:, None] * _frequencies(width, device)
    return torch.cat([angles.sin(), angles.cos()], dim=-1).to(dtype)


def apply_rotary(values: Tensor, places: Tensor) -> Tensor:
    """Rotary positions (Su et al. 2021): pairs of values, rotated by an angle that grows with the position.

    values: (b, h, t, d)
    places: (b, t) or (t,)
    """
    angles = places[..., None] * _frequencies(values.shape[-1], places.device)
    cos, sin = (part.to(values.dtype).unsqueeze(-3) for part in (angles.cos(), angles.sin()))
    first, second = values.chunk(2, dim=-1)
    return torch.cat([first * cos - second * sin, second * cos + first * sin], dim=-1)


def _frequencies(width: int, device: torch.device) -> Tensor:
    """In float64, so that far positions keep their phase: (width / 2,)."""
    steps = torch.arange(0, width, 2, dtype=torch.float64, device=device)
    return 10000.0 ** (-steps / width)
