"""Rows as ids in files that are mapped into memory: however long they are, the ids take none of it.

A folder holds, for n rows of k sentences each:

    ids.bin       all ids, row after row, 16 bits each where the vocabularies allow, else 32
    starts.bin    (n + 1) where each row begins, 64 bits
    lengths.bin   (n, k) ids of each sentence, 32 bits
    numbers.bin   (n) the line of each row in its corpus, 64 bits
    quarantine.jsonl   the rows that could not be used
    meta.json     n, k, and the size and CRC-32 of each file
"""

import json
import os
import shutil
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, islice
from pathlib import Path
from typing import IO, Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from regard.errors import DataError

FORMAT = 1
CHUNK = 4096
"""Rows that are encoded together."""
_META, QUARANTINE = "meta.json", "quarantine.jsonl"
_FILES = ("ids.bin", "starts.bin", "lengths.bin", "numbers.bin", QUARANTINE)

Ids = NDArray[np.integer[Any]]


class Encoder(Protocol):
    """What turns sentences into ids."""

    def encode_ids(self, texts: Sequence[str]) -> list[list[int]]:
        """The ids of each text."""
        ...

    def __len__(self) -> int: ...


class StoredEncoder(Encoder, Protocol):
    """What turns the texts of a column into ids, and can be kept."""

    def to_json(self) -> str:
        """All that the ids depend on."""
        ...


class FlatIds(NamedTuple):
    """The sentences of a corpus, one after the other."""

    ids: Ids
    starts: NDArray[np.int64]
    """(n + 1,), where each sentence begins, and where the last ends."""
    numbers: NDArray[np.int64]
    """(n,), the line of each."""


class EncodedRows:
    """The rows of one corpus, read from such a folder."""

    def __init__(self, folder: Path, name: str) -> None:
        meta = _checked_meta(folder)
        self.name = name
        """Of the corpus: `name:line` is the place of a row."""
        self.left_out: int = meta["left_out"]
        self.bad: int = meta["bad"]
        self.quarantine = folder / QUARANTINE
        self.content = {file: meta["files"][file] for file in ("ids.bin", "lengths.bin")}
        """Tells these ids from others, whatever code and files they come from: sizes and CRC-32."""
        rows, sentences = meta["rows"], meta["sentences"]
        self._ids = _mapped(folder / "ids.bin", np.dtype(meta["dtype"]))
        self._starts = _mapped(folder / "starts.bin", np.dtype(np.int64))
        self._numbers = _mapped(folder / "numbers.bin", np.dtype(np.int64))
        self.lengths: NDArray[np.uint32] = _mapped(folder / "lengths.bin", np.dtype(np.uint32)).reshape(
            rows, sentences
        )
        """(n, k), mapped"""

    def __len__(self) -> int:
        return len(self.lengths)

    def __getitem__(self, row: int) -> tuple[Ids, ...]:
        """The ids of each sentence of a row."""
        start = int(self._starts[row])
        ends = [start + length for length in accumulate(self.lengths[row].tolist())]
        return tuple(self._ids[a:b] for a, b in zip([start, *ends], ends, strict=False))

    @property
    def flat(self) -> FlatIds:
        """All ids one after the other, where rows of one sentence begin, and their lines; mapped."""
        return FlatIds(self._ids, self._starts, self._numbers)

    def where(self, row: int) -> str:
        """`file:line` of a row."""
        return f"{self.name}:{self._numbers[row]}"


@dataclass
class Counts:
    """What happened while a corpus was encoded."""

    rows: int = 0
    left_out: int = 0
    ids: int = 0


def write_encoded(
    folder: Path,
    rows: Iterable[tuple[int, tuple[str, ...]]],
    encoders: Sequence[Encoder],
    *,
    longest: int | Sequence[int],
    counted: int | None = None,
) -> "Writer":
    """Encode rows of (line, sentences) into a folder that is not yet there; `finish` makes it appear.

    longest: a row with a longer sentence, in ids, is left out and counted; one limit for all sentences of a
             row that are asked, or one for each
    counted: only so many of the first sentences of a row are asked how long they are; None = all
    """
    writer = Writer(folder, encoders, longest=longest, counted=counted)
    try:
        for chunk in _chunks(iter(rows)):
            writer.add(chunk)
    except BaseException:
        writer.give_up()
        raise
    return writer


