"""Guided alignment: an attention learns to look at the words that a word is linked with.

Chen et al. 2016 for the attention of a recurrent model, Garg et al. 2019 for one head of a Transformer.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn

from regard.config.guided_alignment import GuidedAlignmentConfig
from regard.data.batch_links import BatchLinks
from regard.errors import ConfigError
from regard.nn.decoder import EncoderDecoder
from regard.nn.trace import AttentionWeights, Trace
from regard.progress import counted
from regard.training.step import AuxiliaryLoss

_LEAST = 1e-30
"""What a smaller weight, such as one outside of a window, counts as: its logarithm is finite, and so is the
gradient."""
_SETTING = "training.guided_alignment"


@dataclass(frozen=True)
class GuidedAttention:
    """The attention that is told what to look at."""

    path: str
    head: int | None
    """None where it has no heads."""
    weight: float

    @classmethod
    def of(cls, network: EncoderDecoder[Any], config: GuidedAlignmentConfig) -> "GuidedAttention":
        """The one that the settings name; refuse a model that has none such."""
        paths = network.cross_attention
        if not paths:
            raise ConfigError(
                f"{_SETTING} needs attention over the source, and this model has none; leave it out"
            )
        place = max(0, len(paths) - 2) if config.layer is None else config.layer
        if config.layer is not None and network.attentions[paths[0]].layer is None:
            raise ConfigError(f"{_SETTING}.layer: the attention of this model has no layers; leave it out")
        if place >= len(paths):
            raise ConfigError(
                f"{_SETTING}.layer: expected 0 to {len(paths) - 1}, for the model has attention in "
                f"{counted(len(paths), 'decoder layer')}, found {place}"
            )
        module: nn.Module = network.get_submodule(paths[place])  # type: ignore[attr-defined]
        heads: int | None = getattr(module, "heads", None)
        if heads is None and config.head is not None:
            raise ConfigError(f"{_SETTING}.head: the attention of this model has no heads; leave it out")
        if heads is not None and (config.head or 0) >= heads:
            raise ConfigError(
                f"{_SETTING}.head: expected 0 to {heads - 1}, for the layer has {counted(heads, 'head')}, "
                f"found {config.head}"
            )
        return cls(paths[place], None if heads is None else config.head or 0, config.weight)

    def watch(self, network: EncoderDecoder[Any], seen: list[Tensor]) -> Trace:
        """A trace that puts the weights of this attention into a list, with their gradients."""

        def keep(found: AttentionWeights) -> Tensor:
            seen.append(found.weights)
            return found.weights

        return Trace(network, {self.path: keep}, keep=False)  # type: ignore[arg-type]

    def loss(self, seen: Sequence[Tensor], links: BatchLinks) -> AuxiliaryLoss | None:
        """-Σ_i Σ_j g_ij log α_ij over linked target tokens i; g_ij = 1 / the source tokens linked with i.

        seen:    the weights of one forward pass, (b, q, k) or (b, h, q, k), step after step, or all at once
        returns: None if the layer was skipped (LayerDrop)
        """
        if not seen:
            return None
        weights = torch.cat(list(seen), dim=-2)
        if self.head is not None:
            weights = weights[:, self.head]
        linked = weights[links.rows, links.targets, links.sources]
        loss = -(links.shares * linked.clamp(min=_LEAST).log()).sum()
        return AuxiliaryLoss(loss, self.weight, links.tokens)
