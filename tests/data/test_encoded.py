import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.examples import examples

from regard.data.encoded import EncodedRows, Writer, is_whole, write_encoded
from regard.errors import DataError


class Letters:
    """A stand-in for a vocabulary: a letter is its code."""

    def __init__(self, size: int = 1000) -> None:
        self._size = size

    def encode_ids(self, texts: Sequence[str]) -> list[list[int]]:
        return [[ord(letter) for letter in text] for text in texts]

    def __len__(self) -> int:
        return self._size


Lines = list[tuple[int, tuple[str, ...]]]


def written(folder: Path, rows: Lines, *, longest: int = 100, size: int = 1000) -> EncodedRows:
    shutil.rmtree(
        folder, ignore_errors=True
    )  # else what is there would stay: its name is a hash of its content
    write_encoded(folder, rows, [Letters(size), Letters(size)], longest=longest).finish("", 0)
    return EncodedRows(folder, "x.tsv")


def test_rows_by_hand(tmp_path: Path) -> None:
    rows = written(tmp_path / "e", [(2, ("ab", "c")), (3, ("abcd", "c")), (5, ("d", "ef"))], longest=3)
    assert len(rows) == 2
    assert rows.left_out == 1
    assert [ids.tolist() for ids in rows[0]] == [[97, 98], [99]]
    assert [ids.tolist() for ids in rows[1]] == [[100], [101, 102]]
    assert rows.lengths.tolist() == [[2, 1], [1, 2]]
    assert [rows.where(0), rows.where(1)] == ["x.tsv:2", "x.tsv:5"]


@settings(max_examples=examples(30), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(st.tuples(st.text("abc", max_size=5), st.text("xyz", max_size=5)), max_size=50), st.booleans()
)
def test_what_is_written_is_read(tmp_path: Path, pairs: list[tuple[str, str]], large: bool) -> None:
    rows = written(tmp_path / "e", list(enumerate(pairs)), size=100_000 if large else 1000)
    found = [tuple("".join(map(chr, ids)) for ids in rows[row]) for row in range(len(rows))]
    assert found == pairs


def test_what_another_run_made_meanwhile_stays(tmp_path: Path) -> None:
    made = []
    for _ in range(2):
        write_encoded(tmp_path / "e", [(1, ("a", "b"))], [Letters(), Letters()], longest=9).finish("", 0)
        made.append((tmp_path / "e" / "ids.bin").stat().st_ino)
    assert made[0] == made[1]
    assert [path.name for path in tmp_path.iterdir()] == ["e"]


def test_a_large_vocabulary_takes_four_bytes(tmp_path: Path) -> None:
    rows = written(tmp_path / "e", [(1, ("😀", "a"))], size=200_000)
    assert rows[0][0].tolist() == [0x1F600]
    assert (tmp_path / "e" / "ids.bin").stat().st_size == 8
    written(tmp_path / "f", [(1, ("b", "a"))])
    assert (tmp_path / "f" / "ids.bin").stat().st_size == 4


@pytest.mark.parametrize(
    "file", ["ids.bin", "starts.bin", "lengths.bin", "numbers.bin", "meta.json", "quarantine.jsonl"]
)
@pytest.mark.parametrize("damage", ["flip", "cut", "gone"])
def test_damage_is_seen(tmp_path: Path, file: str, damage: str) -> None:
    folder = tmp_path / "e"
    write_encoded(folder, [(1, ("ab", "c"))], [Letters(), Letters()], longest=9).finish('{"a": 1}\n', 1)
    assert is_whole(folder)
    content = (folder / file).read_bytes()
    if damage == "flip":
        (folder / file).write_bytes(bytes([content[0] ^ 1]) + content[1:])
    if damage == "cut":
        (folder / file).write_bytes(content[:-1])
    if damage == "gone":
        (folder / file).unlink()
    assert not is_whole(folder)


def test_nothing_is_left_of_a_corpus_that_fails_half_way(tmp_path: Path) -> None:
    def lines() -> Iterator[tuple[int, tuple[str, ...]]]:
        yield 1, ("a", "b")
        raise DataError("x.tsv:3: bad")

    with pytest.raises(DataError, match=r"x\.tsv:3: bad"):
        write_encoded(tmp_path / "e", lines(), [Letters(), Letters()], longest=9)
    assert list(tmp_path.iterdir()) == []


def test_a_place_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(DataError, match=r"cannot be written: .*; REGARD_CACHE names another place"):
        Writer(tmp_path / "file" / "e", [Letters()], longest=9)


def test_rows_are_mapped_not_read(tmp_path: Path) -> None:
    rows = written(tmp_path / "e", [(1, ("ab", "c"))])
    for values in (rows.lengths, rows[0][0]):
        owner: object = values
        while owner is not None and not isinstance(owner, np.memmap):
            owner = getattr(owner, "base", None)
        assert isinstance(owner, np.memmap)
