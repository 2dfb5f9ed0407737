"""Every kind of bad row, in every format that can hold it: refused with its place, or taken as documented."""

import contextlib
import gzip
import json
import random
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.examples import examples
from tests.torture.figures import Figures

from regard.config.data import DataConfig, OneCorpus, ParallelCorpus
from regard.config.load import corpus_from_short_form
from regard.data.pairs import read_pairs
from regard.data.readers import open_rows
from regard.data.rows import BadRow, BadRows, Row
from regard.errors import DataError

DATA = DataConfig(source="ko", target="en")
GOOD = ("가", "go")


@dataclass(frozen=True)
class Kind:
    """A kind of odd cell: what is written, and what becomes of it."""

    name: str
    written: bytes
    """The Korean cell of the second row, as bytes of a UTF-8 file."""
    reason: str = ""
    """Part of the reason that is given; "" = the row is taken."""
    taken_as: str | None = None


LONG = b"a" * 1_000_001
CELLS = [
    Kind("invalid UTF-8", b"\xff\xfe", "not UTF-8 at byte"),
    Kind("truncated UTF-8", "가".encode()[:2], "not UTF-8 at byte"),
    Kind("overlong UTF-8", b"\xc0\xaf", "not UTF-8 at byte"),
    Kind("surrogate in UTF-8", b"\xed\xa0\x80", "not UTF-8 at byte"),
    Kind("EUC-KR", "한국어".encode("euc-kr"), "not UTF-8 at byte"),
    Kind("UTF-16", "가나".encode("utf-16-le"), "not UTF-8 at byte"),
    Kind("NUL", b"a\x00b", "control character, U+0000, at character 2"),
    Kind("escape", b"\x1b[31mred", "control character, U+001B, at character 1"),
    Kind("delete", b"a\x7f", "control character, U+007F"),
    Kind("backspace", b"a\x08", "control character, U+0008"),
    Kind("a bare carriage return", b"a\rb", "control character, U+000D"),
    Kind("empty", b"", "the ko side is empty"),
    Kind("only spaces", b"   ", "the ko side is empty"),
    Kind("only a no-break space", "\u00a0".encode(), "the ko side is empty"),
    Kind("only an ideographic space", "\u3000".encode(), "the ko side is empty"),
    Kind("only zero-width characters", "\u200b\u200d".encode(), "only invisible characters, such as U+200B"),
    Kind("only direction marks", "\u202e \u200f".encode(), "only invisible characters, such as U+202E"),
    Kind("a line of more than a megabyte", LONG, "longer than 1,000,000 bytes"),
    Kind("NFD", "\u1100\u1161".encode(), taken_as="\u1100\u1161"),
    Kind("direction marks inside", "a\u202eb".encode(), taken_as="a\u202eb"),
    Kind("zero-width inside", "a\u200bb".encode(), taken_as="a\u200bb"),
    Kind("a replacement character", "\ufffd".encode(), taken_as="\ufffd"),
    Kind("U+2028", "a\u2028b".encode(), taken_as="a\u2028b"),
    Kind("U+0085", "a\u0085b".encode(), taken_as="a\u0085b"),
    Kind("a form feed", b"a\x0cb", taken_as="a\x0cb"),
    Kind("a byte order mark inside", "a\ufeffb".encode(), taken_as="a\ufeffb"),
    Kind("an emoji of several characters", "👩‍👩‍👧".encode(), taken_as="👩‍👩‍👧"),
    Kind("an unassigned character", "\U000e0fff".encode(), taken_as="\U000e0fff"),
    Kind("old Hangul", "\u113c\u1161".encode(), taken_as="\u113c\u1161"),
    Kind("a noncharacter", "a\uffff".encode(), taken_as="a\uffff"),
    Kind("a private character", "\ue000".encode(), taken_as="\ue000"),
    Kind("a lone combining mark", "\u0301".encode(), taken_as="\u0301"),
    Kind("full-width letters", "ＡＢＣ１".encode(), taken_as="ＡＢＣ１"),
    Kind("lone jamo", "ㅋㅋㅋ".encode(), taken_as="ㅋㅋㅋ"),
    Kind("a C1 control, as in cp1252 read as Latin-1", "a\u0092s".encode(), taken_as="a\u0092s"),
    Kind("the word null", b"null", taken_as="null"),
    Kind("the word NaN", b"NaN", taken_as="NaN"),
    Kind("a number with zeros", b"007", taken_as="007"),
    Kind("a number that floats would change", b"1e400", taken_as="1e400"),
    Kind("a formula", b"=1+1", taken_as="=1+1"),
    Kind("a special symbol", b"<s> </s> <pad>", taken_as="<s> </s> <pad>"),
    Kind("an entity", b"a &amp; b", taken_as="a &amp; b"),
    Kind("a backslash", b"a\\nb", taken_as="a\\nb"),
    Kind("spaces at the ends", b" a ", taken_as=" a "),
    Kind("a hundred thousand words", b"a " * 99_999 + b"a", taken_as="a " * 99_999 + "a"),
]


