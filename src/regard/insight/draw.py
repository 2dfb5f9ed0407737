"""Pictures, such as a heat map, as PNG, SVG or PDF, with Hangul that is always legible.

The font comes from the package koreanize-matplotlib (NanumGothic), by its path: importing that package
would change matplotlib for the whole program. In SVG, letters are drawn as paths, so that no viewer needs
the font.
"""

import importlib.util
import io
import warnings
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from regard.errors import MissingExtraError, RegardError
from regard.insight.labels import visible
from regard.insight.maps import AttentionMap
from regard.store.atomic import write_file

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ENDINGS = (".png", ".svg", ".pdf")
HANGUL_FONT = "NanumGothic"
MOST_NUMBERS = 400
"""A map with more cells than this is drawn without numbers."""


def check_picture(path: Path) -> None:
    """Refuse, before any work, a format that cannot be drawn, or a drawing without its parts."""
    if path.suffix.lower() not in ENDINGS:
        raise RegardError(f"{path}: a picture ends in {', '.join(ENDINGS)}, found '{path.suffix}'")
    for part in ("matplotlib", "koreanize_matplotlib"):
        if importlib.util.find_spec(part) is None:
            raise MissingExtraError("drawing a picture", "plot")


def draw_heat_map(attention: AttentionMap, path: Path, *, title: str = "") -> None:
    """Draw a map into a file; its ending says the format."""
    save_figure(lambda: _heat_map_figure(attention, title), path)


def save_figure(make: Callable[[], "Figure"], path: Path) -> None:
    """Draw a figure into a file, in the fonts that every picture has; the ending says the format."""
    check_picture(path)
    import matplotlib as mpl

    _add_font()
    settings: dict[Any, Any] = {
        "font.family": [HANGUL_FONT, "DejaVu Sans"],  # the second has what the first lacks
        "svg.fonttype": "path",
        "svg.hashsalt": "regard",  # the same picture gives the same file
        "text.parse_math": False,  # a $ is a word here
    }
    with mpl.rc_context(settings), warnings.catch_warnings():
        # A sign that neither font has is drawn as a box; nothing is wrong with the picture.
        warnings.filterwarnings("ignore", message="Glyph .* missing from", category=UserWarning)
        figure = make()
        kind = path.suffix.lower().removeprefix(".")
        content = io.BytesIO()
        metadata = {"Date": None} if kind == "svg" else None
        figure.savefig(content, format=kind, dpi=160, bbox_inches="tight", metadata=metadata)
    write_file(path, content.getvalue())


def _heat_map_figure(attention: AttentionMap, title: str) -> "Figure":
    from matplotlib.figure import Figure

    rows, columns = len(attention.rows), len(attention.columns)
    figure = Figure(figsize=(1.6 + 0.62 * columns, 1.3 + 0.4 * rows))
    axes = figure.add_subplot()
    image = axes.imshow(attention.weights, cmap="Blues", vmin=0.0, vmax=1.0, aspect="auto")
    axes.set_xticks(range(columns), [visible(label) for label in attention.columns], rotation=40, ha="left")
    axes.set_yticks(range(rows), [visible(label) for label in attention.rows])
    axes.xaxis.tick_top()
    axes.tick_params(length=0, labelsize=11)
    axes.set_xticks([x - 0.5 for x in range(1, columns)], minor=True)
    axes.set_yticks([y - 0.5 for y in range(1, rows)], minor=True)
    axes.grid(which="minor", color="white", linewidth=1.5)
    axes.tick_params(which="minor", length=0)
    axes.spines[:].set_visible(False)
    if rows * columns <= MOST_NUMBERS:
        for y, weights in enumerate(attention.weights):
            for x, weight in enumerate(weights):
                if weight >= 0.01:
                    ink = "white" if weight > 0.55 else "#222222"
                    axes.text(
                        x,
                        y,
                        f"{weight:.2f}"[1:] if weight < 0.995 else "1",
                        ha="center",
                        va="center",
                        color=ink,
                        fontsize=8.5,
                    )
    if title:
        axes.set_xlabel(title, fontsize=11, labelpad=10)
    colour_bar = figure.colorbar(image, ax=axes, fraction=0.03, pad=0.02)
    colour_bar.outline.set_visible(False)
    colour_bar.ax.tick_params(labelsize=8, length=0)
    return figure


@cache
def _add_font() -> None:
    from matplotlib import font_manager

    package = importlib.util.find_spec("koreanize_matplotlib")
    if package is None or package.origin is None:
        raise MissingExtraError("drawing Hangul", "plot")
    font_manager.fontManager.addfont(Path(package.origin).parent / "fonts" / "NanumGothic.ttf")
