"""The clean copy: repaired, without what cannot be used, logged; and clean."""

import csv
import gzip
import io
import json
import unicodedata
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from tests.data.test_bad_rows import CELLS
from tests.doctor.helpers import ALL, CLEAN, found, look, write_pairs
from tests.doctor.test_faults import SAID, leaking
from tests.examples import examples

from regard.config.load import corpus_from_short_form
from regard.data.readers import open_rows
from regard.data.rows import Row
from regard.doctor.catalogue import CHECKS
from regard.doctor.diagnose import Examination
from regard.doctor.fix import Fixed, write_clean_copy
from regard.doctor.guess import Asked
from regard.doctor.repair import repair
from regard.errors import DataError, RegardError

CURED = {check.id for check in CHECKS.values() if check.cure in ("repairs", "drops")}


def fix(examination: Examination, out: Path, *drop: str) -> Fixed:
    return write_clean_copy(examination, out, frozenset(drop), quiet=True)


def changes(out: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (out / "changes.jsonl").read_text(encoding="utf-8").splitlines()]


def pairs_in(path: Path) -> list[tuple[str, ...]]:
    return [tuple(line.split("\t")) for line in path.read_text(encoding="utf-8").splitlines()[1:]]


def test_every_fault_that_can_be_cured_is(tmp_path: Path) -> None:
    """All faults of the table in one file: the copy has none of those that are repaired or dropped."""
    pairs = [*CLEAN, *((source, target) for _, source, target in SAID.values())]
    train = write_pairs(tmp_path / "train.tsv", pairs)
    korean = "안녕하세요 여러분\tHello everybody there\n".encode("cp949")
    train.write_bytes(b"\xef\xbb\xbf" + train.read_bytes() + korean + b"\xff\x81\tno text\nonly one column\n")
    before = look(train)
    assert set(found(before)) & CURED >= CURED - {"leak", "leak-side"}
    fixed = fix(before, tmp_path / "out")
    after = look(tmp_path / "out" / "train.tsv")
    assert set(found(after)) & CURED == set()
    assert fix(after, tmp_path / "again") == Fixed(0, 0, ())
    assert changes(tmp_path / "again") == []
    copies = [folder / "train.tsv" for folder in (tmp_path / "out", tmp_path / "again")]
    assert copies[0].read_bytes() == copies[1].read_bytes()
    log = changes(tmp_path / "out")
    assert len({c["where"] for c in log if c["action"] == "dropped"}) == fixed.dropped
    assert {c["check"] for c in log} <= set(found(before)) & CURED


def test_the_copy_can_be_trained_on(tmp_path: Path) -> None:
    """No row of it is one that a task would refuse."""
    pairs = [*CLEAN, *((source, target) for _, source, target in SAID.values())]
    fix(look(write_pairs(tmp_path / "train.tsv", pairs)), tmp_path / "out")
    corpus = corpus_from_short_form(str(tmp_path / "out" / "train.tsv"))
    assert all(isinstance(row, Row) for row in open_rows(corpus, {"ko": "text", "en": "text"}))


def test_what_is_in_order_is_left_as_it_is(tmp_path: Path) -> None:
    """Other columns, line ends and order; a row that is only remarkable stays, too."""
    path = tmp_path / "train.tsv"
    content = (
        "id\tko\ten\n7\t그는 문을 열었다 ㅋㅋ\tHe opened the door.\r\n\u200b8\t가나다 라마바\tabc def ghi\n"
    )
    path.write_bytes((content + "9\t문을\u200b 연다\tHe opens it\r\n").encode())
    fix(look(path), tmp_path / "out")
    assert (tmp_path / "out" / "train.tsv").read_bytes() == (
        content + "9\t문을 연다\tHe opens it\r\n"
    ).encode()


def test_training_rows_that_leak_are_dropped_never_those_of_test(tmp_path: Path) -> None:
    train, dev, test = leaking(tmp_path)
    fix(look(tmp_path), tmp_path / "out")
    kept = pairs_in(tmp_path / "out" / "train.tsv")
    assert [source for source, _ in kept] == [
        "나는 어제 학교에 갔다.",
        "그녀는 조용히 책을 읽고 있다.!",
        "네.",
    ]
    for path in (dev, test):
        assert (tmp_path / "out" / path.name).read_bytes() == path.read_bytes()
    assert [(c["where"], c["check"], c["like"]) for c in changes(tmp_path / "out")] == [
        (f"{train}:3", "leak", f"{test}:2"),
        (f"{train}:4", "leak-side", f"{dev}:3"),
    ]


