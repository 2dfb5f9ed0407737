"""Small models of the tasks that the service of the session lacks, and how its answers are compared."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.conftest import Make
from tests.store.convert.marian_folder import write_marian_folder
from tests.store.convert.test_heads import CLASSIFIERS, FINDERS, NAMES, written
from tests.training.test_masked_language_model import TINY

import regard


def write_models(folder: Path, made_once: Make) -> dict[str, Path]:
    """Imported ones: a Marian, a classifier of pairs, one that finds answers; and a masked language model."""
    write_marian_folder(folder / "marian", steps=20)
    written(CLASSIFIERS, "bert", folder / "theirs", **NAMES)
    regard.import_model(folder / "theirs", folder / "pairs", pairs=True)
    written(FINDERS, "bert", folder / "answers")

    def bert(out: Path) -> object:
        return regard.train("bert-tiny", out=out, set_=[*TINY, "training.epochs=1"], quiet=True)

    names = ("marian", "pairs", "answers")
    return {**{name: folder / name for name in names}, "fills": made_once("fills", bert)}


def near(found: Any, expected: Any, where: str = "") -> None:
    """The same values; numbers to 1e-6, or a hundred-thousandth of themselves: sums of 32-bit numbers."""
    if isinstance(expected, dict):
        assert isinstance(found, dict), where
        assert set(found) == set(expected), where
        for name, value in expected.items():
            near(found[name], value, f"{where}.{name}")
    elif isinstance(expected, list | tuple):
        assert len(found) == len(expected), where
        for place, value in enumerate(expected):
            near(found[place], value, f"{where}[{place}]")
    elif isinstance(expected, float) and np.isfinite(expected):
        assert found == pytest.approx(expected, abs=2e-6, rel=1e-5), where
    elif isinstance(expected, float):
        assert found is None, where
    else:
        assert found == expected, where
