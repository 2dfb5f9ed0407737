"""What several commands print."""

from collections.abc import Sequence

from rich.console import Console
from rich.text import Text

from regard.cli.picture_kinds import PictureKind
from regard.insight.draw.overview import layers_and_heads
from regard.insight.draw.text import row_name, row_weights
from regard.insight.maps import AttentionMap
from regard.insight.similarity import SimilarityMap
from regard.insight.terminal import heat_map, highlighted, line_list, overview, similarity_map

FILE_WIDTH = 1000
"""A file or a pipe has no edge, so a map need not be cut into panels there."""


def print_heat_map(attention: AttentionMap) -> None:
    """Draw a map on stdout, in colour where the terminal has shades of it."""
    console = _console()
    console.print(heat_map(attention, width=console.width, colour=_shades(console)), crop=False)


def print_similarity(similarity: SimilarityMap) -> None:
    """Draw what every two words add to a cosine on stdout."""
    console = _console()
    console.print(similarity_map(similarity, width=console.width, colour=_shades(console)), crop=False)


def print_attention(
    attention: AttentionMap,
    maps: Sequence[AttentionMap],
    kind: PictureKind,
    *,
    threshold: float,
    row: int | None,
) -> None:
    """Draw attention on stdout as a kind of picture: an overview of all maps, else of the one."""
    console = _console()
    match kind:
        case PictureKind.HEAT:
            drawn = heat_map(attention, width=console.width, colour=_shades(console))
        case PictureKind.LINES:
            drawn = line_list(attention, threshold=threshold)
        case PictureKind.OVERVIEW:
            drawn = overview(layers_and_heads(maps), width=console.width)
        case PictureKind.TEXT:
            words = highlighted(
                attention.columns, row_weights(attention, row), width=console.width, colour=_shades(console)
            )
            drawn = Text(f"{row_name(attention, row)}:\n", end="", no_wrap=True).append_text(words)
    console.print(drawn, crop=False)


def _console() -> Console:
    console = Console()
    if not console.is_terminal:
        console.width = FILE_WIDTH
    return console


def _shades(console: Console) -> bool:
    return console.color_system in ("256", "truecolor")  # sixteen colours would all look alike
