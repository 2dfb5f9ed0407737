"""Every operation of writing a checkpoint fails once, in every way: the run is as before, or as after."""

import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import pytest
from tests.torture.figures import Figures

from regard.store.atomic import read_folder
from regard.store.pointer import candidates, commit, read_pointers

CHILD = Path(__file__).with_name("faulty_disk.py")
OLD = {"a.bin": b"3" * 1000, "b.json": b"{}"}


Write = Callable[[Path, int, str], tuple[int, str]]


@pytest.fixture(scope="module")
def write_with_fault() -> Iterator[Write]:
    """Write a checkpoint while one operation fails: the exit code, and what is told."""
    with subprocess.Popen(
        [sys.executable, CHILD], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        asked, ended = process.stdin, process.stdout

        def write(run: Path, number: int, fault: str) -> tuple[int, str]:
            print(json.dumps([str(run), number, fault]), file=asked, flush=True)
            found = json.loads(ended.readline())
            return found["code"], found["told"]

        yield write


def first_whole(run: Path) -> bytes:
    """The content of the checkpoint that a run would go on from."""
    return read_folder(next(candidates(run)))["a.bin"]


@pytest.mark.torture
@pytest.mark.parametrize("fault", ["SIGKILL", "ENOSPC", "EIO", "EACCES"])
def test_a_fault_at_any_operation_loses_nothing(
    tmp_path: Path, write_with_fault: Write, fault: str, figures: Figures
) -> None:
    number, counts = 0, []
    while True:
        number += 1
        run = tmp_path / f"{number}"
        commit(run, 3, OLD, best=True)
        code, told = write_with_fault(run, number, fault)
        if code == 0 and int(told) < number:
            break  # there is no such operation any more
        after = first_whole(run)
        assert after[:1] in (b"3", b"5")
        counts.append(after[:1] == b"5")
        assert counts[-1] or code != 0, "what is said to be written is written"
        if not counts[-1] and fault != "SIGKILL":
            assert code == 2, "a fault before the end is told"
            assert f"cannot be {'read' if number == 1 else 'written'}: " in told
            left = [path.name for path in (run / "checkpoints").iterdir() if path.name.startswith(".")]
            assert left == []
        # Whatever was left behind, the next checkpoint can be written, and cleans up.
        before = Path(str(read_pointers(run).last)).name
        commit(run, 7, OLD, best=True)
        assert read_pointers(run).last == "checkpoints/step-00000007"
        assert {path.name for path in (run / "checkpoints").iterdir()} == {before, "step-00000007"}
        assert {path.name for path in run.iterdir()} == {"run.json", "checkpoints"}
        shutil.rmtree(run)
    assert number > 25
    assert set(counts) == {False, True}
    figures.add("R5", faults=len(counts))


def test_a_first_checkpoint_counts_as_a_whole_or_not_at_all(tmp_path: Path, write_with_fault: Write) -> None:
    """Killed before it is pointed at, it is not used: its progress would name a best that is not kept."""
    counts = []
    for number in count(1):
        run = tmp_path / f"{number}"
        code, _ = write_with_fault(run, number, "SIGKILL")
        found = list(candidates(run))
        counts.append(bool(found))
        if found:
            assert [str(folder.relative_to(run)) for folder in found] == [read_pointers(run).best]
            assert read_folder(found[0])["a.bin"][:1] == b"5"
        if code == 0:
            break
    assert counts == sorted(counts)
    assert set(counts) == {False, True}


def test_the_writer_does_not_know_torch() -> None:
    code = "import sys, regard.store.pointer, regard.store.lock; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
