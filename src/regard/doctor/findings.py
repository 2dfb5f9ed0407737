"""What was found: counts and a few examples of each check, bounded whatever the corpus."""

import re
import unicodedata
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
    """Details of a check."""

    def wants(self, check: str) -> bool:
        """Whether another example of this check is wanted."""
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
    """Details."""
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


WIDTH = 72
"""Characters of an example."""
_VISIBLE = re.compile("[ -~가-힣]*")


def excerpt(text: str, at: int = 0, width: int = WIDTH) -> str:
    """The text around a character, with … where it was cut; NFD is shown composed, and named."""
    composed = unicodedata.normalize("NFC", text)
    if composed != text:
        at = len(unicodedata.normalize("NFC", text[:at]))
        is_shorter = len(composed) < len(text)
        return f"{excerpt(composed, at, width)} ({'NFD' if is_shorter else 'not NFC'})"
    start = max(0, min(at - width // 3, len(text) - width))
    part = visible(text[start : start + width])
    return f"{'…' if start else ''}{part}{'…' if start + width < len(text) else ''}"


def visible(text: str) -> str:
    """The text with signs that have no shape of their own as ⟨U+200B⟩."""
    return text if _VISIBLE.fullmatch(text) else "".join(map(_shown, text))


def _shown(char: str) -> str:
    has_no_shape = (
        unicodedata.category(char)[0] in "CZM" or "\u1100" <= char <= "\u11ff" or char in "\u3164\uffa0"
    )
    return f"⟨U+{ord(char):04X}⟩" if has_no_shape and char != " " else char


def first_difference(before: str, after: str) -> int:
    """Where two texts begin to differ."""
    for place, (one, other) in enumerate(zip(before, after, strict=False)):
        if one != other:
            return place
    return min(len(before), len(after))
