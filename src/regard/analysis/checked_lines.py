"""Translated lines with their alarms, as they come; and the flagged ones as a table."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from regard.analysis.judging import Judged, Raised, judge
from regard.analysis.observations import read_translations
from regard.analysis.thresholds import AlarmThresholds
from regard.errors import RegardError
from regard.tasks.translation.document import LineTranslation
from regard.tasks.translation.predictor import Translator

Lines = Iterator[tuple[str, str] | None]
Flagged = tuple[float, tuple[str, ...]]
"""How bad a line is, and its cells."""
HEADER = ("line", "source", "output", "alarms", "scores")


@dataclass(frozen=True)
class CheckedLine:
    """A line, its translation, and the alarms of its parts together."""

    line: LineTranslation
    where: str
    parts: tuple[Judged, ...] = ()

    @property
    def text(self) -> str:
        """The translation."""
        return self.line.text

    @property
    def missing(self) -> tuple[str, ...]:
        """As of the line."""
        return self.line.missing

    @property
    def ended(self) -> bool:
        """As of the line."""
        return self.line.ended

    @property
    def notes(self) -> tuple[str, ...]:
        """As of the line."""
        return self.line.notes

    @property
    def alarms(self) -> tuple[Raised, ...]:
        """Each that fired, in its worst part; worst first."""
        worst: dict[str, Raised] = {}
        for raised in (each for part in self.parts for each in part.raised):
            if raised.name not in worst or raised.severity > worst[raised.name].severity:
                worst[raised.name] = raised
        return tuple(sorted(worst.values(), key=lambda each: -each.severity))

    @property
    def severity(self) -> float:
        """Of the worst alarm; 0 where none fired."""
        return max((part.severity for part in self.parts), default=0.0)

    def in_words(self) -> str:
        """The names of the alarms."""
        return ", ".join(each.name for each in self.alarms)

    def to_dict(self, *, attention: bool = True) -> dict[str, Any]:
        """Plain values, for JSON: those of the line, and its alarms."""
        values = self.line.to_dict(attention=attention)
        return {**values, "alarms": [each.to_dict() for each in self.alarms]}

    def flagged(self) -> Flagged:
        """As a row of the table of flagged lines."""
        number = self.where.rpartition(":")[2] or self.where
        scores = " ".join(f"{each.name}={each.score:.4g}" for each in self.alarms)
        told = ", ".join(f"{each.name} ({each.detail})" if each.detail else each.name for each in self.alarms)
        return self.severity, (number, self.line.source, self.line.text, told, scores)


def check_lines(
    translator: Translator,
    known: AlarmThresholds,
    lines: Lines,
    translate: Callable[[Lines], Iterable[LineTranslation]],
) -> Iterator[CheckedLine]:
    """Translate lines, and judge what was translated together in one more pass.

    translate: gives a result for each line, and takes lines many at a time
    """
    waiting: deque[str] = deque()

    def handed_on() -> Lines:
        for line in lines:
            if line is not None:
                waiting.append(line[0])
            yield line

    held: list[LineTranslation] = []
    problem: RegardError | None = None
    found = iter(translate(handed_on()))
    while problem is None:
        try:
            result = next(found, None)
        except RegardError as error:  # those before a line that cannot be read come first
            result, problem = None, error
        if result is not None:
            held.append(result)
        if held and (result is None or len(held) == len(waiting)):
            yield from _checked(translator, known, held, [waiting.popleft() for _ in held])
            held = []
        if result is None and problem is None:
            return
    raise problem


def flagged_table(lines: Sequence[Flagged]) -> str:
    """The flagged lines as tab separated values, worst first."""
    rows = [HEADER, *(cells for _, cells in sorted(lines, key=lambda one: -one[0]))]
    return "".join("\t".join(" ".join(cell.split()) for cell in row) + "\n" for row in rows)


def _checked(
    translator: Translator, known: AlarmThresholds, lines: Sequence[LineTranslation], places: Sequence[str]
) -> Iterator[CheckedLine]:
    pairs = [(part.source, part.text) for line in lines for part in line.parts]
    seen = read_translations(translator, pairs, any_length=True) if pairs else []
    judged = iter([judge(one, known) for one in seen])
    for line, where in zip(lines, places, strict=True):
        yield CheckedLine(line, where, tuple(next(judged) for _ in line.parts))
