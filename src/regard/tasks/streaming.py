"""Lines of a text, many at a time."""

from collections.abc import Iterable, Iterator

from regard.errors import RegardError

LINES_AT_ONCE = 512
"""Lines that are sorted by length and read together."""


def chunks(lines: Iterable[tuple[str, str] | None], size: int) -> Iterator[list[tuple[str, str]]]:
    """Lines with their places in chunks of a size; None among them says that no more is at hand for now.

    Those before a line that cannot be read come first.
    """
    chunk: list[tuple[str, str]] = []
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
