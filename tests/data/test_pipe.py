import os

from regard.data.lines import scan_lines
from regard.data.pipe import Pipe


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
