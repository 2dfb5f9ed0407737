"""Alarms against planted damage: the measures by hand, what is trained, and a part in small."""

from pathlib import Path

import numpy as np
import pytest

from regard.experiments.alarms import KOEN, MEANT_FOR, MULTI30K, NAMES, SYSTEM, alarms, detection
from regard.experiments.estimates import Quantity, estimate
from regard.experiments.reproduce import reproduce

WHOLE = alarms()
TINY = [
    "data.source=ko", "data.target=en",
    "data.train={kind: builtin, rows: 200}", "data.dev={kind: builtin, rows: 60}",
    "data.test={kind: builtin, rows: 30}", "text.vocabulary_size=500", "training.minutes=null",
    "training.epochs=1", "model.width=32", "model.feed_forward=32", "model.heads=2",
]  # fmt: skip


def test_detection_by_hand() -> None:
    found = detection(np.array([1.0, 2.0, 3.0, 4.0]), np.array([2.0, 5.0, 6.0, 0.0]), threshold=3.5)
    values = {name: own.value() for name, own in found.items()}
    # Of four good ones, 2 is above one and equal to one, 5 and 6 are above all, 0 above none.
    assert values["auroc"] == pytest.approx((1.5 + 4 + 4 + 0) / 16)
    assert values["recall"] == 0.5
    assert values["precision"] == pytest.approx(2 / 3)  # 5 and 6, and 4 of the good
    assert values["precision at 0.5 recall"] == 1.0  # 5 and above


def test_what_is_asked() -> None:
    for world in (MULTI30K, KOEN):
        measured = {
            f"precision at 0.5 recall {name} {d}": Quantity(0.9, (0.9,) * 9) for d, name in MEANT_FOR.items()
        }
        for finding in (one for one in WHOLE.findings if one.world == world):
            assert estimate(finding.effect, [{SYSTEM: measured}]).value == pytest.approx(10.0)
    assert set(MEANT_FOR.values()) <= set(NAMES)
    minutes = sum(WHOLE.part(world, SYSTEM, 1, False).minutes for world in WHOLE.worlds)
    assert minutes <= 45


def test_the_experiment_in_small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REGARD_DATA", str(tmp_path))
    (tmp_path / MULTI30K).mkdir()
    record = reproduce(alarms(TINY), tmp_path / "x", quick=True, quiet=True)
    (part,) = record.parts
    assert (part.values["auroc repeated phrase repeated"] or 0) > 0.9
    assert (part.values["auroc copied source copied"] or 0) > 0.9
    assert len(record.findings) == len(MEANT_FOR)
    assert (tmp_path / "x" / "alarms.svg").stat().st_size > 5_000
