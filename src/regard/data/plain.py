"""Plain text: one file, or two files side by side."""

from collections.abc import Iterator

from regard.config.data import STDIN, ParallelCorpus, TextCorpus
from regard.data.lines import Line, display_name, lines_of
from regard.data.rows import BadRow, Row, Rows
from regard.errors import DataError

PLAIN_COLUMN = "text"
"""The one column of plain text."""


def text_rows(corpus: TextCorpus) -> Rows:
    """A sentence a line; empty lines are passed over."""

    def read() -> Iterator[Row | BadRow]:
        for line in lines_of(corpus.path):
            if isinstance(line, BadRow):
                yield line
            elif line.text.strip():
                yield Row(line.number, (line.text,))

    return Rows(display_name(corpus.path), (PLAIN_COLUMN,), read)


def parallel_rows(corpus: ParallelCorpus, columns: tuple[str, str]) -> Rows:
    """Line i of the source beside line i of the target; files of different length are an error."""
    source, target = display_name(corpus.source_path), display_name(corpus.target_path)
    if corpus.source_path == corpus.target_path == STDIN:
        raise DataError("source_path and target_path cannot both be stdin")

    def read() -> Iterator[Row | BadRow]:
        others = lines_of(corpus.target_path)
        for line in lines_of(corpus.source_path):
            other = next(others, None)
            if other is None:
                raise DataError(
                    f"{source}:{line.number}: the source has more lines, but {target} has ended; "
                    f"both need as many lines"
                )
            yield _pair(line, other, target)
        if (extra := next(others, None)) is not None:
            raise DataError(
                f"{target}:{extra.number}: the target has more lines, but {source} has ended; "
                f"both need as many lines"
            )

    return Rows(source, columns, read)


def _pair(line: Line | BadRow, other: Line | BadRow, target: str) -> Row | BadRow:
    if isinstance(line, BadRow):
        return line
    if isinstance(other, BadRow):
        return BadRow(other.number, f"{target}: {other.reason}", other.raw)
    return Row(line.number, (line.text, other.text))
