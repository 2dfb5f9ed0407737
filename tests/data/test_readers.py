import gzip
import json
from pathlib import Path

import pytest

from regard.config.data import (
    BuiltinCorpus,
    ColumnsCorpus,
    ConlluCorpus,
    CsvCorpus,
    DataConfig,
    HubCorpus,
    JsonLinesCorpus,
    MixCorpus,
    OneCorpus,
    ParallelCorpus,
    TextCorpus,
    TsvCorpus,
)
from regard.config.load import corpus_from_short_form
from regard.data.alignments import AlignedRow, gold_links
from regard.data.builtin import COLUMNS
from regard.data.pairs import Pair, read_pairs
from regard.data.readers import choose_columns, open_rows
from regard.data.rows import BadRow, Row
from regard.errors import ConfigError, DataError
from regard.text.words import split_words

DATA = DataConfig(source="ko", target="en")


def read_table(path: Path) -> list[Pair]:
    return list(read_pairs(TsvCorpus(path=str(path)), DATA, split="train"))


def read_two(source: Path, target: Path) -> list[Pair]:
    corpus = ParallelCorpus(source_path=str(source), target_path=str(target))
    return list(read_pairs(corpus, DATA, split="train"))


def cells(corpus: OneCorpus) -> list[object]:
    return [row.cells if isinstance(row, Row) else row for row in open_rows(corpus)]


def put(path: Path, content: bytes) -> str:
    path.write_bytes(gzip.compress(content) if path.suffix == ".gz" else content)
    return str(path)


@pytest.mark.parametrize("gz", ["", ".gz"])
def test_a_table_by_its_column_names(tmp_path: Path, gz: str) -> None:
    path = tmp_path / f"x.tsv{gz}"
    put(path, "id\ten\tko\n1\tI go.\t나는 간다.\r\n2\tHe came.\t그는 왔다.".encode())
    assert read_table(path) == [
        Pair("나는 간다.", "I go.", f"{path}:2"),
        Pair("그는 왔다.", "He came.", f"{path}:3"),
    ]


def test_a_table_without_a_header(tmp_path: Path) -> None:
    path = put(tmp_path / "x.tsv", b"a\tb\nc\td\n")
    rows = open_rows(TsvCorpus(path=path, columns=("ko", "en")))
    assert list(rows) == [Row(1, ("a", "b")), Row(2, ("c", "d"))]


@pytest.mark.parametrize("gz", ["", ".gz"])
def test_a_quoted_table(tmp_path: Path, gz: str) -> None:
    content = 'ko,en\n"하나, 둘","He said ""no""."\nplain,"two\nlines"\n한,a\n'
    path = put(tmp_path / f"x.csv{gz}", content.encode())
    rows = list(open_rows(CsvCorpus(path=path)))
    assert rows == [
        Row(2, ("하나, 둘", 'He said "no".')),
        Row(3, ("plain", "two\nlines")),
        Row(5, ("한", "a")),
    ]


def test_another_delimiter(tmp_path: Path) -> None:
    path = put(tmp_path / "x.csv", b"ko;en\na,b;c\n")
    assert cells(CsvCorpus(path=path, delimiter=";")) == [("a,b", "c")]


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("ko;en\n하나, 둘;a\n셋;b, c\n", [("하나, 둘", "a"), ("셋", "b, c")]),
        ('"ko";"en"\n"하나;\n둘";"a"\n', [("하나;\n둘", "a")]),
        ("ko\ten\na,b\tc\n", [("a,b", "c")]),
        ("id;ko, raw;en\n1;a;b\n2;c;d\n", [("1", "a", "b"), ("2", "c", "d")]),
        ("ko,en\na;b,c|d\n", [("a;b", "c|d")]),
        ("text\na;b\n", [("a;b",)]),
    ],
)
def test_the_delimiter_is_guessed_and_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: str, expected: list[tuple[str, ...]]
) -> None:
    path = put(tmp_path / "x.csv", content.encode())
    assert cells(CsvCorpus(path=path)) == expected
    told = capsys.readouterr().err
    by = {";": "';'", "\t": "a tab"}.get(next((sign for sign in ";\t" if sign in content.split("\n")[0]), ""))
    assert told == (f"{path}: its cells are separated by {by}, not by a comma; it is read so\n" if by else "")


