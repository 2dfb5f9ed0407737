import math

import pytest

from regard.errors import DataError
from regard.metrics.perplexity import counted_words, perplexity_statistics


def test_a_fair_choice_among_ten_words_has_a_perplexity_of_ten() -> None:
    """Three words and an end, each with probability 1/10; and a sentence without words, which has its end."""
    texts = ["나는 책을 읽었다", ""]
    assert [counted_words(text) for text in texts] == [4, 1]
    perplexity = perplexity_statistics([4 * math.log(0.1), math.log(0.1)], texts)
    assert perplexity.value() == pytest.approx(10.0)


def test_pieces_do_not_matter() -> None:
    """Two models that give a text the same probability, in 3 tokens or in 9, have the same perplexity."""
    words, pieces = [math.log(1 / 8)] * 3, [math.log(1 / 2)] * 9
    one, other = (perplexity_statistics([sum(parts)], ["two words"]) for parts in (words, pieces))
    assert one.value() == pytest.approx(8.0)
    assert other.value() == pytest.approx(8.0)


def test_what_cannot_be_is_infinitely_surprising() -> None:
    assert perplexity_statistics([-math.inf], ["a"]).value() == math.inf
    assert perplexity_statistics([-1e6], ["a"]).value() == math.inf
    assert math.isnan(perplexity_statistics([], []).value())


def test_a_sentence_without_a_likelihood_is_refused() -> None:
    with pytest.raises(DataError, match="expected 2 likelihoods, one a sentence, found 1"):
        perplexity_statistics([0.0], ["a", "b"])
