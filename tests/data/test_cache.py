"""The code that decides what the cache holds is in its keys."""

import shutil
from pathlib import Path

import pytest

from regard.data import cache

PACKAGE = Path(cache.__file__).parent.parent
NAMED = [(part, path) for part, paths in cache.CODE.items() for path in paths]


@pytest.mark.parametrize(("part", "path"), NAMED)
def test_a_named_file_is_there_and_in_the_key(
    part: cache.CodePart, path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert (PACKAGE / path).exists()
    for name in cache.CODE[part]:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (shutil.copytree if (PACKAGE / name).is_dir() else shutil.copy)(PACKAGE / name, tmp_path / name)
    monkeypatch.setattr("importlib.resources.files", lambda _: tmp_path)
    before = cache.code_fingerprint(part)
    assert before == cache.code_fingerprint(part)
    place = tmp_path / path
    inside = place / "deeper" / "more.py" if place.is_dir() else place
    inside.parent.mkdir(exist_ok=True)
    with inside.open("a") as file:
        file.write("# changed\n")
    assert cache.code_fingerprint(part) != before


def test_every_task_says_how_it_encodes() -> None:
    """A room whose examples are not named would keep what an older version of them encoded."""
    there = {str(path.relative_to(PACKAGE)) for path in PACKAGE.glob("tasks/*/examples.py")}
    assert there == {path for path in cache.CODE["text"] if path.startswith("tasks/")}
