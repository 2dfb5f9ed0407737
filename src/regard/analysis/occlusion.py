"""What is measured: how the score of an outcome changes when a word, or a head, is taken away."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from regard.analysis.outcome import Outcome, SourceWord, Variant
from regard.errors import DataError
from regard.insight.edits import mask, mask_head, remove
from regard.metrics.statistics import Floats
from regard.nn.trace import Trace

Way = Literal["removal", "occlusion", "mask"]


@dataclass(frozen=True)
class Measured:
    """The effects of words by one way to take them away."""

    effects: Floats
    """(words,): the score without the change less that with it; NaN where there is none."""
    instead: tuple[str | None, ...]
    """What is said then; None where that was not asked for, or cannot be."""
    reason: str | None = None
    """Why there are no effects at all."""


@dataclass(frozen=True)
class HeadEffect:
    """The effect of masking one head."""

    path: str
    head: int
    effect: float
    instead: str | None = None


def measure(
    outcome: Outcome,
    words: Sequence[SourceWord],
    ways: Sequence[Way],
    *,
    heads: bool,
    alternatives: bool | None,
) -> tuple[float, str, dict[Way, Measured], list[HeadEffect]]:
    """The score of the outcome, what is said, and the effects of each word by each way: one batch for all.

    heads:        also mask each head
    alternatives: tell what is said instead: None for the first way that takes any word away, True for all,
                  False for none
    """
    variants: list[Variant] = [outcome.plain]
    places: dict[Way, list[int | None]] = {}
    reasons: dict[Way, str] = {}
    for way in ways:
        places[way] = []
        for word in words:
            variant = _variant(outcome, word, way, reasons)
            places[way].append(None if variant is None else len(variants))
            variants += [] if variant is None else [variant]
    chosen = _heads(outcome) if heads else []
    of_heads = range(len(variants), len(variants) + len(chosen))
    variants += [_masked_head(outcome, path, head) for path, head in chosen]
    numbers = [[place for place in places[way] if place is not None] for way in ways] + [list(of_heads)]
    there = [own for own in numbers if own]
    told = there if alternatives else there[: 1 if alternatives is None else 0]
    scores, said = outcome.measured(variants, [0, *(place for own in told for place in own)] if told else [])
    effects = difference(scores)
    measured = {}
    for way in ways:
        own = [np.nan if place is None else effects[place] for place in places[way]]
        texts = tuple(None if place is None else said.get(place) for place in places[way])
        empty = all(place is None for place in places[way])
        reason = reasons.get(way, "none of these words can be taken away") if empty else None
        measured[way] = Measured(np.array(own, dtype=np.float64), texts, reason)
    by_head = [
        HeadEffect(path, head, float(effects[place]), said.get(place))
        for place, (path, head) in zip(of_heads, chosen, strict=True)
    ]
    return float(np.nansum(scores[0])), said.get(0, ""), measured, by_head


def difference(scores: Floats) -> Floats:
    """(n, units) -> (n,): the first row less each, over the units that it has; NaN if it has none."""
    apart = scores[0] - scores
    there = ~np.isnan(apart)
    return np.where(there.any(axis=1), np.where(there, apart, 0.0).sum(axis=1), np.nan)


def _variant(outcome: Outcome, word: SourceWord, way: Way, reasons: dict[Way, str]) -> Variant | None:
    """The input without a word; None where it cannot be taken away."""
    if way != "mask" and outcome.is_fixed(word):
        return None
    try:
        return _WAYS[way](outcome, word)
    except DataError as error:
        reasons[way] = str(error)
        return None


def _removed(outcome: Outcome, word: SourceWord) -> Variant:
    return outcome.edited(word.side, [remove(word.number)])


def _masked(outcome: Outcome, word: SourceWord) -> Variant:
    if not outcome.sites:
        raise DataError(outcome.no_attention)
    return outcome.edited(word.side, [mask(word.number)])


def _occluded(outcome: Outcome, word: SourceWord) -> Variant:
    if isinstance(outcome.occluder, str):
        raise DataError(outcome.occluder)
    side = outcome.sides[word.side]
    tokens = [token - len(side.before) for token in side.members(word.number)]
    return outcome.occluded(word.side, tokens, outcome.occluder.token)


_WAYS: dict[Way, Callable[[Outcome, SourceWord], Variant]] = {
    "removal": _removed,
    "occlusion": _occluded,
    "mask": _masked,
}


def _heads(outcome: Outcome) -> list[tuple[str, int]]:
    """Every head, or hop, of every attention."""
    if not outcome.sites:
        raise DataError(outcome.no_attention)
    trace = Trace(outcome.network)
    outcome.forward(trace)
    found = []
    for path, site in outcome.sites.items():
        if kept := trace.kept[path]:
            shape = kept[0].weights.shape
            count = shape[-2] if site.kind == "hops" else shape[1] if len(shape) == 4 else 1
            found += [(path, head) for head in range(count)]
    return found


def _masked_head(outcome: Outcome, path: str, head: int) -> Variant:
    site = outcome.sites[path]
    return outcome.edited(site.text if len(outcome.sides) > 1 else 0, [mask_head(path, head)])
