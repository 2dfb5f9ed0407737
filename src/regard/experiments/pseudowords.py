"""Words with two planted senses: two words of like frequency are written as one, as Schütze 1992 did.

Which of the two stood there is the sense, and it is known for each occurrence. A probe is asked for it from
the vector that a model has at the occurrence.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from regard.errors import DataError
from regard.metrics.statistics import Floats, Statistics, ratio
from regard.text.words import word_spans

_WORD = re.compile(r"[a-z]{3,}")
"""What may become a sense: lower-case words of three letters or more."""

_DECIMALS = 9
"""Of distances: the mean of equal vectors has errors of rounding, and they are not to decide."""


class Occurrence(NamedTuple):
    """A pseudoword in a sentence that has one of them, once."""

    text: str
    """The sentence, with pseudowords."""
    word: str
    sense: str
    """The word that stood there."""


def choose_pairs(texts: Iterable[str], count: int, *, skip: int) -> list[tuple[str, str]]:
    """Pairs of words that are about as frequent as each other.

    Words are sorted by how often they come, equally frequent ones by the alphabet. The first `skip` are
    passed over: these are mostly function words. Of those that follow, the 1st goes with the 2nd, the 3rd
    with the 4th, and so on.
    """
    counts = Counter(word for text in texts for word in _words(text) if _WORD.fullmatch(word))
    ordered = sorted(counts, key=lambda word: (-counts[word], word))[skip : skip + 2 * count]
    if len(ordered) < 2 * count:
        raise DataError(f"expected {skip + 2 * count} different words to choose pairs from, found fewer")
    return list(zip(ordered[::2], ordered[1::2], strict=True))


def joined(pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    """What each word of the pairs is written as: both, one behind the other."""
    return {word: first + second for first, second in pairs for word in (first, second)}


def planted(text: str, written: Mapping[str, str]) -> str:
    """The text with pseudowords in place of their senses."""
    parts, done = [], 0
    for start, end in word_spans(text):
        if (own := written.get(text[start:end])) is not None:
            parts += [text[done:start], own]
            done = end
    return "".join([*parts, text[done:]])


def occurrences(texts: Iterable[str], written: Mapping[str, str]) -> list[Occurrence]:
    """Those of sentences with one pseudoword: in others, the senses could tell of each other.

    One right behind a quotation mark or a dash does not count: a vocabulary of words reads it as another
    word than that behind a space.
    """
    found = []
    for text in texts:
        senses = [span for span in word_spans(text) if text[slice(*span)] in written]
        if len(senses) == 1 and text[: senses[0][0]][-1:] in ("", " "):
            sense = text[slice(*senses[0])]
            found.append(Occurrence(planted(text, written), written[sense], sense))
    return found


def _words(text: str) -> list[str]:
    return [text[start:end] for start, end in word_spans(text)]


def majority_guesses(learned: Sequence[Occurrence], asked: Sequence[Occurrence]) -> npt.NDArray[np.bool_]:
    """Whether the more frequent sense of its word is right, (n,): the best that a vector of a type can do."""
    counts: dict[str, Counter[str]] = {}
    for each in learned:
        counts.setdefault(each.word, Counter())[each.sense] += 1
    most = {word: min(own, key=lambda sense: (-own[sense], sense)) for word, own in counts.items()}
    return np.array([most.get(each.word) == each.sense for each in asked])


def centroid_guesses(
    learned: Sequence[Occurrence], vectors: Floats, asked: Sequence[Occurrence], queries: Floats
) -> npt.NDArray[np.bool_]:
    """Whether the sense whose mean vector is nearest is right, (n,).

    vectors: (m, d), of what is learned from; features are scaled by their deviation there
    queries: (n, d), of what is asked for

    Of two senses that are equally near, the more frequent one is guessed.
    """
    spread = vectors.std(axis=0)
    scale = np.where(spread > 0, spread, 1.0)
    vectors, queries = vectors / scale, queries / scale
    members: dict[str, dict[str, list[int]]] = {}
    for row, each in enumerate(learned):
        members.setdefault(each.word, {}).setdefault(each.sense, []).append(row)
    found = np.zeros(len(asked), dtype=np.bool_)
    for place, each in enumerate(asked):
        senses = members.get(each.word, {})
        near = {
            sense: round(float(np.square(queries[place] - vectors[rows].mean(axis=0)).sum()), _DECIMALS)
            for sense, rows in senses.items()
        }
        guess = min(near, key=lambda sense: (near[sense], -len(senses[sense]), sense), default=None)
        found[place] = guess == each.sense
    return found


def share_right(right: npt.NDArray[np.bool_]) -> Statistics:
    """In percent."""
    return Statistics(np.column_stack([100.0 * right, np.ones(len(right))]), ratio)