def test_more_is_dropped_when_asked_but_not_from_test(tmp_path: Path) -> None:
    bad = [("He opened the window.", "He opened the door."), ("그는 문을 열었다 ㅋㅋ", "He opened it, haha.")]
    write_pairs(tmp_path / "train.tsv", [*CLEAN[:2], *bad])
    test = write_pairs(tmp_path / "test.tsv", [("She closed the window.", "She closed a door.")])
    fix(look(tmp_path), tmp_path / "out", "wrong-script")
    assert [pair[0] for pair in pairs_in(tmp_path / "out" / "train.tsv")] == [
        CLEAN[0][0],
        CLEAN[1][0],
        bad[1][0],
    ]
    assert (tmp_path / "out" / "test.tsv").read_bytes() == test.read_bytes()


def test_a_skipped_check_repairs_nothing(tmp_path: Path) -> None:
    path = write_pairs(
        tmp_path / "train.tsv", [("문을\u200b 연다", "He opens &amp; closes it"), CLEAN[0], CLEAN[0]]
    )
    fix(look(path, checks=ALL - {"duplicate", "invisible"}), tmp_path / "out")
    assert [c["check"] for c in changes(tmp_path / "out")] == ["entity"]
    assert pairs_in(tmp_path / "out" / "train.tsv")[0] == ("문을\u200b 연다", "He opens & closes it")


def test_the_log_of_a_repair(tmp_path: Path) -> None:
    path = write_pairs(tmp_path / "train.tsv", [CLEAN[0], ("문을\u200b 연다", "He opens it &amp; goes")])
    fix(look(path), tmp_path / "out")
    assert changes(tmp_path / "out") == [
        {
            "where": f"{path}:3",
            "action": "repaired",
            "check": "invisible",
            "before": "문을\u200b 연다",
            "after": "문을 연다",
            "column": "ko",
        },
        {
            "where": f"{path}:3",
            "action": "repaired",
            "check": "entity",
            "before": "He opens it &amp; goes",
            "after": "He opens it & goes",
            "column": "en",
        },
    ]


def test_rows_that_become_equal_by_repair_are_duplicates(tmp_path: Path) -> None:
    decomposed = unicodedata.normalize("NFD", CLEAN[0][0])
    path = write_pairs(tmp_path / "train.tsv", [CLEAN[0], CLEAN[1], (decomposed, CLEAN[0][1])])
    examination = look(path)
    assert found(examination)["duplicate"] == [f"{path}:4"]
    fix(examination, tmp_path / "out")
    assert len(pairs_in(tmp_path / "out" / "train.tsv")) == 2


def test_rows_are_dropped_from_the_file_that_repeats_another(tmp_path: Path) -> None:
    one = write_pairs(tmp_path / "one.tsv", CLEAN[:3])
    two = write_pairs(tmp_path / "two.tsv", [CLEAN[3], CLEAN[1], CLEAN[4]])
    fix(look(one, two), tmp_path / "out")
    assert (tmp_path / "out" / "one.tsv").read_bytes() == one.read_bytes()
    assert pairs_in(tmp_path / "out" / "two.tsv") == [CLEAN[3], CLEAN[4]]


def test_csv_with_quotes_and_line_ends(tmp_path: Path) -> None:
    path = tmp_path / "train.csv"
    rows = [["1", "문을\u200b 연다,\n그리고 닫는다", 'He opens "it",\nand closes it'], ["2", "가나다", "abc"]]
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([["id", "ko", "en"], *rows])
    fix(look(path), tmp_path / "out")
    with (tmp_path / "out" / "train.csv").open(encoding="utf-8", newline="") as file:
        assert list(csv.reader(file)) == [
            ["id", "ko", "en"],
            [c.replace("\u200b", "") for c in rows[0]],
            rows[1],
        ]


def test_json_lines_with_values_inside_values(tmp_path: Path) -> None:
    path = tmp_path / "train.jsonl"
    rows = [
        {"translation": {"ko": "문을\u200b 연다", "en": "He opens it"}, "n": 1.5, "more": [1, None]},
        {"translation": {"ko": "가나다 라마", "en": "abc def"}, "n": 2, "more": []},
    ]
    path.write_text("\n\n".join(map(json.dumps, rows)) + "\n", encoding="utf-8")
    fix(look(path), tmp_path / "out")
    first, empty, second = (tmp_path / "out" / "train.jsonl").read_text(encoding="utf-8").splitlines()
    expected = {**rows[0], "translation": {"ko": "문을 연다", "en": "He opens it"}}
    assert json.loads(first) == expected
    assert (empty, second) == ("", json.dumps(rows[1]))


