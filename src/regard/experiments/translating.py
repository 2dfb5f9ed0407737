"""Parts that train a translator by a recipe, in a run folder of its own, and measure it."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from regard.config.recipe import Recipe
from regard.data.pairs import Pair, read_pairs
from regard.evaluation.test_set import LENGTH, TestSet
from regard.experiments.estimates import Quantity, quantities
from regard.experiments.experiment import Part
from regard.experiments.trained import trained_part
from regard.metrics.statistics import Rows, Statistics, ratio
from regard.tasks.translation.evaluator import AER, TranslationEvaluator
from regard.tasks.translation.predictor import Translator

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
