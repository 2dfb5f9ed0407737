"""Teacher forcing of given translations: the log-probability of each token, and the attention weights."""

import itertools
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import Any, TypeVar

import torch
from torch import Tensor, nn

from regard.data.batching import SYMBOLS, Batch, EncodedPair, length_batches, make_batch
from regard.decoding.hypothesis import Hypothesis
from regard.inference.attention import EMPTY_INPUT, CapturedAttention, token_axis
from regard.inference.generation import TeacherForced
from regard.inference.interventions import SentenceEdits, trace_edits
from regard.insight.record import AttentionRecord
from regard.nn.decoder import EncoderDecoder, OutputPositions
from regard.nn.trace import Trace
from regard.text.korean import Dictionary
from regard.text.tokenizer import Encoding

AttentionReader = tuple[AttentionRecord, list[float]]
"""The attention, and the log-probability of each target token and of </s>."""
T = TypeVar("T")
_POSITIONS_AT_ONCE = 1024
_TEXTS_AT_ONCE = 4096
"""Texts that are sorted by length and scored together."""
NO_ATTENTION = AttentionRecord(reason="this model has no attention: one vector stands for the whole sentence")
NOT_LOOKING_BACK = AttentionRecord(
    reason="this model has no attention: its state is all it keeps of the words before"
)


@torch.inference_mode()
def teacher_force(
    module: nn.Module,
    pairs: Sequence[EncodedPair],
    *,
    budget: int,
    device: torch.device,
    look: bool | Collection[str],
    edited: Sequence[SentenceEdits] | None = None,
    score: bool = True,
) -> Iterator[tuple[int, list[float], CapturedAttention | None]]:
    """Force pairs through a model in batches of like length, in no particular order.

    pairs:  each with tokens on its source side
    budget: tokens in a batch, padding included
    look:   also read the attention (slower); paths read those alone
    edited: what is changed for each pair
    score:  False leaves out the log-probabilities, and with them the work of the output layer
    yields: the row; the log-probability of each target token and of </s>; the weights of each attention,
            None where attention is not asked for
    """
    network: EncoderDecoder[Any] = module  # type: ignore[assignment]
    every = network.attentions
    sites = every if isinstance(look, bool) else {path: every[path] for path in every if path in look}
    longest = [max(len(pair.source), len(pair.target)) + 1 for pair in pairs]
    for rows in length_batches(longest, budget=budget):
        batch = make_batch(pairs, rows, SYMBOLS).to(device)
        changes = trace_edits([edited[row] for row in rows]) if edited is not None else None
        trace = Trace(module, changes, keep=look) if look or changes else None
        written = network.teacher_forced(batch.inputs, trace=trace)
        seen = CapturedAttention.of(trace, module, sites) if trace and look else None
        values = of_wanted(written, batch) if score else None
        for place, row in enumerate(rows):
            own = [] if values is None else values[place, : len(pairs[row].target) + 1].tolist()
            yield row, own, seen and seen.row(place)


def score_texts(
    module: nn.Module,
    texts: Iterable[T],
    encode: Callable[[Sequence[T]], list[EncodedPair]],
    *,
    budget: int,
    device: torch.device,
) -> Iterator[tuple[T, EncodedPair, tuple[float, ...]]]:
    """Given texts, streaming and in their order: each in tokens, with their log-probabilities."""
    left = iter(texts)
    while chunk := list(itertools.islice(left, _TEXTS_AT_ONCE)):
        pairs = encode(chunk)
        values: list[tuple[float, ...]] = [()] * len(pairs)
        for row, own, _ in teacher_force(module, pairs, budget=budget, device=device, look=False):
            values[row] = tuple(own)
        yield from zip(chunk, pairs, values, strict=True)


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
    only: Collection[str] | None = None,
) -> list[AttentionReader]:
    """Feed each target to a model by teacher forcing, and record the attention.

    ended:        False where a target was cut off: it has no row for </s>, since the model did not write one
    dictionaries: of source and target, for those who ask for morphemes
    budget:       tokens in a batch
    edited:       what is changed for each sentence; the sources are those that are read then
    from_nothing: the model reads no source: a target is forced whatever its source is
    only:         the paths of the attentions that are wanted, and no log-probabilities (faster)
    """
    results: list[AttentionReader] = [(EMPTY_INPUT, [])] * len(sources)
    rows = [row for row, source in enumerate(sources) if source.ids or from_nothing]
    pairs = [EncodedPair(sources[row].ids, targets[row].ids) for row in rows]
    for place, values, seen in teacher_force(
        module,
        pairs,
        budget=budget,
        device=device,
        look=True if only is None else only,
        edited=None if edited is None else [edited[row] for row in rows],
        score=only is None,
    ):
        row, record = rows[place], EMPTY_INPUT
        if seen is not None:
            record = seen.record(
                token_axis(sources[row], dictionaries[0], ended=True),
                token_axis(targets[row], dictionaries[1], ended=ended[row]),
                without=NOT_LOOKING_BACK if from_nothing else NO_ATTENTION,
            )
        results[row] = (record, values)
    return results


