"""Lines of a text, many at a time."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeVar

from regard.errors import RegardError

T = TypeVar("T")
R = TypeVar("R")
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


def readings(
    lines: Iterable[T | None], size: int, read: Callable[[Sequence[T]], Sequence[R]]
) -> Iterator[Sequence[R]]:
    """What is read of lines, in such chunks; `read` refuses one that a model cannot take.

    Those before that one come first.
    """
    for chunk in chunks(lines, size):
        problem: RegardError | None = None
        try:
            found = read(chunk)
        except RegardError:
            found, problem = _before_a_bad_one(chunk, read)
        if found:
            yield found
        if problem is not None:
            raise problem


def _before_a_bad_one(
    chunk: Sequence[T], read: Callable[[Sequence[T]], Sequence[R]]
) -> tuple[Sequence[R], RegardError | None]:
    found: list[R] = []
    for line in chunk:
        try:
            found += read([line])
        except RegardError as error:
            return found, error
    return found, None
