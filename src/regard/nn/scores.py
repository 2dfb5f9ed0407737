"""Attention scores: how a query is compared with keys, one module a formula."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol

import torch
from torch import Tensor, nn
from torch.nn import functional

from regard.config.model import AttentionConfig
from regard.nn.linear import Linear
from regard.nn.shared import additive_energy


@dataclass(frozen=True, slots=True)
class Explained:
    """The scores of one query, as their formula makes them."""

    formula: str
    """As the literature writes it, of a key j: `e_j = …`."""
    terms: Mapping[str, Tensor]
    """What the formula is made of, by name: (n,), or (k, n) where it differs from key to key."""
    summands: Tensor
    """(k, n): the score of a key is the sum of its n summands."""


class Score(Protocol):
    """A score compares each query with each key; what depends on the keys alone is prepared once."""

    def prepare(self, keys: Tensor) -> Tensor:
        """(b, k, key_size) -> what `forward` wants of the keys, batch first."""
        ...

    def __call__(self, query: Tensor, prepared: Tensor) -> Tensor:
        """(b, q, query_size), prepared keys -> (b, q, k), before any mask."""
        ...

    def explain(self, query: Tensor, prepared: Tensor) -> Explained:
        """How one query, (query_size,), was compared with the prepared keys of its sentence, (k, …)."""
        ...


class AdditiveScore(nn.Module):
    """e_j = v · tanh(W s + U h_j), the alignment model of Bahdanau et al. 2015 (appendix A.1.2).

    With W_a = [W U] it is v · tanh(W_a [s; h_j]), which Luong et al. 2015 call concat.
    """

    def __init__(self, *, query_size: int, key_size: int, hidden_size: int) -> None:
        super().__init__()
        self.query = Linear(query_size, hidden_size, bias=False)  # W
        self.key = Linear(key_size, hidden_size, bias=False)  # U
        self.energy = Linear(hidden_size, 1, bias=False)  # v

    def prepare(self, keys: Tensor) -> Tensor:
        """Project the keys, (b, k, key_size) -> (b, k, d), once per source sentence."""
        projected: Tensor = self.key(keys)
        return projected

    def forward(self, query: Tensor, prepared: Tensor) -> Tensor:
        """Score every query against every key.

        query:    (b, q, query_size)
        prepared: (b, k, d) from `prepare`; held by the caller, not by this module
        returns:  (b, q, k), before any mask
        """
        asked: Tensor = self.query(query)
        v: Tensor = self.energy.weight[0]
        return additive_energy(asked, prepared, v)

    def explain(self, query: Tensor, prepared: Tensor) -> Explained:
        """How one query, (query_size,), was compared with the prepared keys, (k, d)."""
        asked = self.query(query)
        squashed = (asked + prepared).tanh()
        v = self.energy.weight[0]
        terms = {"W s": asked, "U h": prepared, "tanh(W s + U h)": squashed, "v": v}
        return Explained("e_j = v · tanh(W s + U h_j)", terms, v * squashed)


class DotScore(nn.Module):
    """e_j = s · h_j (Luong et al. 2015)."""

    def prepare(self, keys: Tensor) -> Tensor:
        """The keys as they are, (b, k, d)."""
        return keys

    def forward(self, query: Tensor, prepared: Tensor) -> Tensor:
        """Score every query, (b, q, d), against every key, (b, k, d): (b, q, k)."""
        return query @ prepared.mT

    def explain(self, query: Tensor, prepared: Tensor) -> Explained:
        """How one query, (d,), was compared with the keys, (k, d)."""
        return Explained("e_j = s · h_j", {"s": query, "h": prepared}, query * prepared)


class ScaledDotScore(nn.Module):
    """e_j = s · h_j / √d: without the root, scores grow with the width (Vaswani et al. 2017)."""

    def prepare(self, keys: Tensor) -> Tensor:
        """The keys, (b, k, d), divided by √d once a sentence."""
        scaled: Tensor = keys / keys.shape[-1] ** 0.5
        return scaled

    def forward(self, query: Tensor, prepared: Tensor) -> Tensor:
        """Score every query, (b, q, d), against every key, (b, k, d): (b, q, k)."""
        return query @ prepared.mT

    def explain(self, query: Tensor, prepared: Tensor) -> Explained:
        """How one query, (d,), was compared with the keys, (k, d)."""
        return Explained("e_j = s · h_j / √d", {"s": query, "h / √d": prepared}, query * prepared)


class GeneralScore(nn.Module):
    """e_j = s · W h_j (Luong et al. 2015)."""

    def __init__(self, *, query_size: int, key_size: int) -> None:
        super().__init__()
        self.key = Linear(key_size, query_size, bias=False)  # W

    def prepare(self, keys: Tensor) -> Tensor:
        """Project the keys, (b, k, key_size) -> (b, k, query_size), once per source sentence."""
        projected: Tensor = self.key(keys)
        return projected

    def forward(self, query: Tensor, prepared: Tensor) -> Tensor:
        """Score every query, (b, q, query_size), against every key: (b, q, k)."""
        return query @ prepared.mT

    def explain(self, query: Tensor, prepared: Tensor) -> Explained:
        """How one query, (query_size,), was compared with the prepared keys, (k, query_size)."""
        return Explained("e_j = s · W h_j", {"s": query, "W h": prepared}, query * prepared)


class LocationScore(nn.Module):
    """e_j = (W s)_j: by the position alone, whatever stands there (Luong et al. 2015).

    W has a row for each of the first positions. All later ones share the last row, so that a source of any
    length has finite scores; what is beyond cannot be told apart.
    """

    def __init__(self, *, query_size: int, positions: int) -> None:
        super().__init__()
        self.rows = Linear(query_size, positions, bias=False)  # W

    def prepare(self, keys: Tensor) -> Tensor:
        """Only how many there are counts: the row of W of each, (b, k)."""
        rows = torch.arange(keys.shape[1], device=keys.device).clamp(max=self.rows.out_features - 1)
        return rows.expand(len(keys), -1)

    def forward(self, query: Tensor, prepared: Tensor) -> Tensor:
        """Score every position, (b, q, query_size) and (b, k) -> (b, q, k)."""
        scores: Tensor = self.rows(query)
        return scores[..., prepared[0]]

    def explain(self, query: Tensor, prepared: Tensor) -> Explained:
        """How one query, (query_size,), chose among positions, (k,)."""
        rows = self.rows.weight[prepared]
        return Explained("e_j = (W s)_j", {"s": query, "W": rows}, rows * query)


class CosineScore(nn.Module):
    """e_j = β cos(s, h_j): content-based addressing, with the key strength β of Graves et al. 2014.

    β = softplus(w · s + b), so it is positive, and each query has its own. Without a learned sharpness β = 1:
    all scores lie between -1 and 1, and no weight can be more than e² times another.
    """

    def __init__(self, *, query_size: int, sharpness: bool) -> None:
        super().__init__()
        self.sharpness = Linear(query_size, 1) if sharpness else None
        if self.sharpness is not None:
            nn.init.constant_(self.sharpness.bias, 5.0)  # so that attention can be uneven from the start

    def prepare(self, keys: Tensor) -> Tensor:
        """The keys, (b, k, d), with length 1."""
        return functional.normalize(keys, dim=-1)

    def forward(self, query: Tensor, prepared: Tensor) -> Tensor:
        """Score every query, (b, q, d), against every key, (b, k, d): (b, q, k)."""
        return (functional.normalize(query, dim=-1) * self._beta(query)) @ prepared.mT

    def explain(self, query: Tensor, prepared: Tensor) -> Explained:
        """How one query, (d,), was compared with the normalised keys, (k, d)."""
        beta, asked = self._beta(query), functional.normalize(query, dim=-1)
        terms = {"s / |s|": asked, "h / |h|": prepared, "β": beta.expand_as(asked)}
        return Explained("e_j = β cos(s, h_j)", terms, beta * asked * prepared)

    def _beta(self, query: Tensor) -> Tensor:
        """(…, 1), or (1,) where it is not learned."""
        if self.sharpness is None:
            return query.new_ones(1)
        return functional.softplus(self.sharpness(query))


ScoreBuilder = Callable[[AttentionConfig, int, int], Score]
"""The settings, query_size and key_size, to a score."""

BUILDERS: dict[str, ScoreBuilder] = {
    "additive": lambda config, query_size, key_size: AdditiveScore(
        query_size=query_size, key_size=key_size, hidden_size=config.hidden_size
    ),
    "dot": lambda *_: DotScore(),
    "scaled_dot": lambda *_: ScaledDotScore(),
    "general": lambda _, query_size, key_size: GeneralScore(query_size=query_size, key_size=key_size),
    "location": lambda config, query_size, _: LocationScore(
        query_size=query_size, positions=config.positions
    ),
    "cosine": lambda config, query_size, _: CosineScore(query_size=query_size, sharpness=config.sharpness),
}


def build_score(config: AttentionConfig, *, query_size: int, key_size: int) -> Score:
    """The score that the settings name, for queries and keys of these widths."""
    return BUILDERS[config.score](config, query_size, key_size)
