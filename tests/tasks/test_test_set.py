from pathlib import Path

import pytest

from regard.config.data import BuiltinCorpus, DataConfig, JsonLinesCorpus, TsvCorpus
from regard.errors import DataError
from regard.evaluation.test_set import LENGTH, TestSet, read_test_set

DATA = DataConfig()


def rows_of(test_set: TestSet, column: str) -> dict[str, list[int]]:
    return {value: rows.tolist() for value, rows in test_set.groups[column].items()}


def table(path: Path, text: str) -> TsvCorpus:
    path.write_text(text, encoding="utf-8")
    return TsvCorpus(path=str(path))


def test_rows_are_grouped_by_length_and_by_columns(tmp_path: Path) -> None:
    texts = [" ".join(["가"] * length) for length in (5, 6, 61, 1)]
    origins = ["news", "bible", "news", ""]
    lines = "".join(f"{o}\t{t}\tx\n" for o, t in zip(origins, texts, strict=True))
    test_set = read_test_set(
        table(tmp_path / "t.tsv", "source\tko\ten\n" + lines), DATA, by=["source", "source"]
    )
    assert rows_of(test_set, LENGTH) == {"1-5": [0, 3], "6-10": [1], "61+": [2]}
    assert rows_of(test_set, "source") == {"news": [0, 2], "(empty)": [3], "bible": [1]}
    assert test_set.name == str(tmp_path / "t.tsv")
    assert len(test_set) == 4


def test_every_length_has_its_group(tmp_path: Path) -> None:
    lines = "".join(" ".join(["가"] * length) + "\tx\n" for length in range(1, 71))
    test_set = read_test_set(table(tmp_path / "t.tsv", "ko\ten\n" + lines), DATA)
    for value, rows in rows_of(test_set, LENGTH).items():
        lengths = [row + 1 for row in rows]
        first, last = lengths[0], lengths[-1]
        assert value == (f"{first}-{last}" if value != "61+" else "61+")
        assert lengths == list(range(first, last + 1))
    assert sum(map(len, rows_of(test_set, LENGTH).values())) == 70


def test_a_sentence_of_the_world_is_in_the_group_of_each_of_its_constructions() -> None:
    test_set = read_test_set(BuiltinCorpus(rows=50), DATA, by=["constructions"])
    groups = rows_of(test_set, "constructions")
    assert {"past", "negation"} <= groups.keys()
    assert sum(map(len, groups.values())) > 2 * 50
    for row in groups["negation"]:
        korean = test_set.pairs[row].source
        assert any(sign in korean for sign in ("안 ", "못", "않", "지 마")), korean
    assert test_set.pairs[0].links is not None


def test_the_values_of_a_list_are_groups_of_their_own(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    path.write_text('{"ko": "가", "en": "a", "k": ["x", "y", "x"]}\n{"ko": "가", "en": "a", "k": []}\n')
    test_set = read_test_set(JsonLinesCorpus(path=str(path)), DATA, by=["k"])
    assert rows_of(test_set, "k") == {"(empty)": [1], "x": [0], "y": [0]}


def test_more_references(tmp_path: Path) -> None:
    corpus = table(tmp_path / "t.tsv", "ko\ten\ten2\tk\n가\ta\tb\tz\n나\tc\t \tz\n")
    test_set = read_test_set(corpus, DATA, other_references=["en2"], by=["k"])
    assert test_set.references == [("a", "b"), ("c",)]
    assert rows_of(test_set, "k") == {"z": [0, 1]}


def test_bad_rows_are_left_out_only_where_the_recipe_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    corpus = table(tmp_path / "t.tsv", "ko\ten\n가\ta\n\tb\n나\tc\n")
    with pytest.raises(DataError, match=r"t.tsv:3: the ko side is empty"):
        read_test_set(corpus, DATA)
    skipping = DataConfig(on_bad_row="skip")
    assert [pair.source for pair in read_test_set(corpus, skipping).pairs] == ["가", "나"]
    assert "bad rows left out: 1" in capsys.readouterr().err


def test_what_cannot_be_grouped_is_said(tmp_path: Path) -> None:
    corpus = table(tmp_path / "t.tsv", "ko\ten\n" + "".join(f"가 {n}\tx\n" for n in range(501)))
    with pytest.raises(DataError, match="'ko' has 501 different values in 501 rows, expected at most 500"):
        read_test_set(corpus, DATA, by=["ko"])
    with pytest.raises(DataError, match="no column is called 'domain'; valid: ko, en"):
        read_test_set(corpus, DATA, by=["domain"])
    empty = table(tmp_path / "e.tsv", "ko\ten\n")
    with pytest.raises(DataError, match=r"e.tsv: the corpus has no rows"):
        read_test_set(empty, DATA, name="e.tsv")
