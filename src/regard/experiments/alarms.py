"""Which alarm finds which damage: good translations made bad in known ways, and the score of every alarm."""

from collections.abc import Mapping, Sequence
from itertools import islice

import numpy as np
import numpy.typing as npt

from regard.analysis.alarm_catalogue import ALARMS
from regard.analysis.alarms import fit_observed
from regard.analysis.judging import judge
from regard.analysis.observations import AT_ONCE, Observation, read_translations
from regard.analysis.planted_damage import DAMAGES, can_be_damaged, plant
from regard.analysis.thresholds import AlarmThresholds
from regard.config.load import Setting, load_recipe
from regard.config.translation import TranslationRecipe
from regard.data.pairs import read_pairs
from regard.errors import DataError
from regard.evaluation.test_set import TestSet
from regard.experiments.estimates import Quantity, more_than, quantities
from regard.experiments.experiment import Chart, Curves, Experiment, Finding, Line, Part, World
from regard.experiments.parts import Measuring, overrides, splits_of, translation_part
from regard.metrics.statistics import Floats, Statistics, mean_of, ratio
from regard.progress import track
from regard.tasks.translation.predictor import Translator

MULTI30K, KOEN = "multi30k", "koen"
SYSTEM = "transformer"
ROWS, QUICK_ROWS = 1000, 200
DEV_ROWS = 1000
WEAK = 0.8
"""An alarm whose precision is less, at the threshold that finds half of the damaged outputs, is weak."""
NAMES = tuple(alarm.name for alarm in ALARMS if alarm.name != "unsure")
"""The alarms of what is written."""
MEANT_FOR = {
    "phrase dropped": "dropped",
    "phrase repeated": "repeated",
    "another sentence": "improbable",
    "source cut": "length",
    "source copied": "copied",
}
"""The alarm that each damage should raise."""
_SETTINGS: list[Setting] = overrides(
    "model.encoder_layers=3 training.batch_tokens=1024 training.optimizer.learning_rate=0.002 "
    "training.schedule.kind=cosine training.schedule.warmup_steps=400 training.best_by=loss"
)
_MINUTES, _QUICK_MINUTES = 12, 3
_SENTENCES = "source in tatoeba, bible, stsb"
"""Of Korean and English, the corpora whose rows are sentences."""


def _corpora(world: str) -> list[Setting]:
    if world == MULTI30K:
        return [*splits_of(world), *overrides("data.source=de data.target=en text.vocabulary_size=6000")]
    tested: list[Setting] = [
        (
            f"data.{split}",
            {"kind": "tsv", "path": f"$REGARD_DATA/koen/{split}.tsv.gz", "filter": [_SENTENCES]},
        )
        for split in ("dev", "test")
    ]
    return [*splits_of(world)[:1], *tested]


