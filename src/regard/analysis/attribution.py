"""What gradients say of an outcome: gradient × input, gradient × attention, integrated gradients.

Gradients are with respect to the word embeddings of what was read, as the embedding layer gives them.
"""

import copy
from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from regard.analysis.flow import CannotSayError
from regard.analysis.outcome import Objective, Outcome
from regard.metrics.statistics import Floats
from regard.models.bert import Bert
from regard.nn.trace import AttentionWeights, Trace

STEPS = 20
"""Points between the baseline and the input."""
Replace = Callable[[int, Tensor], Tensor]
"""The number of a text, and its embedded tokens, (copies, t, d) -> those to go on with."""


def gradient_times_input(outcome: Outcome) -> Floats:
    """Σ_d e_d · ∂F/∂e_d of each token that was read."""

    def of(objective: Objective) -> Floats:
        leaves: list[Tensor] = []

        def keep(number: int, embedded: Tensor) -> Tensor:
            del number
            leaves.append(embedded.detach().requires_grad_())
            return leaves[-1]

        (value,) = _run(outcome, objective, 1, keep)
        slopes = torch.autograd.grad(value, leaves)
        return _tokens(
            outcome, [(leaf * slope).sum(-1)[0] for leaf, slope in zip(leaves, slopes, strict=True)]
        )

    return sum((factor * of(objective) for factor, objective in outcome.objectives), np.zeros(1))


def gradient_times_attention(outcome: Outcome) -> Floats:
    """Σ α_ij · ∂F/∂α_ij of each token j, over all rows i, heads and layers of the main attention."""
    main = [kind for kind in outcome.main if kind in {site.kind for site in outcome.sites.values()}]
    if not main:
        raise CannotSayError(outcome.no_attention)
    chosen = [path for path, site in outcome.sites.items() if site.kind == main[0]]

    def of(objective: Objective) -> Floats:
        seen: list[tuple[str, Tensor]] = []

        def keep(sight: AttentionWeights) -> Tensor:
            seen.append((sight.path, sight.weights))
            return sight.weights

        (value,) = _run(
            outcome, objective, 1, lambda _, e: e.detach().requires_grad_(), dict.fromkeys(chosen, keep)
        )
        slopes = torch.autograd.grad(value, [weights for _, weights in seen], allow_unused=True)
        found = [torch.zeros(len(side.tokens)) for side in outcome.sides]
        for (path, weights), slope in zip(seen, slopes, strict=True):
            if slope is not None:
                text, own = outcome.sites[path].text, (weights * slope).detach()[0]
                own = own.reshape(-1, own.shape[-1]).sum(0)
                size = min(len(own), len(found[text]))
                found[text][:size] += own[:size].cpu()
        return torch.cat(found).double().numpy()

    return sum((factor * of(objective) for factor, objective in outcome.objectives), np.zeros(1))


def integrated_gradients(outcome: Outcome, steps: int = STEPS) -> tuple[Floats, float]:
    """(e − e₀) · ∫ ∂F/∂e along the line from e₀ to e, by Gauss and Legendre's rule; and what their sum lacks.

    e₀ has zeros for words, and special tokens as they are. The sum should be F(e) − F(e₀).
    """
    nodes, shares = np.polynomial.legendre.leggauss(steps)
    places = torch.tensor([*(nodes + 1) / 2, 0.0, 1.0])
    weights = torch.tensor([*shares / 2, 0.0, 0.0])
    framed = [torch.from_numpy(side.special) for side in outcome.sides]

    def of(objective: Objective) -> tuple[Floats, float]:
        leaves: list[Tensor] = []
        moved: list[Tensor] = []

        def between(number: int, embedded: Tensor) -> Tensor:
            kept = torch.ones(embedded.shape[1], dtype=torch.bool)
            kept[: len(framed[number])] = framed[number]  # what is beyond is the outcome itself
            way = embedded.detach().masked_fill(~kept[None, :, None].to(embedded.device), 0.0)
            moved.append(embedded.detach()[0] - way[0])
            leaves.append((way + places.to(embedded)[:, None, None] * moved[-1]).requires_grad_())
            return leaves[-1]

        values = _run(outcome, objective, steps + 2, between)
        slopes = torch.autograd.grad(values.sum(), leaves)
        found = [
            ((slope * weights.to(slope)[:, None, None]).sum(0) * own).sum(-1)
            for slope, own in zip(slopes, moved, strict=True)
        ]
        tokens = _tokens(outcome, found)
        whole = sum(float(own.double().sum()) for own in found)
        return tokens, whole - float((values[-1] - values[-2]).detach())

    parts = [(factor, of(objective)) for factor, objective in outcome.objectives]
    total = sum((factor * tokens for factor, (tokens, _) in parts), np.zeros(1))
    return total, abs(sum(factor * lack for factor, (_, lack) in parts))


def _run(outcome: Outcome, objective: Objective, copies: int, replace: Replace, edits: Any = None) -> Tensor:
    """The scores of copies of the input whose embedded words are exchanged, (copies,).

    The layer is watched in a twin of the model with the same weights: the model itself holds nothing of a
    call, and others may use it meanwhile.
    """
    twin = _twin(outcome.model)
    network = twin.network
    sizes = [len(side.tokens) for side in outcome.sides]
    calls = 0

    def watch(_module: nn.Module, _given: Any, embedded: Tensor) -> Tensor:
        nonlocal calls
        number, calls = calls, calls + 1
        if number >= len(sizes):  # what is written may share the embeddings of what is read
            return embedded
        own = embedded.reshape(copies, -1, embedded.shape[-1])
        if own.shape[1] < sizes[number]:
            raise CannotSayError("the text is read in windows, and its words are embedded in parts")
        return replace(number, own).view_as(embedded)

    handle = _embedding(network).register_forward_hook(watch)
    try:
        with torch.enable_grad():
            return objective(twin, copies, Trace(network, edits, keep=False))
    finally:
        handle.remove()


def _twin(model: Any) -> Any:
    """The same model with modules of its own, which share all weights."""
    shared = [own for own in vars(model).values() if not isinstance(own, nn.Module)]
    shared += [*model.module.parameters(), *model.module.buffers()]
    return copy.deepcopy(model, {id(own): own for own in shared})


def _embedding(network: nn.Module) -> nn.Embedding:
    """The layer that embeds the words that are read."""
    if isinstance(network, Bert):
        return network.word_embedding
    names = (*getattr(network, "source_vocab_params", ()), *getattr(network, "target_vocab_params", ()))
    for name in names:
        module = network.get_submodule(name.rpartition(".")[0])
        if isinstance(module, nn.Embedding):
            return module
    raise CannotSayError("this model has no word embeddings that gradients could be taken of")


def _tokens(outcome: Outcome, found: list[Tensor]) -> Floats:
    """Of each side, the values of its tokens; what is embedded behind them is the outcome itself."""
    sizes = [len(side.tokens) for side in outcome.sides]
    own = [values.detach()[:size] for values, size in zip(found, sizes, strict=True)]
    return torch.cat(own).double().cpu().numpy()
