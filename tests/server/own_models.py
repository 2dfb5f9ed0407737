"""Small models of the tasks that the service of the session lacks."""

from pathlib import Path

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
