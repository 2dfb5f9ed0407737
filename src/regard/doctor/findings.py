"""What was found: counts and a few examples of each check, bounded whatever the corpus."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from regard.doctor.catalogue import CHECKS, Check, Severity


class Example(NamedTuple):
    """A place to look at: `file:line`, what stands there, and where else it stands."""

    where: str
    text: str
    like: str = ""
    """The row that this one repeats, with its text where that differs."""


@dataclass
class Tally:
    """Counts by check and file, and the first examples of each check."""

    most_examples: int
    counts: dict[str, Counter[str]] = field(default_factory=dict)
    """By check, then by file."""
    examples: dict[str, list[Example]] = field(default_factory=dict)
    details: dict[str, str] = field(default_factory=dict)
    """What else is to be said about a check."""

    def wants(self, check: str) -> bool:
        """Whether another example of this check is looked for."""
        return len(self.examples.get(check, ())) < self.most_examples

    def add(self, check: str, file: str, count: int = 1, examples: Iterable[Example] = ()) -> None:
        """Count rows, and keep as many examples as there is room for."""
        self.counts.setdefault(check, Counter())[file] += count
        kept = self.examples.setdefault(check, [])
        kept.extend(list(examples)[: self.most_examples - len(kept)])

    def merge(self, other: "Tally") -> None:
        """Take over what another tally has."""
        for check, counts in other.counts.items():
            for file, count in counts.items():
                self.add(check, file, count)
            self.add(check, file, 0, other.examples[check])


@dataclass(frozen=True)
class Finding:
    """One check that found something."""

    check: Check
    count: int
    """Rows, or whatever the unit of the check is."""
    share: float
    """Of all rows of the corpus; where not rows are counted, 1."""
    by_file: dict[str, int]
    detail: str
    """What else is to be said about it."""
    examples: tuple[Example, ...]

    def to_dict(self) -> dict[str, Any]:
        """As JSON has it."""
        return {
            "id": self.check.id,
            "severity": self.check.severity,
            "meaning": self.check.meaning,
            "count": self.count,
            "unit": self.check.unit,
            "share": self.share,
            "by_file": self.by_file,
            "detail": self.detail,
            "examples": [example._asdict() for example in self.examples],
            "fix": self.check.fix,
        }


def findings_of(tally: Tally, rows: int) -> tuple[Finding, ...]:
    """The findings of a corpus of so many rows in the order of the catalogue, the worst severity first."""
    found = []
    for check in CHECKS.values():
        counts = {file: count for file, count in tally.counts.get(check.id, {}).items() if count}
        if not counts:
            continue
        count = sum(counts.values())
        share = round(count / max(1, rows), 6) if check.unit == "rows" else 1.0
        detail = tally.details.get(check.id, "")
        found.append(Finding(check, count, share, counts, detail, tuple(tally.examples[check.id])))
    order: list[Severity] = ["error", "warning", "note"]
    return tuple(sorted(found, key=lambda finding: order.index(finding.check.severity)))
