"""How a word knows its place."""

import torch
from torch import Tensor


def sinusoids(places: Tensor, width: int, like: Tensor) -> Tensor:
    """sin(p / 10000^(2i/d)) beside cos of the same (Vaswani et al. 2017), (…,) -> (…, width)."""
    angles = places[..., None] * _frequencies(width, places.device)
    return torch.cat([angles.sin(), angles.cos()], dim=-1).to(like.dtype)


def turned(values: Tensor, places: Tensor) -> Tensor:
    """Rotary positions (Su et al. 2021): each pair of values is turned by an angle that grows with the place.

    values: (b, h, t, d)
    places: (b, t) or (t,)
    """
    angles = places[..., None] * _frequencies(values.shape[-1], places.device)
    cos, sin = (part.to(values.dtype).unsqueeze(-3) for part in (angles.cos(), angles.sin()))
    first, second = values.chunk(2, dim=-1)
    return torch.cat([first * cos - second * sin, second * cos + first * sin], dim=-1)


def _frequencies(width: int, device: torch.device) -> Tensor:
    """In float64, so that far places keep their phase: (width / 2,)."""
    steps = torch.arange(0, width, 2, dtype=torch.float64, device=device)
    return 10000.0 ** (-steps / width)
