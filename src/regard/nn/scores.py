"""How a query is compared with keys: one small part a formula."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from torch import Tensor, nn


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
    """v · tanh(W s + U h), the alignment model of Bahdanau et al. 2015 (appendix A.1.2)."""

    def __init__(self, *, query_size: int, key_size: int, hidden_size: int) -> None:
        super().__init__()
        self.query = nn.Linear(query_size, hidden_size, bias=False)  # W
        self.key = nn.Linear(key_size, hidden_size, bias=False)  # U
        self.energy = nn.Linear(hidden_size, 1, bias=False)  # v

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
        hidden = self.query(query)[:, :, None] + prepared[:, None]  # (b, q, k, d)
        energy: Tensor = self.energy(hidden.tanh_())
        return energy.squeeze(-1)

    def explain(self, query: Tensor, prepared: Tensor) -> Explained:
        """How one query, (query_size,), was compared with the prepared keys, (k, d)."""
        asked = self.query(query)
        squashed = (asked + prepared).tanh()
        v = self.energy.weight[0]
        terms = {"W s": asked, "U h": prepared, "tanh(W s + U h)": squashed, "v": v}
        return Explained("e_j = v · tanh(W s + U h_j)", terms, v * squashed)
