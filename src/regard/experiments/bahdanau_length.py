"""BLEU against the length of the sentence, with attention and without: equal parameters, equal minutes."""

from collections.abc import Sequence

import numpy as np

from regard.config.load import Setting, load_recipe, with_settings
from regard.config.recipe import Recipe
from regard.evaluation.test_set import TestSet
from regard.experiments.estimates import Effect, Seen, more_than
from regard.experiments.experiment import Chart, Curves, Experiment, Finding, Line, Part, World
from regard.experiments.parts import (
    length_groups,
    measure_translations,
    overrides,
    translation_part,
    with_equal_parameters,
)
from regard.metrics.statistics import Floats, Rows

BUILTIN, BIBLE = "built-in", "bible"
ATTENTION, PLAIN = "attention", "none"
SHORT, LONG = 15, 30
"""Short sentences have at most so many words, long ones more than so many."""
LEARNED, LONGEST = 20, "16-20"
"""Training has sentences of so many words, also in the quick form, and many of them; and their group."""
FEWEST = 10
"""A group of fewer rows is not measured by itself."""
GROUPS = {
    "1-5": 3.0, "6-10": 8.0, "11-15": 13.0, "16-20": 18.0, "21-30": 25.5, "31-40": 35.5, "41-60": 50.5,
    "61+": 65.0,
}  # fmt: skip
"""The groups by length that are measured, and where they stand on the axis."""

_SIZES: list[Setting] = overrides(
    "model.embedding_size=128 model.encoder.hidden_size=128 model.attention.hidden_size=128 "
    "model.decoder.hidden_size=256 training.epochs=20 training.batch_tokens=768 "
    "training.optimizer.learning_rate=0.003 training.schedule.warmup_steps=100 training.best_by=loss"
)
_NATURAL = {"kind": "builtin", "rows": 12000}
_LONG = {"kind": "builtin", "lengths": "long", "max_words": LONG}
_SETTINGS: dict[str, list[Setting]] = {
    BUILTIN: [
        ("data.train", [_NATURAL, {**_LONG, "rows": 20000}]),
        ("data.dev", {**_LONG, "rows": 200}),
        ("data.test", {"kind": "builtin", "lengths": "long", "rows": 800}),
        ("text.vocabulary_size", 2000),
        *_SIZES,
        ("model.dropout", 0.1),
        ("training.minutes", 4.0),
    ],
    BIBLE: [
        *(
            (
                f"data.{split}",
                {
                    "kind": "tsv",
                    "path": f"$REGARD_DATA/koen/{split}.tsv.gz",
                    "filter": ["source == bible"],
                },
            )
            for split in ("train", "dev", "test")
        ),
        ("text.vocabulary_size", 6000),
        *_SIZES,
        ("training.minutes", 5.0),
    ],
}
_QUICK: list[Setting] = [
    ("data.train", [{**_NATURAL, "rows": 5000}, {**_LONG, "max_words": LEARNED, "rows": 7000}]),
    ("data.dev", {**_LONG, "max_words": LEARNED, "rows": 100}),
    *overrides(
        "data.test.rows=300 text.vocabulary_size=1200 model.embedding_size=64 model.encoder.hidden_size=64 "
        "model.attention.hidden_size=64 model.decoder.hidden_size=128 training.batch_tokens=512 "
        "training.optimizer.learning_rate=0.005 training.minutes=1.2"
    ),
]


