"""What `regard runs` prints: tables that fit the terminal, and curves."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from rich.columns import Columns
from rich.console import Console
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

from regard.insight.labels import visible
from regard.training.runs.differences import short_names
from regard.training.runs.history import History, number
from regard.training.runs.panels import DEV_LOSS, MOST_RUNS, TRAIN_LOSS, Panel
from regard.training.runs.terminal import COLOURS, LETTERS, line_plot

MOST_SETTINGS = 5
WIDEST_PLOT = 120
STATE_COLOURS = {"finished": "green", "stopped early": "green", "running": "yellow", "unfinished": "red"}
LEAST_NAME = 16
NONE = "–"

Column = tuple[str, list[Text]]


def print_runs(
    console: Console, histories: Sequence[History], measure: str, differing: Mapping[str, list[Any]]
) -> None:
    """One table, or two if the terminal is too narrow for the settings beside the facts."""
    names, settings, facts = _names(histories), _settings(differing), _facts(histories, measure)
    if not differing:
        _print_recipe(console, histories[0])
    whole = _table([*names, *settings, *facts])
    room = console.options.update(width=10_000)
    if not settings or Measurement.get(console, room, whole).maximum <= console.width:
        console.print(whole)
    else:
        console.print(_table([*names, *facts]))
        console.print()
        console.print(_table([*names, *settings]))
    if len(differing) > MOST_SETTINGS:
        more = len(differing) - MOST_SETTINGS
        console.print(f"{more} more {'setting differs' if more == 1 else 'settings differ'}; --json has all")


def print_panels(console: Console, panels: Sequence[Panel], histories: Sequence[History]) -> None:
    """The curves, and which sign is which run."""
    colour = console.color_system is not None and not console.no_color
    width = min(console.width, WIDEST_PLOT)
    for panel in panels:
        console.print()
        console.print(line_plot(panel, width=width, colour=colour))
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
        columns.append((f"best\n{score}", [_number((h.best or {}).get(score), ".3f") for h in histories]))
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


def _table(columns: Sequence[Column]) -> Table:
    table = Table(box=None, padding=(0, 1, 0, 0), header_style="bold")
    for head, cells in columns:
        is_text = head in ("", "run", "state") or not all(_is_number(cell.plain) for cell in cells)
        room = LEAST_NAME if head == "run" else None
        side: Literal["left", "right"] = "left" if is_text else "right"
        table.add_column(Text(head), justify=side, no_wrap=not is_text, overflow="fold", min_width=room)
    for row in zip(*(cells for _, cells in columns), strict=True):
        table.add_row(*row)
    return table


def _is_number(cell: str) -> bool:
    return cell == NONE or cell[:1].isdigit() or cell[:1] == "-"


def _print_recipe(console: Console, history: History) -> None:
    """What the runs are of, in a line."""
    model, description = history.recipe.get("model"), history.recipe.get("description")
    kind = model.get("kind") if isinstance(model, dict) else None
    parts = [visible(part) for part in (kind, description) if isinstance(part, str) and part]
    if parts:
        console.print(": ".join(parts))
