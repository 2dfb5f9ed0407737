"""Is a model stable, and is its attention an explanation?"""

from collections.abc import Sequence
from pathlib import Path
from typing import Unpack

from regard.analysis.alarm_store import read_alarms, write_alarms
from regard.analysis.alarms import RATE
from regard.analysis.alarms import fit_alarms as fitted_alarms
from regard.analysis.check import check_attention, check_model, chosen_sections
from regard.analysis.options import CheckOptions
from regard.analysis.report import Report
from regard.analysis.rows import rows_to_check
from regard.api.loading import load
from regard.errors import ConfigError
from regard.evaluation.evaluator import Data, EvaluationOptions
from regard.inference.model import TaskModel
from regard.metrics.bootstrap import SEED
from regard.store.resolve import check_system
from regard.tasks.catalogue import TASKS

ROWS = 1000
"""Rows that are checked, unless more are asked for."""


def check(
    model: TaskModel | str | Path,
    data: Data | None = None,
    *,
    only: Sequence[str] | None = None,
    rows: int | None = ROWS,
    adversary: bool = False,
    seeds: Sequence[TaskModel | str | Path] = (),
    seed: int = SEED,
    device: str = "cpu",
    quiet: bool = False,
    **options: Unpack[EvaluationOptions],
) -> Report:
    """Measure the attention of a model on a corpus, and test whether it explains what the model says.

    model:     a model, or its folder
    data:      as for `evaluate`; by default the test corpus of the recipe
    only:      some of the sections: measures, explanation, stability, alarms
    rows:      how many rows, from the first; None = all
    adversary: also search for other attention that leads to the same output; costly
    seeds:     models, or their folders, that were trained with other seeds: how much their attention differs
    seed:      decides what is drawn: permutations, orders at random, resampled test sets
    The options are those of `evaluate`.

    >>> report = regard.check(classifier, "builtin:sentiment:test", only=["measures"], rows=20, quiet=True)
    >>> report.rows, [section.name for section in report.sections]
    (20, ['measures'])
    """
    chosen_sections(only)
    name = str(model) if isinstance(model, str | Path) else repr(model)
    opened = _opened(model, device)
    check_attention(opened, name, only)
    others = tuple(_opened(each, device) for each in seeds)
    for each, other in zip(seeds, others, strict=True):
        if other.task != opened.task:
            raise ConfigError(f"{each}: is a model for {other.task}, and {name} is one for {opened.task}")
    test = rows_to_check(opened.recipe, data, options, rows=rows, quiet=quiet)
    # A model that is open does not know its folder, and so its alarms have their defaults.
    thresholds = None if isinstance(model, TaskModel) else read_alarms(Path(model), opened.task)
    asked = CheckOptions(adversary, others, seed, quiet, thresholds)
    return check_model(opened, test, asked, name=name, only=only)


def fit_alarms(
    model: str | Path,
    data: Data | None = None,
    *,
    rate: float = RATE,
    rows: int | None = None,
    device: str = "cpu",
    quiet: bool = False,
    **options: Unpack[EvaluationOptions],
) -> Path:
    """Fit the thresholds of the alarms to good outputs, and store them in the model folder.

    model: the folder of a model, or a run
    data:  as for `evaluate`; by default the dev corpus of the recipe. Of a translator, its translations are
           the good outputs; of other models, what they say of the rows
    rate:  the share of good outputs that each alarm flags
    rows:  how many rows, from the first; None = all
    The options are those of `evaluate`.

    returns: the file that was written
    """
    opened = _opened(model, device)
    recipe = opened.recipe
    if data is None:
        own = recipe.data.model_copy(update={"test": recipe.data.dev})
        recipe = recipe.model_copy(update={"data": own})
    test = rows_to_check(recipe, data, options, rows=rows, quiet=quiet)
    thresholds = fitted_alarms(opened, test.pairs, rate=rate, data=test.name, quiet=quiet)
    return write_alarms(Path(model), thresholds)


def _opened(model: TaskModel | str | Path, device: str) -> TaskModel:
    if isinstance(model, TaskModel):
        opened = model
    else:
        check_system(Path(model))
        if not Path(model).is_dir():
            raise ConfigError(f"{model}: expected a model folder, found a file")
        opened = load(model, device=device)
    if opened.task not in TASKS:
        raise ConfigError(f"a model for {opened.task} is not checked; those for {', '.join(TASKS)} are")
    return opened
