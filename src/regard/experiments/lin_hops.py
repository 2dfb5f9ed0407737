"""Accuracy and overlap of hops against their number and the penalty; self-attention against max pooling."""

from collections.abc import Mapping, Sequence

import numpy as np

from regard.config.load import Setting, load_recipe
from regard.config.recipe import Recipe
from regard.data.labelled import read_labelled
from regard.evaluation.test_set import TestSet
from regard.experiments.estimates import Effect, Quantity, more_than, quantities
from regard.experiments.experiment import Chart, Dots, Experiment, Finding, Part, Scatter, World
from regard.experiments.parts import overrides, trained_part
from regard.insight.hops import mean_overlap
from regard.metrics.statistics import Statistics, ratio
from regard.tasks.classification.evaluator import SingleLabelEvaluator
from regard.tasks.classification.predictor import Classifier

BUILTIN, NSMC, SST5 = "built-in", "nsmc", "sst5"
MAX, ONE, SEVERAL, MANY, FREE, STRICT = "max", "1 hop", "5 hops", "15 hops", "15, no penalty", "15, penalty 1"
TITLES = {
    MAX: "max pooling",
    ONE: "1 hop",
    SEVERAL: "5 hops, penalty 0.1",
    MANY: "15 hops, penalty 0.1",
    FREE: "15 hops, no penalty",
    STRICT: "15 hops, penalty 1",
}
_POOLING = {
    MAX: {"kind": "max"},
    **{
        name: {"kind": "structured", "hops": hops, "hidden_size": 64, "penalty": penalty}
        for name, hops, penalty in (
            (ONE, 1, 0.0), (SEVERAL, 5, 0.1), (MANY, 15, 0.1), (FREE, 15, 0.0), (STRICT, 15, 1.0),
        )
    },
}  # fmt: skip


def _file(path: str, part: tuple[float, float] | None = None) -> dict[str, object]:
    return {"kind": "tsv", "path": f"$REGARD_DATA/{path}.tsv.gz"} | ({} if part is None else {"part": part})


_COMMON: list[Setting] = [
    ("training.optimizer.learning_rate", 0.002),
    ("training.schedule.warmup_steps", 50),
    ("training.best_by", "loss"),
]
_REAL: list[Setting] = [
    *overrides(
        "text.vocabulary_size=8000 model.embedding_size=128 model.encoder.hidden_size=128 "
        "model.head.hidden_size=128 model.dropout=0.4 training.epochs=5 training.batch_tokens=1536"
    ),
    *_COMMON,
]
_SETTINGS: dict[str, list[Setting]] = {
    BUILTIN: [
        *overrides("data.train.rows=3000 data.dev.rows=300 data.test.rows=1000 training.epochs=3"),
        *_COMMON,
    ],
    NSMC: [
        ("data.train", _file("nsmc/train", (0.02, 0.14))),
        ("data.dev", _file("nsmc/train", (0.0, 0.01))),
        ("data.test", _file("nsmc/test", (0.0, 0.1))),
        *_REAL,
    ],
    SST5: [
        *((f"data.{split}", _file(f"en-classification/sst5/{split}")) for split in ("train", "dev", "test")),
        *_REAL,
    ],
}
_QUICK: list[Setting] = overrides("data.train.rows=1500 data.test.rows=400 training.epochs=2")
_MINUTES = {BUILTIN: 0.4, NSMC: 1.6, SST5: 0.9}
_LOOKED_AT = 1000
"""Test rows whose hops are compared."""


