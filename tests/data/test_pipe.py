import os

import pytest

from regard.cli.lines import Pipe
from regard.data.lines import ENDLESS_BYTES, scan_lines
from regard.errors import DataError


def test_lines_come_as_they_are_written() -> None:
    reader, writer = os.pipe()
    pipe = Pipe(reader)
    os.write(writer, "가\r\nb\nhalf".encode())
    lines = scan_lines(pipe, "x")
    assert next(lines) == (1, "가")
    assert pipe.has_more()
    assert next(lines) == (2, "b")
    assert not pipe.has_more(), "half a line is no line"
    os.write(writer, b" done")
    os.close(writer)
    assert pipe.has_more()
    assert list(lines) == [(3, "half done")]


def test_a_line_longer_than_the_limit_comes_in_pieces() -> None:
    reader, writer = os.pipe()
    os.write(writer, b"abcdef\ng\n")
    os.close(writer)
    pipe = Pipe(reader)
    assert [pipe.readline(4) for _ in range(5)] == [b"abcd", b"ef\n", b"g\n", b"", b""]


class _Endless:
    """Bytes like those of /dev/zero; whoever reads far more than a line may have is told so."""

    def __init__(self) -> None:
        self.read = 0

    def readline(self, limit: int) -> bytes:
        self.read += limit
        assert self.read < 4 * ENDLESS_BYTES
        return bytes(limit)


def test_a_stream_without_the_end_of_a_line_is_given_up() -> None:
    with pytest.raises(DataError, match="x:1: expected lines of text, found no end of a line in 16,777,216"):
        next(scan_lines(_Endless(), "x"))
