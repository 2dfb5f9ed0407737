"""Perplexity of LSTM and LSTMN language models of equal size, of one layer and of three; and of n-grams."""

from collections.abc import Mapping, Sequence

from regard.config.load import Setting, load_recipe
from regard.config.recipe import Recipe
from regard.data.sentences import read_sentences
from regard.evaluation.test_set import TestSet
from regard.experiments.estimates import Effect, Quantity, more_than, quantities
from regard.experiments.experiment import Chart, Dots, Experiment, Finding, Part, World
from regard.experiments.parts import overrides, splits_of, trained_part, with_equal_parameters
from regard.tasks.language_model.evaluator import LanguageModelEvaluator
from regard.tasks.language_model.predictor import LanguageModel

BUILTIN, MULTI30K = "built-in", "multi30k"
NGRAM = "ngram"
LAYERS = (1, 3)
TITLES = {
    NGRAM: "5-grams, Kneser-Ney",
    **{f"lstm-{n}": f"LSTM, {n} layer{'s' * (n > 1)}" for n in LAYERS},
    **{f"lstmn-{n}": f"LSTMN, {n} layer{'s' * (n > 1)}" for n in LAYERS},
}
FEW = {name: TITLES[name] for name in (NGRAM, "lstm-1", "lstmn-1")}

_COMMON: list[Setting] = [
    ("training.optimizer.learning_rate", 0.004),
    ("training.schedule.warmup_steps", 100),
]
_SETTINGS: dict[str, list[Setting]] = {
    BUILTIN: [
        ("data.text", "ko"),
        ("data.train", {"kind": "builtin", "rows": 12000}),
        ("data.dev", {"kind": "builtin", "rows": 400}),
        ("data.test", {"kind": "builtin", "rows": 1000}),
        *overrides("text.vocabulary_size=1200 training.epochs=5 training.batch_tokens=384"),
        *_COMMON,
    ],
    MULTI30K: [
        ("data.text", "en"),
        *splits_of("multi30k"),
        *overrides("text.vocabulary_size=3000 training.epochs=4 training.batch_tokens=768"),
        *_COMMON,
    ],
}
_QUICK: list[Setting] = overrides(
    "data.train.rows=3000 data.dev.rows=100 data.test.rows=400 text.vocabulary_size=800 training.epochs=2 "
    "training.batch_tokens=768 training.schedule.warmup_steps=30"
)
WIDTH, QUICK_WIDTH = 128, 64
_MINUTES = {"lstm": 0.6, "lstmn": 1.1, NGRAM: 0.2}
"""Of a layer on the built-in world, about."""


def cheng_lm(changes: Sequence[Setting] = ()) -> Experiment:
    """The experiment; `changes` are made in the recipes."""

    def part(world: World, system: str, seed: int, quick: bool) -> Part:
        settings = [*_SETTINGS[world.name], *(_QUICK if quick else ()), ("training.seed", seed), *changes]
        recipe = recipe_of(system, settings, QUICK_WIDTH if quick else WIDTH)
        family, _, layers = system.partition("-")
        minutes = _MINUTES[family] * int(layers or 1) * (0.15 if quick else 1 if world.name == BUILTIN else 4)
        return trained_part(recipe, _measure, read=read_sentences, minutes=minutes, measuring="perplexity")

    def charts(_: World) -> tuple[Chart, ...]:
        return (Dots("perplexity per word", "perplexity", less_is_better=True),)

    return Experiment(
        name="cheng-lm",
        paper="Cheng, Dong and Lapata 2016, Long Short-Term Memory-Networks for Machine Reading, Table 1",
        worlds=(
            World(BUILTIN, "built-in world, Korean", TITLES),
            World(MULTI30K, "Multi30k, English", FEW, corpus="multi30k", most_seeds=1, in_quick=False),
        ),
        part=part,
        findings=(*_findings(BUILTIN), *_findings_of_layers(), *_findings(MULTI30K)),
        charts=charts,
        shown=("perplexity",),
        note=(
            "an LSTM is as wide as gives it the parameters of the LSTMN with as many layers; all read the "
            "same pieces for the same number of epochs"
        ),
    )


def recipe_of(system: str, settings: Sequence[Setting], width: int) -> Recipe:
    """The recipe of a system; an LSTM has the parameters of the LSTMN with as many layers."""
    family, _, layers = system.partition("-")
    if family == NGRAM:
        return load_recipe("lm-ngram", settings)
    sizes: list[Setting] = [
        ("model.embedding_size", width),
        ("model.hidden_size", width),
        ("model.layers", int(layers)),
        ("model.tie_embeddings", False),  # so that the width of a state is free
        ("model.residual", True),  # else three layers learn next to nothing in so few steps
        ("model.dropout", 0.2),
    ]
    looking = load_recipe("lm-lstmn", [("model.tie_embeddings", False), *settings, *sizes])
    if family == "lstmn":
        return looking
    plain = load_recipe("lm-lstm", [("model.tie_embeddings", False), *settings, *sizes])
    return with_equal_parameters(plain, looking, "model.hidden_size", vocabulary=looking.text.vocabulary_size)


def _measure(model: LanguageModel, test_set: TestSet, quiet: bool) -> Mapping[str, Quantity]:
    return quantities(LanguageModelEvaluator().evaluate(model, test_set, samples=0, quiet=quiet).statistics)


def _less(system: str, than: str) -> Effect:
    """How much lower the perplexity of a system is, in percent of the other's."""
    return lambda seen: 100 * (1 - seen(system, "perplexity") / seen(than, "perplexity"))


_UNIT = "% less perplexity"


def _findings(world: str) -> tuple[Finding, ...]:
    """What is asked of both worlds."""
    where = "" if world == BUILTIN else " on real text"
    return (
        Finding(
            f"intra-attention helps{where}",
            world,
            "of one layer and equal size, the LSTMN has a lower perplexity than the LSTM (108 against 115)",
            f"An LSTM that attends to all its past states has a [lower|higher] perplexity{where}, "
            "at equal size",
            _less("lstmn-1", "lstm-1"),
            _UNIT,
            more_than(1.0),
        ),
        Finding(
            f"an LSTM beats n-grams{where}",
            world,
            "the LSTM has a lower perplexity than 5-grams with Kneser-Ney smoothing (115 against 141)",
            f"An LSTM has a [lower|higher] perplexity than 5-grams{where}",
            _less("lstm-1", NGRAM),
            _UNIT,
            more_than(1.0),
        ),
    )


def _findings_of_layers() -> tuple[Finding, ...]:
    return (
        Finding(
            "intra-attention helps with three layers",
            BUILTIN,
            "of three layers, the LSTMN is the best of all (102; the deep LSTMs have 107 and more)",
            "Of three layers and equal size, the LSTMN has a [lower|higher] perplexity than the LSTM",
            _less("lstmn-3", "lstm-3"),
            _UNIT,
            more_than(1.0),
        ),
        Finding(
            "more layers help an LSTMN",
            BUILTIN,
            "three layers have a lower perplexity than one (102 against 108)",
            "An LSTMN of three layers has a [lower|higher] perplexity than one of one layer",
            _less("lstmn-3", "lstmn-1"),
            _UNIT,
            more_than(1.0),
        ),
    )
