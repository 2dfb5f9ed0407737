"""Perplexity per word of a language model, comparable between tokenizations.

The rule: exp(total negative log-likelihood / number of words), where words are what stands between spaces,
and the end of each sentence counts as one more. Whatever a model's tokens are (words, pieces, characters), it
has to predict the same text and its end, and the sum is divided by the same number. Two models are comparable
only if both give all of the text a probability: one that predicts <unk> for a rare word has an easier task.
"""

import math
from collections.abc import Sequence

import numpy as np

from regard.errors import DataError
from regard.metrics.statistics import Statistics, ratio


def counted_words(text: str) -> int:
    """The words of a sentence, and its end."""
    return len(text.split()) + 1


def perplexity_statistics(log_likelihoods: Sequence[float], texts: Sequence[str]) -> Statistics:
    """Perplexity per word.

    log_likelihoods: of each sentence, ln p of all its tokens and of its end, added up
    """
    if len(log_likelihoods) != len(texts):
        raise DataError(
            f"expected {len(texts):,} likelihoods, one a sentence, found {len(log_likelihoods):,}"
        )
    words = [counted_words(text) for text in texts]
    counts = np.column_stack([np.negative(log_likelihoods), words]).astype(np.float64)
    return Statistics(counts, _perplexity, signature="per:word|words:spaces|end:counted")


def _perplexity(sums: list[float]) -> float:
    try:
        return math.exp(ratio(sums))
    except OverflowError:
        return math.inf
