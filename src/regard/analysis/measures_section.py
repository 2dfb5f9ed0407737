"""The section of measures: a table of heads, head importance, the pruning curve."""

from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from regard.analysis.head_importance import HeadImportance, head_importance
from regard.analysis.losses import row_losses
from regard.analysis.measures import MEASURES, HeadMeasures, measure_attention
from regard.analysis.options import CheckOptions
from regard.analysis.page import curve_svg, grid_svg, heading, number_text, paragraph, table_html, table_lines
from regard.errors import DataError
from regard.evaluation.test_set import TestSet
from regard.inference.model import TaskModel
from regard.insight.maps import KIND_NAMES
from regard.insight.picture import write_picture
from regard.progress import counted, track
from regard.tasks.attention import attention_records

if TYPE_CHECKING:
    from matplotlib.figure import Figure

IMPORTANCE_ROWS = 200
"""Rows that head importance is measured on: each head costs a pass over them."""
_NAMES = {"relative_entropy": "of ln n", "punctuation": "punct.", "divergence": "JSD", "importance": "Δ loss"}
_PANELS = {
    "entropy": "entropy (nats)",
    "relative_entropy": "entropy, of ln n",
    "distance": "distance (tokens)",
    "end": "mass on the end",
    "start": "mass on the start",
    "punctuation": "mass on punctuation",
    "divergence": "divergence from other heads (JSD)",
    "importance": "importance (Δ loss)",
}
_LEGEND = (
    "entropy in nats, and as a share of ln n; distance |i − j| in tokens; diagonality 0 to 1; coverage; mass "
    "on the end token, the first token and punctuation; JSD: mean divergence from the other heads; Δ loss: "
    "what the loss grows by without the head"
)
_MOST_LINES = 60
"""More heads are in the JSON and in the HTML page, not in the terminal."""