def test_a_delimiter_that_is_named_is_not_guessed(tmp_path: Path) -> None:
    path = put(tmp_path / "x.csv", b"ko;en\na;b\n")
    assert cells(CsvCorpus(path=path, delimiter=",")) == [("a;b",)]
    assert cells(CsvCorpus(path=path, columns=("ko", "en"))) == [("ko", "en"), ("a", "b")]


def test_a_quote_within_a_plain_cell_is_a_sign_like_any_other(tmp_path: Path) -> None:
    lines = [f'k{n} 5" pipe,e{n}' if n in (10, 500) else f"k{n},e{n}" for n in range(600)]
    path = put(tmp_path / "x.csv", "\n".join(["ko,en", *lines]).encode())
    rows = cells(CsvCorpus(path=path))
    assert len(rows) == 600
    assert rows[10] == ('k10 5" pipe', "e10")


def test_many_unclosed_quotes_take_no_longer_than_others(tmp_path: Path) -> None:
    """Line after line is given back once; nested, this would not come to its end."""
    path = put(tmp_path / "x.csv", b"ko,en\n" + b'"a,b\n\xff,c\n' * 20_000)
    assert all(isinstance(row, BadRow) for row in open_rows(CsvCorpus(path=path)))


def test_a_quote_that_is_never_closed_costs_one_line(tmp_path: Path) -> None:
    path = put(tmp_path / "x.csv", b'ko,en\na,"b\nc,d\ne,f\n')
    assert list(open_rows(CsvCorpus(path=path))) == [
        BadRow(2, "a quote is opened and never closed", 'a,"b'),
        Row(3, ("c", "d")),
        Row(4, ("e", "f")),
    ]


@pytest.mark.parametrize("gz", ["", ".gz"])
def test_json_lines(tmp_path: Path, gz: str) -> None:
    lines = [{"translation": {"ko": "가", "en": "go"}, "score": 4.5, "words": ["가", "다"]}]
    path = put(tmp_path / f"x.jsonl{gz}", ("\n".join(map(json.dumps, lines)) + "\n\n").encode())
    rows = open_rows(JsonLinesCorpus(path=path))
    assert rows.columns == ("translation.ko", "translation.en", "score", "words")
    assert list(rows) == [Row(1, ("가", "go", "4.5", ("가", "다")))]
    wanted = open_rows(JsonLinesCorpus(path=path), {"translation.en": "text", "score": "label"})
    assert list(wanted) == [Row(1, ("go", "4.5"))]


CONLLU = """# sent_id = s1
# text = 나는 갔다.
1-2\t나는\t_\t_\t_\t_\t_\t_\t_\t_
1\t나는\t나+는\tPRON\tNP+JX\t_\t2\tnsubj\t_\t_
2\t갔다\t가+았+다\tVERB\tVV+EP+EF\t_\t0\troot\t_\t_
2.1\tx\tx\tX\tX\t_\t_\t_\t_\t_

1\tGo\tgo\tVERB\tVB\t_\t0\troot\t_\t_
"""


@pytest.mark.parametrize("gz", ["", ".gz"])
def test_treebanks(tmp_path: Path, gz: str) -> None:
    path = put(tmp_path / f"x.conllu{gz}", CONLLU.encode())
    first, second = open_rows(ConlluCorpus(path=path))
    assert first == Row(
        1,
        (
            ("나는", "갔다"),
            ("나+는", "가+았+다"),
            ("PRON", "VERB"),
            ("NP+JX", "VV+EP+EF"),
            "나는 갔다.",
            "s1",
            ("2", "0"),
            ("nsubj", "root"),
        ),
    )
    assert second.number == 8
    tagged = open_rows(ConlluCorpus(path=path), {"words": "words", "tags": "words"})
    assert list(tagged)[1] == Row(8, (("Go",), ("VERB",)))


