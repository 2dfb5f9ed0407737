"""Pictures as PNG, SVG or PDF, with Hangul that is always legible.

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
from regard.store.atomic import write_file

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ENDINGS = (".png", ".svg", ".pdf")
HANGUL_FONT = "NanumGothic"


def check_picture(path: Path) -> None:
    """Refuse, before any work, a format that cannot be drawn, or a drawing without its parts."""
    if path.suffix.lower() not in ENDINGS:
        raise RegardError(f"{path}: a picture ends in {', '.join(ENDINGS)}, found '{path.suffix}'")
    for part in ("matplotlib", "koreanize_matplotlib"):
        if importlib.util.find_spec(part) is None:
            raise MissingExtraError("drawing a picture", "plot")


def write_picture(make: "Callable[[], Figure]", path: Path) -> None:
    """Make a figure and write it into a file; its ending says the format."""
    check_picture(path)
    import matplotlib as mpl

    _add_font()
    settings: dict[Any, Any] = {
        "font.family": [HANGUL_FONT, "DejaVu Sans"],  # the second has what the first lacks
        "svg.fonttype": "path",
        "svg.hashsalt": "regard",  # the same figure gives the same file
        "text.parse_math": False,  # a $ is a word here
    }
    with mpl.rc_context(settings), warnings.catch_warnings():
        # A sign that neither font has is drawn as a box; nothing is wrong with the figure.
        warnings.filterwarnings("ignore", message="Glyph .* missing from", category=UserWarning)
        kind = path.suffix.lower().removeprefix(".")
        content = io.BytesIO()
        metadata = {"Date": None} if kind == "svg" else None
        make().savefig(content, format=kind, dpi=160, bbox_inches="tight", metadata=metadata)
    write_file(path, content.getvalue())


@cache
def _add_font() -> None:
    from matplotlib import font_manager

    package = importlib.util.find_spec("koreanize_matplotlib")
    if package is None or package.origin is None:
        raise MissingExtraError("drawing Hangul", "plot")
    font_manager.fontManager.addfont(Path(package.origin).parent / "fonts" / "NanumGothic.ttf")
