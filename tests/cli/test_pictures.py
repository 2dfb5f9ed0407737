"""regard look: every kind in every format, and options that do not go together."""

from itertools import product
from pathlib import Path

import pytest
from PIL import Image
from tests.commands import Commands
from tests.examples import cells

SENTENCE = "저는 달을 봤어요."


KINDS = ["heat", "lines", "overview", "text"]
BEGINS = {".png": b"\x89PNG", ".svg": b"<?xml", ".pdf": b"%PDF", ".html": b"<!doctype"}


@cells(("kind", "ending"), product(KINDS, BEGINS), quick=[*zip(KINDS, BEGINS, strict=True)])
def test_every_kind_in_every_format(
    commands: Commands, trained: Path, tmp_path: Path, kind: str, ending: str
) -> None:
    path = tmp_path / f"x{ending}"
    done = commands.run("look", trained, SENTENCE, "--kind", kind, "--out", path)
    assert done.status == 0, done.stderr
    assert path.read_bytes().startswith(BEGINS[ending])
    assert done.stdout.startswith(SENTENCE)
    assert done.stderr == f"wrote {path}\n"


def test_text_for_one_word(commands: Commands, trained: Path) -> None:
    done = commands.run(
        "look", trained, SENTENCE, "--target", "I saw the moon.", "--kind", "text", "--word", "moon"
    )
    assert "\nmoon:\n" in done.stdout
    assert done.stdout.count("%") == 5


def test_over_training(commands: Commands, trained: Path, tmp_path: Path) -> None:
    from regard.store.pointer import read_pointers

    for ending in (".gif", ".png"):
        done = commands.run("look", trained, SENTENCE, "--over-training", "--out", tmp_path / f"x{ending}")
        assert done.status == 0, done.stderr
    kept = len(read_pointers(trained).checkpoints)
    assert kept > 1
    with Image.open(tmp_path / "x.gif") as film:
        assert film.n_frames == kept  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--word", "a"], "--word is for --kind text, found --kind heat"),
        (
            ["--kind", "text", "--word", "zebra"],
            "--word zebra: is not one of the output words; choose one of: ",
        ),
        (["--over-training"], "--over-training draws a picture; add --out x.gif"),
        (["--over-training", "--kind", "lines", "--out", "x.gif"], "--over-training draws heat maps"),
        (["--over-training", "--out", "x.html"], "a picture ends in .png, .svg, .pdf, .gif, found '.html'"),
        (["--out", "x.gif"], "an animation needs --over-training"),
        (["--out", "x.bmp"], "a picture ends in .png, .svg, .pdf, .html, found '.bmp'"),
        (["--kind", "pie"], "pie"),
        (["--threshold", "2"], "threshold"),
    ],
)
def test_mistakes_are_told(
    commands: Commands,
    trained: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    options: list[str],
    told: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    done = commands.run("look", trained, SENTENCE, *options)
    assert done.status == 2
    assert told in done.stderr
    assert "Traceback" not in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_model_without_checkpoints_has_no_animation(
    commands: Commands, trained: Path, tmp_path: Path
) -> None:
    from regard.store.pointer import read_pointers

    best = read_pointers(trained).best
    assert best
    done = commands.run("look", trained / best, SENTENCE, "--over-training", "--out", tmp_path / "x.gif")
    assert done.status == 2
    assert "lists no checkpoints, so there is nothing to see over training" in done.stderr
