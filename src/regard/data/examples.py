"""One row of a corpus."""

from dataclasses import dataclass

from regard.text.words import Links


@dataclass(frozen=True, slots=True)
class Pair:
    """A sentence and its translation."""

    source: str
    target: str
    where: str
    """`file:line`, or the place in a built-in world."""
    links: Links | None = None
    """Which words belong together, where that is known."""
