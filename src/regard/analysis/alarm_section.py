"""What a report says of alarms: how many outputs each flags, and the worst of them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from regard.analysis.alarm_catalogue import ALARMS
from regard.analysis.judging import Judged
from regard.analysis.page import heading, paragraph, table_html
from regard.analysis.thresholds import AlarmThresholds
from regard.insight.display import visible
from regard.progress import counted

NOT_FITTED = "thresholds are defaults, which no data has confirmed; fit them: regard check MODEL --fit-alarms"
_WORST = 10


@dataclass(frozen=True)
class AlarmSection:
    """The alarms of a corpus."""

    name: ClassVar[str] = "alarms"
    title: ClassVar[str] = "Outputs not to trust"
    judged: tuple[Judged, ...] = field(repr=False)
    """Every output, in the order of the corpus."""
    thresholds: AlarmThresholds = field(repr=False)
    not_applicable: Mapping[str, str] = field(default_factory=dict)
    """Alarms that apply to none of the outputs, and why."""

    @property
    def flagged(self) -> list[Judged]:
        """Outputs with an alarm, worst first."""
        return sorted((one for one in self.judged if one.raised), key=lambda one: -one.severity)

    @property
    def counts(self) -> dict[str, int]:
        """How many outputs each alarm flags, of those that apply."""
        names = [alarm.name for alarm in ALARMS if alarm.name not in self.not_applicable]
        return {name: sum(name in _names(one) for one in self.judged) for name in names}

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader should know."""
        return () if self.thresholds.is_fitted else (NOT_FITTED,)

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        known = self.thresholds
        return {
            "rows": len(self.judged),
            "flagged": len(self.flagged),
            "fitted": {"rows": known.rows, "rate": known.rate, "data": known.data}
            if known.is_fitted
            else None,
            "counts": self.counts,
            "thresholds": {name: known.limits[name].threshold for name in self.counts},
            "not_applicable": dict(self.not_applicable),
            "notes": list(self.notes),
            "outputs": [
                {
                    "where": one.one.where,
                    "source": one.one.source,
                    "text": one.one.text,
                    "severity": one.severity,
                    "alarms": [each.to_dict() for each in one.raised],
                }
                for one in self.flagged
            ],
        }

    def lines(self) -> list[str]:
        """For a terminal."""
        flagged, total = self.flagged, len(self.judged)
        share = f" ({len(flagged) / total:.1%})" if total else ""
        found = [f"{counted(len(flagged), 'output')} of {total:,} flagged{share}"]
        meanings = {alarm.name: alarm.meaning for alarm in ALARMS}
        for name, count in self.counts.items():
            limit = self.thresholds.limits[name].threshold
            found.append(f"  {name:<15} {count:>6,}   above {limit:.3g}: {meanings[name]}")
        found += [f"  {name:<15} does not apply: {why}" for name, why in self.not_applicable.items()]
        found += [f"note: {note}" for note in self.notes]
        if flagged:
            found.append("worst first:")
        for one in flagged[:_WORST]:
            found += [f"  {one.one.where or 'row'}: {told(one)}", *_texts(one)]
        return found

    def html(self) -> str:
        """A fragment of a page."""
        meanings = {alarm.name: alarm.meaning for alarm in ALARMS}
        rows = [
            [name, f"{count:,}", f"{self.thresholds.limits[name].threshold:.3g}", meanings[name]]
            for name, count in self.counts.items()
        ]
        rows += [[name, "–", "", f"does not apply: {why}"] for name, why in self.not_applicable.items()]
        worst = [
            [one.one.where, one.one.source, one.one.text, told(one)] for one in self.flagged[: 5 * _WORST]
        ]
        parts = [
            paragraph(f"{len(self.flagged):,} of {len(self.judged):,} outputs flagged"),
            *(paragraph(note, kind="note") for note in self.notes),
            table_html(["alarm", "outputs", "above", "meaning"], rows),
        ]
        if worst:
            parts += [heading("Worst first"), table_html(["where", "source", "output", "alarms"], worst)]
        return "".join(parts)


def told(one: Judged) -> str:
    """The alarms of an output, in words."""
    return "; ".join(f"{each.name} ({each.detail})" if each.detail else each.name for each in one.raised)


def _texts(one: Judged) -> list[str]:
    return [f"    {visible(one.one.source)}", f"    → {visible(one.one.text) or '(nothing)'}"]


def _names(one: Judged) -> set[str]:
    return {each.name for each in one.raised}
