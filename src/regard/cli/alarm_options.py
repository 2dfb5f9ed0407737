"""Options of `regard translate` that say which outputs not to trust."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from regard.cli import scores
from regard.cli.options import option, switch
from regard.errors import ConfigError
from regard.progress import counted, say

if TYPE_CHECKING:
    from regard.analysis.checked_lines import CheckedLine, Flagged, Lines
    from regard.analysis.thresholds import AlarmThresholds
    from regard.tasks.translation.document import LineTranslation
    from regard.tasks.translation.predictor import Translator


@dataclass(frozen=True)
class Checking:
    """Whether alarms are asked for, and where flagged lines go."""

    check: Annotated[
        bool, switch("Add alarms after a tab: which outputs not to trust, and why.", "--check")
    ] = False
    flagged: Annotated[
        Path | None, option("FILE", "With --check: also write the flagged lines as TSV, worst first.")
    ] = None

    def refuse(self, read: Sequence[str | None]) -> None:
        """Tell a mistake before anything is read.

        read: what the command reads, and the table must not replace
        """
        if self.flagged is None:
            return
        if not self.check:
            raise ConfigError("--flagged writes the lines that --check flags; say --check, too")
        scores.check_file(self.flagged, unless=read)

    def checker(
        self, translator: "Translator", models: Sequence[Path], *, quiet: bool
    ) -> "LineChecker | None":
        """What judges lines, by the thresholds in the model folder or by defaults, which is said.

        models: its folder; of an ensemble, all of them, and none has the thresholds of all
        """
        if not self.check:
            return None
        from regard.analysis.alarm_section import NOT_FITTED
        from regard.analysis.alarm_store import read_alarms
        from regard.analysis.judging import default_thresholds

        found = read_alarms(models[0], translator.task) if len(models) == 1 else None
        if found is None:
            say(f"--check: {NOT_FITTED}", quiet=quiet)
        return LineChecker(translator, found or default_thresholds(), self.flagged)


class LineChecker:
    """Judges lines as they are translated, and keeps the flagged ones."""

    def __init__(self, translator: "Translator", known: "AlarmThresholds", out: Path | None) -> None:
        self._translator, self._known, self._out = translator, known, out
        self._flagged: list[Flagged] = []

    def check(
        self, lines: "Lines", before: int, translate: "Callable[[Lines, int], Iterator[LineTranslation]]"
    ) -> "Iterator[CheckedLine]":
        """Each line with its alarms."""
        from regard.analysis.checked_lines import check_lines

        for one in check_lines(self._translator, self._known, lines, lambda own: translate(own, before)):
            if one.alarms and self._out is not None:
                self._flagged.append(one.flagged())
            yield one

    def told(self, result: "LineTranslation | CheckedLine") -> str:
        """What stands after a translation on its line."""
        from regard.analysis.checked_lines import CheckedLine

        return f"\t{result.in_words()}" if isinstance(result, CheckedLine) else ""

    def end(self, *, quiet: bool) -> None:
        """Write the table of flagged lines, and say how many there are."""
        if self._out is None:
            return
        from regard.analysis.checked_lines import flagged_table
        from regard.store.atomic import write_file

        write_file(self._out, flagged_table(self._flagged))
        say(f"{self._out}: {counted(len(self._flagged), 'flagged line')}", quiet=quiet)