def lin_hops(changes: Sequence[Setting] = ()) -> Experiment:
    """The experiment; `changes` are made in the recipes."""

    def part(world: World, system: str, seed: int, quick: bool) -> Part:
        settings = [*_SETTINGS[world.name], *(_QUICK if quick else ()), ("training.seed", seed), *changes]
        minutes = _MINUTES[world.name] * (0.4 if quick else 1.0)
        measuring = f"accuracy; overlap of hops on {_LOOKED_AT} rows"
        recipe = recipe_of(system, settings)
        return trained_part(recipe, _measure, read=read_labelled, minutes=minutes, measuring=measuring)

    def charts(_: World) -> tuple[Chart, ...]:
        return (
            Dots("accuracy", "accuracy"),
            Scatter("overlap between hops", "accuracy", "overlap", "accuracy"),
        )

    return Experiment(
        name="lin-hops",
        paper="Lin et al. 2017, A Structured Self-attentive Sentence Embedding, Tables 1, 3 and Figure 5",
        worlds=(
            World(BUILTIN, "built-in world, Korean sentiment", TITLES),
            World(NSMC, "NSMC, a part: Korean film reviews", TITLES, corpus="nsmc", in_quick=False),
            World(SST5, "SST-5, English film reviews", TITLES, corpus="en-classification", in_quick=False),
        ),
        part=part,
        findings=tuple(finding for world in (NSMC, SST5, BUILTIN) for finding in _findings(world)),
        charts=charts,
        shown=("accuracy", "overlap"),
        note=(
            "all have the same encoder and train for the same number of epochs; overlap is 1 where two hops "
            "have the same weights, 0 where they share no word"
        ),
    )


def recipe_of(system: str, settings: Sequence[Setting]) -> Recipe:
    """The recipe of a system: the pooling is all that differs."""
    return load_recipe("self-attentive", [*settings, ("model.pooling", _POOLING[system])])


def _measure(model: Classifier, test_set: TestSet, quiet: bool) -> Mapping[str, Quantity]:
    found = (
        SingleLabelEvaluator()
        .evaluate(model, test_set, metrics=("accuracy",), samples=0, quiet=quiet)
        .statistics
    )
    looked = model.classify([pair.source for pair in test_set.pairs[:_LOOKED_AT]])
    shared = [
        None if one.attention.reason is not None else mean_overlap(one.attention.tokens()) for one in looked
    ]
    measured = {"accuracy": found["accuracy"]}
    if any(value is not None for value in shared):
        counts = np.zeros((len(test_set), 2))
        counts[: len(shared)] = [(0.0, 0.0) if value is None else (value, 1.0) for value in shared]
        measured["overlap"] = Statistics(counts, ratio)
    return quantities(measured)


def _points(system: str, than: str) -> Effect:
    """How much more accurate a system is, in points."""
    return lambda seen: 100 * (seen(system, "accuracy") - seen(than, "accuracy"))


_UNIT = "points of accuracy"


def _findings(world: str) -> tuple[Finding, ...]:
    """What is asked of each world."""
    where = {NSMC: "", SST5: " on SST-5", BUILTIN: " in the built-in world"}[world]
    return (
        Finding(
            f"self-attention beats max pooling{where}",
            world,
            "with self-attention Yelp has 64.2 % accuracy, with max pooling 62.0 %",
            f"Self-attention is [more|less] accurate than max pooling{where}",
            _points(MANY, MAX),
            _UNIT,
            more_than(0.3),
        ),
        Finding(
            f"many hops beat one{where}",
            world,
            "one hop is clearly the worst; 5 to 30 are close to each other",
            f"Fifteen hops are [more|less] accurate than one{where}",
            _points(MANY, ONE),
            _UNIT,
            more_than(0.3),
        ),
        Finding(
            f"the penalty keeps hops apart{where}",
            world,
            "without the penalty, hops attend to much the same words",
            f"With the penalty, hops share [less|more] of their attention{where}",
            lambda seen: 100 * (seen(FREE, "overlap") - seen(STRICT, "overlap")),
            "% of overlap",
            more_than(5.0),
        ),
        Finding(
            f"the penalty helps{where}",
            world,
            "with the penalty Yelp has 64.2 % accuracy, without it 61.7 %",
            f"With the penalty, fifteen hops are [more|less] accurate{where}",
            _points(MANY, FREE),
            _UNIT,
            more_than(0.3),
        ),
    )
