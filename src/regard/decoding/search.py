"""Generation: greedy search, beam search or sampling, by the settings."""

from collections.abc import Sequence
from dataclasses import replace

import torch
from torch import Tensor

from regard.config.decoding import DecodingConfig
from regard.decoding.beam import beam_search
from regard.decoding.beam_recorder import BeamRecorder
from regard.decoding.coverage import SourceAttention
from regard.decoding.hypothesis import Hypothesis, Ranking, SearchLimits
from regard.decoding.lexical_constraints import UNCONSTRAINED, LexicalConstraints, TokenConstraints
from regard.decoding.observer import SearchObserver, observed_rows
from regard.decoding.rules import ForbiddenPhrases, ForcedPrefix, MinLength, NoRepeatNgram, Rule, Rules
from regard.decoding.stepwise import Sampling, greedy_search, sample
from regard.errors import ConfigError
from regard.nn.decoder import Decoder, S
from regard.nn.trace import Trace


def search(
    decoder: Decoder[S],
    source: Tensor,
    lengths: Tensor,
    limits: SearchLimits,
    settings: DecodingConfig,
    *,
    constraints: Sequence[TokenConstraints] | None = None,
    numbers: Sequence[int] | None = None,
    n_best: int = 1,
    looking: SourceAttention | None = None,
    trace: Trace | None = None,
    recorder: BeamRecorder | None = None,
    observer: SearchObserver | None = None,
) -> list[list[Hypothesis]]:
    """Generate sentences for each source sentence, (b, s) and (b,), by the search that the settings ask for.

    constraints: of each sentence
    numbers:     when sampling, the index of each sentence in its text
    n_best:      when sampling, how many sentences to draw; they come in the order in which they were drawn
    looking:     needed for a coverage penalty
    trace:       of the search; where there is `looking`, its own
    recorder:    of a beam: told of every step of one sentence; greedy search is then a beam of one
    observer:    who waits for the sentences
    returns:     for each sentence its hypotheses: of a beam all, best first
    """
    if looking is not None:
        trace = looking.trace
    wishes = list(constraints) if constraints is not None else [UNCONSTRAINED] * len(source)
    rules, ranking = make_rules(limits, settings, wishes), Ranking.of(settings)
    wanting = [row for row, wish in enumerate(wishes) if wish.must]
    if settings.sample:
        _refuse_must(wanting, "sampling")
        draws = [
            sample(
                decoder,
                source,
                lengths,
                limits,
                sampling=Sampling.of(settings),
                numbers=numbers if numbers is not None else range(len(source)),
                draw=draw,
                rules=rules,
                ranking=ranking,
                trace=trace,
                observer=observer,
            )
            for draw in range(n_best)
        ]
        return [list(drawn) for drawn in zip(*draws, strict=True)]
    if settings.beam_size == 1 and not ranking.beta and recorder is None:
        if wanting:
            return _greedy_but(wanting, decoder, source, lengths, limits, settings, wishes, trace, observer)
        found = greedy_search(
            decoder, source, lengths, limits, rules=rules, ranking=ranking, trace=trace, observer=observer
        )
        return [[hypothesis] for hypothesis in found]
    if settings.beam_groups > 1:
        _refuse_must(wanting, "a beam with groups")
    return beam_search(
        decoder,
        source,
        lengths,
        limits,
        beam_size=settings.beam_size,
        groups=settings.beam_groups,
        diversity=settings.diversity,
        only_best_end=settings.endings == "best",
        rules=rules,
        ranking=ranking,
        must=LexicalConstraints([wish.must for wish in wishes], limits) if wanting else None,
        looking=looking,
        trace=trace,
        recorder=recorder,
        observer=observer,
    )


def make_rules(limits: SearchLimits, settings: DecodingConfig, wishes: Sequence[TokenConstraints]) -> Rules:
    """The rules that the settings and the constraints ask for, and no others."""
    others: list[Rule] = []
    if settings.min_length:
        others.append(MinLength(settings.min_length, limits.eos))
    if settings.no_repeat_ngram:
        others.append(NoRepeatNgram(settings.no_repeat_ngram))
    if any(wish.must_not for wish in wishes):
        others.append(ForbiddenPhrases([wish.must_not for wish in wishes], limits.bos))
    begins = any(wish.prefix for wish in wishes)
    return Rules(limits.never, others, ForcedPrefix([wish.prefix for wish in wishes]) if begins else None)


def _refuse_must(wanting: Sequence[int], what: str) -> None:
    if wanting:
        raise ConfigError(f"{what} cannot guarantee words that must appear; use beam search without groups")


def expected_lengths(
    decoder: Decoder[S],
    source: Tensor,
    lengths: Tensor,
    limits: SearchLimits,
    settings: DecodingConfig,
    wishes: Sequence[TokenConstraints],
    observer: SearchObserver | None = None,
) -> tuple[int | None, ...]:
    """How long constrained sentences are without their phrases, with these added; None for the others."""
    expected: list[int | None] = [None] * len(wishes)
    wanting = [row for row, wish in enumerate(wishes) if wish.must]
    if wanting:
        rows = torch.tensor(wanting, device=source.device)
        own = limits.of(wanting)
        rules = make_rules(own, settings, [replace(wishes[row], must=()) for row in wanting])
        seen = observed_rows(observer, wanting, tells=False)
        found = greedy_search(decoder, source[rows], lengths[rows], own, rules=rules, observer=seen)
        for row, hypothesis in zip(wanting, found, strict=True):
            more = sum(min(len(spelling.tokens) for spelling in phrase) for phrase in wishes[row].must)
            expected[row] = len(hypothesis.tokens) + 1 + more
    return tuple(expected)


def _greedy_but(
    wanting: Sequence[int],
    decoder: Decoder[S],
    source: Tensor,
    lengths: Tensor,
    limits: SearchLimits,
    settings: DecodingConfig,
    wishes: Sequence[TokenConstraints],
    trace: Trace | None,
    observer: SearchObserver | None,
) -> list[list[Hypothesis]]:
    """Greedy search, but a beam of 1 for constrained sentences: the batch composition changes nothing."""
    results: list[list[Hypothesis]] = [[] for _ in wishes]
    others = [row for row in range(len(wishes)) if row not in set(wanting)]
    for rows in filter(None, (list(wanting), others)):
        chosen = torch.tensor(rows, device=source.device)
        own = [wishes[row] for row in rows]
        if trace is not None:
            trace.part = rows
        part = source[chosen], lengths[chosen], limits.of(rows)
        rules, ranking = make_rules(limits, settings, own), Ranking.of(settings)
        seen = observed_rows(observer, rows)
        if rows == others:
            written = greedy_search(decoder, *part, rules=rules, ranking=ranking, trace=trace, observer=seen)
            found = [[best] for best in written]
        else:
            must = LexicalConstraints([wish.must for wish in own], limits)
            found = beam_search(
                decoder,
                *part,
                beam_size=1,
                rules=rules,
                ranking=ranking,
                must=must,
                trace=trace,
                observer=seen,
            )
        for row, hypotheses in zip(rows, found, strict=True):
            results[row] = hypotheses
    return results
