"""One corpus into train, dev and test, so that no sentence stands in two of them."""

import unicodedata
from collections.abc import Iterator
from hashlib import blake2b
from pathlib import Path

from regard.data.bad_rows import BadRows
from regard.data.rows import Row, Rows
from regard.data.writers import write_rows
from regard.errors import DataError

MEASURE_SHARE = 20
"""Of a small corpus, one in so many rows goes to dev and as many to test."""
FEWEST = 200
"""With fewer rows, dev or test could come out empty."""
MOST_TO_MEASURE = 2000


def measured_rows(rows: int) -> int:
    """How many rows are set aside for dev, and again for test."""
    return min(MOST_TO_MEASURE, rows // MEASURE_SHARE)


def part_of(row: Row, share: float) -> str:
    """train, dev or test, by a hash of the first column: case, punctuation and spacing do not count.

    So sentences that are the same, or nearly, come into the same part, and a corpus that grows keeps its
    parts. share: of the rows, for dev and again for test.
    """
    cell = row.cells[0]
    text = unicodedata.normalize("NFKC", cell if isinstance(cell, str) else " ".join(cell)).casefold()
    letters = "".join(character for character in text if character.isalnum())
    place = int.from_bytes(blake2b(letters.encode(), digest_size=8).digest(), "big") / 2**64
    if place < share:
        return "dev"
    return "test" if place < 2 * share else "train"


def rows_of(rows: Rows, part: str, share: float) -> Iterator[Row]:
    """The rows of one part."""
    return (row for row in rows if isinstance(row, Row) and part_of(row, share) == part)


def cut_corpus(rows: Rows, folder: Path, ending: str = ".jsonl.gz") -> dict[str, tuple[str, int]]:
    """Write the rows of a corpus into train, dev and test files of a new folder: paths and rows.

    A bad row stops it before anything is written, as it would stop training.
    """
    if folder.exists():
        raise DataError(
            f"{folder}: is there already; the parts are written into a new folder: choose another --out"
        )
    usable = sum(1 for _ in BadRows(None).good(rows))
    if usable < FEWEST:
        raise DataError(f"{rows.name}: has {usable} rows; {FEWEST} are the fewest that can be cut in three")
    aside = measured_rows(usable)
    files = {}
    for part in ("train", "dev", "test"):
        path = str(folder / f"{part}{ending}")
        files[part] = path, write_rows(rows_of(rows, part, aside / usable), rows.columns, path)
    return files
