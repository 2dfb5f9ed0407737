"""Which heads of a translator align words best: every head of its cross-attention, and means of several.

A head is scored by the alignment error rate against gold; or, without gold, by how far its links agree with
those of a head of a model in the opposite direction: 2 |A ∩ B| / (|A| + |B|). To the best head, the one is
added whose mean with it is best, and so on, as long as that helps: forward selection.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

import numpy as np
import numpy.typing as npt

from regard.analysis.alignment import Placed, check_aligns, check_opposite
from regard.data.alignments import GoldLinks
from regard.errors import DataError
from regard.inference.attention import heads_in
from regard.insight.alignment_heads import shifted
from regard.insight.maps import Weights
from regard.insight.record import AttentionRecord
from regard.insight.word_links import UNITS, AlignmentUnit, counted_in
from regard.metrics.alignment import AER, statistics_of_counts
from regard.store.alignment import SHIFTS, AlignmentHeads, Head
from regard.tasks.translation.predictor import Translator

Criterion = Literal["aer", "agreement"]
MOST_HEADS = 6
"""More are not averaged: each costs a pass over the pairs."""
_TOGETHER = 512
Track = Callable[[Sequence[Placed]], Iterator[Placed]]
Counts = npt.NDArray[np.int64]
Rows = npt.NDArray[np.int64]
"""(candidates, target words): the source word of the largest weight of each."""


@dataclass(frozen=True)
class Scored:
    """Some heads, and how well they align."""

    heads: AlignmentHeads
    score: float


@dataclass(frozen=True)
class HeadSearch:
    """What a search has found."""

    by: Criterion
    candidates: tuple[Scored, ...]
    """All that were tried, the best first."""
    before: float
    """The score of the mean of all heads."""
    rows: int
    """Pairs that it was found on."""

    @property
    def best(self) -> AlignmentHeads:
        """The heads to choose, and how they were found."""
        first = self.candidates[0]
        chosen = {"by": self.by, "score": round(first.score, 6), "mean": round(self.before, 6)}
        return AlignmentHeads(first.heads.heads, first.heads.shift, {**chosen, "rows": self.rows})

    def to_dict(self, *, show: int) -> dict[str, Any]:
        """Plain values, for JSON; show: how many of the best."""
        return {
            "by": self.by,
            "rows": self.rows,
            "mean": round(self.before, 6),
            "candidates": [
                {
                    "heads": [str(head) for head in own.heads.heads],
                    "shift": own.heads.shift,
                    "score": round(own.score, 6),
                }
                for own in self.candidates[:show]
            ],
        }


class _Criterion(Protocol):
    """Adds up what the links of each candidate are worth, pair by pair."""

    def add(self, row: int, best: Rows, sources: int) -> None:
        """Count the links of one pair."""
        ...

    def scores(self) -> list[float]:
        """Of each candidate."""
        ...


class _ErrorRate:
    """The alignment error rate."""

    def __init__(self, gold: Sequence[GoldLinks | None]) -> None:
        self._gold = gold
        self._counts: Counts | None = None

    def add(self, row: int, best: Rows, sources: int) -> None:
        gold = self._gold[row]
        assert gold is not None
        candidates, targets = best.shape
        if self._counts is None:
            self._counts = np.zeros((candidates, 4), dtype=np.int64)
        for place, links in enumerate((gold.sure, gold.possible)):
            right = np.zeros((targets, sources), dtype=np.int64)
            for source, target in links:
                right[target, source] = 1
            self._counts[:, place] += right[np.arange(targets), best].sum(axis=1)
        self._counts[:, 2] += targets
        self._counts[:, 3] += len(gold.sure)

    def scores(self) -> list[float]:
        counts = np.zeros((0, 4)) if self._counts is None else self._counts.astype(np.float64)
        return [statistics_of_counts(own)[AER].value() for own in counts]


class _Agreement:
    """How far links agree with those of each candidate of the other direction."""

    def __init__(self, other: Sequence[Rows]) -> None:
        self._other = other
        self._both: npt.NDArray[np.int64] | None = None
        self._links = 0

    def add(self, row: int, best: Rows, sources: int) -> None:
        back = self._other[row]  # (candidates, source words): the target word of each
        targets = best.shape[1]
        forward = np.zeros((len(best), targets, sources), dtype=np.float32)
        forward[np.arange(len(best))[:, None], np.arange(targets), best] = 1
        backward = np.zeros((len(back), targets, sources), dtype=np.float32)
        backward[np.arange(len(back))[:, None], back, np.arange(sources)] = 1
        both = forward.reshape(len(best), -1) @ backward.reshape(len(back), -1).T
        whole = both.astype(np.int64)
        self._both = whole if self._both is None else self._both + whole
        self._links += targets + sources

    def table(self) -> npt.NDArray[np.float64]:
        """(candidates, candidates of the other direction)."""
        both = np.zeros((1, 1), dtype=np.int64) if self._both is None else self._both
        table: npt.NDArray[np.float64] = 2 * both / max(1, self._links)
        return table

    def scores(self) -> list[float]:
        best: list[float] = self.table().max(axis=1).tolist()
        return best


def find_heads(
    model: Translator,
    pairs: Sequence[Placed],
    *,
    gold: Sequence[GoldLinks | None] | None = None,
    reverse: Translator | None = None,
    unit: AlignmentUnit = "words",
    track: Track = iter,
) -> HeadSearch:
    """Search the heads whose attention aligns words best, each also with its rows shifted by one.

    pairs:   with their places
    gold:    their alignments; without, the agreement with `reverse` decides
    reverse: a model in the opposite direction
    unit:    what is counted, without gold
    track:   shows how far the work has come
    """
    check_aligns(model)
    units: list[AlignmentUnit] = [unit] * len(pairs)
    if gold is not None:
        units = ["words" if own is None else UNITS[own.words] for own in gold]
        rows = [row for row, own in enumerate(gold) if own is not None]
    elif reverse is None:
        raise DataError(
            "expected gold alignments, or a model in the opposite direction (reverse), found neither"
        )
    else:
        check_aligns(reverse, "the reverse model")
        check_opposite(model, reverse)
        rows = list(range(len(pairs)))
    chosen = [(pairs[row], units[row]) for row in rows]
    singles = [
        AlignmentHeads((one,), shift)
        for shift in SHIFTS
        for one in heads_in(model.module, model.network.cross_attention)
    ]
    criterion: _Criterion
    other: list[Rows] = []
    if gold is None and reverse is not None:
        turned = [((where, (target, source)), unit) for (where, (source, target)), unit in chosen]
        every = [
            AlignmentHeads((one,), shift)
            for shift in SHIFTS
            for one in heads_in(reverse.module, reverse.network.cross_attention)
        ]
        other = [best for _, best, _ in _best_words(reverse, turned, every, iter)]
        criterion = _Agreement(other)
    else:
        criterion = _ErrorRate([(gold or [])[row] for row in rows])
    first = _scored(model, chosen, singles, criterion, track)
    lower_is_better = gold is not None
    if isinstance(criterion, _Agreement):  # from here on against the head that fits best
        column = int(criterion.table().max(axis=0).argmax())
        other = [best[column : column + 1] for best in other]
        first = [
            Scored(own.heads, float(score))
            for own, score in zip(first, criterion.table()[:, column], strict=True)
        ]

    def again() -> _Criterion:
        return _ErrorRate([(gold or [])[row] for row in rows]) if lower_is_better else _Agreement(other)

    def score(candidates: Sequence[AlignmentHeads]) -> list[Scored]:
        return _scored(model, chosen, candidates, again(), track)

    heads = tuple(one.heads[0] for one in singles if one.shift == 0)
    second = score([AlignmentHeads(heads, shift) for shift in SHIFTS]) if len(heads) > 1 else []
    before = next(own.score for own in (*second, *first) if own.heads == AlignmentHeads(heads))
    third = _selected(first, score, lower_is_better=lower_is_better)
    found = {own.heads: own for own in (*first, *third, *second)}
    ordered = _ordered(list(found.values()), lower_is_better=lower_is_better)
    return HeadSearch("aer" if lower_is_better else "agreement", tuple(ordered), before, len(rows))


def _ordered(found: Sequence[Scored], *, lower_is_better: bool) -> list[Scored]:
    """The best first; of equals the simplest: not shifted, of few heads."""
    sign = 1 if lower_is_better else -1
    return sorted(
        found, key=lambda own: (round(sign * own.score, 9), abs(own.heads.shift), len(own.heads.heads))
    )


def _selected(
    singles: Sequence[Scored],
    score: Callable[[Sequence[AlignmentHeads]], list[Scored]],
    *,
    lower_is_better: bool,
) -> list[Scored]:
    """Means of more and more heads, all that were tried: each time the head that helps most is added."""
    best = _ordered(singles, lower_is_better=lower_is_better)[0]
    rest = [own.heads.heads[0] for own in singles if own.heads.shift == best.heads.shift]
    tried: list[Scored] = []
    while len(best.heads.heads) < MOST_HEADS:
        rest = [head for head in rest if head not in best.heads.heads]
        longer = [
            AlignmentHeads(tuple(sorted((*best.heads.heads, head), key=_place)), best.heads.shift)
            for head in rest
        ]
        found = score(longer)
        tried += found
        first = _ordered([best, *found], lower_is_better=lower_is_better)[0]
        if first is best:
            break
        best = first
    return tried


def _place(head: Head) -> tuple[str, int]:
    return head.path, head.head or 0


def _scored(
    model: Translator,
    chosen: Sequence[tuple[Placed, AlignmentUnit]],
    candidates: Sequence[AlignmentHeads],
    criterion: _Criterion,
    track: Track,
) -> list[Scored]:
    if not candidates:
        return []
    for row, best, sources in _best_words(model, chosen, candidates, track):
        criterion.add(row, best, sources)
    return [Scored(heads, score) for heads, score in zip(candidates, criterion.scores(), strict=True)]


def _best_words(
    model: Translator,
    chosen: Sequence[tuple[Placed, AlignmentUnit]],
    candidates: Sequence[AlignmentHeads],
    track: Track,
) -> Iterator[tuple[int, Rows, int]]:
    """For each pair: its row, the best source word of each target word, and the number of source words."""
    paths = model.network.cross_attention
    order = {head: place for place, head in enumerate(heads_in(model.module, paths))}
    picks = [(SHIFTS.index(own.shift), [order[head] for head in own.heads]) for own in candidates]
    tracked = track([placed for placed, _ in chosen])
    for first in range(0, len(chosen), _TOGETHER):
        part = chosen[first : first + _TOGETHER]
        records = model.read_pairs([pair for (_, pair), _ in part], [where for (where, _), _ in part], paths)
        for row, (record, (_, unit)) in enumerate(zip(records, part, strict=True), start=first):
            next(tracked)
            if record.reason is None:
                maps = every_word_map(record, unit)
                if maps.size:
                    best = [maps[shift, heads].mean(axis=0).argmax(axis=1) for shift, heads in picks]
                    yield row, np.stack(best), maps.shape[-1]
                    continue
            yield row, np.zeros((len(picks), 0), dtype=np.int64), 0
    next(tracked, None)


def every_word_map(record: AttentionRecord, unit: AlignmentUnit) -> Weights:
    """(shifts, heads, target words, source words): the attention of every head, with each shift."""
    counted, record = counted_in(record, unit)
    rows, columns = record.sides("cross")
    stacked = np.concatenate(
        [own.weights.reshape(-1, *own.weights.shape[-2:]) for own in record.attentions if own.kind == "cross"]
    )
    across, down = columns.shares(counted), rows.shares(counted)
    by_source = stacked @ across
    pieces = np.maximum(down.sum(axis=0), 1e-9)[:, None]
    merged = np.stack([(down.T @ shifted(by_source, shift)) / pieces for shift in SHIFTS])
    lines = slice(len(rows.before), merged.shape[-2] - len(rows.specials))
    cells = slice(len(columns.before), merged.shape[-1] - len(columns.specials))
    found: Weights = merged[..., lines, cells]
    return found
