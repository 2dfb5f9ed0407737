"""A signal ends a run after its step with everything kept, wherever it comes; a second one at once."""

import signal
import subprocess
import sys
from itertools import product
from pathlib import Path

import pytest
from tests.commands import Commands, train_command
from tests.examples import cells
from tests.torture.figures import Figures
from tests.training.tiny import SAVE_ALWAYS, TINY, assert_same, last, stop_in, train

from regard.errors import StoppedError
from regard.training.log import end_of_run
from regard.training.signals import STOPPING

pytestmark = pytest.mark.torture

EVERY_STEP = [*TINY, SAVE_ALWAYS]
SIGNALS = [signal.SIGINT, signal.SIGTERM, signal.SIGUSR1]
# The call within which the signal comes, and the step that is kept then: the step itself; the step before the
# validation; one more step where it came in a save; what was there before where it came while loading.
PHASES = {"train": (5, 5), "valid": (1, 6), "save": (4, 5), "load": (1, 3)}
EACH_ONCE = [*zip(PHASES, [*SIGNALS, signal.SIGINT], strict=True)]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory, commands: Commands) -> Path:
    run = tmp_path_factory.mktemp("whole") / "r"
    assert commands.run(*train_command(run, *EVERY_STEP)).status == 0
    return run


def begun(run: Path, commands: Commands) -> None:
    """A run that stands after its third step."""
    ambush = {"phase": "train", "call": 3, "number": signal.SIGTERM, "second": False}
    assert commands.run(*train_command(run, *EVERY_STEP), ambush=ambush).status == 143


@cells(
    ("phase", "number"),
    product(PHASES, SIGNALS),
    quick=EACH_ONCE,
    ids=lambda value: getattr(value, "name", value),
)
def test_a_signal_keeps_everything(
    tmp_path: Path, commands: Commands, whole: Path, phase: str, number: signal.Signals, figures: Figures
) -> None:
    run = tmp_path / "r"
    if phase == "load":
        begun(run, commands)
    call, step = PHASES[phase]
    ambush = {"phase": phase, "call": call, "number": number, "second": False}
    ended = commands.run(*train_command(run, *EVERY_STEP), ambush=ambush)
    assert ended.seconds < 25
    # A shell says 143 of a process that SIGTERM ended, too.
    assert ended.status % 256 in (128 + number, -number % 256), ended.stderr
    if phase != "load":
        assert ended.status == 128 + number
        assert ended.stderr.startswith(f"regard: stopped by {number.name} after step {step};")
    assert "Traceback" not in ended.stderr
    assert last(run).progress["step"] == step
    assert commands.run(*train_command(run, *EVERY_STEP)).status == 0
    assert_same(whole, run)
    figures.add("R8", cells=1)


@cells("phase", PHASES, quick=["train", "save"])
def test_a_second_signal_does_not_wait(
    tmp_path: Path, commands: Commands, whole: Path, phase: str, figures: Figures
) -> None:
    """What the first one waits for takes ten seconds here."""
    run = tmp_path / "r"
    if phase == "load":
        begun(run, commands)
    ambush = {"phase": phase, "call": PHASES[phase][0], "number": signal.SIGTERM, "second": True}
    ended = commands.run(*train_command(run, *EVERY_STEP), ambush=ambush)
    assert ended.status in (143, -15)
    if phase != "load":  # where nothing is done yet, the first one has ended it
        assert ended.at - float(ended.stderr) < 1
    assert commands.run(*train_command(run, *EVERY_STEP)).status == 0
    assert_same(whole, run)
    figures.add("R8", cells=1)


@pytest.mark.parametrize("number", SIGNALS, ids=lambda number: number.name)
def test_handlers_are_put_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    before = [signal.getsignal(each) for each in STOPPING]
    stop_in(monkeypatch, {2}, number)
    with pytest.raises(StoppedError) as caught:
        train(tmp_path / "r")
    assert caught.value.exit_code == 128 + number
    assert [signal.getsignal(each) for each in STOPPING] == before


def test_a_closed_terminal_loses_nothing(tmp_path: Path, commands: Commands, whole: Path) -> None:
    ambush = {"phase": "train", "call": 5, "number": signal.SIGHUP, "second": False}
    ended = commands.run(*train_command(tmp_path / "r", *TINY), ambush=ambush)
    assert ended.status == 129
    assert "stopped by SIGHUP after step 5; everything is kept" in ended.stderr
    assert commands.run(*train_command(tmp_path / "r", *TINY)).status == 0
    assert_same(whole, tmp_path / "r")


def test_a_reader_that_goes_away_ends_nothing(tmp_path: Path) -> None:
    """The progress is piped into something that ends at once; the training goes on to its end."""
    settings = " ".join(f"--set '{setting}'" for setting in TINY)
    command = f"{sys.executable} -m regard train demo --out {tmp_path / 'r'} {settings}"
    script = f"{command} 2>&1 >/dev/null | true; echo ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=False)
    assert done.stdout.strip() == "0"
    assert end_of_run(tmp_path / "r") is not None
