"""`--plugin FILE` as a user types it; and as a careless user does."""

from pathlib import Path

import pytest
from tests.conftest import Run
from tests.training.tiny import TINY

import regard.register

EXAMPLE = (regard.register.__doc__ or "").split("touched.\n\n")[1].split("\nThen `model")[0]
"""The example of the docs, as it stands there."""


@pytest.fixture
def plugin(tmp_path: Path) -> Path:
    path = tmp_path / "cubed.py"
    path.write_text("\n".join(line.removeprefix("    ") for line in EXAMPLE.splitlines()), encoding="utf-8")
    return path


def test_the_documented_example_runs(run: Run, plugin: Path, tmp_path: Path) -> None:
    settings = [part for setting in [*TINY, "model.attention.score=cubed"] for part in ("--set", setting)]
    done = run("--plugin", plugin, "train", "demo", "--out", tmp_path / "r", *settings)
    assert done.returncode == 0, done.stderr
    shown = run("--plugin", plugin, "look", tmp_path / "r", "나는 책을 읽었다.", "--json")
    assert shown.returncode == 0, shown.stderr
    without = run("look", tmp_path / "r", "나는 책을 읽었다.")
    assert without.returncode == 2
    assert "register your own first: --plugin FILE" in without.stderr


def test_a_plugin_stands_anywhere_on_the_line(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "loud.py"
    path.write_text("print('loaded')", encoding="utf-8")
    for line in (
        ["--plugin", path, "recipes", "--json"],
        ["recipes", "--plugin", path, "--json"],
        ["recipes", "--json", f"--plugin={path}"],
    ):
        done = run(*line)
        assert (done.returncode, done.stdout.splitlines()[0]) == (0, "loaded")
    assert "loaded" not in run("recipes", "--json").stdout
    missing = run("recipes", "--plugin")
    assert "--plugin: expected a Python file or module after it, found nothing" in missing.stderr
    assert missing.returncode == 2


def test_a_mistake_in_a_plugin_is_one_line_with_its_place(run: Run, plugin: Path, tmp_path: Path) -> None:
    text = plugin.read_text(encoding="utf-8")
    late = "        if query.shape[0] > 2: raise ValueError('not so many')\n        return (query @"
    plugin.write_text(text.replace("        return (query @", late), encoding="utf-8")
    line = 1 + plugin.read_text(encoding="utf-8").splitlines().index(late.splitlines()[0])
    settings = [part for setting in [*TINY, "model.attention.score=cubed"] for part in ("--set", setting)]
    done = run("--plugin", plugin, "train", "demo", "--out", tmp_path / "r", "--quiet", *settings)
    assert (done.returncode, done.stderr) == (2, f"regard: {plugin}:{line}: ValueError: not so many\n")


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("gone.py", None, "no such file"),
        ("no_such_module_at_all", None, "ModuleNotFoundError"),
        ("broken.py", "def", "SyntaxError"),
        ("raises.py", "raise ValueError('not today')", "ValueError: not today"),
    ],
)
def test_a_plugin_that_cannot_be_loaded(
    run: Run, tmp_path: Path, name: str, text: str | None, message: str
) -> None:
    path = tmp_path / name
    if text is not None:
        path.write_text(text, encoding="utf-8")
    done = run("--plugin", path if name.endswith(".py") else name, "recipes")
    assert done.returncode == 2
    assert message in done.stderr
    assert len(done.stderr.splitlines()) == 1