def as_tsv(folder: Path, cell: bytes) -> OneCorpus:
    (folder / "x.tsv").write_bytes("ko\ten\n가\tgo\n".encode() + cell + b"\tgo\n" + "가\tgo\n".encode())
    return corpus_from_short_form(str(folder / "x.tsv"))


def as_csv(folder: Path, cell: bytes) -> OneCorpus:
    (folder / "x.csv").write_bytes('ko,en\n가,go\n"'.encode() + cell + b'",go\n' + "가,go\n".encode())
    return corpus_from_short_form(str(folder / "x.csv"))


def as_jsonl(folder: Path, cell: bytes) -> OneCorpus:
    good = json.dumps({"ko": "가", "en": "go"}).encode()
    try:
        bad = json.dumps({"ko": cell.decode(), "en": "go"}).encode()
    except UnicodeDecodeError:
        bad = b'{"ko": "' + cell + b'", "en": "go"}'
    (folder / "x.jsonl").write_bytes(b"\n".join([b"", good, bad, good]))
    return corpus_from_short_form(str(folder / "x.jsonl"))


def as_parallel(folder: Path, cell: bytes) -> OneCorpus:
    (folder / "x.ko").write_bytes("\n가\n".encode()[1:] + "가\n".encode() + cell + "\n가\n".encode())
    (folder / "x.en").write_bytes(b"go\n" * 4)
    return ParallelCorpus(source_path=str(folder / "x.ko"), target_path=str(folder / "x.en"))


FORMATS: list[Callable[[Path, bytes], OneCorpus]] = [as_tsv, as_csv, as_jsonl, as_parallel]


@pytest.mark.parametrize("write", FORMATS)
@pytest.mark.parametrize("kind", CELLS, ids=lambda kind: kind.name)
def test_odd_cells(tmp_path: Path, kind: Kind, write: Callable[[Path, bytes], OneCorpus]) -> None:
    """The odd cell stands on line 3 in every format."""
    corpus = write(tmp_path, kind.written)
    name = open_rows(corpus, {"ko": "text", "en": "text"}).name
    if kind.reason:
        with pytest.raises(DataError) as caught:
            list(read_pairs(corpus, DATA, split="train"))
        assert str(caught.value).startswith(f"{name}:3: ")
        assert kind.reason in str(caught.value)
        skipping = DATA.model_copy(update={"on_bad_row": "skip"})
        kept = list(read_pairs(corpus, skipping, split="train"))
        assert [(pair.source, pair.target) for pair in kept] == [GOOD] * len(kept)
        assert len(kept) == 2 + (write is as_parallel)
    else:
        found = {pair.where: pair.source for pair in read_pairs(corpus, DATA, split="train")}
        assert found[f"{name}:3"] == kind.taken_as


@pytest.mark.parametrize("write", FORMATS)
@pytest.mark.parametrize("change", ["byte order mark", "CRLF", "no last newline"])
def test_odd_files_that_are_taken(
    tmp_path: Path, change: str, write: Callable[[Path, bytes], OneCorpus]
) -> None:
    corpus = write(tmp_path, "나".encode())
    for path in tmp_path.iterdir():
        content = path.read_bytes()
        if change == "byte order mark":
            content = b"\xef\xbb\xbf" + content.lstrip()
        if change == "CRLF":
            content = content.replace(b"\n", b"\r\n")
        if change == "no last newline":
            content = content.rstrip(b"\n")
        path.write_bytes(content)
    pairs = list(read_pairs(corpus, DATA, split="train"))
    assert {(pair.source, pair.target) for pair in pairs} == {GOOD, ("나", "go")}