def test_columns(tmp_path: Path) -> None:
    path = put(tmp_path / "x.conll", b"-DOCSTART- -X- O\n\nEU NNP B-ORG\nrejects VBZ O\n\n. . O\n")
    rows = open_rows(ColumnsCorpus(path=path, columns=("words", "_", "tags")))
    assert list(rows) == [Row(3, (("EU", "rejects"), ("B-ORG", "O"))), Row(6, ((".",), ("O",)))]


def test_plain_text_passes_over_empty_lines(tmp_path: Path) -> None:
    path = put(tmp_path / "x.txt", "하나\n\n  \n둘".encode())
    assert list(open_rows(TextCorpus(path=path))) == [Row(1, ("하나",)), Row(4, ("둘",))]


def test_parallel_files(tmp_path: Path) -> None:
    (tmp_path / "a.ko").write_text("하나\n둘\n", encoding="utf-8")
    (tmp_path / "a.en").write_text("one\ntwo\n", encoding="utf-8")
    pairs = read_two(tmp_path / "a.ko", tmp_path / "a.en")
    assert [(pair.source, pair.target) for pair in pairs] == [("하나", "one"), ("둘", "two")]


def test_a_folder_in_the_form_of_the_hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The real library on a local folder: the same code path as a data set on the hub, without a network."""
    monkeypatch.setenv("HF_DATASETS_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    folder = tmp_path / "set"
    folder.mkdir()
    rows = [
        {"translation": {"ko": "가", "en": "go"}, "label": 1},
        {"translation": {"ko": "나", "en": "I"}, "label": 0},
    ]
    (folder / "train.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    (folder / "validation.jsonl").write_text(json.dumps(rows[0]), encoding="utf-8")
    corpus = HubCorpus(name=str(folder))
    found = open_rows(corpus)
    assert sorted(found.columns) == ["label", "translation.en", "translation.ko"]
    wanted = open_rows(corpus, {"translation.ko": "text", "translation.en": "text"})
    assert list(wanted) == [Row(1, ("가", "go")), Row(2, ("나", "I"))]
    assert len(list(open_rows(corpus, split="dev"))) == 1
    with pytest.raises(DataError, match=r"hub:.*: the part 'nope' cannot be loaded: "):
        open_rows(HubCorpus(name=str(folder), split="nope"))


def test_only_a_newline_ends_a_line(tmp_path: Path) -> None:
    """U+2028, U+0085 and a form feed are characters of a sentence; splitlines() would cut there."""
    path = tmp_path / "x.tsv"
    path.write_text("ko\ten\na\u2028b\u0085c\x0cd\te\n", encoding="utf-8", newline="\n")
    (pair,) = read_table(path)
    assert pair.source == "a\u2028b\u0085c\x0cd"


def test_parallel_files_of_different_length(tmp_path: Path) -> None:
    (tmp_path / "long").write_text("1\n2\n3\n")
    (tmp_path / "short").write_text("1\n2\n")
    with pytest.raises(DataError, match=r"long:3: the source has more lines, but .*short has ended"):
        read_two(tmp_path / "long", tmp_path / "short")
    with pytest.raises(DataError, match=r"long:3: the target has more lines, but .*short has ended"):
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


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", ": expected a header row with the names of the columns, found an empty file"),
        (b"ko\teng\na\tb\n", ": no column is called 'en'; did you mean 'eng'?"),
        (b"ko\tko\na\tb\n", ":1: the header names the column 'ko' twice"),
        (b"\xff\ten\na\tb\n", ":1: not UTF-8 at byte 1 of the line"),
    ],
)
def test_headers_that_cannot_be_used(tmp_path: Path, content: bytes, reason: str) -> None:
    path = tmp_path / "bad.tsv"
    path.write_bytes(content)
    with pytest.raises(DataError) as caught:
        read_table(path)
    assert str(caught.value).startswith(f"{path}{reason}")


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
    links = [
        gold_links([AlignedRow(pair.source, pair.target, pair.where, pair.links) for pair in pairs])
        for pairs in (forth, back)
    ]
    for pair, own, turned in zip(forth, *links, strict=True):
        assert own is not None
        assert turned is not None
        assert own.sure == own.possible
        assert turned.sure == frozenset((e, k) for k, e in own.sure)
        sources, targets = split_words(pair.source), split_words(pair.target)
        assert {source for source, _ in own.sure} == set(range(len(sources)))
        assert {target for _, target in own.sure} == set(range(len(targets)))
    with pytest.raises(DataError, match="builtin:ko-en:dev: no column is called 'de'"):
        list(read_pairs(corpus, DataConfig(source="de", target="en"), split="dev"))


@pytest.mark.parametrize("world", ["ko-en", "sentiment", "inference", "tags", "questions"])
@pytest.mark.parametrize("split", ["train", "dev", "test"])
def test_every_world_has_every_part(world: str, split: str) -> None:
    rows = open_rows(corpus_from_short_form(f"builtin:{world}:{split}", rows=50))
    assert rows.columns == COLUMNS[world]
    assert rows.name == f"builtin:{world}:{split}"
    first, again = list(rows), list(rows)
    assert first == again
    assert [row.number for row in first] == list(range(1, 51))


@pytest.mark.parametrize(
    ("condition", "kept"),
    [
        ("source != bible", [2, 4]),
        ("source == bible", [3, 5]),
        ("source='bible'", [3, 5]),
        ("source in bible, news", [2, 3, 5]),
        ("source not in (bible, news)", [4]),
        ("score >= 2", [3, 4]),
        ("score < 2", [2]),
    ],
)
def test_filters(tmp_path: Path, condition: str, kept: list[int]) -> None:
    content = "source\tscore\tko\ten\nnews\t1\ta\tb\nbible\t2\ta\tb\nchat\t10\ta\tb\nbible\tx\ta\tb\n"
    path = put(tmp_path / "x.tsv", content.encode())
    rows = open_rows(TsvCorpus(path=path, filter=(condition,)), {"ko": "text"})
    assert [row.number for row in rows] == kept


def test_parts_of_a_file_are_apart_and_as_large_as_they_say(tmp_path: Path) -> None:
    count = 10_000
    path = put(tmp_path / "x.tsv", ("ko\n" + "a\n" * count).encode())

    def places(part: tuple[float, float]) -> set[int]:
        return {row.number for row in open_rows(TsvCorpus(path=path, part=part), {"ko": "text"})}

    dev, small, rest = places((0, 0.1)), places((0, 0.02)), places((0.1, 1))
    assert small < dev
    assert not dev & rest
    assert len(dev | rest) == count
    for part, share in ((dev, 0.1), (small, 0.02)):  # six standard deviations of so many coins
        assert abs(len(part) - share * count) < 6 * (count * share * (1 - share)) ** 0.5
    halves = [len({place for place in dev if (place % 2 == 0) == even}) for even in (True, False)]
    assert abs(halves[0] - halves[1]) < 6 * len(dev) ** 0.5  # no pattern of the places
    for bad in ((0.5, 0.5), (0.2, 0.1), (0.0, 1.5)):
        with pytest.raises(ValueError, match=r"the smaller first|less than or equal to 1"):
            TsvCorpus(path=path, part=bad)


def test_a_column_under_another_name(tmp_path: Path) -> None:
    path = put(tmp_path / "x.tsv", b"source\tko\ten\nnews\ta\tb\n")
    corpus = TsvCorpus(path=path, names={"text": "ko"}, filter=("source == news",))
    rows = open_rows(corpus, {"en": "text", "text": "text"})
    assert rows.columns == ("en", "text")
    assert [row.cells for row in rows if isinstance(row, Row)] == [("b", "a")]
    assert open_rows(corpus).columns == ("source", "ko", "en"), "as it is, where nothing is wanted"
    with pytest.raises(DataError, match="no column is called 'kor'; did you mean 'ko'"):
        open_rows(TsvCorpus(path=path, names={"text": "kor"}), {"text": "text"})
    with pytest.raises(DataError, match="names: expected a column for each name, found one twice"):
        open_rows(corpus, {"ko": "text", "text": "text"})
    twice = TsvCorpus(path=path, names={"first": "ko", "second": "ko"})
    assert [row.cells for row in open_rows(twice, {"first": "text", "second": "text"})] == [("a", "a")]  # type: ignore[union-attr]
    with pytest.raises(DataError, match=r"names: 'ko' cannot be both first \(text\) and second \(number\)"):
        open_rows(twice, {"first": "text", "second": "number"})


def test_filters_that_mean_nothing(tmp_path: Path) -> None:
    path = put(tmp_path / "x.tsv", b"source\tko\nnews\ta\n")
    with pytest.raises(DataError, match="no column is called 'sauce'; did you mean 'source'"):
        open_rows(TsvCorpus(path=path, filter=("sauce == x",)))
    for text in ("source", "source ==", "== x", "source ~ x", "score < many", "source =! x", "source => x"):
        with pytest.raises(ConfigError):
            corpus_from_short_form(path, [text])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("builtin:inference:dev", BuiltinCorpus(world="inference", split="dev")),
        ("a/b.tsv.gz", TsvCorpus(path="a/b.tsv.gz")),
        ("a/b.CSV", CsvCorpus(path="a/b.CSV")),
        ("x.jsonl", JsonLinesCorpus(path="x.jsonl")),
        ("x.conllu.gz", ConlluCorpus(path="x.conllu.gz")),
        ("text:a/b", TextCorpus(path="a/b")),
        ("jsonl:-", JsonLinesCorpus(path="-")),
        ("hub:a/b:test", HubCorpus(name="a/b", split="test")),
    ],
)
def test_short_forms(text: str, expected: OneCorpus) -> None:
    assert corpus_from_short_form(text) == expected


def test_short_forms_that_mean_nothing() -> None:
    for text in ("x.docx", "builtin:klingon", "builtin:sentiment:heldout", ""):
        with pytest.raises(ConfigError):
            corpus_from_short_form(text)


def test_a_spreadsheet_is_to_be_saved_as_csv() -> None:
    with pytest.raises(ConfigError) as caught:
        corpus_from_short_form("data/Pairs.XLSX")
    assert (
        str(caught.value) == "data/Pairs.XLSX: is a spreadsheet; save it as CSV (UTF-8), and name that file"
    )


def test_columns_can_be_chosen(tmp_path: Path) -> None:
    path = put(tmp_path / "x.tsv", b"a\tb\tc\n1\t2\t3\n")
    rows = choose_columns(open_rows(TsvCorpus(path=path)), ["c", "a"])
    assert (rows.columns, list(rows)) == (("c", "a"), [Row(2, ("3", "1"))])


def test_a_list_of_corpora_is_a_mix(tmp_path: Path) -> None:
    one, two = (
        put(tmp_path / "1.tsv", b"ko\ten\na\tb\n"),
        put(tmp_path / "2.jsonl", b'{"ko": "c", "en": "d"}\n'),
    )
    data = DataConfig.model_validate({"train": [one, two]})
    assert isinstance(data.train, MixCorpus)
    pairs = list(read_pairs(data.train, data, split="train"))
    assert [(pair.source, pair.where) for pair in pairs] == [("a", f"{one}:2"), ("c", f"{two}:1")]
