"""Sentences through the search, in batches of like length."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from torch import nn

from regard.config.decoding import DecodingConfig
from regard.data.batching import SYMBOLS, length_batches, pad_sources
from regard.decoding.hypothesis import Hypothesis
from regard.decoding.limits import Limits
from regard.decoding.looking import Looking
from regard.decoding.search import expected_lengths
from regard.decoding.search import search as run_search
from regard.inference.constraints import Wishes
from regard.inference.interventions import SentenceEdits, trace_edits
from regard.inference.lengths import check_room, longest_output
from regard.inference.phrases import Speller
from regard.nn.masks import padding_mask
from regard.nn.side_by_side import side_by_side
from regard.nn.step import EncoderDecoder
from regard.nn.trace import Trace
from regard.text.tokenizer import BOS, EOS, PAD, UNK, Encoding


def search_all(
    module: nn.Module,
    sources: Sequence[Encoding],
    settings: DecodingConfig,
    wishes: Sequence[Wishes],
    speller: Speller,
    *,
    n_best: int = 1,
    numbered_from: int = 0,
    edited: Sequence[SentenceEdits] | None = None,
    from_nothing: bool = False,
) -> list[list[Hypothesis]]:
    """The hypotheses wanted for each sentence, best first; none for a sentence without tokens.

    from_nothing: the model can write without a source, so that one without tokens has hypotheses, too
    edited: what is changed for each sentence; None searches without a trace
    """
    network: EncoderDecoder[Any] = module  # type: ignore[assignment]
    device = next(module.parameters()).device
    found: list[list[Hypothesis]] = [[] for _ in sources]
    full = [row for row, source in enumerate(sources) if source.ids or from_nothing]
    longest = {row: longest_output(sources[row], settings, network) for row in full}
    for row in full:
        check_room(sources[row], longest[row], wishes[row])
    lengths = [len(sources[row].ids) + 1 for row in full]
    constrained = any(wish.tokens.must for wish in wishes)

    def search(places: Sequence[int]) -> list[list[Hypothesis]]:
        rows = [full[place] for place in places]
        ids, sizes = pad_sources([sources[row].ids for row in rows], SYMBOLS)
        ids, sizes = ids.to(device), sizes.to(device)
        limits = Limits(
            BOS,
            EOS,
            never=(PAD, BOS) if settings.replace_unknown else (PAD, UNK, BOS),
            max_lengths=tuple(longest[row] for row in rows),
            borders=speller.borders if constrained else frozenset(),
        )
        wanted = [wishes[row].tokens for row in rows]
        if constrained and not settings.sample and settings.beam_groups == 1:
            expected = expected_lengths(network, ids, sizes, limits, settings, wanted)
            limits = replace(limits, expected=expected)
        changes = trace_edits([edited[row] for row in rows]) if edited is not None else None
        looking = None
        if settings.coverage_beta:
            words = padding_mask(sizes - 1, ids.shape[1])  # </s> need not be looked at
            trace = Trace(module, changes, keep=network.cross_attention)  # the others would pile up
            looking = Looking(trace, network.cross_attention, words)
        return run_search(
            network,
            ids,
            sizes,
            limits,
            settings,
            constraints=wanted,
            numbers=[numbered_from + row for row in rows],
            n_best=n_best,
            looking=looking,
            trace=None if changes is None else Trace(module, changes, keep=False),
        )

    batches = list(length_batches(lengths, budget=settings.batch_tokens))
    for places, results in zip(batches, side_by_side(search, batches, device), strict=True):
        for place, hypotheses in zip(places, results, strict=True):
            found[full[place]] = hypotheses[:n_best]
    return found