LINES = [
    ("x.tsv", b"ko\ten\na\tb\na\n", "expected 2 columns as in the header, found 1"),
    ("x.tsv", b"ko\ten\na\tb\na\tb\tc\n", "expected 2 columns as in the header, found 3"),
    ("x.tsv", b"ko\ten\na\tb\n\n", "expected 2 columns as in the header, found 1"),
    ("x.csv", b"ko,en\na,b\na\n", "expected 2 columns as in the header, found 1"),
    ("x.csv", b"ko,en\na,b\na,b,c\n", "expected 2 columns as in the header, found 3"),
    ("x.csv", b'ko,en\na,b\n"a"x,b\n', "not a CSV row: "),
    ("x.csv", b'ko,en\na,b\na,"b\n', "a quote is opened and never closed"),
    ("x.jsonl", b'{"ko":"a","en":"b"}\n\n{"ko": "a"\n', "not JSON at character"),
    ("x.jsonl", b'{"ko":"a","en":"b"}\n\n[1, 2]\n', "expected a JSON object, found a list"),
    ("x.jsonl", b'{"ko":"a","en":"b"}\n\n{"ko": "a"}\n', "expected a text under 'en', it has 'ko'"),
    ("x.jsonl", b'{"ko":"a","en":"b"}\n\n{"ko": null, "en": "b"}\n', "under 'ko', found null"),
    ("x.jsonl", b'{"ko":"a","en":"b"}\n\n{"ko": true, "en": "b"}\n', "under 'ko', found true or false"),
    ("x.jsonl", b'{"ko":"a","en":"b"}\n\n{"ko": {}, "en": "b"}\n', "under 'ko', found an object"),
    ("x.jsonl", b'{"ko":"a","en":"b"}\n\n{"ko": [1], "en": "b"}\n', "ko side is a list, expected one text"),
    ("x.jsonl", b'{"ko":"a","en":"b"}\n\n{"ko": ["a"], "en": "b"}\n', "is a list, expected one text"),
    ("x.jsonl", b'{"ko":"a","en":"b"}\n\n{"ko": NaN, "en": "b"}\n', "NaN is not JSON"),
    ("x.jsonl", b'{"ko":"a","en":"b"}\n\n{"ko": "a", "ko": "c", "en": "b"}\n', "a name stands twice"),
    ("x.jsonl", b'{"ko":"a","en":"b"}\n\n{"ko": "\\ud800", "en": "b"}\n', "half a character, U+D800"),
    ("x.jsonl", b'{"ko":"a","en":"b"}\n\n' + b"[" * 99_999 + b"\n", "nested too deeply"),
    ("x.jsonl", b'{"ko":"a","en":"b"}\n\n{"ko": ' + b"1" * 9_999 + b', "en": "b"}\n', "a number is too long"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "content", "reason"), LINES)
def test_odd_lines(tmp_path: Path, name: str, content: bytes, reason: str) -> None:
    (tmp_path / name).write_bytes(content)
    corpus = corpus_from_short_form(str(tmp_path / name))
    with pytest.raises(DataError) as caught:
        list(read_pairs(corpus, DATA, split="train"))
    assert str(caught.value).startswith(f"{tmp_path / name}:3: ")
    assert reason in str(caught.value)


RANDOM = random.Random(1).randbytes(4_000)


@pytest.mark.parametrize(
    ("content", "advice"),
    [
        (RANDOM.replace(b"\n", b""), "it does not look like text in any encoding; is it the right file?"),
        (b"\x89PNG\r\n\x1a\n" + RANDOM, "it is a picture (PNG), not text"),
        (b"PK\x03\x04" + RANDOM, "it is a ZIP archive, as .xlsx, .ods and .docx are; save the table as CSV"),
        (gzip.compress("ko\ten\n가\tgo\n".encode(), mtime=0), "it is a gzip file; its name must end in .gz"),
        ("ko\ten\n가 나\tI go\n".encode("utf-16"), "it looks like UTF-16; convert it first: iconv -f utf-16"),
        ("안녕하세요 여러분\ten\n".encode("utf-16-be"), "it looks like UTF-16; convert it first: iconv -f"),
        ("한국어\ten\n".encode("cp949"), "it looks like Korean in cp949; convert it first: iconv -f cp949"),
        ("Größe\ten\n".encode("latin-1"), "convert the text first"),
    ],
    ids=["random", "png", "zip", "gzip", "utf-16", "utf-16-be", "cp949", "latin-1"],
)
def test_what_is_not_utf8_is_called_by_its_name(tmp_path: Path, content: bytes, advice: str) -> None:
    (tmp_path / "x.tsv").write_bytes(content)
    with pytest.raises(DataError) as caught:
        open_rows(corpus_from_short_form(str(tmp_path / "x.tsv")))
    assert re.fullmatch(
        f".*x.tsv:1: not UTF-8 at byte [0-9]+ of the line; {re.escape(advice)}.*", str(caught.value)
    )


