"""What several commands print."""

from rich.console import Console

from regard.insight.maps import AttentionMap
from regard.insight.terminal import heat_map

FILE_WIDTH = 1000
"""A file or a pipe has no edge, so a map need not be cut into panels there."""


def print_heat_map(attention: AttentionMap) -> None:
    """Draw a map on stdout, in colour where the terminal has shades of it."""
    console = Console()
    if not console.is_terminal:
        console.width = FILE_WIDTH
    shades = console.color_system in ("256", "truecolor")  # sixteen colours would all look alike
    console.print(heat_map(attention, width=console.width, colour=shades), crop=False)
