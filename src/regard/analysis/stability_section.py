"""What a report says of stability: a line for each change, and the worst cases."""

import math
from dataclasses import dataclass, field
from typing import Any, ClassVar

from regard.analysis.estimate import Estimate
from regard.analysis.page import heading, number_text, paragraph, table_html, table_lines
from regard.insight.display import visible
from regard.progress import counted

_WORST = 10
_WORST_IN_PAGE = 50
_WORST_IN_JSON = 200
_HEAD = ["change", "rows", "other output", "95 % interval", "how far", "other attention", "how far"]


@dataclass(frozen=True)
class ChangeResult:
    """What one kind of change does."""

    name: str
    meaning: str
    changed: Estimate
    """The share of rows with another output."""
    distance: Estimate
    """How far the output is from that of the text as it is, the mean."""
    attention_changed: Estimate
    """The share of rows whose attention counts as changed, of those that have some."""
    attention: Estimate
    """How far it is, the mean."""

    @property
    def rows(self) -> int:
        """How many rows the change could be made for."""
        return self.changed.texts

    def to_dict(self) -> dict[str, Any]:
        """Plain values."""
        return {
            "name": self.name,
            "meaning": self.meaning,
            "rows": self.rows,
            "changed": self.changed.to_dict(),
            "distance": self.distance.to_dict(),
            "attention_changed": self.attention_changed.to_dict(),
            "attention_distance": self.attention.to_dict(),
        }

    def cells(self) -> list[str]:
        """A line of the table."""
        own = (self.distance, self.attention_changed, self.attention)
        return [
            self.name,
            f"{self.rows:,}",
            *([_percent(self.changed.value), self._interval()] if self.rows else ["–", ""]),
            *(
                "–"
                if math.isnan(one.value)
                else _percent(one.value)
                if place == 1
                else number_text(one.value)
                for place, one in enumerate(own)
            ),
        ]

    def _interval(self) -> str:
        return f"{_percent(self.changed.low)} to {_percent(self.changed.high)}"


@dataclass(frozen=True)
class Case:
    """One changed input with another output."""

    change: str
    where: str
    before: str
    after: str
    said_before: str
    said_after: str
    distance: float
    attention: float

    def to_dict(self) -> dict[str, Any]:
        """Plain values."""
        return {
            "change": self.change,
            "where": self.where,
            "before": self.before,
            "after": self.after,
            "said_before": self.said_before,
            "said_after": self.said_after,
            "distance": _number(self.distance),
            "attention_distance": _number(self.attention),
        }


@dataclass(frozen=True)
class StabilitySection:
    """The stability of a model."""

    name: ClassVar[str] = "stability"
    title: ClassVar[str] = "Is it stable?"
    output: str
    """What is the output."""
    measure: str
    """What its distance is."""
    attention_measure: str
    results: tuple[ChangeResult, ...]
    """In the order of the changes; other seeds come last."""
    cases: tuple[Case, ...] = field(repr=False)
    """Changed outputs, the most distant first."""
    read: int
    rows: int
    """How many rows were read, and how many there are."""
    notes: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Plain values; of the cases the worst."""
        return {
            "rows": self.read,
            "of": self.rows,
            "output": self.output,
            "distance": self.measure,
            "attention_distance": self.attention_measure,
            "changes": [one.to_dict() for one in self.results],
            "cases": [one.to_dict() for one in self.cases[:_WORST_IN_JSON]],
            "notes": list(self.notes),
        }

    def lines(self) -> list[str]:
        """The table, what the changes are, and the worst cases."""
        found = [self._sample(), *table_lines(_HEAD, [one.cells() for one in self.results])]
        found += [f"  {one.name}: {one.meaning}" for one in self.results]
        found += [self._legend(), *(f"note: {note}" for note in self.notes)]
        if self.cases:
            found.append("worst first:")
        for one in self.cases[:_WORST]:
            found += [
                f"  {one.where or 'row'}, {one.change}: {number_text(one.distance)}",
                f"    {visible(one.before)}",
                *([] if one.before == one.after else [f"    {visible(one.after)}"]),
                *([f"    → {visible(one.said_before)}"] if one.said_before else []),
                *([f"    → {visible(one.said_after)}"] if one.said_after else []),
            ]
        return found

    def html(self) -> str:
        """The same."""
        rows = [[*one.cells(), one.meaning] for one in self.results]
        parts = [
            paragraph(self._sample()),
            table_html([*_HEAD, "the change"], rows),
            paragraph(self._legend(), kind="note"),
            *(paragraph(note, kind="note") for note in self.notes),
        ]
        if self.cases:
            cases = []
            for one in self.cases[:_WORST_IN_PAGE]:
                first = [one.change, one.where, number_text(one.distance)]
                cases += [[*first, one.before, one.said_before], ["", "", "", one.after, one.said_after]]
            head = ["change", "where", "how far", "text, and changed", "output of each"]
            parts += [heading("Other outputs, the most distant first"), table_html(head, cases)]
        return "".join(parts)

    def _sample(self) -> str:
        if self.read == self.rows:
            return f"{counted(self.read, 'row')}, each read as it is and with each change"
        return f"{self.read:,} of {self.rows:,} rows, evenly spaced, each read as it is and with each change"

    def _legend(self) -> str:
        return (
            f"other output: another {self.output}; how far: {self.measure}; attention, how far: "
            f"{self.attention_measure}"
        )


def _percent(share: float) -> str:
    return f"{share:.1%}"


def _number(value: float) -> float | None:
    return None if math.isnan(value) else round(value, 6)
