"""What `regard runs` prints: tables that fit the terminal, and curves."""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Literal

from rich.cells import cell_len
from rich.columns import Columns
from rich.console import Console
from rich.table import Table
from rich.text import Text

from regard.insight.display import visible
from regard.metrics.metric import metric_named
from regard.training.runs.comparison import short_names
from regard.training.runs.history import History, number
from regard.training.runs.panels import DEV_LOSS, MOST_RUNS, TRAIN_LOSS, Panel
from regard.training.runs.terminal import COLOURS, LETTERS, line_plot

MOST_SETTINGS = 5
NARROWEST_PLOT, WIDEST_PLOT = 40, 120
STATE_COLOURS = {"finished": "green", "stopped early": "green", "running": "yellow", "unfinished": "red"}
LEAST_WORDS = 16
NONE = "–"

Column = tuple[str, list[Text]]


def print_runs(
    console: Console, histories: Sequence[History], measure: str, differing: Mapping[str, list[Any]]
) -> None:
    """One table, or two if the terminal is too narrow for the settings beside the facts."""
    names, settings, facts = _names(histories), _settings(differing), _facts(histories, measure)
    if not differing:
        _print_recipe(console, histories[0])
    whole = [*names, *settings, *facts]
    if not settings or sum(_width([Text(head), *cells]) for head, cells in whole) <= console.width:
        _print_table(console, whole)
    else:
        _print_table(console, [*names, *facts])
        console.print()
        _print_table(console, [*names, *settings])
    if len(differing) > MOST_SETTINGS:
        more = len(differing) - MOST_SETTINGS
        console.print(f"{more} more {'setting differs' if more == 1 else 'settings differ'}; --json has all")


def print_panels(console: Console, panels: Sequence[Panel], histories: Sequence[History]) -> None:
    """The curves, and which sign is which run."""
    colour = console.color_system is not None and not console.no_color
    with _at_least(console, NARROWEST_PLOT):
        for panel in panels:
            console.print()
            console.print(line_plot(panel, width=min(console.width, WIDEST_PLOT), colour=colour))
    if panels and len(histories) > 1:
        names = [Text(f" {visible(history.name)}") for history in histories]
        legend = [Text.assemble(key, name) for key, name in zip(_keys(histories), names, strict=True)]
        console.print()
        console.print(Columns(legend, padding=(0, 3), column_first=True))


def _keys(histories: Sequence[History]) -> list[Text]:
    return [Text(LETTERS[place], style=COLOURS[place]) for place in range(min(len(histories), MOST_RUNS))]


def _names(histories: Sequence[History]) -> list[Column]:
    names = ("run", [Text(visible(history.name)) for history in histories])
    if len(histories) == 1:
        return [names]
    keys = _keys(histories) + [Text("")] * (len(histories) - MOST_RUNS)
    return [("", keys), names]


def _settings(differing: Mapping[str, list[Any]]) -> list[Column]:
    shown = list(differing)[:MOST_SETTINGS]
    names = short_names(list(differing))
    return [
        (names[path].replace(".", ".\n"), [_setting(value) for value in differing[path]]) for path in shown
    ]


def _setting(value: Any) -> Text:
    shown = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return Text(visible(shown) if value is not None else NONE)


def _facts(histories: Sequence[History], measure: str) -> list[Column]:
    scores = dict.fromkeys((measure, DEV_LOSS))
    shown = [score for score in scores if any(score in history.scores() for history in histories)]
    columns: list[Column] = [
        ("state", [Text(history.state, style=STATE_COLOURS[history.state]) for history in histories]),
        ("epoch", [_epoch(history) for history in histories]),
        ("step", [_number(history.last.get("step"), ",.0f") for history in histories]),
    ]
    for score in shown:
        form = f".{metric_named(score).decimals}f"
        columns.append((f"best\n{score}", [_number((h.best or {}).get(score), form) for h in histories]))
    return [
        *columns,
        ("at\nstep", [_number((history.best or {}).get("step"), ",.0f") for history in histories]),
        ("train\nnll", [_number(history.last.get(TRAIN_LOSS), ".3f") for history in histories]),
        ("tok/s", [_number(history.last.get("tokens_per_second"), ",.0f") for history in histories]),
        ("time", [_time(history.seconds) for history in histories]),
    ]


def _epoch(history: History) -> Text:
    done, asked = number(history.last.get("epoch")), number(history.asked("epochs"))
    if done is None:
        return Text(NONE)
    return Text(f"{done:.1f}" + (f"/{asked:.0f}" if asked is not None else ""))


def _number(fact: object, form: str) -> Text:
    value = number(fact)
    return Text(NONE if value is None else format(value, form))


def _time(seconds: float | None) -> Text:
    if seconds is None:
        return Text(NONE)
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return Text(f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}")


def _print_table(console: Console, columns: Sequence[Column]) -> None:
    """Words are folded in a narrow terminal; numbers never lose a digit, be the lines too long for it."""
    table = Table(box=None, padding=(0, 1, 0, 0), header_style="bold")
    least = 0
    for head, cells in columns:
        is_text = head in ("", "run", "state") or not all(_is_number(cell.plain) for cell in cells)
        width = _width([Text(head), *cells])
        least += min(width, LEAST_WORDS) if is_text else width
        side: Literal["left", "right"] = "left" if is_text else "right"
        table.add_column(Text(head), justify=side, no_wrap=not is_text, overflow="fold")
    for row in zip(*(cells for _, cells in columns), strict=True):
        table.add_row(*row)
    with _at_least(console, least):
        console.print(table)


@contextmanager
def _at_least(console: Console, width: int) -> Iterator[None]:
    """Print in lines of this width, if the terminal has less."""
    before, console.width = console.width, max(console.width, width)
    yield
    console.width = before


def _width(cells: Sequence[Text]) -> int:
    """Of a column, with the space after it."""
    return max(cell_len(line) for cell in cells for line in cell.plain.split("\n")) + 1


def _is_number(cell: str) -> bool:
    return cell == NONE or cell[:1].isdigit() or cell[:1] == "-"


def _print_recipe(console: Console, history: History) -> None:
    """What the runs are of, in a line."""
    model, description = history.recipe.get("model"), history.recipe.get("description")
    kind = model.get("kind") if isinstance(model, dict) else None
    parts = [visible(part) for part in (kind, description) if isinstance(part, str) and part]
    if parts:
        console.print(": ".join(parts))
