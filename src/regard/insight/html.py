"""Attention as one interactive page in one file: it loads nothing, and opens from the disk.

The drawing is `page/attention.js`, an ES module without dependencies. Words can hold anything, so the data
are JSON with every sign escaped that could end a script, the module sets them as text only, and the page's
own policy (CSP) lets exactly this script and this style run and forbids every request.

Weights are written as fixed-point numbers with a step of 2⁻²², so a number is within 1.2e-7 of the model's,
and its six decimals within 1e-6. The bytes are sorted by significance and deflated: a row of attention sums
to 1, so the upper bytes are mostly zero. 12 × 12 heads over 64 tokens stay under 2 MB even where every weight
is random, which float32 would not (3.1 MB) and float16 could not without errors of 5e-4.
"""

import base64
import hashlib
import json
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np

from regard.errors import RegardError
from regard.insight.display import visible
from regard.insight.maps import AttentionMap, difference
from regard.insight.token_axis import check_unit
from regard.store.atomic import write_file

STEP = 2.0**-22
NONE = -(2**31)
"""Stands for what is not a number."""
_ESCAPED = {ord(sign): f"\\u{ord(sign):04x}" for sign in "<>&\u2028\u2029"}


def write_change(before: AttentionMap, after: AttentionMap, path: Path, *, source: str) -> None:
    """Write a page with the attention before and after an edit, and what changed."""
    change = difference(before, after)
    signed = [
        tuple(f"{sign} {label}".strip() for sign, label in side) for side in (change.rows, change.columns)
    ]
    rows, columns = signed
    shown = replace(after, rows=rows, columns=columns, weights=change.weights, hidden=None)
    levels = {"before": [before], "after": [after], "change": [shown]}
    values = {"source": source, "change": change.rows, **packed(levels)}
    write_file(path, _page(values, title=source))


def attention_page(
    levels: Mapping[str, Sequence[AttentionMap]],
    *,
    source: str,
    target: str,
    view: str = "heat",
    row: int | None = None,
    threshold: float | None = None,
    options: Mapping[str, str] | None = None,
) -> str:
    """The page as a text.

    levels:    the maps of all layers and heads, by "words", "tokens" or "morphemes"; the first is shown first
    view:      what is shown first: "heat", "lines", "overview" or "text"
    row:       the output word that the text is shaded for; by default the mean of all
    threshold: weights below it have no line at first; by default below 0.05, or below an even row
    options:   `language` ("en", "ko"; by default the browser's) and `theme` ("light", "dark")
    """
    for unit in levels:
        check_unit(unit)
    chosen = {"view": view, "row": row, "threshold": threshold, "options": dict(options or {})}
    values = {"source": source, "target": target, **chosen}
    return _page({**values, **packed(levels)}, title=source)


def write_models(
    models: Sequence[tuple[str, Mapping[str, Sequence[AttentionMap]], str]],
    path: Path,
    *,
    source: str,
    options: Mapping[str, str] | None = None,
) -> None:
    """Write a page with several models side by side, for one sentence.

    models: of each its name, the maps of all its layers and heads by unit, and what it makes of the sentence
    """
    if not models:
        raise RegardError("there is no attention to show: no models were given")
    parts = []
    for name, levels, target in models:
        for unit in levels:
            check_unit(unit)
        parts.append({"name": name, "source": source, "target": target, **packed(levels)})
    write_file(path, _page({"models": parts, "options": dict(options or {})}, title=source))


def _page(values: Mapping[str, Any], *, title: str) -> str:
    parts = files("regard.insight") / "page"
    script = "".join((parts / name).read_text(encoding="utf-8") for name in ("attention.js", "single.js"))
    style = "".join((parts / name).read_text(encoding="utf-8") for name in ("attention.css", "single.css"))
    policy = (
        f"default-src 'none'; script-src '{_hash(script)}'; style-src '{_hash(style)}'; base-uri 'none'; "
        f"form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
    )
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="referrer" content="no-referrer">\n'
        f"<title>{escape(visible(title))}</title>\n<style>{style}</style>\n</head>\n<body>\n"
        '<main id="attention"></main>\n'
        f'<script type="application/json" id="data">{json_block(values)}</script>\n'
        f'<script type="module">{script}</script>\n</body>\n</html>\n'
    )


def json_block(values: Mapping[str, Any]) -> str:
    """JSON that can stand in a script element whatever its texts are."""
    return json.dumps(values, ensure_ascii=False, separators=(",", ":")).translate(_ESCAPED)


def packed(levels: Mapping[str, Sequence[AttentionMap]]) -> dict[str, Any]:
    """Maps as `attention.js` unpacks them: labels once each, all weights in one text."""
    if not any(levels.values()):
        raise RegardError("there is no attention to show: no maps were given")
    labels: dict[tuple[str, ...], int] = {}
    entries, numbers = [], []
    for name, maps in levels.items():
        entries.append({"name": name, "maps": [_entry(each, labels) for each in maps]})
        numbers += [each.weights.ravel() for each in maps]
    steps = np.concatenate(numbers).astype(np.float64) / STEP
    fixed = np.where(np.isnan(steps), NONE, np.rint(steps)).astype("<i4")
    planes = fixed.view(np.uint8).reshape(-1, 4).T.tobytes()
    text = base64.b64encode(zlib.compress(planes, 9)).decode("ascii")
    return {"levels": entries, "packed": {"unit": STEP, "labels": list(labels), "deflated": text}}


def _entry(attention: AttentionMap, labels: dict[tuple[str, ...], int]) -> dict[str, Any]:
    hidden = attention.hidden
    return {
        "path": attention.path,
        "kind": attention.kind,
        "layer": attention.layer,
        "head": attention.head,
        "unit": attention.unit,
        **({} if attention.reduced is None else {"reduced": asdict(attention.reduced)}),
        "rows": labels.setdefault(attention.rows, len(labels)),
        "columns": labels.setdefault(attention.columns, len(labels)),
        **({} if hidden is None else {"hidden": [round(float(weight), 6) for weight in hidden]}),
    }


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode("ascii")
