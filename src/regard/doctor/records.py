"""What is read of a corpus, row by row."""

from typing import NamedTuple


class Record(NamedTuple):
    """A row with its texts, and its label if there is one."""

    number: int
    texts: tuple[str, ...]
    label: str | None
    decoded: bool = False
    """The line was not UTF-8, and could be decoded nevertheless."""


class Lost(NamedTuple):
    """A row that cannot be read: its line, the check that says so, why, and what stands there."""

    number: int
    check: str
    reason: str
    raw: str
