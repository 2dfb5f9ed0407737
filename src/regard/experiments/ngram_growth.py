"""Size and perplexity of n-grams and of an LSTM as the training text grows.

An n-gram model stores what it has counted, so it grows with its text. An LSTM has the same weights whatever
it has read.
"""

import math
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from torch import nn

from regard import api
from regard.config.load import Setting, load_recipe
from regard.config.recipe import Recipe
from regard.data.sentences import read_sentences
from regard.evaluation.evaluator import load_test_set
from regard.experiments.estimates import Quantity, Seen, about_equal, more_than, quantities
from regard.experiments.experiment import Chart, Curves, Experiment, Finding, Line, Measured, Part, World
from regard.experiments.parts import overrides, train_once
from regard.metrics.bootstrap import SAMPLES
from regard.metrics.statistics import Floats, Statistics
from regard.tasks.language_model.evaluator import LanguageModelEvaluator

BUILTIN, BOOKS = "built-in", "books"
LSTM = "lstm"
ORDERS = (2, 3, 4, 5)
NGRAMS = tuple(f"{order}-grams" for order in ORDERS)
TITLES = {**{name: name for name in NGRAMS}, LSTM: "LSTM"}
AMOUNTS = (1000, 4000, 16000, 64000)
"""Sentences of training text; each has those of the one before it."""
QUICK_AMOUNTS = AMOUNTS[:3]
EPOCHS = {
    BUILTIN: {1000: 16, 4000: 12, 16000: 8, 64000: 3},
    BOOKS: {1000: 16, 4000: 8, 16000: 5, 64000: 2},
}
"""Of the LSTM: a short text is read more often; the dev set chooses the best checkpoint."""
_LINES = 94_869
"""Of books and speeches, which the first rows of `raw/en` are."""
_ROWS = 148_324
_SETTINGS: dict[str, list[Setting]] = {
    BUILTIN: [
        ("data.text", "ko"),
        ("data.dev", {"kind": "builtin", "rows": 300}),
        ("data.test", {"kind": "builtin", "rows": 1000}),
        *overrides("text.vocabulary_size=1000"),
    ],
    BOOKS: [*overrides("data.text=text text.vocabulary_size=3000")],
}
_LSTM: list[Setting] = overrides(
    "model.embedding_size=192 model.hidden_size=192 model.dropout=0.2 training.batch_tokens=512 "
    "training.optimizer.learning_rate=0.004 training.schedule.warmup_steps=100"
)
_QUICK: list[Setting] = overrides("data.dev.rows=100 data.test.rows=300")
_MINUTES = {BUILTIN: 5.5, BOOKS: 17.0}


def _books(part: tuple[float, float]) -> dict[str, object]:
    path, only = "$REGARD_DATA/raw/en.tsv.gz", ["source == books-speeches"]
    return {"kind": "tsv", "path": path, "filter": only, "part": part}


def _corpora(world: str, amount: int) -> list[Setting]:
    """So many sentences to train on. Parts of a file are drawn by row, so that all books are in each."""
    if world == BUILTIN:
        return [("data.train", {"kind": "builtin", "rows": amount})]
    return [
        ("data.train", _books((0.02, 0.02 + amount / _LINES))),
        ("data.dev", _books((0.0, 0.005))),
        ("data.test", _books((0.005, 0.02))),
    ]


def recipe_of(world: str, system: str, amount: int, settings: Sequence[Setting] = ()) -> Recipe:
    """The recipe of a system with so much text; of an LSTM, only the epochs depend on it."""
    own: list[Setting] = [*_SETTINGS[world], *_corpora(world, amount)]
    if system == LSTM:
        return load_recipe("lm-lstm", [*own, *_LSTM, ("training.epochs", EPOCHS[world][amount]), *settings])
    return load_recipe("lm-ngram", [*own, ("model.order", ORDERS[NGRAMS.index(system)]), *settings])


def megabytes(module: nn.Module) -> float:
    """What a model stores: of n-grams, tables of 24 bytes for each; of a network, weights of 4."""
    return sum(each.numel() * each.element_size() for each in module.parameters()) / 1e6


def ngram_growth(changes: Sequence[Setting] = ()) -> Experiment:
    """The experiment; `changes` are made in the recipes."""

    def part(world: World, system: str, seed: int, quick: bool) -> Part:
        settings = [*(_QUICK if quick else ()), ("training.seed", seed), *changes]
        amounts = QUICK_AMOUNTS if quick else AMOUNTS
        recipes = {amount: recipe_of(world.name, system, amount, settings) for amount in amounts}

        def work(folder: Path, quiet: bool) -> Measured:
            return _measured(recipes, folder, quiet=quiet)

        most = recipes[amounts[-1]]
        facts: dict[str, Any] = {"recipe": most.model_dump(mode="json"), "sentences": amounts}
        facts |= {"epochs": [recipe.training.epochs for recipe in recipes.values()]}
        minutes = (_MINUTES[world.name] if system == LSTM else 0.6) * (0.25 if quick else 1.0)
        return Part(work, facts, minutes, most)

    def charts(world: World) -> tuple[Chart, ...]:
        del world
        ticks = tuple((float(amount), f"{amount // 1000}k") for amount in AMOUNTS)

        def lines(measure: str) -> tuple[Line, ...]:
            return tuple(
                Line(title, name, tuple((float(amount), f"{measure} {amount}") for amount in AMOUNTS))
                for name, title in TITLES.items()
            )

        return (
            Curves("sentences of training text", "size (MB)", lines("size"), ticks=ticks[2:]),
            Curves("sentences of training text", "perplexity per word", lines("perplexity"), ticks, True),
        )

    return Experiment(
        name="ngram-growth",
        paper="Bengio et al. 2003, A Neural Probabilistic Language Model; Mikolov et al. 2010",
        worlds=(
            World(BUILTIN, "built-in world, Korean", TITLES),
            World(BOOKS, "books and speeches, English", TITLES, corpus="raw", most_seeds=1, in_quick=False),
        ),
        part=part,
        findings=tuple(finding for world in (BUILTIN, BOOKS) for finding in _findings(world)),
        charts=charts,
        shown=("size", "growth", "perplexity"),
        note=(
            "all read the same pieces of words; size is what a model folder holds, 24 bytes for each n-gram "
            "and 4 for each weight; the advantage of the LSTM is over the order that is best with this text"
        ),
    )