def test_half_a_character_beside_the_text_survives(tmp_path: Path) -> None:
    """JSON can say it in another value: it is written back as JSON says it."""
    path = tmp_path / "train.jsonl"
    path.write_text('{"text": "문을\\u200b 연다 그리고 닫는다", "other": "\\ud83d"}\n', encoding="utf-8")
    fix(look(path), tmp_path / "out")
    written = (tmp_path / "out" / "train.jsonl").read_text(encoding="utf-8")
    assert json.loads(written) == {"text": "문을 연다 그리고 닫는다", "other": "\ud83d"}


def test_parallel_files_lose_the_same_lines(tmp_path: Path) -> None:
    pairs = [*CLEAN, ("", "Nothing on the other side."), ("문을\u200b 연다", "He &amp; I open it."), CLEAN[0]]
    for place, language in enumerate(("ko", "en")):
        text = "".join(f"{pair[place]}\n" for pair in pairs)
        with gzip.open(tmp_path / f"train.{language}.gz", "wb") as file:
            file.write(text.encode())
    fix(look(tmp_path / "train.ko.gz", tmp_path / "train.en.gz"), tmp_path / "out")
    sides = [
        gzip.decompress((tmp_path / "out" / f"train.{language}.gz").read_bytes()) for language in ("ko", "en")
    ]
    lines = [side.decode().splitlines() for side in sides]
    assert list(zip(*lines, strict=True)) == [*CLEAN, ("문을 연다", "He & I open it.")]
    places = [change["where"] for change in changes(tmp_path / "out")]
    lines_changed = [("ko", 6), ("ko", 7), ("en", 7), ("ko", 8)]
    assert places == [f"{tmp_path / f'train.{language}.gz'}:{line}" for language, line in lines_changed]


def test_the_same_rows_give_the_same_bytes(tmp_path: Path) -> None:
    path = tmp_path / "train.tsv.gz"
    with gzip.open(path, "wb") as file:
        file.write(("ko\ten\n" + "\n".join(map("\t".join, CLEAN)) + "\n").encode())
    for out in ("a", "b"):
        fix(look(path), tmp_path / out)
    assert (tmp_path / "a" / path.name).read_bytes() == (tmp_path / "b" / path.name).read_bytes()


def test_what_is_not_rewritten_is_said(tmp_path: Path) -> None:
    train = write_pairs(tmp_path / "train.tsv", CLEAN)
    fixed = fix(look(train, "builtin:ko-en:test"), tmp_path / "out")
    assert fixed.left_out == ("builtin:ko-en:test",)
    with pytest.raises(DataError, match="--fix writes tables, JSON lines and plain text"):
        fix(look("builtin:ko-en:test"), tmp_path / "none")
    assert not (tmp_path / "none").exists()


def test_two_files_of_one_name(tmp_path: Path) -> None:
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        write_pairs(tmp_path / folder / "train.tsv", CLEAN)
    with pytest.raises(DataError, match=r"train\.tsv: two files would have this name"):
        fix(look(tmp_path / "a" / "train.tsv", tmp_path / "b" / "train.tsv"), tmp_path / "out")


def test_an_error_on_the_way_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    examination = look(write_pairs(tmp_path / "train.tsv", CLEAN))

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("regard.doctor.fix.Rewriting.run", full)
    with pytest.raises(DataError, match="out: cannot be written: No space left on device"):
        fix(examination, tmp_path / "out")
    assert [path.name for path in tmp_path.iterdir()] == ["train.tsv"]


def cleaned(path: Path) -> Examination | None:
    """The clean copy examined; None if the file was refused, in one line."""
    refused = ""
    try:
        fix(look(path), path.parent / "out")
        return look(path.parent / "out" / path.name)
    except RegardError as error:
        refused = str(error)
    assert refused
    assert "\n" not in refused
    return None


GENTLE = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=examples(60))


@GENTLE
@given(
    st.binary(max_size=200), st.sampled_from(["tsv", "csv", "jsonl", "txt", "conllu", "conll"]), st.booleans()
)
def test_any_bytes_give_a_report_or_one_clear_error(
    tmp_path_factory: pytest.TempPathFactory, content: bytes, ending: str, packed: bool
) -> None:
    path = tmp_path_factory.mktemp("bytes") / f"train.{ending}{'.gz' if packed else ''}"
    path.write_bytes(content)
    copy = cleaned(path)
    assert copy is None or set(found(copy)) & CURED == set()


PIECES = [
    "가나다",
    "abc",
    " ",
    "\t",
    "\n",
    ",",
    '"',
    "\u200b",
    "&amp;",
    "\x07",
    "\u1112\u1161",
    "\r",
    "\xff",
    "ᄏ",
]


