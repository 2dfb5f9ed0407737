"""Thresholds and chosen heads beside a model: damaged, they are named with a cure, which works."""

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.analysis.pairs import PAIRS, stored, untrained

import regard
from regard.analysis.alarm_store import read_alarms, write_alarms
from regard.analysis.judging import default_thresholds
from regard.errors import StoreError
from regard.store.alignment import AlignmentHeads, Head, forget_alignment, store_alignment
from regard.store.atomic import ALARMS, ALIGNMENT

DAMAGES: dict[str, Callable[[Path], object]] = {
    "another size": lambda path: path.write_bytes(path.read_bytes()[:-1]),
    "another byte": lambda path: path.write_bytes(b" " + path.read_bytes()[1:]),
    "no file": lambda path: path.unlink(),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_damaged_thresholds_stop_alarms_alone_and_are_fitted_again(tmp_path: Path, damage: str) -> None:
    folder = stored(untrained(), tmp_path / "m")
    DAMAGES[damage](write_alarms(folder, default_thresholds()))
    assert regard.load(folder, task="translation").translate(PAIRS[0][0]).text is not None
    cure = rf"{ALARMS}: .*; fit them again: regard check {folder} --fit-alarms"
    with pytest.raises(StoreError, match=cure):
        read_alarms(folder)
    write_alarms(folder, default_thresholds())
    assert read_alarms(folder) == default_thresholds()


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_choice_of_heads_is_removed_as_it_says(tmp_path: Path, damage: str) -> None:
    folder = stored(untrained(), tmp_path / "m")
    DAMAGES[damage](store_alignment(folder, AlignmentHeads((Head("decoder.0.cross", 1),))))
    cure = rf"{ALIGNMENT}: .*; `regard align {folder} --forget-heads` removes it"
    with pytest.raises(StoreError, match=cure):
        regard.load(folder)
    assert forget_alignment(folder)
    assert regard.load(folder, task="translation").alignment_heads is None
