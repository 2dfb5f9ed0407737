"""Run an experiment: train and measure part by part, conclude, write the result and its figure."""

import json
import math
import os
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from regard.config.load import recipe_from_dict
from regard.errors import ConfigError, StoreError, did_you_mean
from regard.experiments.estimates import Estimate, Quantity, Repeats, estimate
from regard.experiments.experiment import Experiment, Finding, Measured, Part, World
from regard.experiments.figure import Results, draw_results
from regard.experiments.record import FindingRecord, LeftOut, PartRecord, Reproduction
from regard.insight.picture import check_picture
from regard.progress import say
from regard.store.atomic import check_writable, write_file
from regard.store.lock import locked
from regard.training.versions import versions

RESULT = "measured.json"
_FORMAT = 1


def keep(folder: Path, facts: Mapping[str, Any], measured: Measured) -> None:
    """Write what a part gave; it is finished with that."""
    content = {
        "format": _FORMAT,
        "facts": facts,
        "seconds": measured.seconds,
        "about": measured.about,
        "quantities": {
            name: {"value": each.value, "resampled": each.resampled}
            for name, each in measured.quantities.items()
        },
    }
    write_file(folder / RESULT, json.dumps(content, ensure_ascii=False))


def kept(folder: Path, facts: Mapping[str, Any]) -> Measured | None:
    """What a part gave before; None if it is not finished. One of other settings is refused."""
    path = folder / RESULT
    try:
        content = json.loads(path.read_bytes())
        if content["format"] != _FORMAT:
            raise ValueError
        there = _without_descriptions(_with_defaults(content["facts"]))
        measured = Measured(
            {name: Quantity(q["value"], tuple(q["resampled"])) for name, q in content["quantities"].items()},
            content["about"],
            content["seconds"],
        )
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        raise StoreError(f"{path}: damaged, or of another version; remove it to measure this again") from None
    wanted = _without_descriptions(json.loads(json.dumps(facts)))
    if there != wanted:
        raise StoreError(
            f"{folder}: was made with other settings ({_difference(there, wanted)}); choose another --out"
        )
    return measured


_RECIPES = ("recipe", "pre-training")
"""What facts have recipes under."""


def _with_defaults(facts: dict[str, Any]) -> dict[str, Any]:
    """The same, but a recipe also has the settings that it was written before: they are as they were then."""
    try:
        recipes = {name: recipe_from_dict(facts[name], name) for name in _RECIPES if name in facts}
    except ConfigError:  # written by another version: its difference is told as it stands
        return facts
    return {**facts, **{name: recipe.model_dump(mode="json") for name, recipe in recipes.items()}}


def _without_descriptions(facts: dict[str, Any]) -> dict[str, Any]:
    """The same, but for what a recipe is said to be: a part is kept when that is put in other words."""
    recipes = {name: {**facts[name], "description": ""} for name in _RECIPES if name in facts}
    return {**facts, **recipes}


def _difference(there: Any, wanted: Any, path: str = "") -> str:
    """The first setting in which two trees differ."""
    if isinstance(there, dict) and isinstance(wanted, dict):
        for name in {**there, **wanted}:
            if there.get(name) != wanted.get(name):
                return _difference(there.get(name), wanted.get(name), f"{path}.{name}".lstrip("."))
    return f"{path} is {there!r} there, {wanted!r} here"


DATA = "REGARD_DATA"
PICTURES = (".png", ".svg")
_SAME_SHARE = 1.5
"""Shares of the machine may differ by this factor: models keep several cores busy to different degrees."""


@dataclass(frozen=True)
class _Job:
    """A part and its place in the experiment."""

    world: World
    system: str
    seed: int
    part: Part
    repeats: Repeats

    @property
    def name(self) -> str:
        return f"{self.world.name}-{self.system}-{self.seed}"

    @property
    def title(self) -> str:
        return f"{self.world.title}: {self.world.systems[self.system]}, {self.repeats[:-1]} {self.seed}"