def detection(good: Floats, bad: Floats, threshold: float) -> dict[str, Statistics]:
    """How well scores tell damaged outputs from good ones, row by row.

    auroc:     the share of good outputs that a damaged one scores above, ties counted half, the mean
    recall:    the share of damaged outputs above the threshold
    precision: of all outputs above it, the share that are damaged; there are as many good ones
    precision at 0.5 recall: the same at the median of the damaged outputs
    """
    ordered = np.sort(good)
    below = (np.searchsorted(ordered, bad) + np.searchsorted(ordered, bad, "right")) / 2
    middle = float(np.sort(bad)[len(bad) // 2])
    return {
        "auroc": mean_of(below / len(good)),
        "recall": mean_of(bad > threshold),
        "precision": _precision(good > threshold, bad > threshold),
        "precision at 0.5 recall": _precision(good >= middle, bad >= middle),
    }


def _precision(good: npt.NDArray[np.bool_], bad: npt.NDArray[np.bool_]) -> Statistics:
    hits = bad.astype(np.float64)
    return Statistics(np.column_stack([hits, hits + good]), ratio)


def measuring(rows: int) -> Measuring:
    """Damage so many pairs of a test set, and see which alarms are raised."""

    def measure(translator: Translator, test: TestSet, quiet: bool) -> Mapping[str, Quantity]:
        data = translator.recipe.data
        dev = [(p.source, p.target) for p in islice(read_pairs(data.dev, data, split="dev"), DEV_ROWS)]
        every = [pair for p in test.pairs if can_be_damaged(pair := (p.source, p.target))]
        if not every:
            raise DataError("no pair of the test set has words enough to be damaged")
        chosen = np.linspace(0, len(every) - 1, min(rows, len(every))).astype(int)
        pairs = [every[place] for place in chosen]
        known = fit_observed(_read(translator, dev, "dev", quiet=quiet))
        good = _scores(_read(translator, pairs, "good", quiet=quiet), known)
        found: dict[str, Statistics] = {}
        for damage in DAMAGES:
            bad = _scores(_read(translator, plant(damage, pairs), damage, quiet=quiet), known)
            for name in good:
                threshold = known.limits[name].threshold if name in known.limits else np.inf
                told = detection(good[name], bad[name], threshold)
                found |= {f"{measure} {name} {damage}": own for measure, own in told.items()}
        return quantities(found)

    return measure


def _read(
    translator: Translator, pairs: Sequence[tuple[str, str]], what: str, *, quiet: bool
) -> list[Observation]:
    chunks = [pairs[first : first + AT_ONCE] for first in range(0, len(pairs), AT_ONCE)]
    read = (one for chunk in chunks for one in read_translations(translator, chunk))
    return list(track(read, f"reading: {what}", unit="pairs", total=len(pairs), every=AT_ONCE, quiet=quiet))


def _scores(seen: Sequence[Observation], known: AlarmThresholds) -> dict[str, Floats]:
    """The scores of each alarm; where one says nothing of an output, it does not fire."""
    judged = [judge(one, known).scores for one in seen]
    return {name: np.array([one.get(name, -np.inf) for one in judged]) for name in NAMES}


def alarms(changes: Sequence[Setting] = ()) -> Experiment:
    """The experiment; `changes` are made in the recipes."""

    def part(world: World, system: str, seed: int, quick: bool) -> Part:
        del system
        minutes = _QUICK_MINUTES if quick else _MINUTES
        own: list[Setting] = [*_corpora(world.name), *_SETTINGS, ("training.minutes", minutes)]
        recipe = load_recipe("transformer-fast", [*own, ("training.seed", seed), *changes])
        assert isinstance(recipe, TranslationRecipe)
        rows = QUICK_ROWS if quick else ROWS
        told = f"{rows} test pairs, damaged: {', '.join(DAMAGES)}"
        return translation_part(recipe, measuring(rows), minutes=minutes + 2, measuring=told)

    def charts(world: World) -> tuple[Chart, ...]:
        del world
        ticks = tuple((float(place), damage) for place, damage in enumerate(DAMAGES))

        def lines(measure: str) -> tuple[Line, ...]:
            return tuple(
                Line(name, SYSTEM, tuple((float(n), f"{measure} {name} {d}") for n, d in enumerate(DAMAGES)))
                for name in dict.fromkeys(MEANT_FOR.values())
            )

        level = (WEAK, "below: weak")
        return (
            Curves("damage", "AUROC", lines("auroc"), ticks),
            Curves("damage", "precision at 0.5 recall", lines("precision at 0.5 recall"), ticks, level=level),
        )

    return Experiment(
        name="alarms",
        paper="Guerreiro et al. 2023, Optimal Transport for Unsupervised Hallucination Detection in NMT",
        worlds=tuple(
            World(
                name, title, {SYSTEM: "Transformer, 3 + 1 layers"}, corpus=name, most_seeds=1, in_quick=quick
            )
            for name, title, quick in (
                (MULTI30K, "Multi30k, German to English", True),
                (KOEN, "Korean to English", False),
            )
        ),
        part=part,
        findings=tuple(_finding(world, damage) for world in (MULTI30K, KOEN) for damage in DAMAGES),
        charts=charts,
        seeds=1,
        shown=tuple(f"precision at 0.5 recall {name} {damage}" for damage, name in MEANT_FOR.items()),
        note="as many good translations as damaged ones; thresholds are fitted on good pairs of the dev set",
    )


def _finding(world: str, damage: str) -> Finding:
    name = MEANT_FOR[damage]
    return Finding(
        f"{name} finds: {damage}, {world}",
        world,
        "what attention, probability and the texts themselves show tells bad translations from good ones",
        f"The alarm {name} [finds|is weak for] this damage: {damage} ({world})",
        lambda seen: 100 * (seen(SYSTEM, f"precision at 0.5 recall {name} {damage}") - WEAK),
        "points of precision above 80 %, at half of the recall",
        more_than(1.0),
    )
