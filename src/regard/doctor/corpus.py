"""The inputs opened: their columns decided, the script of each side known, a ledger for the rows of each."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from regard.data.lines import display_name
from regard.data.rows import Rows
from regard.doctor.examine import Task
from regard.doctor.guess import Asked, Layout, lay_out
from regard.doctor.inputs import Input, paths_of
from regard.doctor.ledger import Ledger
from regard.doctor.raw import refuse_utf16
from regard.doctor.reading import Reader, all_columns, real_paths, samples_of
from regard.doctor.scripts import dominant_script, language_of, script_of
from regard.doctor.tokens import LEARNED_ON, MEASURED_ON, Sample
from regard.errors import ConfigError, DataError

_JUDGED_BY = 500
"""Rows at the head of a file, from which columns and scripts are guessed."""
_SENTENCE = re.compile(r".*\S+\s\S+\s.*[.!?…\"”]|.{60,}|.*[가-힣]\s.*[가-힣]\s.*[가-힣].*", re.DOTALL)


@dataclass(frozen=True, eq=False)
class Part:
    """One input with what is kept of it."""

    reader: Reader
    task: Task
    ledger: Ledger
    sample: Sample


def open_parts(
    inputs: Sequence[Input], asked: Asked, *, checks: frozenset[str], examples: int
) -> tuple[Layout, list[Part]]:
    """Decide the columns by the first input for training, and open every input with these."""
    if not inputs:
        raise ConfigError("expected files or folders to check")
    for path in (path for one in inputs for path in real_paths(one)):
        refuse_utf16(path)
    opened = [(one, all_columns(one)) for one in inputs]
    leading, rows = next(((one, rows) for one, rows in opened if one.role == "train"), opened[0])
    _refuse_missing_header(leading, rows, asked)
    layout = lay_out(samples_of(leading, rows, _JUDGED_BY), asked, rows.name)
    parts = []
    for one, rows in opened:
        sides = _own_names(one, layout)
        reader = Reader(one, sides, layout.label)
        parts.append(_part(reader, rows, sides, layout, checks, examples))
    _refuse_equal_names(parts)
    _refuse_other_sides(parts)
    return layout, parts


def _part(
    reader: Reader, rows: Rows, sides: tuple[str, ...], layout: Layout, checks: frozenset[str], examples: int
) -> Part:
    task = Task(
        files=_files(reader, len(sides)),
        scripts=_scripts(reader.input, rows, sides),
        translation=layout.translation,
        checks=checks,
        examples=examples,
    )
    ledger = Ledger(reader.name, reader.input.role, len(sides))
    sample = Sample(LEARNED_ON if reader.input.role == "train" else 10 * MEASURED_ON)
    return Part(reader, task, ledger, sample)


def _own_names(one: Input, layout: Layout) -> tuple[str, ...]:
    """The columns of plain files have the names of their languages, whatever a table calls them."""
    if one.corpus.kind == "parallel":
        return one.languages if len(one.languages) == 2 else ("source", "target")
    return ("text",) if one.corpus.kind == "text" else layout.sides


def _files(reader: Reader, sides: int) -> tuple[str, ...]:
    written = paths_of(reader.input.corpus)
    names = [display_name(path) for path in written] or [reader.name]
    return tuple(names) if len(names) == sides else (names[0],) * sides


def _scripts(one: Input, rows: Rows, sides: tuple[str, ...]) -> tuple[str | None, ...]:
    """The script of the language that a side is named for; else the one that most of its letters have."""
    named = [one.languages[place] if place < len(one.languages) else side for place, side in enumerate(sides)]
    languages = [language_of(name) for name in named]
    samples = {} if all(languages) else samples_of(one, rows, _JUDGED_BY)
    return tuple(
        script_of(language) if language else dominant_script(samples[side])
        for language, side in zip(languages, sides, strict=True)
    )


def _refuse_missing_header(one: Input, rows: Rows, asked: Asked) -> None:
    """A table without a header would lose its first row, here and in training."""
    named = asked.sides() and {*asked.sides()} <= {*rows.columns}
    if one.corpus.kind not in ("tsv", "csv") or getattr(one.corpus, "columns", None) or named:
        return
    sentence = next((column for column in rows.columns if _SENTENCE.fullmatch(column)), None)
    if sentence is not None:
        raise DataError(
            f"{rows.name}:1: expected the names of the columns, found text: '{sentence[:40]}'; "
            f"if there is no header row, name the columns with --names, such as --names ko,en"
        )


def _refuse_equal_names(parts: Sequence[Part]) -> None:
    names = [part.ledger.name for part in parts]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice:
        raise ConfigError(f"{twice}: named twice")


def _refuse_other_sides(parts: Sequence[Part]) -> None:
    """One text cannot be compared with a pair of texts."""
    first = parts[0]
    for part in parts:
        if part.ledger.sides != first.ledger.sides:
            raise ConfigError(
                f"{part.ledger.name}: expected {first.ledger.sides} sides as in {first.ledger.name}, "
                f"found {part.ledger.sides}; check them one by one"
            )
