"""Attention records: the weights that a trace has captured, with labels."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import torch
from torch import nn
from torch.nn.functional import pad

from regard.decoding.coverage import coverage
from regard.errors import StoreError
from regard.insight.maps import Weights
from regard.insight.record import AttentionRecord, LayerAttention
from regard.insight.token_axis import NO_TARGET, TokenAxis, token_axes
from regard.nn.attention_kinds import AttentionSpec
from regard.nn.decoder import EncoderDecoder
from regard.nn.trace import Trace
from regard.store.alignment import AlignmentHeads, Head
from regard.store.atomic import ALIGNMENT
from regard.text.korean import Dictionary
from regard.text.tokenizer import EOS, SPECIAL, UNK, Encoding

EMPTY_INPUT = AttentionRecord(reason="the sentence has no words")
NOT_ASKED = AttentionRecord(reason="it was not asked for; use attention=True")
IN_WINDOWS = AttentionRecord(
    reason="the text is longer than what this model reads at once, and no attention is over all of it"
)


@dataclass(frozen=True)
class CapturedAttention:
    """The weights of every attention of a model for a batch, or for one row of it."""

    weights: Mapping[str, Weights]
    """By path, (b, q, k) or (b, h, q, k), padding included; none of an attention that did not see the
    whole text at once, since that was read in windows."""
    sites: Mapping[str, AttentionSpec]
    """Every attention of the model, lower layers first."""
    engine: str
    """What computed the weights."""

    @classmethod
    def of(cls, trace: Trace, module: nn.Module, sites: Mapping[str, AttentionSpec]) -> "CapturedAttention":
        """What a trace has captured of one call; the steps of an attention stand one after the other."""
        weights = {}
        for path in sites:
            if seen := [sight.weights for sight in trace.kept[path]]:
                widest = max(own.shape[-1] for own in seen)
                parts = [pad(own, (0, widest - own.shape[-1])) for own in seen]
                weights[path] = np.asarray(torch.cat(parts, dim=-2).float().cpu().numpy())
        return cls(weights, sites, engine_of(module))

    def row(self, row: int) -> "CapturedAttention":
        """The weights of one row of a batch."""
        return CapturedAttention(
            {path: own[row] for path, own in self.weights.items()}, self.sites, self.engine
        )

    def record(
        self,
        source: TokenAxis,
        target: TokenAxis | None = None,
        *,
        second: TokenAxis | None = None,
        without: AttentionRecord,
    ) -> AttentionRecord:
        """One row with its labels, its padding cut away.

        target:  the output; None where there is none
        second:  what was read beside the source
        without: the note for a model that has no attention
        """
        if not self.weights:
            return IN_WINDOWS if self.sites else without
        looks = []
        for path, weights in self.weights.items():
            site = self.sites[path]
            read = second if site.text and second else source
            lines, across = token_axes(site.kind, read, target or NO_TARGET, weights.shape[-2])
            own = weights[..., : len(lines.tokens), : len(across.tokens)]
            looks.append(LayerAttention(path, site.kind, np.ascontiguousarray(own), site.layer, site.text))
        return AttentionRecord(source, target, tuple(looks), engine=self.engine, second=second)


def engine_of(module: nn.Module) -> str:
    """What computes the weights of this model."""
    parameter = next(module.parameters())
    return f"torch {str(parameter.dtype).removeprefix('torch.')} on {parameter.device.type}"


def coverage_of(record: AttentionRecord) -> float:
    """The coverage of the source words, </s> not counted, by the whole target."""
    attention = torch.from_numpy(
        record.words("tokens", kind=record.main).weights.sum(axis=0, dtype=np.float64)[None, :-1]
    )
    return float(coverage(attention, torch.ones_like(attention, dtype=torch.bool)))


def attended_words(source: Encoding, token: int) -> str:
    """What a source token covers, as it was typed."""
    start, end = source.text.to_original(source.spans[token])
    return source.text.original[start:end].strip()


def unknown_words(source: Encoding) -> list[str]:
    """The words of a text that the vocabulary does not have."""
    return [attended_words(source, place) for place, token in enumerate(source.ids) if token == UNK]


def words_for_unknown(record: AttentionRecord, source: Encoding, output: Encoding) -> list[str]:
    """For each <unk> of an output, the source word of the largest weight; </s> is none."""
    weights = record.tokens().weights[: len(output.ids), : len(source.ids)]
    unknown = [place for place, token in enumerate(output.ids) if token == UNK]
    return [attended_words(source, int(weights[place].argmax())) for place in unknown]


def with_heads(
    found: list[tuple[AttentionRecord, list[float]]], heads: AlignmentHeads | None
) -> list[tuple[AttentionRecord, list[float]]]:
    """Records that know the heads that were chosen for word alignment, if any were."""
    if heads is None:
        return found
    return [(replace(own, heads=heads) if own.attentions else own, values) for own, values in found]


def heads_in(module: nn.Module, paths: Sequence[str]) -> list[Head]:
    """Every head of some attentions of a model; of one that has no heads, itself."""
    found = []
    for path in paths:
        count = getattr(module.get_submodule(path), "heads", None)
        found += [Head(path)] if count is None else [Head(path, number) for number in range(count)]
    return found


def checked_heads(heads: AlignmentHeads | None, module: nn.Module, where: str) -> AlignmentHeads | None:
    """The heads that a folder names, if the model has them."""
    if heads is not None:
        network: EncoderDecoder[Any] = module  # type: ignore[assignment]
        there = heads_in(module, network.cross_attention)
        if odd := next((one for one in heads.heads if one not in there), None):
            raise StoreError(
                f"{where}: {ALIGNMENT} names {odd}, which this model does not have; "
                f"`regard align {where} --forget-heads` removes it"
            )
    return heads


def token_axis(encoding: Encoding, dictionary: Dictionary, *, ended: bool) -> TokenAxis:
    """Labels in the user's own characters."""
    spans = tuple(encoding.text.to_original(span) for span in encoding.spans)
    specials = (SPECIAL[EOS],) if ended else ()
    return TokenAxis(encoding.text.original, encoding.pieces, spans, specials, dictionary)
