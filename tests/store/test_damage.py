"""Damage of any kind is found and named, and the last whole checkpoint is used."""

import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.store.test_checkpoint import checkpoint
from tests.torture.figures import Figures

from regard.errors import StoreError
from regard.store.checkpoint import read_checkpoint, write_checkpoint
from regard.store.pointer import read_pointers

pytestmark = pytest.mark.torture

FLIPS, CUTS = 1000, 200
OLDER, NEWER = 4, 5
"""Steps; their names differ by one bit."""


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    run = tmp_path_factory.mktemp("run")
    for step in (OLDER, NEWER):
        write_checkpoint(run, step, checkpoint(step), best=True)
    return run


def folder(run: Path, step: int) -> Path:
    return run / "checkpoints" / f"step-{step:08d}"


@pytest.fixture
def newer(run: Path) -> Iterator[Path]:
    """The folder to damage; afterwards it is as it was."""
    whole = {path.name: path.read_bytes() for path in folder(run, NEWER).iterdir()}
    yield folder(run, NEWER)
    for name, content in whole.items():
        (folder(run, NEWER) / name).write_bytes(content)
    assert goes_on_from(run) == NEWER


def goes_on_from(run: Path) -> int:
    found, problems = read_checkpoint(run)
    assert (found, problems) != (None, [])
    assert problems == []
    assert found is not None
    return int(found.progress["step"])


def assert_found(run: Path, damaged: Path, what: str) -> None:
    """The older one is used, and the file is named: a damaged manifest may name another for it."""
    found, problems = read_checkpoint(run)
    assert found is not None, what
    assert found.progress == {"step": OLDER}, what
    assert len(problems) == 1, what
    assert problems[0].startswith(str(damaged if damaged.name != "manifest.json" else damaged.parent)), what


def places(newer: Path, count: int, seed: int) -> Iterator[tuple[Path, int]]:
    """Random bytes of the checkpoint, each as likely as any other."""
    sizes = {path: path.stat().st_size for path in sorted(newer.iterdir())}
    dice = random.Random(seed)
    for place in dice.choices(range(sum(sizes.values())), k=count):
        for path, size in sizes.items():
            if place < size:
                yield path, place
                break
            place -= size


def test_every_flipped_bit_is_found(run: Path, newer: Path, figures: Figures) -> None:
    dice = random.Random(1)
    for path, place in places(newer, FLIPS, seed=0):
        whole = path.read_bytes()
        damaged = bytearray(whole)
        bit = dice.randrange(8)
        damaged[place] ^= 1 << bit
        path.write_bytes(damaged)
        assert_found(run, path, f"{path.name}: bit {bit} of byte {place}")
        path.write_bytes(whole)
    figures.add("R7", flipped_bits=FLIPS)


def test_every_truncation_is_found(run: Path, newer: Path, figures: Figures) -> None:
    for path, place in places(newer, CUTS, seed=2):
        whole = path.read_bytes()
        path.write_bytes(whole[:place])
        assert_found(run, path, f"{path.name}: cut after {place} bytes")
        path.write_bytes(whole)
    figures.add("R7", truncations=CUTS)


def test_every_missing_file_is_found(run: Path, newer: Path, figures: Figures) -> None:
    for path in sorted(newer.iterdir()):
        whole = path.read_bytes()
        path.unlink()
        assert_found(run, path, f"{path.name} is missing")
        path.write_bytes(whole)
        figures.add("R7", deleted_files=1)


def test_every_file_of_another_checkpoint_is_found(run: Path, newer: Path, figures: Figures) -> None:
    for path in sorted(newer.iterdir()):
        whole, other = path.read_bytes(), (folder(run, OLDER) / path.name).read_bytes()
        if whole != other:  # the tokenizer is the same in both
            path.write_bytes(other)
            assert_found(run, path, f"{path.name} of another checkpoint")
            path.write_bytes(whole)
            figures.add("R7", swapped_files=1)


def test_a_folder_that_is_gone_is_found(run: Path, newer: Path) -> None:
    moved = newer.rename(newer.with_name("elsewhere"))
    assert_found(run, newer, "the folder is gone")
    moved.rename(newer)


def test_every_flipped_bit_of_the_pointer_is_found(run: Path, figures: Figures) -> None:
    """It is refused in words, or says the same as before: a blank, or the case of a digit of its hash."""
    path = run / "run.json"
    whole, expected = path.read_bytes(), read_pointers(run)
    try:
        for bit in range(8 * len(whole)):
            damaged = bytearray(whole)
            damaged[bit // 8] ^= 1 << bit % 8
            path.write_bytes(damaged)
            try:
                assert read_pointers(run) == expected, bit
            except StoreError as error:
                assert str(error).startswith(f"{path}: ")  # noqa: PT017
        path.unlink()
        assert goes_on_from(run) == NEWER
    finally:
        path.write_bytes(whole)
    figures.add("R7", flipped_bits=8 * len(whole))
