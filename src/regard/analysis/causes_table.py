"""Causes as a table for a terminal, with bars."""

from rich.cells import cell_len

from regard.analysis.result import Cause, Causes, Method
from regard.insight.display import in_cells, visible

BAR = 8
"""Cells of the longest bar."""
MOST_HEADS = 10
"""Heads that are shown."""
_EIGHTHS = " ▏▎▍▌▋▊▉█"


def causes_table(found: Causes) -> str:
    """The words, the largest effect first, and what each method says of them."""
    lines = [*map(visible, found.texts), f"→ {found.said}   {found.measure} {found.score:.3f}", ""]
    shown = [method for method in found.methods if method.reason is None]
    texts = len({text for text, _ in found.numbers}) > 1
    head = ["", "word", *(method.name for method in shown)]
    largest = {m.name: _largest(m) for m in shown}
    rows = [_row(row, shown, largest, numbered=texts) for row in found.rows]
    if shown and found.rows:
        lines += _lines([head, *rows])
    lines += _instead(found)
    if found.heads:
        lines += ["", "heads"]
        heads = [["", "attention", "head", "effect", "then"]]
        heads += [
            [
                "",
                own.path,
                str(own.head),
                f"{own.effect:+.3f}",
                "" if own.instead in (None, found.output) else str(own.instead),
            ]
            for own in found.ranked_heads()[:MOST_HEADS]
        ]
        lines += _lines(heads)
        if len(found.heads) > MOST_HEADS:
            lines.append(f"and {len(found.heads) - MOST_HEADS} more; --json has all")
    if remarks := list(found.remarks()):
        lines += ["", *map(visible, remarks)]
    return "\n".join(lines)


def _largest(method: Method) -> float:
    there = [abs(value) for value in method.values if value == value]
    return max(there, default=0.0) or 1.0


def _row(row: Cause, shown: list[Method], largest: dict[str, float], *, numbered: bool) -> list[str]:
    cells = []
    for number, method in enumerate(shown):
        value = row.values[method.name]
        text = "" if value is None else f"{value:{method.sign}.3f}"
        if number == 0 and value is not None:
            text = f"{_bar(abs(value) / largest[method.name])} {text}"
        cells.append(text)
    name = in_cells(row.word)
    place = f"{row.text}:{row.number}" if numbered else str(row.number)
    return [place, name, *cells]


def _bar(share: float) -> str:
    eighths = round(share * BAR * 8)
    return ("█" * (eighths // 8) + _EIGHTHS[eighths % 8]).strip().ljust(BAR)


def _instead(found: Causes) -> list[str]:
    """What is said without each word, where that is something else."""
    ranking = found.ranking
    if ranking is None or not ranking.instead or not any(ranking.instead):
        return []
    lines = ["", f"by {ranking.name}, instead of '{visible(found.output)}'"]
    rows = [
        ["", in_cells(row.word), visible(said)]
        for row in found.rows
        if (said := row.instead.get(ranking.name)) is not None and said != found.output
    ]
    return lines + (_lines(rows, left=True) if rows else ["   nothing else"])


def _lines(rows: list[list[str]], *, left: bool = False) -> list[str]:
    widths = [max(cell_len(row[place]) for row in rows) for place in range(len(rows[0]))]
    lines = []
    for row in rows:
        cells = [
            cell + " " * (width - cell_len(cell))
            if left or place == 1
            else " " * (width - cell_len(cell)) + cell
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append("  ".join(cells).rstrip())
    return lines
