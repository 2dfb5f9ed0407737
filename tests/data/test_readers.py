import gzip
from pathlib import Path

import pytest

from regard.config.data import BuiltinCorpus, DataConfig, ParallelCorpus, TsvCorpus
from regard.data.examples import Pair
from regard.data.readers import read_pairs
from regard.errors import DataError
from regard.text.words import split_words

DATA = DataConfig(source="ko", target="en")


def read_table(path: Path) -> list[Pair]:
    return list(read_pairs(TsvCorpus(path=str(path)), DATA, split="train"))


def read_two(source: Path, target: Path) -> list[Pair]:
    corpus = ParallelCorpus(source_path=str(source), target_path=str(target))
    return list(read_pairs(corpus, DATA, split="train"))


@pytest.mark.parametrize("name", ["x.tsv", "x.tsv.gz"])
def test_a_table_by_its_column_names(tmp_path: Path, name: str) -> None:
    content = "id\ten\tko\n1\tI go.\t나는 간다.\r\n2\tHe came.\t그는 왔다.".encode()
    path = tmp_path / name
    path.write_bytes(gzip.compress(content) if name.endswith(".gz") else content)
    assert read_table(path) == [
        Pair("나는 간다.", "I go.", f"{path}:2"),
        Pair("그는 왔다.", "He came.", f"{path}:3"),
    ]


def test_a_byte_order_mark_is_no_part_of_the_first_column(tmp_path: Path) -> None:
    path = tmp_path / "x.tsv"
    path.write_bytes(b"\xef\xbb\xbfko\ten\na\tb\n")
    assert read_table(path)[0].source == "a"


def test_only_a_newline_ends_a_line(tmp_path: Path) -> None:
    """U+2028, U+0085 and a form feed are characters of a sentence; splitlines() would cut there."""
    path = tmp_path / "x.tsv"
    path.write_text("ko\ten\na\u2028b\u0085c\x0cd\te\n", encoding="utf-8", newline="\n")
    (pair,) = read_table(path)
    assert pair.source == "a\u2028b\u0085c\x0cd"


def test_parallel_files(tmp_path: Path) -> None:
    (tmp_path / "a.ko").write_text("하나\n둘\n", encoding="utf-8")
    (tmp_path / "a.en").write_text("one\ntwo\n", encoding="utf-8")
    pairs = read_two(tmp_path / "a.ko", tmp_path / "a.en")
    assert [(pair.source, pair.target) for pair in pairs] == [("하나", "one"), ("둘", "two")]


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"ko\ten\na\tb\nc\n", ":3: expected 2 columns as in the header, found 1"),
        (b"ko\ten\na\tb\tc\n", ":2: expected 2 columns as in the header, found 3"),
        (b"ko\ten\na\t \n", ":2: the target side is empty"),
        (b"ko\ten\n\xff\tb\n", ":2: not UTF-8 at byte 1 of the line"),
        (b"ko\teng\na\tb\n", ":1: no column is called 'en' in the header; did you mean 'eng'?"),
        (b"", "no column is called 'ko' in the header"),
        (b"ko\ten\n" + b"a" * 1_000_001, ":2: the line is longer than 1,000,000 bytes"),
    ],
)
def test_bad_rows_stop_with_their_place(tmp_path: Path, content: bytes, reason: str) -> None:
    path = tmp_path / "bad.tsv"
    path.write_bytes(content)
    with pytest.raises(DataError) as caught:
        read_table(path)
    assert str(caught.value).startswith(str(path))
    assert reason in str(caught.value)


def test_parallel_files_of_different_length(tmp_path: Path) -> None:
    (tmp_path / "long").write_text("1\n2\n3\n")
    (tmp_path / "short").write_text("1\n2\n")
    with pytest.raises(DataError, match=r"long:3: the source goes on, but .*short has ended"):
        read_two(tmp_path / "long", tmp_path / "short")
    with pytest.raises(DataError, match=r"long:3: the target goes on, but .*short has ended"):
        read_two(tmp_path / "short", tmp_path / "long")


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no such file"):
        read_table(tmp_path / "none.tsv")
    with pytest.raises(DataError, match="expected a file, found a folder"):
        read_table(tmp_path)
    (tmp_path / "cut.tsv.gz").write_bytes(gzip.compress(b"ko\ten\n" + b"a\tb\n" * 9999)[:-20])
    with pytest.raises(DataError, match=r"cut.tsv.gz:\d+: damaged gzip file"):
        read_table(tmp_path / "cut.tsv.gz")
    (tmp_path / "not.tsv.gz").write_bytes(b"ko\ten\n")
    with pytest.raises(DataError, match="damaged gzip file"):
        read_table(tmp_path / "not.tsv.gz")


def test_environment_variables_in_paths(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "x.tsv").write_text("ko\ten\na\tb\n")
    monkeypatch.setenv("CORPORA", str(tmp_path))
    assert len(read_table(Path("$CORPORA/x.tsv"))) == 1
    monkeypatch.delenv("CORPORA")
    with pytest.raises(DataError, match=r"the environment variable \$CORPORA is not set"):
        read_table(Path("$CORPORA/x.tsv"))


def test_the_world_in_both_directions() -> None:
    corpus = BuiltinCorpus(rows=200)
    forth = list(read_pairs(corpus, DATA, split="dev"))
    back = list(read_pairs(corpus, DataConfig(source="en", target="ko"), split="dev"))
    assert [(p.source, p.target) for p in forth] == [(p.target, p.source) for p in back]
    for pair, turned in zip(forth, back, strict=True):
        assert pair.links is not None
        assert turned.links == frozenset((e, k) for k, e in pair.links)
        sources, targets = split_words(pair.source), split_words(pair.target)
        assert {source for source, _ in pair.links} == set(range(len(sources)))
        assert {target for _, target in pair.links} == set(range(len(targets)))
    with pytest.raises(DataError, match="has the languages ko and en, the recipe asks for de to en"):
        list(read_pairs(corpus, DataConfig(source="de", target="en"), split="dev"))
