"""Parts of experiments: recipes, of equal size where that is wanted, trained in a run folder and measured."""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch

from regard import api
from regard.config.load import Setting, with_settings
from regard.config.recipe import Recipe
from regard.config.translation import TranslationRecipe
from regard.data.pairs import Pair, read_pairs
from regard.errors import ConfigError
from regard.evaluation.evaluator import load_test_set
from regard.evaluation.test_set import LENGTH, TestSet
from regard.experiments.estimates import Quantity, quantities
from regard.experiments.experiment import Measured, Part
from regard.metrics.alignment import AER
from regard.metrics.statistics import Rows, Statistics, ratio
from regard.models.catalogue import build_model
from regard.tasks.translation.evaluator import TranslationEvaluator
from regard.tasks.translation.predictor import Translator
from regard.training.log import end_of_run


def overrides(text: str) -> list[Setting]:
    """Settings as the command line has them, "training.epochs=3 model.width=64"."""
    return [*text.split()]


def splits_of(folder: str) -> list[Setting]:
    """The corpora of a recipe: the three tables of a folder of real data."""
    return [(f"data.{split}", f"$REGARD_DATA/{folder}/{split}.tsv.gz") for split in ("train", "dev", "test")]


WIDEST = 8192


def count_parameters(recipe: Recipe, *, vocabulary: int) -> int:
    """The parameters of the model of a recipe, with vocabularies of this size; nothing is allocated."""
    sizes = {"source_size": vocabulary} if isinstance(recipe, TranslationRecipe) else {}
    with torch.device("meta"):
        model = build_model(recipe.model, **sizes, target_size=vocabulary)
    return sum(parameter.numel() for parameter in model.parameters())


def with_equal_parameters(
    recipe: Recipe, like: Recipe, setting: str, *, vocabulary: int, tolerance: float = 0.02
) -> Recipe:
    """The recipe with a width, such as `model.decoder.hidden_size`, that makes its model as large as another.

    vocabulary: entries of each vocabulary, which are the same for both
    tolerance:  the share by which the two may differ
    """
    wanted = count_parameters(like, vocabulary=vocabulary)

    def with_width(width: int) -> Recipe:
        return with_settings(recipe, [(setting, width)])

    def size(width: int) -> int:
        return count_parameters(with_width(width), vocabulary=vocabulary)

    low, high = 1, WIDEST  # more width is more parameters: the widest that has no more than is wanted
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if size(middle) <= wanted else (low, middle - 1)
    best = min((low, min(low + 1, WIDEST)), key=lambda width: abs(size(width) - wanted))
    found = size(best)
    if abs(found - wanted) > tolerance * wanted:
        raise ConfigError(
            f"{setting}: no width gives {wanted:,} parameters; {best} is nearest, with {found:,}"
        )
    return with_width(best)


RUN = "run"


def trained_part(
    recipe: Recipe,
    measure: Callable[[Any, TestSet, bool], Mapping[str, Quantity]],
    *,
    read: Callable[..., Iterator[Pair]],
    minutes: float,
    measuring: str = "",
) -> Part:
    """Train a recipe and measure the best model on the recipe's own test set.

    measure:   what is measured of a trained model of the recipe's task; and whether to be quiet
    read:      the reader of the task
    measuring: what is measured, in words, where that is a setting of the part
    """

    def work(folder: Path, quiet: bool) -> Measured:
        run = folder / RUN
        about: dict[str, Any] = {}
        if not api.is_trained(run, recipe):
            begun, computed = time.monotonic(), time.process_time()
            api.train(recipe, out=run, quiet=quiet)
            about["cores"] = round((time.process_time() - computed) / (time.monotonic() - begun), 2)
        begun = time.monotonic()
        model = api.load(run)
        test_set = load_test_set(recipe, None, read=read, by=(), references=(), quiet=quiet)
        found = measure(model, test_set, quiet)
        end = end_of_run(run) or {}
        about |= {
            "parameters": sum(parameter.numel() for parameter in model.module.parameters()),
            "steps": end["steps"],
            "epochs": end["epochs"],
            "dev": end["best"],
        }
        return Measured(found, about, end["seconds"] + time.monotonic() - begun)

    facts = {"recipe": recipe.model_dump(mode="json"), "measuring": measuring}
    return Part(work, facts, minutes, recipe)