@dataclass(frozen=True)
class MeasuresSection:
    """Measures of every head."""

    name: ClassVar[str] = "measures"
    title: ClassVar[str] = "Measures of attention"
    heads: tuple[HeadMeasures, ...]
    importance: HeadImportance | None = None
    no_importance: str = ""
    """Why there is none."""

    def change(self, head: HeadMeasures) -> float | None:
        """What the loss grows by without a head; None where it was not measured."""
        return None if self.importance is None else self.importance.changes.get((head.path, head.head))

    def to_dict(self) -> dict[str, Any]:
        """Plain values."""
        heads = []
        for head in self.heads:
            change = self.change(head)
            heads.append({**head.to_dict(), "importance": None if change is None else round(change, 6)})
        told = {"reason": self.no_importance} if self.importance is None else self.importance.to_dict()
        return {"heads": heads, "head_importance": told}

    def lines(self) -> list[str]:
        """A line for each head."""
        head, rows = self._table()
        found = table_lines(head, rows[:_MOST_LINES])
        if len(rows) > _MOST_LINES:
            found.append(f"… and {counted(len(rows) - _MOST_LINES, 'head')} more; --json and --out have all")
        found += [_LEGEND, self._told()]
        if self.importance is not None:
            masked = [f"{count}: {loss:.3f}" for count, loss in self.importance.curve]
            found.append(f"loss by heads masked, the least important first: {', '.join(masked)}")
        return found

    def html(self) -> str:
        """The table, a shaded overview of entropy and importance, and the pruning curve."""
        head, rows = self._table()
        parts = [table_html(head, rows), paragraph(_LEGEND, kind="note")]
        parts += [heading("Entropy as a share of ln n, by layer and head"), self._grid("relative_entropy")]
        parts.append(paragraph(self._told(), kind="note"))
        if self.importance is not None:
            parts += [
                heading("Importance: what the loss grows by without the head"),
                self._grid("importance"),
            ]
            points = [(float(count), loss) for count, loss in self.importance.curve]
            unit = f"loss per {self.importance.unit}"
            parts += [
                heading("Pruning: loss by heads masked, the least important first"),
                curve_svg("pruning", points, x="heads masked", y=unit),
            ]
        return "".join(parts)

    def draw(self, path: Path) -> None:
        """Draw the measures of all heads, a panel each, into a file; its ending says the format."""
        write_picture(self._figure, path)

    def _told(self) -> str:
        if self.importance is None:
            return f"no head importance: {self.no_importance}"
        own = self.importance
        return f"loss {own.loss:.3f} per {own.unit}, on the first {counted(own.rows, 'row')}"

    def _value(self, head: HeadMeasures, name: str) -> float | None:
        return self.change(head) if name == "importance" else head.values[name]

    def _shown(self) -> list[str]:
        """The measures that some head has."""
        names = [*MEASURES, "importance"]
        return [name for name in names if any(self._value(head, name) is not None for head in self.heads)]

    def _table(self) -> tuple[list[str], list[list[str]]]:
        names = self._shown()
        rows = [
            [KIND_NAMES[head.kind], head.path, str(head.head), *(_cell(self._value(head, n)) for n in names)]
            for head in self.heads
        ]
        return ["attention", "path", "head", *(_NAMES.get(name, name) for name in names)], rows

    def _rows(self, name: str) -> list[tuple[str, list[float | None]]]:
        """The values of one measure, the heads of a path in a row."""
        paths: dict[str, list[float | None]] = {}
        for head in self.heads:
            paths.setdefault(head.path, []).append(self._value(head, name))
        return list(paths.items())

    def _grid(self, name: str) -> str:
        rows = self._rows(name)
        most = max((own for _, values in rows for own in values if own is not None), default=0.0)
        return grid_svg(_NAMES.get(name, name), rows, most=1.0 if name == "relative_entropy" else most)

    def _figure(self) -> "Figure":
        import numpy as np
        from matplotlib.figure import Figure

        names = self._shown()
        panels = len(names) + (self.importance is not None)
        columns = min(4, panels)
        deep = -(-panels // columns)
        paths = len({head.path for head in self.heads})
        figure = Figure(figsize=(3.2 * columns, deep * (1.0 + 0.3 * paths)), layout="constrained")
        for place, name in enumerate(names):
            axes = figure.add_subplot(deep, columns, place + 1)
            rows = self._rows(name)
            wide = max(len(values) for _, values in rows)
            cells = np.full((len(rows), wide), np.nan)
            for row, (_, values) in enumerate(rows):
                cells[row, : len(values)] = [np.nan if own is None else own for own in values]
            image = axes.imshow(cells, aspect="auto", cmap="viridis")
            figure.colorbar(image, ax=axes)
            axes.set_title(_PANELS.get(name, name), fontsize=9)
            labels = [path for path, _ in rows] if place % columns == 0 else []
            axes.set_yticks(range(len(rows)), labels or [""] * len(rows), fontsize=7)
            axes.set_xticks(range(0, wide, max(1, wide // 8)))
            axes.set_xlabel("head", fontsize=8)
            axes.tick_params(labelsize=7)
        if self.importance is not None:
            axes = figure.add_subplot(deep, columns, panels)
            axes.plot(*zip(*self.importance.curve, strict=True), marker="o", markersize=3)
            axes.set_title(f"pruning: loss per {self.importance.unit}", fontsize=9)
            axes.set_xlabel("heads masked, the least important first", fontsize=8)
            axes.tick_params(labelsize=7)
        return figure


def measures_section(model: TaskModel, test: TestSet, options: CheckOptions) -> MeasuresSection:
    """Measure the attention of a model on the rows of a test set."""
    records = attention_records(model, test.pairs)
    heads = measure_attention(track(records, "reading attention", total=len(test), quiet=options.quiet))
    if not heads:
        raise DataError("no row has attention over all of its text: all are read in windows")
    try:
        losses = row_losses(model, test.pairs[:IMPORTANCE_ROWS])
    except DataError as error:
        return MeasuresSection(heads, no_importance=str(error))
    each = partial(track, what="masking heads", unit="heads", every=1, quiet=options.quiet)
    chosen = [(head.path, head.kind, head.head) for head in heads]
    return MeasuresSection(heads, head_importance(losses, chosen, each=each))


def _cell(value: float | None) -> str:
    return "–" if value is None else number_text(value)
