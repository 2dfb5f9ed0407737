"""Causes as a picture, and as a page without scripts: a row for each method, a column for each word."""

from html import escape
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING

import numpy as np

from regard.analysis.result import Causes, Method
from regard.insight.display import visible
from regard.insight.draw.heat import CAPTION, FAINT, add_scale, ink_on, paint, size_of
from regard.insight.picture import write_picture
from regard.metrics.statistics import Floats

if TYPE_CHECKING:
    from matplotlib.figure import Figure

POSITIVE, NEGATIVE = (33, 102, 172), (178, 24, 43)
"""Blue where a word supports the outcome, or has weight; red where it speaks against it."""


def draw_causes(found: Causes, path: Path) -> None:
    """Draw a heat map into a file; its ending says the format."""
    write_picture(lambda: _figure(found), path)


def scaled(method: Method) -> Floats:
    """The values of a method, divided by the largest, whichever way it goes."""
    largest = float(np.nanmax(np.abs(method.values), initial=0.0))
    return method.values / largest if largest else method.values


def _shown(found: Causes) -> list[Method]:
    return [method for method in found.methods if method.reason is None]


def _figure(found: Causes) -> "Figure":
    from matplotlib.figure import Figure

    shown = _shown(found)
    values = np.stack([scaled(method) for method in shown]).astype(np.float32)
    figure = Figure(figsize=size_of(len(shown), len(found.words)))
    axes = figure.add_subplot()
    image = paint(axes, values, [method.name for method in shown], found.words, signed=True)
    measured = f"{found.measure} {found.score:.3f}; each row is divided by its largest value"
    told = f"{fill(found.said, CAPTION)}\n{measured}"
    axes.set_xlabel(told, fontsize=8.5, color=FAINT, labelpad=8, linespacing=1.5)
    add_scale(figure, image, [axes], "share of the largest")
    return figure


def causes_html(found: Causes) -> str:
    """The words in their order, shaded by the ranking method; and a table of all methods."""
    ranking = found.ranking
    texts = "<br>".join(escape(visible(text)) for text in found.texts)
    head = f"<p>{texts}<br>→ <b>{escape(found.said)}</b> ({escape(found.measure)} {found.score:.3f})</p>"
    shades = np.zeros(len(found.words)) if ranking is None else np.nan_to_num(scaled(ranking))
    words = " ".join(
        f'<span style="{_shade(float(share))}">{escape(visible(word))}</span>'
        for word, share in zip(found.words, shades, strict=True)
    )
    shown = _shown(found)
    names = "".join(f"<th>{escape(method.name)}</th>" for method in shown)
    lines = []
    strengths = {method.name: scaled(method) for method in shown}
    place_of = {own: place for place, own in enumerate(found.numbers)}
    for row in found.rows:
        place = place_of[row.text, row.number]
        cells = [f"<th>{escape(visible(row.word))}</th>"]
        for method in shown:
            value = row.values[method.name]
            text = "" if value is None else f"{value:{method.sign}.3f}"
            said = method.instead[place] if method.instead else None
            title = f' title="{escape(visible(said))}"' if said else ""
            cells.append(f'<td style="{_shade(float(strengths[method.name][place]))}"{title}>{text}</td>')
        lines.append(f"<tr>{''.join(cells)}</tr>")
    notes = "".join(f"<li>{escape(visible(note))}</li>" for note in found.remarks())
    table = f"<table><tr><th></th>{names}</tr>{''.join(lines)}</table>"
    return f"<div>{head}<p>{words}</p>{table}<ul>{notes}</ul></div>"


def causes_page(found: Causes) -> str:
    """The same as a page of its own, which loads nothing and runs nothing."""
    policy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(visible(found.said))}</title>\n"
        "<style>:root{color-scheme:light dark}body{font:16px sans-serif;margin:2em}"
        "td,th{padding:.2em .6em;text-align:right;white-space:nowrap}p{line-height:1.7}"
        "span{padding:.1em .2em;border-radius:.2em}</style>\n</head>\n"
        f"<body>\n{causes_html(found)}\n</body>\n</html>\n"
    )


def _shade(share: float) -> str:
    """The ground for a share from -1 to 1, and ink that can be read on it."""
    if not abs(share) > 0:  # nor what is not a number
        return ""
    deep = POSITIVE if share > 0 else NEGATIVE
    ground = [round(255 + abs(share) * (part - 255)) for part in deep]
    ink = ink_on([part / 255 for part in ground])
    return f"background:rgb({','.join(map(str, ground))});color:{ink}"
