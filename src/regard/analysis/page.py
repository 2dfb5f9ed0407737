"""A report as one HTML file, in the look of the attention pages. Whatever is text is escaped here."""

import base64
import hashlib
from collections.abc import Sequence
from html import escape

from rich.cells import cell_len

from regard.insight.display import visible

_STYLE = """
:root { color-scheme: light dark; --ground: #ffffff; --ink: #1a1a1a; --faint: #595959; --edge: #c9c9c9;
  --mark: #b34700; --bar: #1f6feb; --lit: #fff0c2; }
@media (prefers-color-scheme: dark) { :root { --ground: #0d1117; --ink: #e8e8e8; --faint: #a8b0b8;
  --edge: #3d444d; --mark: #ffa657; --bar: #58a6ff; --lit: #4d3b00; } }
html { background: var(--ground); color: var(--ink); }
body { font: 15px/1.45 "Noto Sans KR", "Apple SD Gothic Neo", "Malgun Gothic", "NanumGothic", system-ui,
  sans-serif; margin: 0 auto; padding: 16px; max-width: 66em; overflow-wrap: anywhere; }
h1 { font-size: 22px; margin: 4px 0; } h2 { font-size: 18px; margin: 28px 0 6px; padding-top: 8px;
  border-top: 1px solid var(--edge); } h3 { font-size: 15px; margin: 18px 0 4px; }
p { margin: 6px 0; } .note { color: var(--faint); font-size: 13px; }
.verdict { border-left: 4px solid var(--mark); background: var(--lit); padding: 8px 12px; font-size: 17px;
  font-weight: 600; } nav { display: flex; gap: 14px; flex-wrap: wrap; margin: 8px 0; }
a { color: var(--mark); } .scroll { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; margin: 6px 0; }
th { text-align: left; font-weight: 600; color: var(--faint); border-bottom: 1px solid var(--edge); }
th, td { padding: 2px 12px 2px 0; white-space: nowrap; vertical-align: top; }
td.words { white-space: normal; } td.number, th.number { text-align: right; }
tbody tr:hover { background: var(--lit); }
svg { max-width: 100%; height: auto; fill: currentColor; } svg .bar { fill: var(--bar); }
svg .line { stroke: var(--bar); fill: none; stroke-width: 2; } svg .edge { stroke: var(--edge); }
svg text { font-size: 12px; fill: var(--faint); }
"""


def page(title: str, head: str, sections: Sequence[tuple[str, str, str]]) -> str:
    """A whole page.

    head:     what stands above the sections, as HTML
    sections: of each its name, its title, and its body as HTML
    """
    digest = base64.b64encode(hashlib.sha256(_STYLE.encode()).digest()).decode("ascii")
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    links = "".join(f'<a href="#{escape(name)}">{_text(own)}</a>' for name, own, _ in sections)
    bodies = "".join(
        f'<section id="{escape(name)}"><h2>{_text(own)}</h2>{body}</section>\n'
        for name, own, body in sections
    )
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="referrer" content="no-referrer">\n'
        f"<title>{_text(title)}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n"
        f"<h1>{_text(title)}</h1>\n{head}\n<nav>{links}</nav>\n{bodies}</body>\n</html>\n"
    )


def paragraph(text: str, *, kind: str = "") -> str:
    """A paragraph; kind: "note" for what is said by the way."""
    return f'<p class="{kind}">{_text(text)}</p>' if kind else f"<p>{_text(text)}</p>"


def heading(text: str) -> str:
    """A heading within a section."""
    return f"<h3>{_text(text)}</h3>"


def verdict_box(text: str) -> str:
    """What a report comes to."""
    return f'<p class="verdict">{_text(text)}</p>'


