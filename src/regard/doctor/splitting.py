"""One corpus into train, dev and test, so that no sentence stands in two of them.

Rows that share a side belong together (two translations of one sentence, a sentence that stands twice), and
so do those that share another side with one of them. Such a set of rows comes into one part as a whole.
"""

import unicodedata
from array import array
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path
from typing import IO

import numpy as np
from numpy.typing import NDArray

from regard.config.data import ColumnsCorpus, ConlluCorpus, CsvCorpus, OneCorpus, ParallelCorpus
from regard.data.lines import file_path
from regard.data.rows import Cell, Row, Rows
from regard.data.tables import delimiter_of
from regard.data.writers import appearing
from regard.doctor.inputs import paths_of
from regard.doctor.raw import Lines, with_lines
from regard.errors import DataError
from regard.progress import counted, track

HELD_OUT = ("dev", "test")
MEASURE_SHARE = 20
"""Of a small corpus, one in so many rows goes to dev and as many to test."""
FEWEST = 200
"""With fewer rows, dev or test could come out empty."""
MOST_TO_MEASURE = 2000
_LARGEST_SET = 5
"""A set that would be more than one in so many rows of dev goes to train."""
_DISTINCT = 0.2
_SHOWN = 3
_OF_SEVERAL_LINES = (CsvCorpus, ColumnsCorpus, ConlluCorpus)
_ODD = np.uint64(0x9E3779B97F4A7C15)


