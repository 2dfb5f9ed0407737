"""Files, folders, plain files side by side, every format; and columns that nobody named."""

import gzip
import json
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from tests.doctor.helpers import CLEAN, found, look, write_pairs

from regard.doctor.guess import Asked
from regard.doctor.inputs import inputs_of, role_of
from regard.errors import ConfigError, DataError

FAULT = ("문을\u200b 연다.", "He opens the door.")
ROWS = [*CLEAN, FAULT]


def table(path: Path, separator: str = "\t") -> None:
    path.write_text(
        separator.join(("ko", "en")) + "\n" + "".join(f"{a}{separator}{b}\n" for a, b in ROWS), "utf-8"
    )


def json_lines(path: Path) -> None:
    path.write_text("".join(json.dumps({"ko": a, "en": b, "no": None}) + "\n" for a, b in ROWS), "utf-8")


def conllu(path: Path) -> None:
    sentence = "# text = {0}\n1\t{0}\t_\tX\t_\t_\t0\troot\t_\t_\n\n"
    path.write_text("".join(sentence.format(a.replace(" ", "_")) for a, _ in ROWS), "utf-8")


def columns(path: Path) -> None:
    path.write_text("".join("".join(f"{word}\tX\n" for word in a.split()) + "\n" for a, _ in ROWS), "utf-8")


def plain(path: Path) -> None:
    path.write_text("".join(f"{a}\n\n" for a, _ in ROWS), "utf-8")


FORMATS: dict[str, tuple[Callable[[Path], None], int]] = {
    "tsv": (table, 7),
    "csv": (partial(table, separator=","), 7),
    "jsonl": (json_lines, 6),
    "conllu": (conllu, 16),
    "conll": (columns, 28),
    "txt": (plain, 11),
}
"""How to write each, and the line of the fault."""


@pytest.mark.parametrize("packed", [False, True], ids=["plain", "gz"])
@pytest.mark.parametrize("ending", FORMATS)
def test_every_format(tmp_path: Path, ending: str, packed: bool) -> None:
    write, line = FORMATS[ending]
    path = tmp_path / f"train.{ending}"
    write(path)
    if packed:
        content = path.read_bytes()
        path = tmp_path / f"train.{ending}.gz"
        path.write_bytes(gzip.compress(content))
    assert found(look(path)) == {"invisible": [f"{path}:{line}"]}


def parallel(folder: Path, names: tuple[str, str]) -> list[Path]:
    for place, name in enumerate(names):
        (folder / name).write_text("".join(f"{pair[place]}\n" for pair in ROWS), "utf-8")
    return [folder / name for name in names]


@pytest.mark.parametrize("names", [("train.ko", "train.en"), ("train.ko.txt", "train.en.txt")])
def test_plain_files_are_sides_by_their_names(tmp_path: Path, names: tuple[str, str]) -> None:
    source, target = parallel(tmp_path, names)
    report = look(source, target).report
    assert [(side.side, side.script) for side in report.files[0].sides] == [("ko", "Hangul"), ("en", "Latin")]
    assert found(look(source, target)) == {"invisible": [f"{source}:6"]}


def test_the_fault_of_the_other_side_is_in_the_other_file(tmp_path: Path) -> None:
    source, target = parallel(tmp_path, ("train.ko", "train.en"))
    assert found(look(target, source)) == {"invisible": [f"{source}:6"]}


def test_sides_are_in_one_order_in_all_files(tmp_path: Path) -> None:
    """dev.en before dev.ko: what is said of a side is said of the same language everywhere."""
    train = parallel(tmp_path, ("train.ko", "train.en"))
    dev = parallel(tmp_path, ("dev.ko", "dev.en"))
    report = look(*train, *reversed(dev)).report
    assert [[side.side for side in file.sides] for file in report.files] == [["ko", "en"], ["ko", "en"]]
    turned = look(*train, asked=Asked(source="en", target="ko"))
    assert [side.script for side in turned.report.files[0].sides] == ["Latin", "Hangul"]
    assert found(turned) == {"invisible": [f"{train[0]}:6"]}


def test_languages_of_files_of_any_name(tmp_path: Path) -> None:
    source, target = parallel(tmp_path, ("a.txt", "b.txt"))
    asked = Asked(source="ko", target="mine")
    (part,) = look(source, target, parallel=True, asked=asked).parts
    assert (part.reader.sides, part.task.scripts) == (("ko", "mine"), ("Hangul", "Latin"))


def test_a_text_beside_pairs_is_refused(tmp_path: Path) -> None:
    (tmp_path / "more.txt").write_text("가나다 라마바\n", "utf-8")
    with pytest.raises(ConfigError, match=r"more\.txt: expected 2 sides as in .*train\.tsv, found 1"):
        look(write_pairs(tmp_path / "train.tsv", CLEAN), tmp_path / "more.txt")


def test_plain_files_two_by_two_or_alone(tmp_path: Path) -> None:
    source, target = parallel(tmp_path, ("a.txt", "b.txt"))
    assert [side.side for side in look(source, target, parallel=True).report.files[0].sides] == [
        "source",
        "target",
    ]
    assert len(look(source, target).report.files) == 2
    source, target = parallel(tmp_path, ("train.ko", "train.en"))
    assert len(look(source, target, one_side=True).report.files) == 2


def test_a_folder_by_its_splits(tmp_path: Path) -> None:
    for name in ("train", "valid", "test", "other"):
        write_pairs(
            tmp_path / f"{name}.tsv", [CLEAN[len(name) % 5], (f"{name}은 가나다", f"the {name} is abc")]
        )
    files = look(tmp_path).report.files
    assert [(Path(file.name).name, file.role) for file in files] == [
        ("train.tsv", "train"),
        ("valid.tsv", "dev"),
        ("test.tsv", "test"),
    ]


