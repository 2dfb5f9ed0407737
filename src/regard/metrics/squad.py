"""Exact match and F1 of answers, as SQuAD defines them (Rajpurkar et al. 2016, 2018).

Both compare words: in lower case, without punctuation and without English articles, cut at spaces. F1 is that
of the bags of words. Of several right answers the best counts; where there is none to give, saying none has 1
and anything else 0.
"""

import re
import string
from collections import Counter
from collections.abc import Sequence

from regard.metrics.statistics import Statistics, mean_of

SIGNATURE = "SQuAD: lower case, without punctuation and a, an, the; best of the right answers"
_ARTICLES = re.compile(r"\b(a|an|the)\b")
_PUNCTUATION = str.maketrans("", "", string.punctuation)


def answer_words(answer: str) -> list[str]:
    """What is compared.

    >>> answer_words("The Lord's  Prayer.")
    ['lords', 'prayer']
    """
    return _ARTICLES.sub(" ", answer.lower().translate(_PUNCTUATION)).split()


def exact_match(said: str, right: Sequence[str]) -> float:
    """1 if an answer is one of those that are right, or if none is said where none is right."""
    own = answer_words(said)
    return float(any(own == answer_words(one) for one in right or [""]))


def answer_f1(said: str, right: Sequence[str]) -> float:
    """The best F1 of the words of an answer and of one that is right."""
    return max(_f1(answer_words(said), answer_words(one)) for one in right or [""])


def _f1(said: list[str], right: list[str]) -> float:
    if not said or not right:
        return float(said == right)
    both = (Counter(said) & Counter(right)).total()
    return 2 * both / (len(said) + len(right))


def squad_statistics(said: Sequence[str], right: Sequence[Sequence[str]]) -> dict[str, Statistics]:
    """Both scores, row by row."""
    pairs = list(zip(said, right, strict=True))
    return {
        "exact_match": mean_of([exact_match(own, gold) for own, gold in pairs]),
        "f1": mean_of([answer_f1(own, gold) for own, gold in pairs]),
    }
