"""Lines of a text, many at a time."""

from collections.abc import Iterable, Iterator
from typing import TypeVar

from regard.errors import RegardError

T = TypeVar("T")
LINES_AT_ONCE = 512
"""Lines that are sorted by length and read together."""


def chunks(lines: Iterable[T | None], size: int) -> Iterator[list[T]]:
    """Lines with their places in chunks of a size; None among them says that no more is at hand for now.

    Those before a line that cannot be read come first.
    """
    chunk: list[T] = []
    try:
        for line in lines:
            if line is not None:
                chunk.append(line)
            if chunk and (line is None or len(chunk) == size):
                yield chunk
                chunk = []
    except RegardError:
        if chunk:
            yield chunk
        raise
    if chunk:
        yield chunk