def test_a_folder_of_plain_files(tmp_path: Path) -> None:
    for name in ("train", "dev"):
        parallel(tmp_path, (f"{name}.ko", f"{name}.en"))
    (tmp_path / "README.md").write_text("no data")
    assert {file.role for file in look(tmp_path).report.files} == {"train", "dev"}


def test_a_table_without_a_header(tmp_path: Path) -> None:
    path = tmp_path / "train.tsv"
    path.write_text("".join(f"{a}\t{b}\n" for a, b in ROWS), "utf-8")
    with pytest.raises(
        DataError, match=r"train\.tsv:1: expected the names of the columns, found text: '나는 어제"
    ):
        look(path)
    report = look(path, names=("ko", "en")).report
    assert report.files[0].rows == len(ROWS)


@pytest.mark.parametrize(
    ("name", "role"),
    [
        ("train.tsv", "train"),
        ("koen/dev.tsv.gz", "dev"),
        ("valid.jsonl", "dev"),
        ("en-bg.test.tsv.gz", "test"),
        ("news_test_2019.txt", "test"),
        ("builtin:ko-en:heldout", "test"),
        ("corpus.tsv", "train"),
        ("contest.tsv", "train"),
        ("test/corpus.tsv", "train"),
    ],
)
def test_roles(name: str, role: str) -> None:
    assert role_of(name) == role


GUESSES = [
    ("score\tko\ten", "0.9\t하늘이 푸르다.\tThe sky is blue.", ("ko", "en"), None, True),
    ("source\tko\ten", "bible\t하늘이 푸르다.\tThe sky is blue.", ("ko", "en"), None, True),
    ("id\tlabel\trating\ttext", "17\t1\t9\t정말 좋은 영화였다", ("text",), "label", False),
    (
        "premise\thypothesis\tlabel",
        "A man eats.\tNobody eats here.\tno",
        ("premise", "hypothesis"),
        "label",
        False,
    ),
    ("source\ttarget\tsure", "a b c d\tx y z w\t0-0 1-1", ("source", "target"), None, True),
    ("한국어\tEnglish", "하늘이 아주 푸르다.\tThe sky is blue.", ("한국어", "English"), None, True),
    ("no\tkorean\tenglish", "1\t하늘이 푸르다.\tThe sky is blue.", ("korean", "english"), None, True),
    ("en\tde\tfr", "The sky.\tDer Himmel.\tLe ciel.", ("en", "de"), None, True),
    ("id\tja\tnote", "x1\t空が青いです。\tok", ("ja",), None, False),
    (
        "score\tgenre\tsentence1\tsentence2",
        "2.5\tnews\tA dog runs.\tA cat sits.",
        ("sentence1", "sentence2"),
        "score",
        False,
    ),
]


@pytest.mark.parametrize(
    ("head", "row", "sides", "label", "translation"), GUESSES, ids=[g[0] for g in GUESSES]
)
def test_columns_are_guessed(
    tmp_path: Path, head: str, row: str, sides: tuple[str, ...], label: str | None, translation: bool
) -> None:
    path = tmp_path / "train.tsv"
    path.write_text(f"{head}\n{row}\n", "utf-8")
    examination = look(path)
    (part,) = examination.parts
    assert part.reader.sides == sides
    assert part.task.translation == translation
    assert bool(examination.report.files[0].labels) == (label is not None)
    assert any(" and ".join(sides) in guess for guess in examination.report.guessed)


def test_what_was_said_is_not_guessed(tmp_path: Path) -> None:
    path = tmp_path / "train.tsv"
    path.write_text("en\tde\tfr\tstars\nThe sky.\tDer Himmel.\tLe ciel.\t5\n")
    asked = Asked(source="de", target="fr", label="stars")
    assert look(path, asked=asked).report.guessed == ()
    assert look(path, asked=Asked(text="fr", label="en")).parts[0].reader.sides == ("fr",)


MISTAKES = [
    (Asked(source="ko"), "--source needs --target"),
    (Asked(source="ko", target="en", text="ko"), "--source and --target are for translation"),
    (Asked(second="b"), "--second needs --text"),
    (Asked(source="ko", target="ko"), "'ko' cannot be both sides"),
]


@pytest.mark.parametrize(("asked", "message"), MISTAKES, ids=[message for _, message in MISTAKES])
def test_columns_that_cannot_be(tmp_path: Path, asked: Asked, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        look(write_pairs(tmp_path / "train.tsv", CLEAN), asked=asked)


def test_a_column_that_is_not_there(tmp_path: Path) -> None:
    path = write_pairs(tmp_path / "train.tsv", CLEAN, "korean\tenglish")
    with pytest.raises(DataError, match=r"no column is called 'englsh'; did you mean 'english'\?"):
        look(path, asked=Asked(source="korean", target="englsh"))


def test_no_column_with_text(tmp_path: Path) -> None:
    path = tmp_path / "train.tsv"
    path.write_text("a\tb\n1\t2\n")
    with pytest.raises(DataError, match="no column looks like text; say which with --text: a, b"):
        look(path)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["train.ko", "train.en", "train.de"], "3 sides of one text"),
        (["dat:train"], "expected builtin:WORLD"),
        (["builtin:ko-en:tset"], "did you mean 'test'"),
    ],
)
def test_inputs_that_cannot_be(arguments: list[str], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        inputs_of(arguments)


def test_utf16_is_named(tmp_path: Path) -> None:
    path = tmp_path / "train.txt"
    path.write_text("가나다\n", "utf-16")
    with pytest.raises(DataError, match="expected UTF-8, found UTF-16; convert it first"):
        look(path)
