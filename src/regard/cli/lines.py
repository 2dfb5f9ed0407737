"""Lines of a file, or of stdin as they come."""

import sys
from collections.abc import Iterator
from pathlib import Path


def read_or_stream(file: str) -> Iterator[tuple[str, str] | None]:
    """Lines with their places; None where a pipe has no more at hand."""
    from regard.data.lines import decode_lines, read_lines
    from regard.data.pipe import Pipe

    if file != "-":
        yield from read_lines(Path(file))
        return
    pipe = Pipe(sys.stdin.fileno())
    for line in decode_lines(pipe, "<stdin>"):
        yield line
        if not pipe.has_more():
            yield None


def is_there(file: str) -> bool:
    """Whether there is such a file; a text that is too long to be a name is none."""
    try:
        return Path(file).exists()
    except (OSError, ValueError):
        return False


def count_lines(file: str) -> int | None:
    """How many lines there will be, where that is soon known."""
    path = Path(file)
    if file == "-" or path.suffix == ".gz" or not path.is_file():
        return None
    with path.open("rb") as opened:
        return sum(block.count(b"\n") for block in iter(lambda: opened.read(1 << 20), b""))


def on_one_line(text: str) -> str:
    """A vocabulary with bytes can spell the end of a line; a sentence stays one line all the same."""
    return text.replace("\n", " ").replace("\r", " ")
