"""What several commands print."""

import os
from collections.abc import Sequence

from rich.console import Console
from rich.text import Text

from regard.cli.picture_kinds import PictureKind
from regard.insight.draw.overview import axes_told, layers_and_heads
from regard.insight.draw.text import row_name, row_weights
from regard.insight.labels import in_cells
from regard.insight.maps import AttentionMap
from regard.insight.similarity import SimilarityMap
from regard.insight.terminal import heat_map, highlighted, line_list, overview, similarity_map

FILE_WIDTH = 1000
"""A file or a pipe has no edge, so a map need not be cut into panels there; COLUMNS gives it one."""


def print_heat_map(attention: AttentionMap) -> None:
    """Draw a map on stdout, in colour where the terminal has shades of it, and say what it shows."""
    print_attention(attention, (attention,), PictureKind.HEAT, threshold=0.0, row=None)


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
    """Draw attention on stdout as a kind of picture, and say what it shows; an overview is of all maps."""
    console = _console()
    told = attention.caption
    match kind:
        case PictureKind.HEAT:
            drawn = heat_map(attention, width=console.width, colour=_shades(console))
            told += "; in %"
        case PictureKind.LINES:
            drawn = line_list(attention, threshold=threshold, width=console.width)
        case PictureKind.OVERVIEW:
            drawn = overview(layers_and_heads(maps), width=console.width)
            told = axes_told(maps)
        case PictureKind.TEXT:
            words = highlighted(
                attention.columns, row_weights(attention, row), width=console.width, colour=_shades(console)
            )
            drawn = Text(f"{in_cells(row_name(attention, row))}:\n", end="", no_wrap=True).append_text(words)
    console.print(drawn, crop=False)
    for line in filter(None, [told, attention.missing_note]):
        console.print(Text(line, style="dim"), crop=False)


def _console() -> Console:
    console = Console()
    if not console.is_terminal and "COLUMNS" not in os.environ:
        console.width = FILE_WIDTH
    return console


def _shades(console: Console) -> bool:
    return console.color_system in ("256", "truecolor")  # sixteen colours would all look alike
