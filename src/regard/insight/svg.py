"""A heat map as a small SVG text, without any library: for notebooks. Everything that is text is escaped."""

import unicodedata
from html import escape

from regard.insight.display import visible
from regard.insight.maps import AttentionMap

_CELL, _CHAR, _GAP = 26, 8.2, 6


def heat_map_svg(attention: AttentionMap) -> str:
    """Rows are output words, columns input words; a darker cell has more weight, its title says it."""
    rows = [visible(label) for label in attention.rows]
    columns = [visible(label) for label in attention.columns]
    left = max(map(_width, rows), default=0.0) + 2 * _GAP
    top = max(map(_width, columns), default=0.0) * 0.72 + 2 * _GAP
    over = (_width(label) * 0.72 - (len(columns) - n) * _CELL for n, label in enumerate(columns))
    right = max(over, default=0.0)
    width = left + len(columns) * _CELL + max(0.0, right) + _GAP
    height = top + len(rows) * _CELL + _GAP
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}" '
        f'height="{height:.0f}" role="img" font-family="sans-serif" font-size="13" fill="currentColor">',
        f"<title>{escape(attention.path)}</title>",
    ]
    for number, label in enumerate(columns):
        x, y = left + (number + 0.5) * _CELL, top - _GAP
        turned = f'transform="rotate(-45 {x:.1f} {y:.1f})"'
        parts.append(f'<text x="{x:.1f}" y="{y:.1f}" {turned}>{escape(label)}</text>')
    for number, label in enumerate(rows):
        y = top + (number + 0.68) * _CELL
        parts.append(f'<text x="{left - _GAP:.1f}" y="{y:.1f}" text-anchor="end">{escape(label)}</text>')
    for row, weights in enumerate(attention.weights):
        for column, weight in enumerate(weights):
            told = f"{attention.rows[row]} ← {attention.columns[column]}: {float(weight):.3f}"
            place = f'x="{left + column * _CELL:.1f}" y="{top + row * _CELL:.1f}"'
            shade = f'fill="#1f6feb" fill-opacity="{max(0.03, min(1.0, float(weight))):.3f}"'
            size = f'width="{_CELL - 1}" height="{_CELL - 1}"'
            parts.append(f"<rect {place} {size} {shade}><title>{escape(told)}</title></rect>")
    return "".join([*parts, "</svg>"])


def _width(label: str) -> float:
    wide = sum(unicodedata.east_asian_width(char) in "WF" for char in label)
    return _CHAR * (len(label) + 0.6 * wide)
