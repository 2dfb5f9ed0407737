"""Good pairs made bad in known ways, so that it can be measured which alarm finds which damage."""

from collections.abc import Callable, Sequence

import numpy as np

from regard.errors import DataError
from regard.text.words import word_spans

TextPair = tuple[str, str]
PHRASE = (2, 4)
"""Words of a phrase that is dropped or repeated: at least, and at most."""
LEAST = 4
"""A text of fewer words is not cut: no pair of the result has one."""


def drop_phrase(text: str, rng: np.random.Generator) -> str:
    """Without some words in a row: at most half of them, but two at least."""
    start, end = _phrase(text, rng)
    before, after = text[:start].rstrip(), text[end:].lstrip()
    return before + (" " if before and after[:1].isalnum() else "") + after


def repeat_phrase(text: str, rng: np.random.Generator) -> str:
    """With some words in a row written twice."""
    start, end = _phrase(text, rng)
    return f"{text[:end]} {text[start:]}"


def cut_text(text: str, rng: np.random.Generator) -> str:
    """The first half of the words, and what ends the text."""
    del rng
    spans = word_spans(text)
    kept = spans[max(1, len(spans) // 2) - 1][1]
    last = text[spans[-1][0] :] if not text[spans[-1][0]].isalnum() else ""
    return text[:kept] + last


def plant(kind: str, pairs: Sequence[TextPair], seed: int = 1) -> list[TextPair]:
    """The pairs with one kind of damage in each.

    kind: one of `DAMAGES`
    """
    return DAMAGES[kind](pairs, np.random.default_rng(seed))


def can_be_damaged(pair: TextPair) -> bool:
    """Whether both sides have words enough for every damage."""
    return all(len(word_spans(text)) >= LEAST for text in pair)


def _drop(pairs: Sequence[TextPair], rng: np.random.Generator) -> list[TextPair]:
    return [(source, drop_phrase(text, rng)) for source, text in pairs]


def _repeat(pairs: Sequence[TextPair], rng: np.random.Generator) -> list[TextPair]:
    return [(source, repeat_phrase(text, rng)) for source, text in pairs]


def _another(pairs: Sequence[TextPair], rng: np.random.Generator) -> list[TextPair]:
    """The translation of another sentence: the next longer one with another text."""
    del rng
    if len({text for _, text in pairs}) < 2:
        raise DataError("another sentence: expected two texts or more, found one")
    order = sorted(range(len(pairs)), key=lambda row: (len(pairs[row][1]), pairs[row]))
    found = list(pairs)
    for place, row in enumerate(order):
        others = (*order[place + 1 :], *reversed(order[:place]))
        other = next(own for own in others if pairs[own][1] != pairs[row][1])
        found[row] = (pairs[row][0], pairs[other][1])
    return found


def _cut_source(pairs: Sequence[TextPair], rng: np.random.Generator) -> list[TextPair]:
    return [(cut_text(source, rng), text) for source, text in pairs]


def _copy(pairs: Sequence[TextPair], rng: np.random.Generator) -> list[TextPair]:
    del rng
    return [(source, source) for source, _ in pairs]


DAMAGES: dict[str, Callable[[Sequence[TextPair], np.random.Generator], list[TextPair]]] = {
    "phrase dropped": _drop,
    "phrase repeated": _repeat,
    "another sentence": _another,
    "source cut": _cut_source,
    "source copied": _copy,
}


def _phrase(text: str, rng: np.random.Generator) -> tuple[int, int]:
    """Characters of some words in a row: at most half of the text, and never its end mark."""
    spans = word_spans(text)
    words = len(spans) - (not text[spans[-1][0]].isalnum())
    fewest, most = PHRASE
    size = int(rng.integers(min(fewest, words - 1), max(min(most, words // 2), min(fewest, words - 1)) + 1))
    first = int(rng.integers(0, words - size + 1))
    return spans[first][0], spans[first + size - 1][1]
