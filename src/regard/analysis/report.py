"""What a check of a model reports: sections, each with numbers and the words that go with them."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from regard.analysis.page import page, paragraph, verdict_box
from regard.errors import DataError
from regard.insight.display import visible
from regard.progress import counted


class Section(Protocol):
    """One part of a report: numbers with the words that go with them."""

    @property
    def name(self) -> str:
        """ "measures", "explanation", "stability", "alarms": also the flag value and the JSON key."""
        ...

    @property
    def title(self) -> str:
        """What stands above it."""
        ...

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        ...

    def lines(self) -> list[str]:
        """For a terminal."""
        ...

    def html(self) -> str:
        """A fragment of the HTML report, everything escaped."""
        ...


@dataclass(frozen=True)
class Absent:
    """A section that does not apply to a model, or to the data, and why."""

    name: str
    title: str
    reason: str

    def to_dict(self) -> dict[str, Any]:
        """The reason."""
        return {"not_applicable": self.reason}

    def lines(self) -> list[str]:
        """The reason."""
        return [self.reason]

    def html(self) -> str:
        """The reason."""
        return paragraph(self.reason, kind="note")


@dataclass(frozen=True)
class Report:
    """What a check found."""

    model: str
    data: str
    rows: int
    sections: tuple[Section, ...]

    @property
    def verdict(self) -> str:
        """Whether attention is worth reading here, where the explanation tests ran; else nothing."""
        return next((found for one in self.sections if (found := getattr(one, "verdict", ""))), "")

    def section(self, name: str) -> Section:
        """The section of a name."""
        return next(section for section in self.sections if section.name == name)

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        facts = {"model": self.model, "data": self.data, "rows": self.rows, "verdict": self.verdict or None}
        return {**facts, **{section.name: section.to_dict() for section in self.sections}}

    def lines(self) -> list[str]:
        """For a terminal."""
        found = [f"{visible(self.model)} on {visible(self.data)}, {counted(self.rows, 'row')}"]
        for section in self.sections:
            found += ["", section.title, *section.lines()]
        return found

    def html(self) -> str:
        """One page in one file: it loads nothing, runs no script, and is light or dark as the reader is."""
        head = f"{self.data}, {counted(self.rows, 'row')}"
        parts = [paragraph(head, kind="note"), verdict_box(self.verdict) if self.verdict else ""]
        return page(
            f"Check of {self.model}",
            "".join(parts),
            [(section.name, section.title, section.html()) for section in self.sections],
        )

    def draw(self, path: Path) -> None:
        """Draw the section that has a picture, the measures, into a file; its ending says the format."""
        drawn = next((own for one in self.sections if (own := getattr(one, "draw", None))), None)
        if drawn is None:
            raise DataError(f"{path}: there are no measures to draw")
        drawn(path)