def _measured(recipes: Mapping[int, Recipe], folder: Path, *, quiet: bool) -> Measured:
    """Train with each amount of text, and measure; all on one test set."""
    begun, trained = time.monotonic(), 0.0
    found: dict[str, Statistics] = {}
    sizes: dict[int, float] = {}
    counts: dict[str, int] = {}
    for amount, recipe in recipes.items():
        run = folder / f"run-{amount}"
        there = api.is_trained(run, recipe)
        end = train_once(recipe, run, quiet=quiet)
        trained += end["seconds"] if there else 0.0
        model = api.load(run, task="language-model")
        test_set = load_test_set(recipe, None, read=read_sentences, by=(), references=(), quiet=quiet)
        result = LanguageModelEvaluator().evaluate(model, test_set, samples=0, quiet=quiet)
        found[f"perplexity {amount}"] = result.statistics["perplexity"]
        sizes[amount] = megabytes(model.module)
        counts[f"{amount:,} sentences"] = sum(each.numel() for each in model.module.parameters())
    measures = quantities(found)
    least, most = min(sizes), max(sizes)
    measures["perplexity"] = measures[f"perplexity {most}"]
    known = {f"size {amount}": size for amount, size in sizes.items()} | {"size": sizes[most]}
    known["growth"] = math.log(sizes[most] / sizes[least]) / math.log(most / least)
    # They do not depend on test rows.
    measures |= {name: Quantity(value, (value,) * SAMPLES) for name, value in known.items()}
    about: dict[str, Any] = {"parameters": [*counts.values()][-1], "parameters with": counts}
    return Measured(measures, about, trained + time.monotonic() - begun)


def _advantage(seen: Seen, measure: str) -> Floats:
    """How much lower the perplexity of the LSTM is than that of the best n-grams, in percent of theirs."""
    best: Floats = np.min([seen(name, measure) for name in NGRAMS], axis=0)
    return 100 * (1 - seen(LSTM, measure) / best)


def _growing_advantage(seen: Seen) -> Floats:
    return _advantage(seen, "perplexity") - _advantage(seen, f"perplexity {AMOUNTS[0]}")


def _gain_of_long(seen: Seen, measure: str) -> Floats:
    """How much lower the perplexity of 5-grams is than that of 2-grams, in percent."""
    return 100 * (1 - seen(NGRAMS[-1], measure) / seen(NGRAMS[0], measure))


def _growing_gain(seen: Seen) -> Floats:
    return _gain_of_long(seen, "perplexity") - _gain_of_long(seen, f"perplexity {AMOUNTS[0]}")


def _findings(world: str) -> tuple[Finding, ...]:
    """What is asked of both worlds. A model that grows by 1 grows in step with its text, by 0 not at all."""
    where = "" if world == BUILTIN else " on real text"
    growth, percent = "powers of the text's size", "% less perplexity"
    return (
        Finding(
            f"n-grams grow with their text{where}",
            world,
            "the more text, the more n-grams have to be stored",
            f"5-grams [grow|do not grow] nearly in step with their text{where}, [and|but] an LSTM does not",
            lambda seen: seen(NGRAMS[-1], "growth") - seen(LSTM, "growth"),
            growth,
            more_than(0.5),
            decimals=2,
        ),
        Finding(
            f"an LSTM keeps its size{where}",
            world,
            "the number of a network's weights does not depend on the amount of text",
            f"The size of an LSTM [stays|changes] as its text grows{where}",
            lambda seen: seen(LSTM, "growth"),
            growth,
            about_equal(0.05),
            decimals=2,
        ),
        Finding(
            f"an LSTM beats n-grams{where}",
            world,
            "a neural language model has a lower perplexity than smoothed n-grams",
            f"With all of the text, an LSTM has a [lower|higher] perplexity than the best n-grams{where}",
            lambda seen: _advantage(seen, "perplexity"),
            percent,
            more_than(1.0),
        ),
        Finding(
            f"more text widens its lead{where}",
            world,
            "n-grams cannot use what they have not counted; a network generalises to it",
            f"With more text, the lead of the LSTM over n-grams [grows|shrinks]{where}",
            _growing_advantage,
            percent,
            more_than(1.0),
        ),
        Finding(
            f"long n-grams need text{where}",
            world,
            "most long n-grams of a short text come once",
            f"With more text, 5-grams gain [more|less] over 2-grams{where}",
            _growing_gain,
            percent,
            more_than(1.0),
        ),
    )