def table_html(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table; columns of numbers are set to the right."""
    kinds = [_kind(rows, column) for column in range(len(head))]
    top = "".join(f'<th class="{kind}">{_text(name)}</th>' for name, kind in zip(head, kinds, strict=True))
    body = "".join(
        "<tr>"
        + "".join(f'<td class="{kind}">{_text(cell)}</td>' for cell, kind in zip(row, kinds, strict=True))
        + "</tr>"
        for row in rows
    )
    return f'<div class="scroll"><table><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table></div>'


def table_lines(head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """The same for a terminal; Hangul is two cells wide."""
    lines = [head, *rows]
    widths = [max(cell_len(line[column]) for line in lines) for column in range(len(head))]
    right = [_kind(rows, column) == "number" for column in range(len(head))]
    found = []
    for line in lines:
        cells = [
            " " * (width - cell_len(cell)) + cell if to_right else cell + " " * (width - cell_len(cell))
            for cell, width, to_right in zip(line, widths, right, strict=True)
        ]
        found.append("  ".join(cells).rstrip())
    return found


def number_text(value: float) -> str:
    """Three decimals, and never −0."""
    return f"{round(value, 3) + 0.0:.3f}"


def curve_svg(title: str, points: Sequence[tuple[float, float]], *, x: str, y: str) -> str:
    """A line through points, with its axes named; nothing for less than two points."""
    if len(points) < 2:
        return ""
    (left, right), (low, high) = (
        (min(point[side] for point in points), max(point[side] for point in points)) for side in (0, 1)
    )
    wide, tall = right - left or 1.0, high - low or 1.0
    places = [(60 + 400 * (a - left) / wide, 150 - 120 * (b - low) / tall) for a, b in points]
    path = " ".join(f"{'M' if n == 0 else 'L'}{a:.1f},{b:.1f}" for n, (a, b) in enumerate(places))
    dots = "".join(
        f'<circle class="bar" cx="{a:.1f}" cy="{b:.1f}" r="3"><title>{_text(f"{one:g}: {other:.3f}")}'
        "</title></circle>"
        for (a, b), (one, other) in zip(places, points, strict=True)
    )
    return (
        f'<svg viewBox="0 0 480 195" width="480" height="195" role="img"><title>{_text(title)}</title>'
        '<path class="edge" d="M60,30 V150 H460" fill="none"/>'
        f'<text x="60" y="18">{_text(y)}</text><text x="54" y="34" text-anchor="end">{high:.3g}</text>'
        f'<text x="54" y="154" text-anchor="end">{low:.3g}</text><text x="60" y="168">{left:g}</text>'
        f'<text x="460" y="168" text-anchor="end">{right:g}</text>'
        f'<text x="260" y="186" text-anchor="middle">{_text(x)}</text>'
        f'<path class="line" d="{path}"/>{dots}</svg>'
    )


def grid_svg(title: str, rows: Sequence[tuple[str, Sequence[float | None]]], *, most: float) -> str:
    """A shaded cell for each number, a row of them for each label; `most` is shaded full."""
    if not rows:
        return ""
    cell, columns = 26, max(len(values) for _, values in rows)
    left = 8 * max(cell_len(visible(label)) for label, _ in rows) + 12
    height, width = 26 + cell * len(rows), left + cell * columns + 8
    parts = [
        f'<svg viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img">'
        f"<title>{_text(title)}</title>"
    ]
    parts += [
        f'<text x="{left + cell * (n + 0.5):.0f}" y="16" text-anchor="middle">{n}</text>'
        for n in range(columns)
    ]
    for row, (label, values) in enumerate(rows):
        y = 22 + cell * row
        parts.append(f'<text x="{left - 8}" y="{y + 17}" text-anchor="end">{_text(label)}</text>')
        for column, value in enumerate(values):
            if value is None:
                continue
            shade = max(0.04, min(1.0, value / most if most else 0.0))
            told = _text(f"{label}, head {column}: {value:.3f}")
            parts.append(
                f'<rect class="bar" x="{left + cell * column}" y="{y}" width="{cell - 1}" '
                f'height="{cell - 1}" fill-opacity="{shade:.3f}"><title>{told}</title></rect>'
            )
    return "".join([*parts, "</svg>"])


def _text(text: str) -> str:
    return escape(visible(text))


def _kind(rows: Sequence[Sequence[str]], column: int) -> str:
    cells = [row[column] for row in rows if row[column] not in ("", "–")]
    if cells and all(cell.lstrip("+-−–")[:1].isdigit() for cell in cells):
        return "number"
    return "words" if any(len(cell) > 60 for cell in cells) else ""
