"""Vectors to files: .npy, Parquet, JSON lines. A file appears whole or not at all; none is held whole."""

import io
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from regard.data.writers import appearing
from regard.errors import DataError, MissingExtraError

Vectors = NDArray[np.float32]
Put = Callable[[Sequence[dict[str, Any]], Vectors], None]
"""Takes facts of some texts, and their vectors, (n, width)."""


def check_vector_file(path: Path) -> None:
    """Refuse, before any work, a name whose ending no writer has."""
    if path.suffix.lower() not in _WRITERS:
        raise DataError(f"{path}: expected a name that ends in {', '.join(_WRITERS)}")
    if path.is_dir():
        raise DataError(f"{path}: expected the name of a file, found a folder")
    if path.suffix.lower() == ".parquet":
        _pyarrow()


def write_vectors(parts: Iterable[tuple[Sequence[dict[str, Any]], Vectors]], path: Path, width: int) -> int:
    """Write facts of texts with their vectors, (n, width), part by part; how many there were.

    .npy holds the vectors alone.
    """
    check_vector_file(path)
    count = 0
    with appearing(path) as file, _WRITERS[path.suffix.lower()](file, width) as put:
        for facts, vectors in parts:
            put(facts, vectors)
            count += len(vectors)
    return count


@contextmanager
def _npy(file: IO[bytes], width: int) -> Iterator[Put]:
    count, begun = 0, _header(0, width)
    file.write(begun)

    def put(facts: Sequence[dict[str, Any]], vectors: Vectors) -> None:
        nonlocal count
        file.write(np.ascontiguousarray(vectors, np.float32).astype("<f4", copy=False).tobytes())
        count += len(facts)

    yield put
    header = _header(count, width)
    if len(header) != len(begun):  # numpy keeps room for the digits of any count
        raise DataError(f"{count:,} rows do not fit the header of a .npy file; write .parquet instead")
    file.seek(0)
    file.write(header)


def _header(count: int, width: int) -> bytes:
    held = io.BytesIO()
    npy.write_array_header_1_0(held, {"descr": "<f4", "fortran_order": False, "shape": (count, width)})
    return held.getvalue()


@contextmanager
def _jsonl(file: IO[bytes], width: int) -> Iterator[Put]:
    del width

    def put(facts: Sequence[dict[str, Any]], vectors: Vectors) -> None:
        for own, vector in zip(facts, vectors, strict=True):
            file.write(json_line(own, vector).encode() + b"\n")

    yield put


def json_line(facts: dict[str, Any], vector: Vectors) -> str:
    """A text's facts and its vector, with the fewest digits that give the same float32."""
    numbers = ", ".join(map(str, vector))
    told = json.dumps(facts, ensure_ascii=False)
    return f'{told[:-1]}{", " if facts else ""}"vector": [{numbers}]}}'


@contextmanager
def _parquet(file: IO[bytes], width: int) -> Iterator[Put]:
    arrow, parquet = _pyarrow()
    vector = arrow.list_(arrow.float32(), width)
    schema = arrow.schema(
        [("source", arrow.string()), ("tokens", arrow.int32()), ("cut", arrow.bool_()), ("vector", vector)]
    )
    with parquet.ParquetWriter(file, schema) as writer:

        def put(facts: Sequence[dict[str, Any]], vectors: Vectors) -> None:
            flat = arrow.array(np.ascontiguousarray(vectors, np.float32).ravel())
            columns = [
                arrow.array([own.get(name) for own in facts], schema.field(name).type)
                for name in schema.names[:-1]
            ]
            rows = arrow.FixedSizeListArray.from_arrays(flat, width)
            writer.write_table(arrow.table([*columns, rows], schema=schema))

        yield put


def _pyarrow() -> tuple[Any, Any]:
    try:
        import pyarrow
        import pyarrow.parquet as parquet
    except ImportError:
        raise MissingExtraError("a Parquet file", "parquet") from None
    return pyarrow, parquet


_WRITERS = {".npy": _npy, ".parquet": _parquet, ".jsonl": _jsonl}
