"""Head importance: what a model loses when heads are masked, one alone, and more and more of them.

Michel et al. 2019, "Are Sixteen Heads Really Better than One?".
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from regard.analysis.losses import RowLosses
from regard.inference.interventions import SentenceEdits
from regard.inference.weight_changes import Change, mask_head, mask_hop
from regard.metrics.statistics import Statistics

Head = tuple[str, str, int]
"""The path of an attention, its kind, and the number of a head or hop."""
CURVE_POINTS = 12
"""At most so many points of the pruning curve, both ends among them."""


@dataclass(frozen=True)
class HeadImportance:
    """How much the loss grows with masked heads."""

    loss: float
    """Without any."""
    unit: str
    """What the loss is a mean over."""
    rows: int
    changes: dict[tuple[str, int], float]
    """By path and head: L(head masked) − L."""
    curve: tuple[tuple[int, float], ...]
    """(heads masked, loss), the least important first."""

    def to_dict(self) -> dict[str, Any]:
        """Plain values; the changes are with the measures of the heads."""
        curve = [[count, round(loss, 6)] for count, loss in self.curve]
        return {
            "loss": round(self.loss, 6), "unit": self.unit, "rows": self.rows, "pruning_curve": curve,
        }  # fmt: skip


def head_importance(
    losses: RowLosses, heads: Sequence[Head], *, each: Callable[[Sequence[Any]], Iterable[Any]] = iter
) -> HeadImportance:
    """Mask every head alone; then all of them one after the other, those of the smallest change first.

    each: goes through the passes over the rows, and may tell of them
    """
    whole = losses.statistics()
    loss = whole.value()
    changes = {
        (path, head): losses.statistics(masked([(path, kind, head)])).value() - loss
        for path, kind, head in each(heads)
    }
    order = sorted(heads, key=lambda own: changes[own[0], own[2]])
    curve = [
        (count, losses.statistics(masked(order[:count])).value() if count else loss)
        for count in each(_points(len(heads)))
    ]
    return HeadImportance(loss, losses.unit, _counted(whole), changes, tuple(curve))


def masked(heads: Sequence[Head]) -> SentenceEdits:
    """The edits that put 0 into heads."""
    return SentenceEdits(
        tuple(
            Change(frozenset([path]), (mask_hop if kind == "hops" else mask_head)(head, path))
            for path, kind, head in heads
        )
    )


def _points(heads: int) -> list[int]:
    """How many heads are masked at each point of the curve."""
    count = min(CURVE_POINTS, heads + 1)
    return sorted({round(heads * place / max(1, count - 1)) for place in range(count)})


def _counted(whole: Statistics) -> int:
    return int((whole.counts[:, 1] > 0).sum())
