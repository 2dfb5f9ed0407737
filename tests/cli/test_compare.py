"""`regard compare` as a user types it; and as a careless user does."""

import json
from pathlib import Path

import pytest
from tests.conftest import Run

ROWS = [
    ("저는 달을 봤어요.", "I saw the moon.", "near"),
    ("저는 책을 읽었어요.", "I read a book.", "far"),
    ("그는 집에 갔다.", "He went home.", "far"),
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A test set, and what two systems made of it."""
    lines = "".join("\t".join(row) + "\n" for row in ROWS)
    (tmp_path / "t.tsv").write_text("ko\ten\tplace\n" + lines, encoding="utf-8")
    (tmp_path / "맞음.txt").write_text("".join(f"{row[1]}\n" for row in ROWS), encoding="utf-8")
    (tmp_path / "틀림.txt").write_text("I saw the moon.\nI read the book.\nShe came.\n", encoding="utf-8")
    return tmp_path


def test_files_of_outputs(run: Run, folder: Path) -> None:
    systems = [folder / "맞음.txt", folder / "틀림.txt"]
    done = run("compare", *systems, "--data", folder / "t.tsv", "--by", "place", "--show", "1")
    assert done.returncode == 0, done.stderr
    lines = [line.split() for line in done.stdout.splitlines()]
    bleu = next(line for line in lines if line[:2] == ["bleu", "틀림.txt"])
    assert bleu[6].startswith("-")  # worse than the baseline
    assert ["near", "1", "100.00", "100.00", "+0.00"] in lines
    (by_length,) = (line for line in lines if line[:3] == ["bleu", "by", "length"])
    assert by_length[3:] == ["rows", "맞음.txt", "틀림.txt", "difference"]
    assert [line[0] for line in lines[-4:]] == ["source", "reference", "맞음.txt", "틀림.txt"]
    assert lines[-1][-2:] == ["She", "came."]
    assert "\x1b[" not in done.stdout


def test_json_and_a_figure(run: Run, folder: Path) -> None:
    picture = folder / "비교.svg"
    systems = [folder / "맞음.txt", folder / "틀림.txt"]
    done = run("compare", *systems, "--data", folder / "t.tsv", "--json", "--out", picture, "-q")
    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout)
    assert (result["baseline"], result["rows"]) == ("맞음.txt", 3)
    assert result["systems"][1]["differences"]["ter"]["value"] > 0
    assert 0 < result["systems"][1]["differences"]["ter"]["p_value"] <= 1
    assert [sentence["source"] for sentence in result["sentences"]] == [ROWS[2][0], ROWS[1][0]]
    assert picture.stat().st_size > 5000


def test_a_model_beside_its_own_outputs(run: Run, trained: Path, tmp_path: Path) -> None:
    """The test set is the model's own; the same outputs are not told apart."""
    run("evaluate", trained, "--outputs", tmp_path / "kept.jsonl")
    done = run("compare", tmp_path / "kept.jsonl", trained, "--json")
    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout)
    assert result["rows"] == 200
    model = result["systems"][1]
    assert model["differences"]["bleu"] == {"value": 0.0, "interval": [0.0, 0.0], "p_value": 1.0}
    assert model["metrics"].keys() - result["systems"][0]["metrics"].keys() == {"aer"}
    assert result["sentences"] == []


MISTAKES = [
    (["{files}/맞음.txt"], "a comparison needs two systems or more, found 1"),
    (["{files}/맞음.txt", "{files}/맞음.txt", "--data", "{files}/t.tsv"], "맞음.txt: is named twice"),
    (["{files}/맞음.txt", "nowhere"], "nowhere: there is no such model folder, nor such a file of outputs"),
    (["{files}/맞음.txt", "{files}/틀림.txt"], "outputs alone do not say which test set they are of"),
    (["{files}/맞음.txt", "{files}/t.tsv", "-d", "{files}/t.tsv"], "expected one line for each row of"),
    (
        ["{files}/맞음.txt", "{files}/틀림.txt", "-d", "{files}/t.tsv", "--by", "plcae"],
        "did you mean 'place'?",
    ),
    (
        ["{files}/맞음.txt", "{files}/틀림.txt", "-d", "{files}/t.tsv", "--source", "de"],
        "called 'de'; valid:",
    ),
    (["{files}/맞음.txt", "{files}/틀림.txt", "-d", "{files}/t.tsv", "--out", "x.bmp"], "a picture ends in"),
    (["{files}/맞음.txt", "{files}/틀림.txt", "-d", "{files}/t.tsv", "--samples", "0"], "--samples"),
    (
        ["{files}/맞음.txt", "{files}/틀림.txt", "-d", "{files}/t.tsv", "--out", "{files}/t.tsv/x.png"],
        "is a file",
    ),
]


@pytest.mark.parametrize(("arguments", "message"), MISTAKES, ids=[" ".join(a) for a, _ in MISTAKES])
def test_a_mistake_is_one_clear_line(run: Run, folder: Path, arguments: list[str], message: str) -> None:
    before = sorted(folder.iterdir())
    done = run("compare", *(argument.format(files=folder) for argument in arguments))
    assert done.returncode == 2
    assert done.stdout == ""
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    assert sorted(folder.iterdir()) == before
