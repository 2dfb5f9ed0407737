"""Tables that several commands print."""

from collections.abc import Sequence

import typer
from rich.cells import cell_len


def print_table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print columns that line up, numbers to the right; Hangul is two cells wide."""
    lines = [head, *rows]
    widths = [max(cell_len(line[column]) for line in lines) for column in range(len(head))]
    for line in lines:
        cells = [
            _padded(cell, width, right=_is_number(rows, column))
            for column, (cell, width) in enumerate(zip(line, widths, strict=True))
        ]
        typer.echo("  ".join(cells).rstrip())


def _padded(cell: str, width: int, *, right: bool) -> str:
    space = " " * (width - cell_len(cell))
    return space + cell if right else cell + space


def _is_number(rows: Sequence[Sequence[str]], column: int) -> bool:
    cells = [row[column] for row in rows if row[column]]
    return all(cell[:1].isdigit() or cell[:1] == "-" for cell in cells)
