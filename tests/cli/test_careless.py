"""Every command as a careless user calls it: wrong folder, wrong file, no rows, no permission."""

from pathlib import Path

import pytest
from tests.conftest import Run

USES_A_MODEL = [["translate"], ["tag"], ["embed"], ["evaluate"], ["score", "-"], ["look", "가"], ["compare"]]


@pytest.fixture(scope="module")
def places(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    root = tmp_path_factory.mktemp("careless")
    (root / "empty").mkdir()
    (root / "empty.tsv").write_text("")
    (root / "head.tsv").write_text("ko\ten\n")
    (root / "other.tsv").write_text("de\tfr\nein Haus\tune maison\n")
    (root / "text.txt").write_text("no table\n")
    (root / "picture.png").write_bytes(b"\x89PNG\r\n\x1a\n\x00\x00")
    (root / "long.txt").write_bytes("가".encode() * 4_000_000 + b"\n")
    (root / "model").mkdir()
    (root / "model" / "manifest.json").write_text("{}")
    return {path.name: path for path in root.iterdir()}


def refused(run: Run, *arguments: str | Path, text: str = "") -> str:
    """The one line that a mistake gets."""
    done = run(*arguments, text=text)
    assert done.returncode == 2, (done.returncode, done.stdout[-300:], done.stderr[-300:])
    assert done.stdout == ""
    assert "Traceback" not in done.stderr
    (line,) = done.stderr.strip().splitlines()
    return line


@pytest.mark.parametrize("command", USES_A_MODEL, ids=lambda command: command[0])
@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ("nowhere", "no such"),
        ("empty", "expected a model folder"),
        ("model", "manifest.json"),
        ("picture.png", ""),
        ("", ""),
    ],
)
def test_what_is_no_model(
    run: Run, places: dict[str, Path], command: list[str], wrong: str, told: str
) -> None:
    name, *rest = command
    model = places.get(wrong, Path(wrong))
    other: list[str | Path] = (
        [places["text.txt"], "--data", "builtin:ko-en:test"] if name == "compare" else []
    )
    line = refused(run, name, model, *rest, *other)
    assert told in line


@pytest.mark.parametrize(
    "file", ["empty.tsv", "head.tsv", "other.tsv", "text.txt", "picture.png", "long.txt", "empty"]
)
@pytest.mark.parametrize("command", ["evaluate", "score"])
def test_what_is_no_test_set(
    run: Run, trained: Path, places: dict[str, Path], command: str, file: str
) -> None:
    path = places[file]
    if command == "score" and file == "head.tsv":
        done = run("score", trained, path)
        assert (done.returncode, done.stdout) == (0, "")  # no rows, no scores
        return
    assert str(path) in refused(run, command, trained, path, "-q") or file == "text.txt"


@pytest.mark.parametrize("file", ["empty.tsv", "head.tsv", "other.tsv", "picture.png", "empty"])
def test_what_is_no_training_set(run: Run, places: dict[str, Path], tmp_path: Path, file: str) -> None:
    line = refused(run, "train", "demo", "-q", "--out", tmp_path / "r", "--set", f"data.train={places[file]}")
    assert "data" in line or str(places[file]) in line
    assert not (tmp_path / "r" / "log.jsonl").exists()


def test_an_empty_text_is_no_mistake(run: Run, trained: Path, places: dict[str, Path]) -> None:
    done = run("translate", trained, places["empty.tsv"])
    assert (done.returncode, done.stdout) == (0, "")


def test_a_line_without_an_end(run: Run, trained: Path, places: dict[str, Path]) -> None:
    assert "the line is longer than 1,000,000 bytes" in refused(
        run, "translate", trained, places["long.txt"], "-q"
    )


def test_a_run_is_not_put_among_other_files(run: Run, tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("all of it")
    quick = ["--set", "data.train.rows=64", "--set", "training.epochs=1", "--set", "data.dev.rows=4"]
    line = refused(run, "train", "demo", "-q", "--out", tmp_path, *quick)
    assert line == f"regard: {tmp_path}: expected a new or empty folder, found other files in it: thesis.txt"
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.txt"]


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="wants a folder that nobody may write in")
@pytest.mark.parametrize(
    "arguments",
    [
        ["train", "demo", "-q", "--out", "/proc/r"],
        ["evaluate", "{model}", "-q", "--samples", "0", "--metrics", "bleu", "--outputs", "/proc/x"],
        ["data", "write", "builtin:ko-en:test", "--rows", "3", "--out", "/proc/x.tsv"],
        ["runs", "{model}", "--out", "/proc/x.png"],
    ],
    ids=lambda arguments: arguments[0],
)
def test_a_folder_that_may_not_be_written(run: Run, trained: Path, arguments: list[str]) -> None:
    line = refused(run, *(argument.replace("{model}", str(trained)) for argument in arguments))
    assert "/proc" in line
    assert "cannot be written" in line


@pytest.mark.parametrize(
    "arguments",
    [
        ["look", "{model}", "가", "--out", "{model}"],
        ["evaluate", "{model}", "--outputs", "{empty}"],
        ["compare", "{model}"],
        ["train", "demo", "--out", "{empty.tsv}"],
        ["train", "{picture.png}", "--out", "{empty}/x"],
        ["runs", "{empty}"],
        ["runs", "{picture.png}"],
        ["average", "{model}", "--out", "{empty}/x"],
        ["doctor", "{empty}"],
        ["data", "list", "{empty}"],
        ["data", "sample", "{empty.tsv}"],
        ["new", "--data", "{empty}", "--source", "ko", "--target", "en", "--out", "{empty}/r.yaml"],
        ["score", "{model}", "nothing.tsv"],
        ["train", "demo", "--seed", "-1", "--out", "{empty}/x"],
        ["translate", "{model}", "--threads", "0"],
    ],
    ids=" ".join,
)
def test_other_mistakes(run: Run, trained: Path, places: dict[str, Path], arguments: list[str]) -> None:
    names = {**{name: str(path) for name, path in places.items()}, "model": str(trained)}
    filled = []
    for argument in arguments:
        for name, path in names.items():
            argument = argument.replace(f"{{{name}}}", path)
        filled.append(argument)
    done = run(*filled)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert done.stdout == ""
    assert not any(places["empty"].iterdir())