Measuring = Callable[[Translator, TestSet, bool], Mapping[str, Quantity]]
"""What is measured of a trained model on its test set; and whether to be quiet."""


def translation_part(recipe: Recipe, measure: Measuring, *, minutes: float, measuring: str = "") -> Part:
    """Train a recipe and measure the best model on the recipe's own test set; see `trained_part`."""
    return trained_part(recipe, measure, read=read_pairs, minutes=minutes, measuring=measuring)


def measure_translations(
    groups: Callable[[TestSet], Mapping[str, Rows]] = lambda _: {},
    *,
    beam_size: int,
    perplexity: bool = False,
    alignment: bool = False,
) -> Measuring:
    """BLEU, and where they are wanted perplexity and AER (if the truth is known); of groups of rows, too."""

    def measure(translator: Translator, test_set: TestSet, quiet: bool) -> Mapping[str, Quantity]:
        metrics = ("bleu", AER) if alignment else ("bleu",)
        result = TranslationEvaluator().evaluate(
            translator, test_set, beam_size=beam_size, metrics=metrics, samples=0, quiet=quiet
        )
        found = dict(result.statistics)
        if perplexity:
            found["perplexity"] = token_perplexity_statistics(translator, test_set.pairs)
        return quantities(found, groups(test_set))

    return measure


def length_groups(test_set: TestSet) -> Mapping[str, Rows]:
    """The rows by words of the source, as `regard evaluate` has them."""
    return test_set.groups[LENGTH]


def token_perplexity_statistics(translator: Translator, pairs: tuple[Pair, ...]) -> Statistics:
    """The perplexity of the references, a token, sentence by sentence."""
    scores = translator.score([(pair.source, pair.target) for pair in pairs])
    counts = [(-score.log_probability, len(score.log_probabilities)) for score in scores]
    return Statistics(np.array(counts, dtype=np.float64), lambda sums: float(np.exp(ratio(sums))))


def length_ratio_statistics(texts: Sequence[str], pairs: tuple[Pair, ...]) -> Statistics:
    """Words of the outputs for each word of the references, in percent."""
    counts = [
        (100.0 * len(text.split()), float(len(pair.target.split())))
        for text, pair in zip(texts, pairs, strict=True)
    ]
    return Statistics(np.array(counts, dtype=np.float64), ratio)


SMALL: list[Setting] = [
    ("model", {"kind": "bert", "width": 128, "heads": 4, "feed_forward": 512, "layers": 3, "places": 160,
               "pooler": False}),
    ("training.batch_tokens", 1024),
    ("training.schedule.warmup_steps", 200),
]  # fmt: skip
KOREAN_WORLD: list[Setting] = [
    *SMALL,
    *overrides("data.text=ko data.documents=rows data.length=64"),
    ("data.train", {"kind": "builtin", "world": "ko-en", "rows": 20000}),
    ("data.dev", {"kind": "builtin", "world": "ko-en", "rows": 200}),
    ("text", {"kind": "bpe", "vocabulary_size": 2000}),
    ("training.epochs", 100),
    ("training.minutes", 2.5),
]


def train_once(recipe: Recipe, run: Path, *, quiet: bool) -> Mapping[str, Any]:
    """Train, unless that is done; what the log says of the end."""
    if not api.is_trained(run, recipe):
        api.train(recipe, out=run, quiet=quiet)
    return end_of_run(run) or {"best": None, "seconds": 0.0}


def tuned_score(recipe: Recipe, run: Path, measure: str, *, quiet: bool) -> tuple[Quantity, float]:
    """Fine-tune, unless that is done, and measure on the test set, in percent; the seconds of both."""
    end = train_once(recipe, run, quiet=quiet)
    begun = time.monotonic()
    result = api.evaluate(run, metrics=(measure,), samples=0, quiet=quiet)
    found = quantities({measure: result.statistics[measure]})[measure]
    score = Quantity(100 * found.value, tuple(100 * value for value in found.resampled))
    return score, end["seconds"] + time.monotonic() - begun
