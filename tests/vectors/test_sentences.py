"""Text into words, morphemes and pieces; and the column of a corpus that is meant."""

import unicodedata
from contextlib import closing
from pathlib import Path

import pytest

from regard.config.text import BpeConfig
from regard.errors import ConfigError, DataError
from regard.text.tokenizer import Tokenizer
from regard.vectors.make import CutSentences, cutter, find_column

TEXT = "학교에서 책을 읽었다."


def test_units() -> None:
    assert list(cutter("words")([TEXT, "a"])) == [["학교에서", "책을", "읽었다", "."], ["a"]]
    assert list(cutter("morphemes")([TEXT])) == [["학교", "에서", "책", "을", "읽", "었", "다", "."]]


def test_pieces_are_those_of_the_tokenizer(tmp_path: Path) -> None:
    tokenizer = Tokenizer.learn([TEXT] * 3, BpeConfig(vocabulary_size=300))
    (tmp_path / "tokenizer.json").write_text(tokenizer.to_json(), encoding="utf-8")
    cut = cutter("tokens", tmp_path / "tokenizer.json")
    assert [tuple(pieces) for pieces in cut([TEXT])] == [tokenizer.encode(TEXT).pieces]


def test_text_is_brought_into_nfc() -> None:
    assert list(cutter("words")([unicodedata.normalize("NFD", "학교")])) == [["학교"]]


def test_sentences_can_be_gone_through_again() -> None:
    with closing(CutSentences(["a b", " \t ", "c\u2028d,"], cutter("words"))) as sentences:
        assert (len(sentences), sentences.units) == (2, 5)
        assert list(sentences) == list(sentences) == [["a", "b"], ["c", "d", ","]]


def test_a_table_has_its_column_named(tmp_path: Path) -> None:
    (tmp_path / "t.tsv").write_text("ko\ten\n가\ta\n", encoding="utf-8")
    (tmp_path / "t.ko").write_text("가\n", encoding="utf-8")
    assert find_column(str(tmp_path / "t.tsv"), "en")[1] == "en"
    assert find_column(str(tmp_path / "t.ko"))[1] == "text"
    with pytest.raises(DataError, match=r"which column\? say --column, one of ko, en"):
        find_column(str(tmp_path / "t.tsv"))
    with pytest.raises(DataError, match="expected a file of text, found a folder"):
        find_column(str(tmp_path))


def test_pieces_and_a_tokenizer_belong_together(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="--unit tokens --tokenizer FILE"):
        cutter("tokens")
    with pytest.raises(ConfigError, match="--unit tokens --tokenizer FILE"):
        cutter("words", tmp_path / "tokenizer.json")
    with pytest.raises(DataError, match=r"expected a tokenizer.json of a model folder: No such file"):
        cutter("tokens", tmp_path / "tokenizer.json")