@torch.inference_mode()
def teacher_force_edited(
    module: nn.Module,
    outputs: Sequence[Hypothesis | None],
    sources: tuple[Sequence[Encoding], Sequence[Encoding]],
    edited: Sequence[SentenceEdits],
    *,
    budget: int,
    device: torch.device,
) -> list[TeacherForced]:
    """Force outputs through a model as it is, and with edits; both with a trace. Without an output, nothing.

    sources: those that the model reads without the edits, and those with them
    """
    network: EncoderDecoder[Any] = module  # type: ignore[assignment]
    given = [(row, own) for row, own in enumerate(outputs) if own is not None]
    pairs, changed = ([EncodedPair(side[row].ids, own.tokens) for row, own in given] for side in sources)
    edited = [edited[row] for row, _ in given]
    longest = [max(len(pair.source), len(pair.target)) + 1 for pair in pairs]
    results: list[TeacherForced] = [TeacherForced([], [], [])] * len(outputs)
    for rows in length_batches(longest, budget=budget):
        sides = []
        for read, changes in ((pairs, {}), (changed, trace_edits([edited[row] for row in rows]))):
            batch = make_batch(read, rows, SYMBOLS).to(device)
            trace = Trace(module, changes, keep=False)
            written = network.teacher_forced(batch.inputs, trace=trace)
            sides.append((batch, written.at(batch.real)))
        (batch, before), (_, after) = sides
        values = torch.zeros(*batch.real.shape, 3, dtype=torch.float64, device=device)
        wanted = batch.wanted[batch.real]
        values[batch.real] = torch.cat(
            [_compared(before.at(part), after.at(part), wanted[part]) for part in _parts(len(wanted))]
        )
        for place, row in enumerate(rows):
            number, own = given[row]
            size = len(own.tokens) + own.ended  # an output that was cut off has no </s>
            results[number] = TeacherForced(*(values[place, :size, n].tolist() for n in range(3)))
    return results


def _compared(before: OutputPositions, after: OutputPositions, wanted: Tensor) -> Tensor:
    """Both log-probabilities of the wanted tokens, and the divergence: (n, 3) in float64."""
    one, other = (seen.logits().double().log_softmax(dim=-1) for seen in (before, after))
    divergence = (one.exp() * (one - other)).sum(dim=-1).clamp(min=0.0)  # rounding can leave it below
    own = (logs.gather(1, wanted[:, None]).squeeze(1) for logs in (one, other))
    return torch.stack([*own, divergence], dim=-1)


def _parts(count: int) -> Iterator[slice]:
    for start in range(0, count, _POSITIONS_AT_ONCE):
        yield slice(start, start + _POSITIONS_AT_ONCE)


def of_wanted(written: OutputPositions, batch: Batch) -> Tensor:
    """The log-probability of every wanted token, (b, t) in float64; 0 on padding."""
    wanted = batch.wanted[batch.real]
    found = []
    seen = written.at(batch.real)
    for part in _parts(len(wanted)):
        logits, tokens = seen.at(part).logits(), wanted[part]
        found.append(logits.gather(1, tokens[:, None]).squeeze(1) - logits.logsumexp(dim=1))
    values = torch.zeros(batch.real.shape, dtype=torch.float64, device=wanted.device)
    values[batch.real] = torch.cat(found).double()
    return values
