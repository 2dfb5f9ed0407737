"""Vectors in files: what other libraries read there is what was given, bit by bit."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet
import pytest

from regard.data.vector_files import write_vectors
from regard.errors import DataError

WIDTH = 3
VECTORS = np.random.default_rng(0).normal(size=(7, WIDTH)).astype("f4")
FACTS: list[dict[str, Any]] = [{"source": f'문장 {n}\t"', "tokens": n, "cut": n == 2} for n in range(7)]


def parts() -> Iterator[tuple[list[dict[str, Any]], np.ndarray]]:
    yield FACTS[:4], VECTORS[:4]
    yield FACTS[4:], VECTORS[4:]


def read(path: Path) -> tuple[list[dict[str, Any]], np.ndarray]:
    if path.suffix == ".npy":
        return FACTS, np.load(path, allow_pickle=False)
    if path.suffix == ".jsonl":
        rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    else:
        rows = pyarrow.parquet.read_table(path).to_pylist()
    vectors = np.array([row.pop("vector") for row in rows], "f4").reshape(-1, WIDTH)
    return rows, vectors


@pytest.mark.parametrize("ending", [".npy", ".parquet", ".jsonl"])
def test_what_is_written_is_read(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"vectors{ending}"
    assert write_vectors(parts(), path, WIDTH) == 7
    facts, vectors = read(path)
    assert facts == FACTS
    np.testing.assert_array_equal(vectors, VECTORS)
    assert write_vectors([], path, WIDTH) == 0
    assert read(path)[1].shape == (0, WIDTH)


@pytest.mark.parametrize("ending", [".npy", ".parquet", ".jsonl"])
def test_a_file_appears_whole_or_not_at_all(tmp_path: Path, ending: str) -> None:
    def broken() -> Iterator[tuple[list[dict[str, Any]], np.ndarray]]:
        yield FACTS[:4], VECTORS[:4]
        raise DataError("a bad line")

    with pytest.raises(DataError, match="a bad line"):
        write_vectors(broken(), tmp_path / f"vectors{ending}", WIDTH)
    assert list(tmp_path.iterdir()) == []


def test_an_ending_that_nobody_writes(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"expected a name that ends in .npy, .parquet, .jsonl"):
        write_vectors([], tmp_path / "vectors.csv", WIDTH)
