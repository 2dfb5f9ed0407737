"""Killed -9 again and again, at any moment: a run loses no more than one step.

Three of four kills come at a moment that is uniformly random; the fourth comes while a checkpoint is written.
"""

import json
import random
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from tests.commands import Commands, train_command
from tests.torture.figures import Figures
from tests.training.tiny import SAVE_ALWAYS, TINY, assert_same, steps

from regard.store.checkpoint import read_checkpoint
from regard.training.log import end_of_run

pytestmark = pytest.mark.torture

KILLS = 20
"""Of one run."""
SEEDS = 50
"""Runs in the long form."""


@dataclass
class Seen:
    """What was found after the kills."""

    kills: int = 0
    left_behind: set[Path] = field(default_factory=set)
    """Folders that a kill in a save left under their passing names."""
    unreadable: int = 0
    lost: int = 0
    """The most steps that had to be done again."""


def look_after_a_kill(run: Path, seen: Seen) -> None:
    seen.kills += 1
    seen.left_behind |= set((run / "checkpoints").glob(".*.tmp"))
    kept = 0
    found, problems = read_checkpoint(run)
    seen.unreadable += len(problems)
    if found is not None:
        kept = int(found.progress["step"])
    done = steps_in_the_log(run)
    seen.lost = max(seen.lost, done - kept)


def steps_in_the_log(run: Path) -> int:
    """How far a run had come; its last line may be torn."""
    path = run / "log.jsonl"
    whole = path.read_text(encoding="utf-8").split("\n")[:-1] if path.exists() else []
    return max((json.loads(line).get("step", 0) for line in whole), default=0)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "seed" in metafunc.fixturenames:
        metafunc.parametrize("seed", range(SEEDS if metafunc.config.getoption("torture") else 1))


def test_kill_minus_nine(tmp_path: Path, commands: Commands, seed: int, figures: Figures) -> None:
    settings = [*TINY, SAVE_ALWAYS, "training.epochs=4", f"training.seed={seed}"]
    whole = commands.run(*train_command(tmp_path / "whole", *settings))
    assert whole.status == 0, whole.stderr
    end = end_of_run(tmp_path / "whole")
    assert end is not None
    longest = 0.25 * end["seconds"]  # a kill comes in the loading as often as in the steps
    moments = random.Random(seed)
    seen, number = Seen(), 0
    while seen.kills < KILLS:
        number += 1
        run, killed = tmp_path / f"{number}", -9
        while killed == -9 and seen.kills < KILLS:
            command = train_command(run, *settings)
            if seen.kills % 4 == 3:
                ended = commands.run(*command, kill_after=moments.uniform(0, 0.005), in_save_of=run)
            else:
                ended = commands.run(*command, kill_after=moments.uniform(0, longest))
            # A kill after the last line of the log: the run is whole, and says so.
            killed = 0 if "the run in it is finished" in ended.stderr else ended.status
            assert killed in (-9, 0), ended.stderr
            if killed == -9:
                look_after_a_kill(run, seen)
        if killed == -9:
            ended = commands.run(*train_command(run, *settings))
            assert ended.status == 0 or "the run in it is finished" in ended.stderr, ended.stderr
        assert_same(tmp_path / "whole", run)
        assert len(steps(run)) > 40
    assert seen.unreadable == 0
    assert seen.left_behind, "some kills came in a save"
    assert seen.lost <= 1, "a checkpoint is written after every step"
    figures.add(
        "R2", runs=number, kills=seen.kills, kills_in_a_save=len(seen.left_behind), unreadable=seen.unreadable
    )