class Writer:
    """A folder of encoded rows in the making, under a passing name."""

    def __init__(
        self,
        folder: Path,
        encoders: Sequence[Encoder],
        *,
        longest: int | Sequence[int],
        counted: int | None = None,
    ) -> None:
        self._folder = folder
        self._encoders = encoders
        self._longest, self._counted = longest, counted
        self._passing = folder.with_name(f".{folder.name}.{os.getpid()}.tmp")
        self._dtype = np.dtype(np.uint16 if max(map(len, encoders)) <= 1 << 16 else np.uint32)
        self.counts = Counts()
        try:
            shutil.rmtree(self._passing, ignore_errors=True)
            self._passing.mkdir(parents=True)
            self._files: dict[str, IO[bytes]] = {
                file: (self._passing / file).open("wb") for file in _FILES if file != QUARANTINE
            }
        except OSError as error:
            raise _cannot_write(folder, error) from None
        self._put("starts.bin", np.zeros(1, np.int64))

    def add(self, chunk: Sequence[tuple[int, tuple[str, ...]]]) -> None:
        """Encode some rows."""
        sides = [
            encoder.encode_ids([sentences[side] for _, sentences in chunk])
            for side, encoder in enumerate(self._encoders)
        ]
        lengths = np.array([[len(ids) for ids in side] for side in sides], np.uint32).T
        fits = (lengths[:, : self._counted] <= np.array(self._longest)).all(axis=1)
        kept = np.flatnonzero(fits)
        flat = [token for row in kept.tolist() for side in sides for token in side[row]]
        ends = self.counts.ids + np.cumsum(lengths[kept].sum(axis=1, dtype=np.int64))
        self._put("ids.bin", np.array(flat, self._dtype))
        self._put("starts.bin", ends)
        self._put("lengths.bin", np.ascontiguousarray(lengths[kept]))
        self._put("numbers.bin", np.array([chunk[row][0] for row in kept.tolist()], np.int64))
        self.counts.rows += len(kept)
        self.counts.left_out += len(chunk) - len(kept)
        self.counts.ids += len(flat)

    def finish(self, quarantine: str, bad: int) -> None:
        """Write what is left, and give the folder its name by one rename."""
        try:
            for file in self._files.values():
                _close_synced(file)
            with (self._passing / QUARANTINE).open("wb") as file:
                file.write(quarantine.encode())
                _close_synced(file)
            meta = {
                "format": FORMAT,
                "rows": self.counts.rows,
                "sentences": len(self._encoders),
                "left_out": self.counts.left_out,
                "bad": bad,
                "dtype": self._dtype.name,
                "files": {file: _facts(self._passing / file) for file in _FILES},
            }
            with (self._passing / _META).open("wb") as file:
                file.write(json.dumps(meta, indent=1).encode())
                _close_synced(file)
            if not is_whole(self._folder):  # else another run made the same one meanwhile
                shutil.rmtree(self._folder, ignore_errors=True)
                self._passing.rename(self._folder)
        except OSError as error:
            raise _cannot_write(self._folder, error) from None
        finally:
            self.give_up()

    def give_up(self) -> None:
        """Leave nothing behind; after `finish` there is nothing."""
        for file in self._files.values():
            file.close()
        shutil.rmtree(self._passing, ignore_errors=True)

    def _put(self, file: str, values: NDArray[Any]) -> None:
        try:
            self._files[file].write(values.tobytes())
        except OSError as error:
            raise _cannot_write(self._folder, error) from None


def is_whole(folder: Path) -> bool:
    """Whether a folder of encoded rows is there and nothing in it is damaged."""
    try:
        _checked_meta(folder)
    except (OSError, ValueError, KeyError, TypeError):
        return False
    return True


def _checked_meta(folder: Path) -> dict[str, Any]:
    meta: dict[str, Any] = json.loads((folder / _META).read_bytes())
    if meta["format"] != FORMAT or any(meta["files"][file] != _facts(folder / file) for file in _FILES):
        raise ValueError(f"{folder}: damaged")
    return meta


def _facts(path: Path) -> dict[str, int]:
    """The size of a file and its CRC-32, read in pieces."""
    checksum = size = 0
    with path.open("rb") as file:
        while piece := file.read(1 << 20):
            checksum, size = zlib.crc32(piece, checksum), size + len(piece)
    return {"bytes": size, "crc32": checksum}


def _mapped(path: Path, dtype: np.dtype[Any]) -> NDArray[Any]:
    if path.stat().st_size == 0:  # an empty file cannot be mapped
        return np.zeros(0, dtype)
    # A plain view: of a memmap each slice and each number is a memmap again, which takes a microsecond.
    return np.asarray(np.memmap(path, dtype=dtype, mode="r"))


def _chunks(
    rows: Iterator[tuple[int, tuple[str, ...]]],
) -> Iterator[list[tuple[int, tuple[str, ...]]]]:
    while chunk := list(islice(rows, CHUNK)):
        yield chunk


def _close_synced(file: IO[bytes]) -> None:
    file.flush()
    os.fsync(file.fileno())
    file.close()


def _cannot_write(folder: Path, error: OSError) -> DataError:
    return DataError(
        f"{folder}: the encoded corpus cannot be written: {error.strerror}; REGARD_CACHE names another place"
    )
