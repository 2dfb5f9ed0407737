"""What several commands print."""

from rich.console import Console

from regard.insight.maps import AttentionMap
from regard.insight.terminal import heat_map


def print_heat_map(attention: AttentionMap) -> None:
    """Draw a map on stdout, in colour where the terminal has shades of it."""
    console = Console()
    shades = console.color_system in ("256", "truecolor")  # sixteen colours would all look alike
    console.print(heat_map(attention, width=console.width, colour=shades), crop=False)