def reproduce(
    experiment: Experiment,
    out: Path,
    *,
    quick: bool = False,
    seeds: int | None = None,
    worlds: Sequence[str] = (),
    quiet: bool = False,
) -> Reproduction:
    """Run an experiment into a folder; go on where it was stopped.

    Real corpora are looked for in the folder that the environment variable REGARD_DATA names. What is missing
    is left out, and the result says so.

    quick: small models and short training, in a few minutes
    seeds: how many trainings of each system, or repetitions of a measurement; by default as the experiment
           says
    worlds: run these alone, by name; by default all that can be run
    """
    known = [world.name for world in experiment.worlds]
    for name in worlds:
        if name not in known:
            raise ConfigError(f"{experiment.name} has no world '{name}'; {did_you_mean(name, known)}")
    count = seeds or (experiment.quick_seeds if quick else experiment.seeds)
    if count == 1 and experiment.repeats == "repetitions":
        raise ConfigError(f"{experiment.name}: one repetition has no interval; expected --seeds 2 or more")
    if (out / "recipe.yaml").exists():
        raise StoreError(f"{out}: holds a training run; choose another folder")
    check_writable(out)
    pictures = [out / f"{experiment.name}{ending}" for ending in PICTURES]
    for picture in pictures:
        check_picture(picture)
    there, left_out = _worlds(experiment, worlds, quick=quick, quiet=quiet)
    jobs = [
        _Job(world, system, seed, experiment.part(world, system, seed, quick), experiment.repeats)
        for world in there
        for seed in range(1, min(count, world.most_seeds or count) + 1)
        for system in world.systems
    ]
    with locked(out):
        measured = _run(jobs, out / "parts", quiet=quiet)
        results = Results(experiment, tuple(there), _by_world(jobs, measured))
        record = _record(results, jobs, measured, left_out, quick=quick)
        write_file(out / f"{experiment.name}.json", record.model_dump_json(indent=1) + "\n")
        for picture in pictures:
            draw_results(results, record, picture)
    return record


def _worlds(
    experiment: Experiment, asked: Sequence[str], *, quick: bool, quiet: bool
) -> tuple[list[World], list[LeftOut]]:
    """Those that are asked for and can be run, and why the others are not."""
    worlds, left_out = [], []
    for world in experiment.worlds:
        if asked and world.name not in asked:
            why = "it was not asked for (--world)"
        else:
            why = "it is not part of the quick form" if quick and not world.in_quick else _missing(world)
        if why:
            say(f"{world.title}: left out, {why}", quiet=quiet)
            left_out.append(LeftOut(world=world.title, why=why))
        else:
            worlds.append(world)
    return worlds, left_out


def _missing(world: World) -> str:
    if not world.corpus:
        return ""
    folder = os.environ.get(DATA)
    if not folder:
        return f"no data folder is named: --data DIR, or {DATA}"
    missing = [name for name in (world.corpus, *world.also) if not (Path(folder) / name).is_dir()]
    return f"the data folder has no '{missing[0]}'" if missing else ""


def _run(jobs: Sequence[_Job], folder: Path, *, quiet: bool) -> list[Measured]:
    done = {job.name: kept(folder / job.name, job.part.facts) for job in jobs}
    open_jobs = [job for job in jobs if done[job.name] is None]
    if len(open_jobs) < len(jobs):
        say(f"{len(jobs) - len(open_jobs)} of {len(jobs)} parts are there already", quiet=quiet)
    begun, expected = time.monotonic(), 0.0
    for place, job in enumerate(open_jobs):
        # What parts took in truth so far, beside what was expected of them, tells of those to come.
        pace = (time.monotonic() - begun) / 60 / expected if expected else 1.0
        left = pace * sum(each.part.minutes for each in open_jobs[place:])
        say(
            f"part {jobs.index(job) + 1} of {len(jobs)}: {job.title}; about {_minutes(left)} left",
            quiet=quiet,
        )
        found = job.part.work(folder / job.name, quiet)
        keep(folder / job.name, job.part.facts, found)
        done[job.name] = found
        expected += job.part.minutes
    return [found for found in done.values() if found is not None]


