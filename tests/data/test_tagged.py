"""Tagged sentences from the formats that people have."""

import gzip
from pathlib import Path
from typing import Any

import pytest

from regard.config.load import corpus_from_short_form
from regard.config.tagging import TaggedConfig
from regard.data.rows import BadRows
from regard.data.tagged import TaggedSentence, read_tagged
from regard.errors import DataError

CONLLU = """# sent_id = a
# text = 1 000 책을
1-2\tx\t_\t_\t_\t_\t_\t_\t_\t_
1\t1 000\t1\tNUM\tSN\t_\t2\tx\t_\t_
2\t책을\t책+을\tNOUN\tNNG+JKO\t_\t0\tx\t_\t_
2.1\ty\t_\t_\t_\t_\t_\t_\t_\t_

1\t.\t.\tPUNCT\tSF\t_\t0\tx\t_\t_
"""
FILES = {
    "t.conllu": CONLLU,
    "t.conll": "1 000\tNUM\n책을\tNOUN\n\n.\tPUNCT\n",
    "t.jsonl": '{"words": ["1 000", "책을"], "tags": ["NUM", "NOUN"]}\n{"words": ["."], "tags": ["PUNCT"]}\n',
    "t.tsv": "words\ttags\n1_000 책을\tNUM NOUN\n.\tPUNCT\n",
}


def read(path: Path, bad: BadRows | None = None, **columns: Any) -> list[TaggedSentence]:
    return list(
        read_tagged(corpus_from_short_form(str(path)), TaggedConfig(**columns), split="train", bad=bad)
    )


@pytest.mark.parametrize("name", FILES)
def test_every_format_gives_the_same_sentences(tmp_path: Path, name: str) -> None:
    path = tmp_path / f"{name}.gz"
    path.write_bytes(gzip.compress(FILES[name].encode()))
    first, second = read(path)
    assert (first.source, first.target) == ("1_000 책을", "NUM NOUN")
    assert first.tags == ("NUM", "NOUN")
    assert (second.source, second.tags, second.words) == (".", ("PUNCT",), (".",))
    assert first.where.startswith(f"{path}:")


def test_other_columns_can_be_the_tags(tmp_path: Path) -> None:
    path = tmp_path / "t.conllu"
    path.write_text(CONLLU, encoding="utf-8")
    assert read(path, label="xpos")[0].tags == ("SN", "NNG+JKO")
    with pytest.raises(DataError, match="no column is called 'upos'"):
        read(path, label="upos")


@pytest.mark.parametrize(("name", "columns"), [("t.tsv", "책을, N"), ("t.txt", "text")])
def test_words_below_each_other_in_a_file_of_another_name(tmp_path: Path, name: str, columns: str) -> None:
    path = tmp_path / name
    path.write_text("책을\tN\n읽었다\tV\n", encoding="utf-8")
    with pytest.raises(DataError) as caught:
        read(path)
    assert str(caught.value) == (
        f"{path}: no column is called 'words', only {columns}; a file with a word and its tag on each line "
        f"is named columns:{path}, or ends in .conll"
    )
    (sentence,) = read_tagged(corpus_from_short_form(f"columns:{path}"), TaggedConfig(), split="train")
    assert (sentence.source, sentence.target) == ("책을 읽었다", "N V")


def test_a_row_with_a_tag_too_few_is_named_or_skipped(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    path.write_text('{"words": ["a", "b"], "tags": ["X"]}\n{"words": "a b", "tags": "X Y"}\n', "utf-8")
    with pytest.raises(DataError, match=r"t.jsonl:1: expected as many tags as words, found 2 and 1"):
        read(path)
    assert [row.source for row in read(path, BadRows(limit=1))] == ["a b"]
