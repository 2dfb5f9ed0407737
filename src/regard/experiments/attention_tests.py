"""Classifiers whose attention is tested as an explanation: what is trained, and what is measured of it."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from regard import api
from regard.analysis.explanation import explanation_tests
from regard.config.load import Setting, load_recipe, with_settings
from regard.config.recipe import Recipe
from regard.data.labelled import read_labelled
from regard.evaluation.test_set import TestSet
from regard.experiments.estimates import Quantity, quantities
from regard.experiments.experiment import Measured, Part, World
from regard.experiments.parts import overrides, train_once, trained_part
from regard.tasks.classification.evaluator import SingleLabelEvaluator
from regard.tasks.classification.predictor import Classifier

BUILTIN, SST2, NSMC = "built-in", "sst2", "nsmc"
BILSTM, AVERAGE, UNIFORM = "bilstm", "average", "uniform"
TITLES = {
    BILSTM: "BiLSTM with attention",
    AVERAGE: "word vectors with attention, no RNN",
    UNIFORM: "BiLSTM, uniform attention",
}
_ATTENTION = {"kind": "structured", "hops": 1, "hidden_size": 64, "penalty": 0.0}
_MODELS: dict[str, list[Setting]] = {
    BILSTM: [("model.pooling", _ATTENTION)],
    AVERAGE: [("model.pooling", _ATTENTION), ("model.encoder", {"kind": "bag"})],
    UNIFORM: [("model.pooling", {"kind": "mean"})],
}


def _file(path: str, part: tuple[float, float] | None = None) -> dict[str, object]:
    return {"kind": "tsv", "path": f"$REGARD_DATA/{path}.tsv.gz"} | ({} if part is None else {"part": part})


_COMMON: list[Setting] = [
    ("model.head", {"kind": "linear"}),
    *overrides("training.optimizer.learning_rate=0.002 training.schedule.warmup_steps=50"),
]
_REAL: list[Setting] = [
    *overrides(
        "text.vocabulary_size=8000 model.embedding_size=128 model.encoder.hidden_size=128 model.dropout=0.4 "
        "training.epochs=4 training.batch_tokens=1536"
    ),
    *_COMMON,
]
_SETTINGS: dict[str, list[Setting]] = {
    BUILTIN: [
        *overrides("data.train.rows=3000 data.dev.rows=300 data.test.rows=1000"),
        *overrides("training.epochs=6 training.batch_tokens=256"),
        *_COMMON,
    ],
    SST2: [
        *((f"data.{split}", _file(f"en-classification/sst2/{split}")) for split in ("train", "dev", "test")),
        *_REAL,
    ],
    NSMC: [
        ("data.train", _file("nsmc/train", (0.02, 0.14))),
        ("data.dev", _file("nsmc/train", (0.0, 0.01))),
        ("data.test", _file("nsmc/test", (0.0, 0.1))),
        *_REAL,
    ],
}
_QUICK: list[Setting] = overrides("data.train.rows=1500 data.test.rows=400")
_TEXTS, _QUICK_TEXTS = 500, 100
"""Test rows whose attention is tested."""
_OTHER = 1000
"""Added to the seed of the model whose attention a model's is compared with."""


def worlds(systems: Sequence[str]) -> tuple[World, ...]:
    """The worlds, with these systems."""
    titles = {name: TITLES[name] for name in systems}
    return (
        World(BUILTIN, "built-in world, Korean sentiment", titles),
        World(SST2, "SST-2, English film reviews", titles, corpus="en-classification", in_quick=False),
        World(NSMC, "NSMC, a part: Korean film reviews", titles, corpus="nsmc", in_quick=False),
    )


def recipe_of(world: str, system: str, settings: Sequence[Setting] = ()) -> Recipe:
    """The recipe of a system; the encoder, or the pooling, is all that differs."""
    return load_recipe("self-attentive", [*_SETTINGS[world], *settings, *_MODELS[system]])


def attention_part(
    world: World, system: str, seed: int, quick: bool, changes: Sequence[Setting], *, other_seed: bool
) -> Part:
    """Train a classifier, and test its attention.

    other_seed: also train one with another seed, and compare the attention of the two
    """
    settings = [*(_QUICK if quick else ()), *changes]
    recipe = recipe_of(world.name, system, [*settings, ("training.seed", seed)])
    compared = other_seed and system != UNIFORM
    other = with_settings(recipe, [("training.seed", seed + _OTHER)]) if compared else None
    texts = _QUICK_TEXTS if quick else _TEXTS
    minutes = (0.2 if quick else 0.6 if world.name == BUILTIN else 1.8) * (2 if compared else 1)

    def work(folder: Path, quiet: bool) -> Measured:
        beside = folder / "other-seed"
        seconds = train_once(other, beside, quiet=quiet)["seconds"] if other is not None else 0.0

        def measure(model: Classifier, test_set: TestSet, quiet: bool) -> Mapping[str, Quantity]:
            seeds = [api.load(beside, task="classification")] if other is not None else []
            return _measured(model, test_set, seeds, texts, quiet=quiet)

        part = trained_part(recipe, measure, read=read_labelled, minutes=minutes)
        found = part.work(folder, quiet)
        return Measured(found.quantities, found.about, found.seconds + seconds)

    facts = {"recipe": recipe.model_dump(mode="json"), "texts": texts, "other seed": compared}
    return Part(work, facts, minutes, recipe)


def _measured(
    model: Classifier, test_set: TestSet, seeds: Sequence[Classifier], texts: int, *, quiet: bool
) -> Mapping[str, Quantity]:
    """Accuracy on all rows, in percent; and what the tests find on the first ones."""
    evaluated = SingleLabelEvaluator().evaluate(
        model, test_set, metrics=("accuracy",), samples=0, quiet=quiet
    )
    accuracy = quantities({"accuracy": evaluated.statistics["accuracy"]})["accuracy"]
    found = {"accuracy": Quantity(100 * accuracy.value, tuple(100 * own for own in accuracy.resampled))}
    if not model.attentions:  # there is nothing to test
        return found
    tests = explanation_tests(model, test_set.pairs[:texts], adversary=True, seeds=seeds, quiet=quiet)
    named = {name: own for name, own in tests.estimates.items() if name != "accuracy"}
    return found | {name: Quantity(own.value, own.resampled) for name, own in named.items()}