def measured_rows(rows: int) -> int:
    """How many rows are set aside for dev, and again for test."""
    return min(MOST_TO_MEASURE, rows // MEASURE_SHARE)


@dataclass
class Survey:
    """What was seen in one pass over a corpus."""

    name: str
    keys: tuple["array[int]", ...] = ()
    """Of each side, the key of each row that can be used, in eight bytes."""
    good: int = 0
    bad: int = 0
    examples: list[str] = field(default_factory=list)
    """Where the first rows that cannot be used stand, and why they cannot."""


def survey(rows: Rows, sides: int, *, quiet: bool = False) -> Survey:
    """Look at every row once.

    sides: how many of the first columns are sentences, by which rows belong together
    """
    seen = Survey(rows.name, tuple(array("Q") for _ in range(sides)))
    for row in track(rows, f"reading {rows.name}", quiet=quiet):
        if isinstance(row, Row):
            seen.good += 1
            for keys, cell in zip(seen.keys, row.cells, strict=False):
                keys.append(key_of(cell))
        else:
            seen.bad += 1
            if len(seen.examples) < _SHOWN:
                seen.examples.append(f"{rows.name}:{row.number}: {row.reason}")
    return seen


def key_of(cell: Cell) -> int:
    """A number for a sentence: case, punctuation and spacing do not count."""
    text = unicodedata.normalize("NFKC", cell if isinstance(cell, str) else " ".join(cell)).casefold()
    said = "".join(filter(str.isalnum, text)) or "".join(text.split())
    return int.from_bytes(blake2b(said.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "big")


def is_category(keys: Sequence[int]) -> bool:
    """Whether a column has the same few cells again and again, such as topics, not sentences."""
    return len({*keys}) < _DISTINCT * len(keys)


def connected(sides: Sequence[Sequence[int]]) -> NDArray[np.uint64]:
    """For each row a number that is equal for rows that share a key, or that others with shared keys connect.

    It is the smallest key of them all, so it does not depend on the order of the rows.
    """
    keys = np.asarray(sides, dtype=np.uint64)
    values, places = np.unique(keys, return_inverse=True)
    ends = places.reshape(keys.shape)  # a row is an edge between its keys
    root = np.arange(len(values))
    while True:
        found = root[ends]
        smallest = found.min(axis=0)
        if (found == smallest).all():
            return np.asarray(values[smallest])
        for side in found:  # a root comes below the smallest that it is connected with
            np.minimum.at(root, side, smallest)
        while (root[root] != root).any():
            root = root[root]


def divide(seen: Survey, held_out: Sequence[str] = HELD_OUT) -> NDArray[np.uint8]:
    """The part of each row: 0 is train, 1 the first of `held_out`, and so on.

    Which sets are held out is decided by their sentences alone: a corpus that grows keeps most of its parts.
    """
    if seen.good < FEWEST:
        raise DataError(
            f"{seen.name}: has {counted(seen.good, 'row')}; {FEWEST} are the fewest that can be cut"
        )
    aside = measured_rows(seen.good)
    values, members, sizes = np.unique(connected(seen.keys), return_inverse=True, return_counts=True)
    order = np.argsort(values * _ODD)  # as good as by chance
    small = order[sizes[order] <= max(4, aside // _LARGEST_SET)]
    before = np.cumsum(sizes[small]) - sizes[small]
    parts = np.zeros(len(values), dtype=np.uint8)
    for number in range(len(held_out), 0, -1):
        parts[small[before < number * aside]] = number
    rows = parts[members.reshape(-1)]
    short = next((name for n, name in enumerate(held_out, start=1) if (rows == n).sum() < aside // 2), None)
    if short is not None:
        raise DataError(
            f"{seen.name}: cannot be cut so that no sentence stands in two parts: {int(sizes.max()):,} of "
            f"its {seen.good:,} rows are connected by sentences that they share, and too few are left for "
            f"{short}; name a folder with train, dev and test files instead"
        )
    return rows


def cut_corpus(
    rows: Rows,
    corpus: OneCorpus,
    parts: NDArray[np.uint8],
    folder: Path,
    held_out: Sequence[str] = HELD_OUT,
    *,
    quiet: bool = False,
) -> dict[str, tuple[OneCorpus, int]]:
    """Copy each row as it stands, with all its columns, into the file of its part: corpora and their rows.

    parts: of the rows that can be used; the others are left out
    """
    paths = [file_path(path) for path in paths_of(corpus)]
    names = ("train", *held_out)
    files = {name: [folder / f"{name}{_ending(corpus, path)}" for path in paths] for name in names}
    try:
        _copy(rows, corpus, paths, parts, list(files.values()), quiet=quiet)
    except BaseException:
        with suppress(OSError):
            folder.rmdir()  # nothing came of it
        raise
    counts = np.bincount(parts, minlength=len(names))
    return {name: (_at(corpus, files[name]), int(count)) for name, count in zip(names, counts, strict=True)}


def _copy(
    rows: Rows,
    corpus: OneCorpus,
    paths: Sequence[Path],
    parts: NDArray[np.uint8],
    outs: Sequence[Sequence[Path]],
    *,
    quiet: bool,
) -> None:
    left = iter(parts)
    with ExitStack() as stack:
        files = [[stack.enter_context(appearing(path)) for path in some] for some in outs]
        copied = track(with_lines(rows, paths), f"cutting {rows.name}", total=len(parts), quiet=quiet)
        for row, lines in copied:
            if row is None:  # the header
                for some in files:
                    _put(lines, some)
            elif isinstance(row, Row):
                part = next(left, None)
                if part is None:
                    raise _changed(rows)
                # Where a row has one line, the others are empty ones after it.
                _put(lines if isinstance(corpus, _OF_SEVERAL_LINES) else lines[:1], files[part])
        if next(left, None) is not None:
            raise _changed(rows)


def _put(lines: Lines, files: Sequence[IO[bytes]]) -> None:
    for line in lines:
        for file, raw in zip(files, line, strict=True):
            file.write(raw if raw.endswith(b"\n") else raw + b"\n")


def _changed(rows: Rows) -> DataError:
    return DataError(f"{rows.name}: has changed while it was read; try again")


def _ending(corpus: OneCorpus, path: Path) -> str:
    """What the names of the parts end in, as that of the whole does."""
    packed = ".gz" if path.suffix.lower() == ".gz" else ""
    inner = Path(path.stem if packed else path.name)
    return f"{inner.suffix if isinstance(corpus, ParallelCorpus) else inner.suffix.lower()}{packed}"


def _at(corpus: OneCorpus, paths: Sequence[Path]) -> OneCorpus:
    """The same corpus in other files."""
    if isinstance(corpus, ParallelCorpus):
        return ParallelCorpus(source_path=str(paths[0]), target_path=str(paths[1]))
    changed = {"path": str(paths[0])}
    if isinstance(corpus, CsvCorpus) and (delimiter := delimiter_of(corpus)) != ",":
        changed["delimiter"] = delimiter  # known now; nobody needs to guess it again
    return corpus.model_copy(update=changed)
