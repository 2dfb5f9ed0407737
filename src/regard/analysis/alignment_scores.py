"""Word alignments beside those of a person: error rate, precision, recall and F1, with their intervals."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from regard.analysis.alignment import Aligner, Placed, WordAlignment
from regard.data.alignments import GoldLinks
from regard.insight.word_links import UNITS
from regard.metrics.alignment import Alignment, alignment_statistics
from regard.metrics.bootstrap import SAMPLES, Interval, interval, resample
from regard.progress import track

_TOGETHER = 512


@dataclass(frozen=True)
class AlignmentScores:
    """How good the alignments of some pairs are."""

    rows: int
    """Pairs that somebody aligned."""
    metrics: dict[str, float]
    intervals: dict[str, Interval]
    """Where 95 % of the resampled scores lie; empty without resamples."""

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        return {
            "rows": self.rows,
            "metrics": {name: round(value, 6) for name, value in self.metrics.items()},
            "intervals": {name: [round(own, 6) for own in bounds] for name, bounds in self.intervals.items()},
        }


def gold_alignments(
    aligner: Aligner, placed: Sequence[Placed], gold: Sequence[GoldLinks | None], *, quiet: bool
) -> list[WordAlignment]:
    """An alignment for each pair, in the words that its gold counts."""
    own_unit = aligner.options.unit
    units = [own_unit if own is None else UNITS[own.words] for own in gold]
    found: list[WordAlignment] = []
    starts = range(0, len(placed), _TOGETHER)
    for first in track(starts, "aligning", unit="batches", every=1, quiet=quiet):
        part = placed[first : first + _TOGETHER]
        pairs, places = [pair for _, pair in part], [where for where, _ in part]
        found += aligner.align(pairs, places, units[first : first + _TOGETHER])
    return found


def alignment_scores(
    found: Sequence[WordAlignment], gold: Sequence[GoldLinks | None], *, samples: int = SAMPLES
) -> AlignmentScores:
    """The scores of alignments over all pairs that have gold."""
    known: list[Alignment] = [
        (one.pairs, own.sure, own.possible) for one, own in zip(found, gold, strict=True) if own is not None
    ]
    statistics = alignment_statistics(known)
    drawn = resample(statistics, samples=samples) if known else {}
    return AlignmentScores(
        len(known),
        {name: own.value() for name, own in statistics.items()},
        {name: interval(scores) for name, scores in drawn.items()},
    )
