"""The report of an examination: as a JSON object, and as text for a person."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from rich.cells import cell_len

from regard.doctor.findings import Finding
from regard.doctor.tokens import Fit

FORMAT = 1
"""Of the JSON object; raised when a key changes its meaning."""
_MOST_LABELS, _FEW_LABELS = 12, 5


@dataclass(frozen=True)
class Lengths:
    """One side of a file in numbers."""

    side: str
    script: str | None
    """The script that the side is expected in."""
    words: int
    characters: int
    median: int
    """Characters of a text."""
    percentile_99: int
    longest: int


@dataclass(frozen=True)
class FileSummary:
    """One file in numbers."""

    name: str
    role: str
    rows: int
    lost: int
    """Rows that could not be read."""
    sides: tuple[Lengths, ...]
    labels: dict[str, int]


@dataclass(frozen=True)
class Report:
    """Everything that the doctor has to say."""

    files: tuple[FileSummary, ...]
    guessed: tuple[str, ...]
    findings: tuple[Finding, ...]
    tokens: tuple[Fit, ...]
    vocabulary: str
    """Where the vocabulary of `tokens` comes from."""
    checks: tuple[str, ...]
    """The checks that were run."""

    def has_errors(self) -> bool:
        """Whether something was found that must not be trained on."""
        return any(finding.check.severity == "error" for finding in self.findings)

    def to_dict(self) -> dict[str, Any]:
        """As JSON has it; the keys are documented in docs/corpora.md."""
        return {
            "format": FORMAT,
            "files": [asdict(file) for file in self.files],
            "guessed": list(self.guessed),
            "findings": [finding.to_dict() for finding in self.findings],
            "tokens": {"vocabulary": self.vocabulary, "fits": [asdict(fit) for fit in self.tokens]},
            "checks": list(self.checks),
        }

    def to_text(self) -> str:
        """For a person to read."""
        lines = [*_files(self.files), *_labels(self.files)]
        lines += [f"guessed: {guess}" for guess in self.guessed]
        for severity in ("error", "warning", "note"):
            found = [finding for finding in self.findings if finding.check.severity == severity]
            if found:
                lines += ["", f"{severity}s" if len(found) > 1 else severity]
                lines += [line for finding in found for line in _finding(finding)]
        if not self.findings:
            lines += ["", f"nothing found ({len(self.checks)} checks)"]
        return "\n".join([*lines, *_tokens(self.tokens, self.vocabulary)]) + "\n"


def _files(files: Sequence[FileSummary]) -> list[str]:
    table = [["file", "rows", "side", "words", "characters", "median", "99 %", "longest"]]
    for file in files:
        for place, side in enumerate(file.sides):
            begin = [file.name, f"{file.rows:,}"] if place == 0 else ["", ""]
            numbers = (side.words, side.characters, side.median, side.percentile_99, side.longest)
            script = f" ({side.script})" if side.script else ""
            table.append([*begin, f"{side.side}{script}", *(f"{number:,}" for number in numbers)])
    return list(_aligned(table, right={1, 3, 4, 5, 6, 7}))


def _labels(files: Sequence[FileSummary]) -> Iterator[str]:
    for file in files:
        if file.labels:
            shown = list(file.labels.items())[: None if len(file.labels) <= _MOST_LABELS else _FEW_LABELS]
            more = f" and {len(file.labels) - len(shown)} more" if len(file.labels) > len(shown) else ""
            yield f"labels of {file.name}: {', '.join(f'{label} {n:,}' for label, n in shown)}{more}"


def _finding(finding: Finding) -> Iterator[str]:
    check = finding.check
    share = f"{finding.share:.2%}" if finding.share >= 0.0001 else "< 0.01%"
    unit = check.unit if finding.count > 1 else check.unit.removesuffix("s")
    count = f"{finding.count:,} {unit}" + (f", {share}" if check.unit == "rows" else "")
    yield f"  {check.id} ({count}): {check.meaning}"
    if finding.detail:
        yield f"      {finding.detail}"
    for example in finding.examples:
        yield f"      {example.where}" + (f": {example.text}" if example.text else "")
        if example.like:
            yield f"          = {example.like}"
    if check.cure in ("repairs", "drops"):
        yield f"      --fix: {check.fix}"


def _tokens(fits: Sequence[Fit], vocabulary: str) -> list[str]:
    if not fits:
        return []
    table = [["file", "side", "tokens per word", "per character", "byte fallback"]]
    for fit in fits:
        numbers = [
            f"{fit.tokens_per_word:.2f}",
            f"{fit.tokens_per_character:.2f}",
            f"{fit.spelt_in_bytes:.2%}",
        ]
        table.append([fit.file, fit.side, *numbers])
    return ["", f"tokens ({vocabulary})", *(f"  {line}" for line in _aligned(table, right={2, 3, 4}))]


def _aligned(table: list[list[str]], right: set[int]) -> Iterator[str]:
    """Columns that line up; Hangul is two cells wide."""
    widths = [max(cell_len(line[column]) for line in table) for column in range(len(table[0]))]
    for line in table:
        cells = []
        for column, (cell, width) in enumerate(zip(line, widths, strict=True)):
            space = " " * (width - cell_len(cell))
            cells.append(space + cell if column in right else cell + space)
        yield "  ".join(cells).rstrip()
