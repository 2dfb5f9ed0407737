"""Is a model stable: the same input under small changes, and the same input under other seeds."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from regard.analysis.alignment import WordAlignment
from regard.analysis.estimate import Estimate
from regard.analysis.options import CheckOptions
from regard.analysis.perturbations import CHANGES, Change
from regard.analysis.stability_section import Case, ChangeResult, StabilitySection
from regard.analysis.task_readings import Difference, Reading, Texts, differences, task_reading
from regard.data.pairs import Pair
from regard.errors import DataError
from regard.evaluation.test_set import TestSet
from regard.inference.model import TaskModel
from regard.progress import counted, track

MOST_ROWS = 200
"""Rows that are read: each is read once for every change."""
TOGETHER = 50
"""Rows whose weights are in memory at the same time."""
MAP_CHANGE = 0.1
"""A total variation above this counts as other attention."""
LINKS = (
    "share of the links between unchanged words that only one of both alignments has; other attention: any"
)
MAPS = f"total variation over the words that both texts have; other attention: above {MAP_CHANGE}"
OTHER_SEEDS = "seeds"


@dataclass(frozen=True)
class _Job:
    """Inputs that are read by one model, and the rows that they are of."""

    name: str
    meaning: str
    model: TaskModel
    rows: Sequence[int]
    inputs: Sequence[Texts]


def stability_section(model: TaskModel, test: TestSet, options: CheckOptions) -> StabilitySection:
    """What changes with the input, and with the seed of the training, that should not."""
    own = task_reading(model)
    pairs = _sampled([pair for pair in test.pairs if all(map(str.strip, own.inputs(model, pair)))])
    if not pairs:
        raise DataError("no row has words that could be changed")
    inputs = [own.inputs(model, pair) for pair in pairs]
    jobs = [_changed(model, change, inputs, own.changed_texts, options.seed) for change in CHANGES]
    seeds, notes = options.seeds, tuple[str, ...]()
    if seeds and model.task == "embedding":
        seeds, notes = (), ("vectors of other seeds lie in another space, and are not compared",)
    every = range(len(inputs))
    told = f"the same text, read by {counted(len(seeds), 'model')} of another seed"
    jobs += [_Job(OTHER_SEEDS, told, other, every, inputs) for other in seeds]
    (plain, *found) = _read([_Job("", "", model, every, inputs), *jobs], quiet=options.quiet)
    results: dict[str, tuple[str, list[Difference]]] = {}
    cases: list[Case] = []
    for job, after in zip(jobs, found, strict=True):
        before = [plain[row] for row in job.rows]
        apart = differences(model, before, after, plain)
        results.setdefault(job.name, (job.meaning, []))[1].extend(apart)
        places = [pairs[row].where for row in job.rows]
        cases += [
            _case(job.name, *each)
            for each in zip(places, before, after, apart, strict=True)
            if each[-1].changed
        ]
    links = isinstance(plain[0].attention, WordAlignment)
    return StabilitySection(
        own.output,
        own.measure,
        LINKS if links else MAPS,
        tuple(
            _result(name, meaning, apart, 0.0 if links else MAP_CHANGE, options.seed)
            for name, (meaning, apart) in results.items()
        ),
        tuple(sorted(cases, key=lambda case: -np.nan_to_num(case.distance))),
        len(pairs),
        len(test),
        notes,
    )


def _sampled(pairs: Sequence[Pair]) -> list[Pair]:
    """So many rows, evenly spaced."""
    if len(pairs) <= MOST_ROWS:
        return list(pairs)
    return [pairs[int(place)] for place in np.linspace(0, len(pairs) - 1, MOST_ROWS)]


def _changed(model: TaskModel, change: Change, inputs: Sequence[Texts], texts: int, seed: int) -> _Job:
    """The inputs that a change can be made in; of two texts, in each that offers a place for it."""
    rows, made, tags = [], [], model.task == "tagging"
    for row, given in enumerate(inputs):
        others = [change.of(text, seed, apart=tags) for text in given[:texts]]
        found = (*(new or old for new, old in zip(others, given, strict=False)), *given[texts:])
        if any(others) and not (tags and found[0].split() == given[0].split()):
            rows.append(row)
            made.append(found)
    return _Job(change.name, change.meaning, model, rows, made)


def _read(jobs: Sequence[_Job], *, quiet: bool) -> list[list[Reading]]:
    """The readings of each job."""
    total = sum(len(job.inputs) for job in jobs)
    steps = track(_steps(jobs), "changing", unit="texts", total=total, every=TOGETHER, quiet=quiet)
    found: list[list[Reading]] = [[] for _ in jobs]
    for number, reading in steps:
        found[number].append(reading)
    return found


def _steps(jobs: Sequence[_Job]) -> Iterator[tuple[int, Reading]]:
    for number, job in enumerate(jobs):
        read = task_reading(job.model).read
        for start in range(0, len(job.inputs), TOGETHER):
            for reading in read(job.model, job.inputs[start : start + TOGETHER]):
                yield number, reading


def _result(name: str, meaning: str, apart: Sequence[Difference], limit: float, seed: int) -> ChangeResult:
    attention = np.array([one.attention for one in apart], dtype=np.float64)
    moved = np.where(np.isnan(attention), np.nan, attention > limit)
    changed = [float(one.changed) for one in apart]
    values = (changed, [one.distance for one in apart], moved, attention)
    return ChangeResult(name, meaning, *(Estimate.of(own, seed=seed) for own in values))


def _case(name: str, where: str, before: Reading, after: Reading, apart: Difference) -> Case:
    old, new = ("\n".join(one.texts) for one in (before, after))
    return Case(name, where, old, new, before.said, after.said, apart.distance, apart.attention)
