"""What pre-training asks for: one thing is changed at a time, and the whole in small."""

from pathlib import Path

import pytest
from tests.experiments.tiny_bert import FEW, TINY

import regard
from regard.errors import ConfigError
from regard.experiments.devlin_ablation import BOTH, LEFT, MASKED, SCRATCH, devlin_ablation
from regard.experiments.reproduce import reproduce

WHOLE = devlin_ablation()


@pytest.mark.parametrize("world", WHOLE.worlds, ids=lambda world: str(world.name))
def test_one_thing_is_changed_at_a_time(world: object) -> None:
    changes = {}
    for system in world.systems:  # type: ignore[attr-defined]
        recipe = WHOLE.part(world, system, 1, False).recipe  # type: ignore[arg-type]
        assert recipe is not None
        flat = {
            f"{name}.{key}": value
            for name in ("model", "objective", "training", "data", "text")
            for key, value in recipe.model_dump(mode="json")[name].items()
        }
        changes[system] = flat
    base = changes[MASKED]
    found = {
        system: {path: own[path] for path in base if own[path] != base[path]}
        for system, own in changes.items()
    }
    wanted = {
        MASKED: {},
        LEFT: {"model.reads": "left"},
        SCRATCH: {},  # its tasks begin otherwise, see below
        BOTH: {"model.pooler": True, "objective.next_sentence": "on"},
    }
    assert found == {system: wanted[system] for system in found}
    tasks = {system: WHOLE.part(world, system, 1, False).facts["tasks"] for system in found}  # type: ignore[arg-type]
    assert set(tasks[MASKED]) - set(tasks[SCRATCH]) == {"('start.weights', 'keep')"}
    assert set(tasks[SCRATCH]) - set(tasks[MASKED]) == {"('start.weights', 'chance')"}
    assert tasks[LEFT] == tasks[MASKED]


def test_the_whole_in_small(tmp_path: Path) -> None:
    done = reproduce(devlin_ablation(TINY, FEW), tmp_path / "out", seeds=1, quick=True, quiet=True)
    assert len(done.findings) == 3, "of the built-in world alone"
    assert {part.system for part in done.parts} == {MASKED, LEFT, SCRATCH}
    for part in done.parts:
        assert {"text accuracy", "pair accuracy"} == part.values.keys()
        assert all(value is not None and 0 <= value <= 100 for value in part.values.values())
    encoders = {path.name for path in (tmp_path / "out" / "parts").glob("encoder-*")}
    assert encoders == {f"encoder-built-in-{system}-1" for system in (MASKED, LEFT)}
    left = next((tmp_path / "out" / "parts").glob(f"encoder-*{LEFT}*"))
    with pytest.raises(ConfigError, match="sees only the words before a mask; it cannot fill"):
        regard.load(left).fill("나는 [MASK].")
    with pytest.raises(ConfigError, match=r"its first token sees nothing; say model.pooling: mean"):
        regard.train("bert-classifier", out=tmp_path / "x", from_=left, quiet=True)