def _minutes(minutes: float) -> str:
    return f"{minutes:.0f} min" if minutes >= 1 else f"{60 * minutes:.0f} s"


def _by_world(
    jobs: Sequence[_Job], measured: Sequence[Measured]
) -> dict[str, list[dict[str, dict[str, Quantity]]]]:
    """world → seeds → system → measure."""
    worlds: dict[str, dict[int, dict[str, dict[str, Quantity]]]] = {}
    for job, found in zip(jobs, measured, strict=True):
        seeds = worlds.setdefault(job.world.name, {})
        seeds.setdefault(job.seed, {})[job.system] = dict(found.quantities)
    return {world: list(seeds.values()) for world, seeds in worlds.items()}


def _record(
    results: Results,
    jobs: Sequence[_Job],
    measured: Sequence[Measured],
    left_out: Sequence[LeftOut],
    *,
    quick: bool,
) -> Reproduction:
    experiment = results.experiment
    return Reproduction(
        experiment=experiment.name,
        line=experiment.line,
        paper=experiment.paper,
        quick=quick,
        seeds=tuple(sorted({job.seed for job in jobs})),
        repeats=experiment.repeats,
        findings=tuple(
            conclude(
                finding,
                estimate(finding.effect, results.measured[finding.world], repeats=experiment.repeats),
            )
            for finding in experiment.findings
            if finding.world in results.measured
        ),
        left_out=tuple(left_out),
        notes=(*([experiment.note] if experiment.note else []), *_notes(jobs, measured)),
        parts=tuple(
            PartRecord(
                world=job.world.name,
                system=job.system,
                seed=job.seed,
                seconds=round(found.seconds, 1),
                about=json.loads(json.dumps(found.about)),
                values={name: _finite(each.value) for name, each in found.quantities.items()},
            )
            for job, found in zip(jobs, measured, strict=True)
        ),
        recipes={
            f"{job.world.name}/{job.system}": job.part.recipe.model_dump(mode="json")
            for job in jobs
            if job.part.recipe is not None and job.seed == 1
        },
        seconds=round(sum(found.seconds for found in measured), 1),
        versions=versions(),
    )


def _notes(jobs: Sequence[_Job], measured: Sequence[Measured]) -> Iterator[str]:
    """Where time counts, whoever is compared must have had the same share of the machine."""
    shares: dict[tuple[str, str], list[float]] = {}
    for job, found in zip(jobs, measured, strict=True):
        if "cores" not in found.about:
            continue
        if job.repeats == "repetitions":
            who = f"{job.world.title}, {job.world.systems[job.system]}", "repetitions"
        elif job.part.recipe is not None and job.part.recipe.training.minutes is not None:
            who = job.world.title, "trainings of equal minutes"
        else:
            continue
        shares.setdefault(who, []).append(found.about["cores"])
    for (title, what), cores in shares.items():
        low, high = min(cores), max(cores)
        if high > _SAME_SHARE * low:
            yield (
                f"{title}: the machine was busy; {what} had from {low:g} to {high:g} cores, so their "
                f"verdicts are unreliable"
            )


def conclude(finding: Finding, found: Estimate) -> FindingRecord:
    """Put an effect beside what the paper says."""
    verdict = finding.claim.verdict(found.interval)
    sentence = {
        "confirmed": finding.confirmed,
        "opposite": finding.opposite,
        "not resolved": f"Not resolved: {finding.confirmed}",
    }
    return FindingRecord(
        name=finding.name,
        world=finding.world,
        paper=finding.paper,
        sentence=sentence[verdict],
        effect=found.value,
        unit=finding.unit,
        decimals=finding.decimals,
        interval=found.interval,
        over=found.over,
        each=found.each,
        claim=f"{finding.claim.words} {finding.unit}",
        verdict=verdict,
    )


def _finite(value: float) -> float | None:
    return round(value, 6) if math.isfinite(value) else None
