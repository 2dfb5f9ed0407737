"""Files of word vectors: other tools read ours, we read theirs, and a bad one gets one clear line."""

import gzip
from pathlib import Path

import numpy as np
import pytest
from gensim.models import KeyedVectors

from regard.errors import DataError
from regard.vectors.files import WordVectors, read_shape, read_vectors, write_vectors

WORDS = ["학교", "▁는", "don't", "1,000", "🙂"]
MATRIX = np.array([[1.5, -2, 0], [1e-30, 3e38, 1], [0, 0, 0], [1 / 3, -0.0, 7], [1e-45, 2, 3]], np.float32)


def made(folder: Path, name: str) -> Path:
    write_vectors(folder / name, WordVectors(WORDS, MATRIX, name))
    return folder / name


def same_bits(one: np.ndarray, other: np.ndarray) -> bool:
    return one.dtype == other.dtype == np.float32 and one.tobytes() == other.tobytes()


@pytest.mark.parametrize("name", ["v.vec", "v.txt", "v.bin"])
def test_gensim_reads_what_we_write(tmp_path: Path, name: str) -> None:
    theirs = KeyedVectors.load_word2vec_format(str(made(tmp_path, name)), binary=name == "v.bin")
    assert theirs.index_to_key == WORDS
    assert same_bits(theirs.vectors, MATRIX)


@pytest.mark.parametrize("name", ["v.vec", "v.bin", "v.vec.gz", "v.bin.gz"])
def test_we_read_what_gensim_writes(tmp_path: Path, name: str) -> None:
    theirs = KeyedVectors(3)
    theirs.add_vectors(WORDS, MATRIX)
    theirs.save_word2vec_format(str(tmp_path / name), binary=".bin" in name)
    ours = read_vectors(tmp_path / name)
    assert list(ours.words) == WORDS
    np.testing.assert_array_equal(ours.matrix, theirs.vectors)
    assert read_shape(tmp_path / name) == (5, 3)


@pytest.mark.parametrize("name", ["v.vec", "v.bin"])
def test_what_we_write_comes_back_to_the_bit(tmp_path: Path, name: str) -> None:
    ours = read_vectors(made(tmp_path, name))
    assert list(ours.words) == WORDS
    assert same_bits(ours.matrix, MATRIX)


def test_every_number_comes_back(tmp_path: Path) -> None:
    """Of any size: 40,000 floats of random bits."""
    bits = np.random.default_rng(5).integers(0, 2**32, size=(40, 1000), dtype=np.uint32)
    floats = bits.view(np.float32)
    matrix = np.where(np.isfinite(floats), floats, np.float32(0))
    write_vectors(tmp_path / "v.vec", WordVectors([f"w{n}" for n in range(40)], matrix, "v"))
    assert same_bits(read_vectors(tmp_path / "v.vec").matrix, matrix)


def test_as_the_word2vec_tool_writes(tmp_path: Path) -> None:
    """A space at the end of each line, and in the binary format a line end after each vector."""
    (tmp_path / "c.txt").write_text("2 2\n학교 1 2 \n</s> 3 4 \n", encoding="utf-8")
    floats = [np.array(row, "<f4").tobytes() for row in ([1, 2], [3, 4])]
    (tmp_path / "c.bin").write_bytes("2 2\n학교 ".encode() + floats[0] + b"\n</s> " + floats[1] + b"\n")
    for name in ("c.txt", "c.bin"):
        found = read_vectors(tmp_path / name)
        assert found.words == ("학교", "</s>")
        np.testing.assert_array_equal(found.matrix, [[1, 2], [3, 4]])


def test_only_what_is_wanted_is_kept(tmp_path: Path) -> None:
    found = read_vectors(made(tmp_path, "v.vec"), {"don't", "nothing"})
    assert found.words == ("don't",)
    assert found.matrix.shape == (1, 3)
    nothing = read_vectors(tmp_path / "v.vec", set())
    assert (len(nothing), nothing.width) == (0, 3)


def test_words_are_in_nfc_and_the_first_counts(tmp_path: Path) -> None:
    (tmp_path / "v.vec").write_text("3 1\n\u1112\u1161\u11a8 1\n학 2\nb 3\n", encoding="utf-8")
    found = read_vectors(tmp_path / "v.vec")
    assert found.words == ("학", "b")
    np.testing.assert_array_equal(found.matrix, [[1], [3]])


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("v.vec", b"", ":1: not in word2vec's format"),
        ("v.vec", b"hello world\n", "expected the number of words and the width, such as '40000 256'"),
        ("v.vec", b"2 0\n", "found '2 0'"),
        ("v.vec", b"2 99999999\n", "found '2 99999999'"),
        ("v.vec", b"9" * 20 + b" 2\na 1 2\n", "expected the number of words and the width"),
        ("v.vec", "학교 1 2\n".encode(), "found '학교 1 2'"),
        ("v.vec", b"2 2\na 1 2\n", "cut off: its first line says 2 words, found 1"),
        ("v.vec", b"2 2\na 1 2\nb 1\n", "v.vec:3: expected a word and 2 numbers, found 1 numbers"),
        ("v.vec", b"1 2\na 1 2\nb 1 2\n", "its first line says 1 words, but there are more"),
        ("v.vec", b"1 2\na 1 x\n", "v.vec:2: expected 2 numbers after 'a', found other text"),
        ("v.vec", b"2 2\na 1 2\nb 1 nan\n", "the vector of 'b', word 2, has a number that is none"),
        ("v.vec", b"1 2\na 1 1e39\n", "the vector of 'a', word 1, has a number that is none"),
        ("v.vec", b"1 2\n\xff 1 2\n", "v.vec:2: not UTF-8"),
        ("v.bin", b"2 2\na " + bytes(8) + b"\nb " + bytes(7), "its first line says 2 words, found 1"),
        ("v.bin", b"2 2\n", "cut off: its first line says 2 words, found 0"),
        ("v.bin", b"2 2", "cut off"),
        ("v.bin", b"1 2\na " + bytes(8) + b"\nb " + bytes(8), "says 1 words, but there are more"),
        ("v.bin", b"1 2\na " + b"\xff" * 8, "the vector of 'a', word 1, has a number that is none"),
        ("v.bin", b"1 2\n\xff\xfe " + bytes(8), "is not UTF-8"),
        ("v.vec.gz", b"1 2\na 1 2\n", "damaged gzip file"),
        ("v.vec.gz", gzip.compress(b"1 2\na 1 2\n" * 99, mtime=0)[:-9], "damaged gzip file"),
        ("v.bin.gz", gzip.compress(b"9 2\na " + bytes(99), mtime=0)[:-9], "damaged gzip file"),
        ("v.npy", b"", "expected a file of word vectors: .vec or .txt (text), .bin (binary), or these with"),
    ],
)  # fmt: skip
def test_a_bad_file_is_one_line(tmp_path: Path, name: str, content: bytes, told: str) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(DataError) as refused:
        read_vectors(tmp_path / name)
    assert told in str(refused.value)
    assert str(tmp_path / name) in str(refused.value)
    assert "\n" not in str(refused.value)


def test_no_file_and_a_folder(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no such file"):
        read_vectors(tmp_path / "v.vec")
    (tmp_path / "d.vec").mkdir()
    with pytest.raises(DataError, match="expected a file, found a folder"):
        read_vectors(tmp_path / "d.vec")
    with pytest.raises(DataError, match="found a folder"):
        read_vectors(tmp_path)
