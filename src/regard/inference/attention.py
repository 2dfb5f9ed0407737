"""The attention of given sentences, with labels: one teacher-forced pass with a trace."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import torch
from torch import nn

from regard.data.batching import EncodedPair
from regard.decoding.looking import coverage
from regard.inference.interventions import SentenceEdits
from regard.inference.teacher_forcing import force
from regard.insight.maps import Weights
from regard.insight.merge import Side
from regard.insight.record import NOTHING_WRITTEN, AttentionRecord, Look, sides_of
from regard.nn.kinds import Site
from regard.nn.step import EncoderDecoder
from regard.text.korean import Dictionary
from regard.text.tokenizer import EOS, SPECIAL, Encoding

Reading = tuple[AttentionRecord, list[float]]
"""What was looked at, and the log-probability of each target token and of </s>."""

NOTHING_READ = AttentionRecord(reason="the sentence has no words")
NOT_ASKED = AttentionRecord(reason="it was not asked for; use attention=True")
IN_WINDOWS = AttentionRecord(
    reason="the text is longer than what this model reads at once, and no attention is over all of it"
)
_NO_ATTENTION = AttentionRecord(
    reason="this model has no attention: one vector stands for the whole sentence"
)
NOT_LOOKING_BACK = AttentionRecord(
    reason="this model has no attention: its state is all it keeps of the words before"
)


def read_attention(
    module: nn.Module,
    sources: Sequence[Encoding],
    targets: Sequence[Encoding],
    ended: Sequence[bool],
    *,
    dictionaries: tuple[Dictionary, Dictionary],
    budget: int,
    device: torch.device,
    edited: Sequence[SentenceEdits] | None = None,
    from_nothing: bool = False,
) -> list[Reading]:
    """Force each target through a model, and keep what it looked at.

    ended:        False where a target was cut off: it has no row for </s>, since the model did not write one
    dictionaries: of source and target, for those who ask for morphemes
    budget:       tokens in a batch
    edited:       what is changed for each sentence; the sources are those that are read then
    from_nothing: the model reads no source: a target is forced whatever its source is
    """
    results: list[Reading] = [(NOTHING_READ, [])] * len(sources)
    rows = [row for row, source in enumerate(sources) if source.ids or from_nothing]
    pairs = [EncodedPair(sources[row].ids, targets[row].ids) for row in rows]
    network: EncoderDecoder[Any] = module  # type: ignore[assignment]
    engine = engine_of(module)
    for place, values, weights in force(
        module,
        pairs,
        budget=budget,
        device=device,
        look=True,
        edited=None if edited is None else [edited[row] for row in rows],
    ):
        row, record = rows[place], NOT_LOOKING_BACK if from_nothing else _NO_ATTENTION
        if weights:
            columns = side_of(sources[row], dictionaries[0], ended=True)
            lines = side_of(targets[row], dictionaries[1], ended=ended[row])
            record = record_of(columns, lines, weights, network.attentions, engine)
        results[row] = (record, values)
    return results


def engine_of(module: nn.Module) -> str:
    """What computes the weights of this model."""
    parameter = next(module.parameters())
    return f"torch {str(parameter.dtype).removeprefix('torch.')} on {parameter.device.type}"


def coverage_of(record: AttentionRecord) -> float:
    """The coverage of the source words, </s> not counted, by the whole target."""
    attention = torch.from_numpy(record.tokens().weights.sum(axis=0, dtype=np.float64)[None, :-1])
    return float(coverage(attention, torch.ones_like(attention, dtype=torch.bool)))


def looked_at(source: Encoding, token: int) -> str:
    """What a source token covers, as it was typed."""
    start, end = source.text.to_original(source.spans[token])
    return source.text.original[start:end].strip()


def record_of(
    columns: Side,
    rows: Side | None,
    weights: Mapping[str, Weights],
    sites: Mapping[str, Site],
    engine: str,
    *,
    second: Side | None = None,
) -> AttentionRecord:
    """Cut the padding away, and keep the sides that give the labels.

    columns: the text that was read
    rows:    what was written; None where nothing is
    second:  what was read beside the text
    """
    looks = []
    for path, site in sites.items():
        read = second if site.text and second else columns
        lines, across = sides_of(site.kind, read, rows or NOTHING_WRITTEN, weights[path].shape[-2])
        own = weights[path][..., : len(lines.tokens), : len(across.tokens)]
        looks.append(Look(path, site.kind, np.ascontiguousarray(own), site.layer, site.text))
    return AttentionRecord(columns, rows, tuple(looks), engine=engine, second=second)


def side_of(encoding: Encoding, dictionary: Dictionary, *, ended: bool) -> Side:
    """Labels in the user's own characters."""
    spans = tuple(encoding.text.to_original(span) for span in encoding.spans)
    specials = (SPECIAL[EOS],) if ended else ()
    return Side(encoding.text.original, encoding.pieces, spans, specials, dictionary)
