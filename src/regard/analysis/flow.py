"""What attention says of an outcome: its weights, their values' norms, and weights followed through layers.

Rollout and flow (Abnar and Zuidema 2020) read a model as a graph: each attention with its residual path is
0.5 A + 0.5 I, A the mean of its heads.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import maximum_flow
from torch import Tensor, nn
from torch.nn.functional import pad

from regard.analysis.outcome import Outcome
from regard.inference.attention import IN_WINDOWS
from regard.metrics.statistics import Floats
from regard.nn.attention_kinds import AttentionSpec
from regard.nn.lstmn import LSTMN
from regard.nn.multihead import MultiHead
from regard.nn.recurrent import Recurrent
from regard.nn.trace import AttentionWeights, Trace, module_path

CAPACITY = 1 << 24
"""The integer that a capacity of 1 is; a flow is exact to the number of edges divided by this."""
_RECURRENT = "a recurrent network mixes the words outside of its attention, and no weight says how"


class CannotSayError(Exception):
    """Why a method has nothing to say of a model."""


@dataclass(frozen=True)
class Sight:
    """All weights of one attention in one pass over one input."""

    path: str
    site: AttentionSpec
    weights: Floats
    """(h, q, k)."""
    norms: Floats
    """(q, k): the length of what each key adds to each query, all heads together."""


class Sights:
    """Every attention of a model in one pass over the input of an outcome."""

    @torch.inference_mode()
    def __init__(self, outcome: Outcome) -> None:
        self.outcome = outcome
        trace = Trace(outcome.network, inputs=True)
        outcome.forward(trace)
        self.every = [
            _sight(path, site, trace.kept[path], outcome.network)
            for path, site in outcome.sites.items()
            if trace.kept[path]
        ]

    def main(self) -> list[Sight]:
        """Those that lead to the outcome straight away; of two texts, of each."""
        if not self.outcome.sites:
            raise CannotSayError(self.outcome.no_attention)
        if not self.every:
            raise CannotSayError(str(IN_WINDOWS.reason))
        for kind in self.outcome.main:
            if found := [sight for sight in self.every if sight.site.kind == kind]:
                return found
        raise CannotSayError("this model has no attention from its output to what it read")

    def over_words(self, *, norms: bool) -> Floats:
        """The mean over the rows that lead to the outcome, and over layers and heads: a value a token."""
        found = [np.zeros(0)] * len(self.outcome.sides)
        for text in range(len(self.outcome.sides)):
            rows = []
            for sight in self.main():
                if sight.site.text == text:
                    weights = sight.norms if norms else sight.weights.mean(axis=0)
                    rows.append(weights[self.outcome.rows(sight.site, len(weights))].mean(axis=0))
            found[text] = np.mean(rows, axis=0)[: len(self.outcome.sides[text].tokens)]
        return np.concatenate(found)

    def sublayers(self) -> "Sublayers":
        """The attentions as a graph of layers."""
        kinds = {sight.site.kind for sight in self.main()} | {sight.site.kind for sight in self.every}
        network = self.outcome.network
        if any(isinstance(module, Recurrent | LSTMN) for module in network.modules()):
            raise CannotSayError(_RECURRENT)
        own = [network.get_submodule(module_path(s.path)) for s in self.every if s.site.kind != "hops"]
        if not own or not all(isinstance(module, MultiHead) for module in own):
            raise CannotSayError("this model has no layers of self-attention to follow weights through")
        mean = {s.path: s.weights.mean(axis=0) for s in self.every}
        return Sublayers(self.outcome, mean, "cross" in kinds)


@dataclass(frozen=True)
class Sublayers:
    """Attentions with residual paths, from the lowest to the output."""

    outcome: Outcome
    weights: Mapping[str, Floats]
    """By path, (q, k)."""
    writes: bool
    """Whether there is a decoder above an encoder."""

    @property
    def read(self) -> int:
        """Tokens that were read."""
        return len(self.outcome.sides[0].tokens)

    def of_kinds(self, *kinds: str) -> Iterator[tuple[AttentionSpec, Floats]]:
        """The attentions of these kinds, lower layers first."""
        for path, site in self.outcome.sites.items():
            if site.kind in kinds:
                yield site, self.weights[path]

    def rollout(self) -> Floats:
        """How much of each token, by the product of all layers, is in what the outcome is made of."""
        size = next(self.of_kinds("encoder-self", "decoder-self"))[1].shape[-1]
        if not self.writes:
            mixed = np.eye(size)
            for _, weights in self.of_kinds("encoder-self", "decoder-self"):
                mixed = 0.5 * weights @ mixed + 0.5 * mixed
            return (self._top(size) @ mixed)[: self.read]
        memory = np.eye(self.read)
        for _, weights in self.of_kinds("encoder-self"):
            memory = 0.5 * weights @ memory + 0.5 * memory
        count = next(self.of_kinds("cross"))[1].shape[0]
        mixed = np.hstack([np.zeros((count, self.read)), np.eye(count)])
        memory = np.hstack([memory, np.zeros((self.read, count))])
        for site, weights in self.of_kinds("decoder-self", "cross"):
            mixed = 0.5 * weights @ (mixed if site.kind == "decoder-self" else memory) + 0.5 * mixed
        return (self._top(count) @ mixed)[: self.read]

    def _top(self, size: int) -> Floats:
        """The share of each state of the last layer in the outcome; the shares sum to 1."""
        hops = [weights for _, weights in self.of_kinds("hops")]
        if hops:
            return np.asarray(np.mean(hops, axis=0).mean(axis=0))
        kind = "cross" if self.writes else self.outcome.main
        site = next(s for s in self.outcome.sites.values() if s.kind in kind)
        rows = self.outcome.rows(site, size)
        return np.bincount(rows, minlength=size) / len(rows)

    def flow(self) -> Floats:
        """The largest flow from the outcome to each token that was read, through edges as wide as weights."""
        graph = _Graph()
        reads = list(self.of_kinds("encoder-self"))
        if not self.writes and not reads:
            reads = list(self.of_kinds("decoder-self"))
        size = reads[0][1].shape[-1] if reads else self.read
        bottom = level = graph.nodes(size)
        for _, weights in reads:
            level = graph.above(level, level, weights)
        if self.writes:
            memory, count = level, next(self.of_kinds("cross"))[1].shape[0]
            level = graph.nodes(count)
            for site, weights in self.of_kinds("decoder-self", "cross"):
                level = graph.above(level, level if site.kind == "decoder-self" else memory, weights)
        (output,) = graph.nodes(1)
        for node, share in zip(level, self._top(len(level)), strict=True):
            graph.edge(output, node, float(share))
        return np.array([graph.flow(output, node) for node in bottom[: self.read]])


class _Graph:
    """A directed graph with capacities."""

    def __init__(self) -> None:
        self._count = 0
        self._edges: list[tuple[int, int, int]] = []

    def nodes(self, count: int) -> list[int]:
        """New ones."""
        self._count += count
        return list(range(self._count - count, self._count))

    def edge(self, start: int, end: int, capacity: float) -> None:
        """From one to another."""
        if whole := round(capacity * CAPACITY):
            self._edges.append((start, end, whole))

    def above(self, own: Sequence[int], keys: Sequence[int], weights: Floats) -> list[int]:
        """A layer: half of each state is from its own place, half from what it attends to."""
        level = self.nodes(len(own))
        for row, node in enumerate(level):
            same = 0.5 * weights[row] if own is keys else np.zeros(0)
            self.edge(node, own[row], 0.5 + (float(same[row]) if len(same) else 0.0))
            for column, key in enumerate(keys):
                if own is not keys or column != row:
                    self.edge(node, key, 0.5 * float(weights[row, column]))
        return level

    def flow(self, start: int, end: int) -> float:
        """The largest."""
        starts, ends, values = zip(*self._edges, strict=True)
        shape = (self._count, self._count)
        graph = coo_matrix((np.array(values, dtype=np.int32), (starts, ends)), shape=shape).tocsr()
        return float(maximum_flow(graph, start, end).flow_value) / CAPACITY


def _sight(path: str, site: AttentionSpec, kept: Sequence[AttentionWeights], network: nn.Module) -> Sight:
    """The steps of an attention, one after the other."""
    widest = max(own.weights.shape[-1] for own in kept)
    rows, norms = [], []
    for own in kept:
        weights = own.weights[0] if own.weights.dim() == 4 else own.weights
        rows.append(pad(weights, (0, widest - weights.shape[-1])))
        norms.append(pad(_norms(own, weights, network), (0, widest - weights.shape[-1])))
    numbers = [torch.cat(parts, dim=-2).double().cpu().numpy() for parts in (rows, norms)]
    return Sight(path, site, np.asarray(numbers[0]), np.asarray(numbers[1]))


def _norms(own: AttentionWeights, weights: Tensor, network: nn.Module) -> Tensor:
    """‖Σ_h α_ij W_O v_j‖ of each query and key, (q, k); without heads, ‖α_ij v_j‖."""
    if own.asked is None:
        raise CannotSayError(f"{own.path} does not record what its weights are computed from")
    values = own.asked.values[0]
    if values.dim() == 2:
        lengths: Tensor = values.norm(dim=-1)
        return weights[0] * lengths
    module = network.get_submodule(module_path(own.path))
    heads, _, size = values.shape
    output: Tensor = module.output.weight.view(-1, heads, size)  # type: ignore[union-attr, operator]
    changed = torch.einsum("hkd,ohd->hko", values, output)  # f(x) of each head
    gram = torch.einsum("hko,gko->khg", changed, changed)  # products of heads: no (q, k, width) is made
    squares: Tensor = torch.einsum("hqk,gqk,khg->qk", weights, weights, gram)
    return squares.clamp(min=0).sqrt()
