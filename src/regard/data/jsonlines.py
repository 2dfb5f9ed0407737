"""JSON lines: one object a line."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from regard.config.data import JsonLinesCorpus
from regard.data.lines import Line, display_name, lines_of
from regard.data.rows import RAW_SHOWN, BadRow, Cell, Row, Rows, without
from regard.errors import DataError

MISSING = object()


class _OddJsonError(ValueError):
    """The line is JSON, but not one plain object."""


def json_rows(
    corpus: JsonLinesCorpus,
    wanted: tuple[str, ...] | None,
    *,
    strict: bool = True,
    absent: Mapping[str, str] | None = None,
) -> Rows:
    """Objects by the names of their values; without wanted names, by those of the first object.

    strict: a value that is no text, number or list of texts makes a bad row; else it is taken as JSON
    absent: what to do without a value, by its name, if it is not there
    """
    name = display_name(corpus.path)
    columns = wanted if wanted is not None else _names(name, lines_of(corpus.path))

    def read() -> Iterator[Row | BadRow]:
        for line in lines_of(corpus.path):
            if isinstance(line, BadRow):
                yield line
            elif line.text.strip():  # an empty line between objects is none
                yield _row(line, columns, absent, strict=strict)

    return Rows(name, columns, read)


def as_cell(value: object) -> Cell | None:
    """A value as a cell: a text, a number as it is written, a list of either; None for anything else."""
    if isinstance(value, list | tuple):
        entries = tuple(map(_as_entry, value))
        return None if None in entries else entries  # type: ignore[return-value]
    return _as_entry(value)


def _as_entry(value: object) -> str | None:
    if isinstance(value, int | float) and not isinstance(value, bool):
        return json.dumps(value)
    return value if isinstance(value, str) else None


def look_up(values: Any, column: str) -> Any:
    """The value under a name; a dot leads into an object, unless the name itself has one."""
    if isinstance(values, dict) and column in values:
        return values[column]
    outer, dot, inner = column.partition(".")
    if dot and isinstance(values, dict) and outer in values:
        return look_up(values[outer], inner)
    return MISSING


def flat_names(values: dict[str, Any]) -> tuple[str, ...]:
    """The names of the values of an object, those of objects in it with a dot."""
    names: list[str] = []
    for name, value in values.items():
        inner = flat_names(value) if isinstance(value, dict) else ()
        names.extend(f"{name}.{below}" for below in inner) if inner else names.append(name)
    return tuple(names)


def _row(
    line: Line, columns: tuple[str, ...], absent: Mapping[str, str] | None, *, strict: bool
) -> Row | BadRow:
    try:
        values = _parsed(line.text)
    except ValueError as error:
        return BadRow(line.number, str(error), line.text[:RAW_SHOWN])
    cells: list[Cell] = []
    for column in columns:
        value = look_up(values, column)
        cell = None if value is MISSING else as_cell(value)
        if cell is None and value is not MISSING and not strict:
            cell = json.dumps(value, ensure_ascii=False)
        if cell is None:
            found = f"found {_kind(value)}"
            if value is MISSING:
                found = f"it has {', '.join(map(repr, values))}{without(column, absent)}"
            reason = f"expected a text under '{column}', {found}"
            return BadRow(line.number, reason, line.text[:RAW_SHOWN])
        cells.append(cell)
    return Row(line.number, tuple(cells))


def _parsed(text: str) -> dict[str, Any]:
    try:
        values = json.loads(text, object_pairs_hook=_unique, parse_constant=_no_constant)
    except _OddJsonError:
        raise
    except json.JSONDecodeError as error:
        raise ValueError(f"not JSON at character {error.pos + 1}: {error.msg}") from None
    except RecursionError:
        raise ValueError("not JSON that can be read: nested too deeply") from None
    except ValueError:  # a number of more digits than Python turns into an integer
        raise ValueError("not JSON that can be read: a number is too long") from None
    if not isinstance(values, dict):
        raise ValueError(f"expected a JSON object, found {_kind(values)}")
    return values


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    values = dict(pairs)
    if len(values) != len(pairs):
        raise _OddJsonError("a name stands twice in the object")
    return values


def _no_constant(name: str) -> None:
    raise _OddJsonError(f"{name} is not JSON")


def _kind(value: object) -> str:
    if value is None:
        return "null"
    names = {bool: "true or false", dict: "an object", list: "a list of other things than texts and numbers"}
    return names.get(type(value), "a text" if isinstance(value, str) else "a number")


def _names(name: str, lines: Iterator[Line | BadRow]) -> tuple[str, ...]:
    for line in lines:
        if isinstance(line, BadRow):
            raise DataError(f"{name}:{line.number}: {line.reason}")
        if line.text.strip():
            try:
                values = _parsed(line.text)
            except ValueError as error:
                raise DataError(f"{name}:{line.number}: {error}") from None
            return flat_names(values)
    raise DataError(f"{name}: expected one JSON object a line, found an empty file")
