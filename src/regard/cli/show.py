"""What several commands print."""

from rich.console import Console

from regard.insight.maps import AttentionMap
from regard.insight.terminal import heat_map


def print_heat_map(attention: AttentionMap) -> None:
    """Draw a map on stdout, in colour where the terminal has it."""
    console = Console()
    console.print(
        heat_map(attention, width=console.width, colour=console.color_system is not None), crop=False
    )
