"""Pictures as PNG, SVG or PDF, and animations as GIF, with Hangul that is always legible.

The font comes from the package koreanize-matplotlib (NanumGothic), by its path: importing that package
would change matplotlib for the whole program. In SVG, letters are drawn as paths, so that no viewer needs
the font.
"""

import importlib.util
import io
import unicodedata
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from regard.errors import MissingExtraError, RegardError
from regard.insight.display import (
    JOINER,
    STYLES,
    TONES,
    clusters,
    flag_letter,
    is_emoji,
    tone_name,
    visible,
)
from regard.store.atomic import write_file

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ENDINGS = (".png", ".svg", ".pdf")
FONTS = ("NanumGothic", "DejaVu Sans")
"""The second has what the first lacks."""
DPI = 160


def check_picture(path: Path, endings: Sequence[str] = ENDINGS) -> None:
    """Refuse, before any work, a format that cannot be drawn, or a drawing without its parts."""
    if path.suffix.lower() not in endings:
        raise RegardError(f"{path}: a picture ends in {', '.join(endings)}, found '{path.suffix}'")
    for part in ("matplotlib", "koreanize_matplotlib"):
        if importlib.util.find_spec(part) is None:
            raise MissingExtraError("drawing a picture", "plot")


def write_picture(make: "Callable[[], Figure]", path: Path) -> None:
    """Make a figure and write it into a file; its ending says the format."""
    check_picture(path)
    kind = path.suffix.lower().removeprefix(".")
    content = io.BytesIO()
    metadata = {"Date": None} if kind == "svg" else None
    with _settings():
        make().savefig(content, format=kind, dpi=DPI, bbox_inches="tight", metadata=metadata)
    write_file(path, content.getvalue())


def write_animation(makes: "Sequence[Callable[[], Figure]]", path: Path, seconds: Sequence[float]) -> None:
    """Make figures of one size and write them as an animation that begins again at its end.

    seconds: how long each figure is shown
    """
    check_picture(path, (".gif",))
    from PIL import Image

    frames = []
    for make in makes:
        content = io.BytesIO()
        with _settings():
            make().savefig(content, format="png", dpi=DPI / 2)  # not cut to its ink: all have one size
        # One colour table of its own for each frame: few colours, so they stay as they are.
        frames.append(Image.open(content).convert("RGB").quantize(256, dither=Image.Dither.NONE))
    animation = io.BytesIO()
    frames[0].save(
        animation, format="GIF", save_all=True, append_images=frames[1:], loop=0, disposal=2,
        duration=[round(1000 * each) for each in seconds],
    )  # fmt: skip
    write_file(path, animation.getvalue())


def drawable(text: str) -> str:
    """What is visible; emoji that are joined, or that the fonts lack, by their names: `:man-woman-girl:`."""
    return "".join(_drawable(signs) if is_emoji(signs[0]) else signs for signs in clusters(visible(text)))


def _drawable(emoji: str) -> str:
    signs = [sign for sign in emoji if sign not in STYLES + JOINER]
    if len(signs) == 1 and ord(emoji[0]) in _glyphs():
        return emoji[0]
    letters = [flag_letter(sign) for sign in signs]
    if len(signs) == 2 and all(letters):
        return f":flag-{''.join(letters)}:"
    names = (
        tone_name(sign) if sign in TONES else
        unicodedata.name(sign, f"u+{ord(sign):04x}").lower().replace(" ", "-")
        for sign in signs
    )  # fmt: skip
    return f":{'-'.join(names)}:"


@cache
def _glyphs() -> frozenset[int]:
    """What the fonts of pictures have."""
    from matplotlib import font_manager
    from matplotlib.ft2font import FT2Font

    _add_font()
    paths = (font_manager.findfont(name) for name in FONTS)
    return frozenset(code for path in paths for code in FT2Font(path).get_charmap())


@contextmanager
def _settings() -> Iterator[None]:
    import matplotlib as mpl

    _add_font()
    settings: dict[Any, Any] = {
        "font.family": list(FONTS),
        "svg.fonttype": "path",
        "svg.hashsalt": "regard",  # the same figure gives the same file
        "text.parse_math": False,  # a $ is a word here
    }
    with mpl.rc_context(settings), warnings.catch_warnings():
        # A sign that neither font has is drawn as a box; nothing is wrong with the figure.
        warnings.filterwarnings("ignore", message="Glyph .* missing from", category=UserWarning)
        yield


@cache
def _add_font() -> None:
    from matplotlib import font_manager

    package = importlib.util.find_spec("koreanize_matplotlib")
    if package is None or package.origin is None:
        raise MissingExtraError("drawing Hangul", "plot")
    font_manager.fontManager.addfont(Path(package.origin).parent / "fonts" / "NanumGothic.ttf")
