"""A file of vectors from Python; and what that costs to import."""

from pathlib import Path

import pytest
from tests.test_public_face import loaded_after

from regard.config.vectors import Word2VecConfig
from regard.errors import DataError
from regard.vectors.files import read_vectors
from regard.vectors.make import make_vectors


def test_from_python(tmp_path: Path) -> None:
    (tmp_path / "t.txt").write_text("가 나 다\n나 가\n", encoding="utf-8")
    config = Word2VecConfig(min_count=1, epochs=1)
    made = make_vectors(
        str(tmp_path / "t.txt"), tmp_path / "new" / "t.vec", config=config, size=4, quiet=True
    )
    assert (made.words, made.size, made.sentences, made.units) == (3, 4, 2, 5)
    assert read_vectors(made.path).words == ("가", "나", "다")


def test_a_bad_line_is_named_and_the_old_file_stays(tmp_path: Path) -> None:
    (tmp_path / "t.txt").write_bytes("가 가\n".encode() + b"\xff\n")
    (tmp_path / "t.vec").write_text("old")
    with pytest.raises(DataError, match=r"t.txt:2: not UTF-8"):
        make_vectors(str(tmp_path / "t.txt"), tmp_path / "t.vec", quiet=True)
    assert (tmp_path / "t.vec").read_text() == "old"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["t.txt", "t.vec"]


def test_vectors_need_no_torch_and_looking_no_gensim() -> None:
    assert not loaded_after("import regard.vectors.make") & {"torch", "gensim"}
    assert not loaded_after("import regard.vectors.files") & {"torch", "gensim"}