TAGGED = [
    ("x.conllu", "1\ta\ta\tX\tX\t_\t_\t_\t_\n", ":1: expected 10 tab-separated columns, found 9"),
    (
        "x.conllu",
        "1\ta\ta\tX\tX\t_\t_\t_\t_\t_\n3\tb\tb\tX\tX\t_\t_\t_\t_\t_\n",
        ":2: expected word 2 of the",
    ),
    ("x.conllu", "x\ta\ta\tX\tX\t_\t_\t_\t_\t_\n", ":1: expected word 1 of the sentence, found 'x'"),
    ("x.conllu", "# text = a\n", ":1: the sentence has no words"),
    ("x.conllu", "1\t\x00\ta\tX\tX\t_\t_\t_\t_\t_\n", ":1: the words side has a control character"),
    ("x.conllu", "1\t\ta\tX\tX\t_\t_\t_\t_\t_\n", ":1: the words side is empty"),
    ("x.conll", "a X\nb\n", ":2: expected 2 columns, found 1"),
    ("x.conll", "a X Y\n", ":1: expected 2 columns, found 3"),
    (
        "x.jsonl",
        '{"words": ["a", "b"], "tags": ["X"]}\n',
        ":1: expected as many tags as words, found 2 and 1",
    ),
    ("x.jsonl", '{"words": [], "tags": []}\n', ":1: the words side is empty"),
    ("x.tsv", "words\ttags\na b\tX Y Z\n", ":2: expected as many tags as words, found 2 and 3"),
]


@pytest.mark.parametrize(("name", "content", "reason"), TAGGED)
def test_odd_sentences_of_tagged_words(tmp_path: Path, name: str, content: str, reason: str) -> None:
    (tmp_path / name).write_text(content, encoding="utf-8", newline="\n")
    rows = open_rows(corpus_from_short_form(str(tmp_path / name)), {"words": "words", "tags": "words"})
    with pytest.raises(DataError) as caught:
        list(BadRows(None).good(rows))
    assert str(caught.value).startswith(f"{tmp_path / name}{reason}")


def test_labels_may_be_numbers_but_not_essays(tmp_path: Path) -> None:
    (tmp_path / "x.jsonl").write_text('{"t": "a", "l": 4.5}\n{"t": "a", "l": "%s"}\n' % ("x" * 1001))
    rows = list(open_rows(corpus_from_short_form(str(tmp_path / "x.jsonl")), {"t": "text", "l": "label"}))
    assert rows[0] == Row(1, ("a", "4.5"))
    assert isinstance(rows[1], BadRow)
    assert "has 1,001 characters, expected a label of at most 1,000" in rows[1].reason


def test_skipped_rows_are_kept_to_look_at_and_limited(tmp_path: Path) -> None:
    (tmp_path / "x.tsv").write_bytes(b"ko\ten\na\tb\n\xff\tb\nc\t \nd\te\n")
    corpus = corpus_from_short_form(str(tmp_path / "x.tsv"))
    bad = BadRows(limit=2)
    assert [pair.source for pair in read_pairs(corpus, DATA, split="train", bad=bad)] == ["a", "d"]
    records = [json.loads(line) for line in bad.to_json_lines().splitlines()]
    assert records[1] == {"where": f"{tmp_path / 'x.tsv'}:4", "reason": "the en side is empty", "row": "c\t "}
    assert records[0]["row"] == "\\xff\tb"
    with pytest.raises(DataError, match=r"x.tsv:4: .*this is bad row 2, more than data.bad_row_limit = 1"):
        list(read_pairs(corpus, DATA, split="train", bad=BadRows(limit=1)))


@pytest.mark.torture
@settings(max_examples=examples(300), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    content=st.lists(
        st.one_of(
            st.binary(max_size=20),
            st.sampled_from([b"\t", b"\n", b'"', b",", b"{", b'{"ko":"a","en":"b"}\n']),
        )
    ).map(b"".join),
    ending=st.sampled_from(["tsv", "csv", "jsonl", "conllu", "conll", "txt", "tsv.gz"]),
)
def test_no_bytes_crash_a_reader(tmp_path: Path, content: bytes, ending: str, figures: Figures) -> None:
    path = tmp_path / f"x.{ending}"
    path.write_bytes(content)
    # A file as a whole may be refused, in words that name it.
    with contextlib.suppress(DataError):
        for row in open_rows(corpus_from_short_form(str(path))):
            assert isinstance(row, Row | BadRow)
    figures.add("R10", files_of_random_bytes=1, crashes=0)
