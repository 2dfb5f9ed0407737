"""A classifier run again with other attention weights, from the same states, with gradients if wanted."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from regard.data.batching import Ids
from regard.errors import DataError
from regard.insight.record import MAIN
from regard.models.sentence import SentenceModel
from regard.nn.pooling import EncoderStates, StructuredSelfAttention
from regard.nn.sequence_classifier import PaddedTokens
from regard.nn.trace import AttentionWeights, Trace
from regard.tasks.classification.output_types import MultiLabel, SingleLabel
from regard.tasks.classification.predictor import Classifier, padded

Weights = Mapping[str, Tensor]
"""By path: (n, q, k) or (n, h, q, k)."""


@dataclass(frozen=True)
class AttentionRerun:
    """One batch of texts of a classifier, ready to be run with other attention weights."""

    weights: Weights
    """The model's own, of the attention that leads to the output: the hops, or all self-attention."""
    allowed: Weights
    """Where there may be weight, bool, of the same shapes; padding comes last."""
    logits_of: Callable[[Weights, int], Tensor]
    """Logits, (copies · b, outputs), for weights of so many copies of the batch, one after the other."""
    probabilities_of: Callable[[Tensor], Tensor]
    """Of logits."""
    state_size: int
    """Numbers that a copy of the batch holds, for the size of batches."""

    @classmethod
    def of(cls, model: Classifier, texts: Sequence[Sequence[Ids]]) -> "AttentionRerun":
        """Read a batch, and keep what comes before the attention where that does not depend on it."""
        first, second = padded(texts, model.device)
        sides = [first, *([second["second"]] if "second" in second else [])]
        paths = swapped_paths(model)
        network = model.network
        with torch.no_grad():
            trace = Trace(model.module, keep=paths, inputs=True)
            network(*first, **second, trace=trace)
        kept = {path: trace.kept[path][0] for path in paths}
        weights = {path: own.weights for path, own in kept.items()}
        allowed = {
            path: own.asked.mask.expand_as(own.weights) if own.asked is not None else own.weights > 0
            for path, own in kept.items()
        }
        rerun = _from_states(model, sides) or _from_tokens(model, sides)
        size = sum(side.tokens.numel() for side in sides) * 256
        return cls(weights, allowed, rerun, lambda logits: probabilities(model, logits), size)

    def run(self, weights: Weights, copies: int = 1) -> Tensor:
        """Probabilities, (copies · b, outputs), in float64."""
        return self.probabilities_of(self.logits_of(weights, copies))

    @property
    def texts(self) -> int:
        """How many there are in the batch."""
        return len(next(iter(self.weights.values())))


def swapped_paths(model: Classifier) -> tuple[str, ...]:
    """The attention that leads to the output: of the kind that is nearest to it."""
    sites = model.attentions
    there = {site.kind for site in sites.values()}
    kind = next((kind for kind in MAIN if kind in there), None)
    if kind not in ("hops", "encoder-self"):
        found = f"{kind} attention alone" if kind else "none"
        raise DataError(f"the tests change the attention of a pooling or of a Transformer, found {found}")
    return tuple(path for path, site in sites.items() if site.kind == kind)


def probabilities(model: Classifier, logits: Tensor) -> Tensor:
    """What the model says, calibrated, in float64: a distribution; of several labels, each one's own."""
    scaled = logits.double() / model.temperature
    if isinstance(model.answer, SingleLabel):
        return scaled.softmax(-1)
    if isinstance(model.answer, MultiLabel):
        return scaled.sigmoid()
    raise DataError("the tests compare probabilities of labels, and this model says a number")


def output_change(before: Tensor, after: Tensor, *, several: bool = False) -> Tensor:
    """TVD(ŷ, ỹ) = ½ Σ |ŷ − ỹ|, (…, outputs) -> (…); of several labels, the mean of |ŷ − ỹ|."""
    apart = (before - after).abs()
    return apart.mean(-1) if several else apart.sum(-1) / 2


def _edits(weights: Weights) -> dict[str, Callable[[AttentionWeights], Tensor]]:
    return {path: lambda seen, own=own: own.to(seen.weights.dtype) for path, own in weights.items()}  # type: ignore[misc]


def _from_states(model: Classifier, sides: Sequence[PaddedTokens]) -> Callable[[Weights, int], Tensor] | None:
    """Pooled attention comes last: the encoder is run once, and its states are pooled again and again."""
    network = model.module
    if not isinstance(network, SentenceModel) or not isinstance(network.pooling, StructuredSelfAttention):
        return None
    with torch.no_grad():
        read = [network.read(*side) for side in sides]

    def logits(weights: Weights, copies: int) -> Tensor:
        trace = Trace(network, _edits(weights), keep=False)
        pooled = [
            network.pooling(
                EncoderStates(*(part.repeat(copies, *[1] * (part.dim() - 1)) for part in _parts(states))),
                trace=trace if network.combination is None else trace.reading(number),
            ).vectors
            for number, states in enumerate(read)
        ]
        vectors = pooled[0] if network.combination is None else network.combination(*pooled)
        found: Tensor = network.head(vectors)
        return found

    return logits


def _parts(states: EncoderStates) -> tuple[Tensor, Tensor, Tensor]:
    return states.words, states.last, states.mask


def _from_tokens(model: Classifier, sides: Sequence[PaddedTokens]) -> Callable[[Weights, int], Tensor]:
    """Attention of an encoder: the network is run from its words on."""

    def logits(weights: Weights, copies: int) -> Tensor:
        trace = Trace(model.module, _edits(weights), keep=False)
        given = [PaddedTokens(side.tokens.repeat(copies, 1), side.lengths.repeat(copies)) for side in sides]
        second = given[1] if len(given) > 1 else None
        return model.network(*given[0], second=second, trace=trace).logits

    return logits