@GENTLE
@example(pieces=["가나다", "\t", "가나다", "\n", "abc", "\t"], ending="tsv", korean=True)
@given(st.lists(st.sampled_from(PIECES), max_size=40), st.sampled_from(["tsv", "csv", "txt"]), st.booleans())
def test_any_table_can_be_cleaned(
    tmp_path_factory: pytest.TempPathFactory, pieces: list[str], ending: str, korean: bool
) -> None:
    """Whatever stands in a table, the copy has none of the faults that are cured, and stays as it is."""
    path = tmp_path_factory.mktemp("table") / f"train.{ending}"
    head = {"tsv": "ko\ten\n", "csv": "ko,en\n", "txt": ""}[ending]
    path.write_bytes((head + "".join(pieces)).encode("cp949" if korean else "utf-8", "replace"))
    copy = cleaned(path)
    if copy is not None:
        assert set(found(copy)) & CURED == set()
        assert fix(copy, path.parent / "again") == Fixed(0, 0, ())


ODD = [kind.written.decode() for kind in CELLS if kind.taken_as is not None and len(kind.written) < 100]
"""Cells that the readers take, however odd."""
ODD += ["\u1112\u1161\u11ab\n\u1100\u1173\u11af", "둘\n줄", "a\r\nb", "a\rb", '"quoted"', "a;b", "a,b", "a|b"]
ODD += ["a\tb", "\n", "&amp;\n", "\u200b", " ", "", "a\x07b", '\u1112\u1161"', "x\ufeff", "\ud83d"]
TEXTS = st.lists(st.sampled_from([*ODD, "가나다", "abc", " "]), min_size=1, max_size=4).map("".join)


def write_table(path: Path, rows: list[dict[str, str]], delimiter: str, end: str) -> None:
    """The rows as the end of the name says, by Python's own writers; every cell of a .csv is quoted."""
    columns = [*rows[0]]
    text = io.StringIO()
    if ".csv" in path.name:
        table = csv.writer(text, delimiter=delimiter, lineterminator=end, quoting=csv.QUOTE_ALL)
        table.writerows([columns, *(row.values() for row in rows)])
    elif ".jsonl" in path.name:
        text.write("".join(json.dumps(row) + end for row in rows))
    else:
        lines = [columns, *([" ".join(cell.split()) for cell in row.values()] for row in rows)]
        text.write("".join("\t".join(line) + end for line in lines))
    content = text.getvalue().encode("utf-8", "replace")
    path.write_bytes(gzip.compress(content) if path.suffix == ".gz" else content)


def by_id(path: Path) -> dict[str, tuple[str, str, str]]:
    """The rows that can be read: id to the two texts and what stands beside them."""
    rows = open_rows(
        corpus_from_short_form(str(path)), {"id": "any", "ko": "any", "en": "any", "beside": "any"}
    )
    cells = [row.cells for row in rows if isinstance(row, Row)]
    assert len(cells) == len({cell[0] for cell in cells})
    return {str(number): (str(ko), str(en), str(beside)) for number, ko, en, beside in cells}


@GENTLE
@given(
    texts=st.lists(st.tuples(TEXTS, TEXTS, TEXTS), min_size=1, max_size=6),
    ending=st.sampled_from(["tsv", "tsv.gz", "csv", "csv.gz", "jsonl", "jsonl.gz"]),
    delimiter=st.sampled_from([",", ";"]),
    end=st.sampled_from(["\n", "\r\n"]),
    bom=st.booleans(),
)
def test_a_clean_copy_has_the_same_rows_but_for_its_log(
    tmp_path_factory: pytest.TempPathFactory,
    texts: list[tuple[str, str, str]],
    ending: str,
    delimiter: str,
    end: str,
    bom: bool,
) -> None:
    """The round trip of every format: what stands in a cell cannot break a row apart, nor touch another."""
    path = tmp_path_factory.mktemp("law") / f"train.{ending}"
    rows = [
        {"id": str(number), "ko": ko, "beside": beside, "en": en}
        for number, (ko, en, beside) in enumerate([(*CLEAN[0], "-"), *texts])  # so that one row stays
    ]
    write_table(path, rows, delimiter, end)
    if bom and path.suffix != ".gz":
        path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    asked = Asked(source="ko", target="en")
    before = by_id(path)
    first = look(path, asked=asked)
    fixed = fix(first, path.parent / "out")
    copy = path.parent / "out" / path.name
    after = by_id(copy)
    lost = sum(file.lost for file in first.report.files)
    assert len(after) == len(before) + lost - fixed.dropped
    for number, (ko, en, beside) in after.items():
        assert beside == before[number][2]
        repaired = [
            repair(text, script, ALL)[0]
            for text, script in zip(before[number], ("Hangul", "Latin"), strict=False)
        ]
        assert [ko, en] == repaired
    again = look(copy, asked=asked)
    assert set(found(again)) & CURED == set()
    assert fix(again, path.parent / "again") == Fixed(0, 0, ())