def bahdanau_length(changes: Sequence[Setting] = ()) -> Experiment:
    """The experiment; `changes` are made in the recipes."""

    def part(world: World, system: str, seed: int, quick: bool) -> Part:
        settings = [*_SETTINGS[world.name], *(_QUICK if quick else ()), ("training.seed", seed), *changes]
        recipe = recipe_of(system, settings)
        minutes = 1.3 * (recipe.training.minutes or 1.0)
        measure = measure_translations(_groups, beam_size=1)
        return translation_part(recipe, measure, minutes=minutes, measuring="greedy, by length")

    def charts(_: World) -> tuple[Chart, ...]:
        ticks = tuple((place, name) for name, place in GROUPS.items())
        lines = tuple(
            Line(title, system, tuple((place, f"bleu {name}") for name, place in GROUPS.items()))
            for system, title in SYSTEMS.items()
        )
        return (Curves("words of the source sentence", "BLEU", lines, ticks),)

    return Experiment(
        name="bahdanau-length",
        paper="Bahdanau, Cho and Bengio 2015, NMT by Jointly Learning to Align and Translate",
        worlds=(
            World(BUILTIN, "built-in world, Korean to English", SYSTEMS),
            World(
                BIBLE, "Bible verses, Korean to English", SYSTEMS, corpus="koen", most_seeds=1, in_quick=False
            ),
        ),
        part=part,
        findings=_findings(),
        charts=charts,
        shown=("bleu", "bleu short", "bleu long"),
    )


SYSTEMS = {ATTENTION: "with attention", PLAIN: "without"}


def recipe_of(system: str, settings: Sequence[Setting]) -> Recipe:
    """The recipe of a system; without attention the decoder is wider, so that the parameters are as many."""
    attending = load_recipe("bahdanau", settings)
    if system == ATTENTION:
        return attending
    plain = with_settings(attending, ["model.attention=null"])
    return with_equal_parameters(
        plain, attending, "model.decoder.hidden_size", vocabulary=attending.text.vocabulary_size
    )


def _groups(test_set: TestSet) -> dict[str, Rows]:
    words = np.array([len(pair.source.split()) for pair in test_set.pairs])
    ends = {
        "short": np.flatnonzero(words <= SHORT),
        LONGEST: np.flatnonzero((words > SHORT) & (words <= LEARNED)),
        "long": np.flatnonzero(words > LONG),
    }
    enough = {name: rows for name, rows in length_groups(test_set).items() if len(rows) >= FEWEST}
    return {**enough, **ends}


def _fall(seen: Seen, system: str, to: str = "long") -> Floats:
    """What BLEU loses from short sentences to longer ones."""
    return seen(system, "bleu short") - seen(system, f"bleu {to}")


def _more(measure: str) -> Effect:
    return lambda seen: seen(ATTENTION, measure) - seen(PLAIN, measure)


def _findings() -> tuple[Finding, ...]:
    return (
        Finding(
            "attention keeps BLEU up to 20 words",
            BUILTIN,
            "without attention BLEU falls with the length of the sentence, with attention it hardly does",
            f"With attention, BLEU falls [less|more] up to {LEARNED} words than without",
            lambda seen: _fall(seen, PLAIN, LONGEST) - _fall(seen, ATTENTION, LONGEST),
            "BLEU",
            more_than(1.0),
        ),
        Finding(
            "attention keeps BLEU up beyond 30 words",
            BUILTIN,
            "the same, on sentences longer than any in training",
            f"With attention, BLEU falls [less|more] above {LONG} words than without",
            lambda seen: _fall(seen, PLAIN) - _fall(seen, ATTENTION),
            "BLEU",
            more_than(1.0),
        ),
        Finding(
            "without attention BLEU falls with length",
            BUILTIN,
            "the performance of the plain encoder-decoder drops as sentences get longer",
            f"Without attention, BLEU is [lower|higher] above {LONG} words than up to {SHORT}",
            lambda seen: _fall(seen, PLAIN),
            "BLEU",
            more_than(1.0),
        ),
        Finding(
            "attention beats none",
            BUILTIN,
            "attention is better than none whatever the length limit in training",
            "Attention is [better|worse] than none, at equal parameters and minutes",
            _more("bleu"),
            "BLEU",
            more_than(1.0),
        ),
        Finding(
            "attention beats none on long sentences",
            BUILTIN,
            "the gain is largest on long sentences",
            f"Attention is [better|worse] than none above {LONG} words",
            _more("bleu long"),
            "BLEU",
            more_than(1.0),
        ),
        Finding(
            "attention beats none on real text",
            BIBLE,
            "attention is better than none whatever the length limit in training",
            "Attention is [better|worse] than none on Bible verses",
            _more("bleu"),
            "BLEU",
            more_than(0.2),
        ),
    )
