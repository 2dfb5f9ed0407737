"""What alarms measure of one output: each a number that is larger where something is wrong.

Everything here is a plain function of texts, weights and log-probabilities; it knows no model.
"""

import math
from collections.abc import Collection, Sequence

import numpy as np
import numpy.typing as npt

from regard.text.scripts import script_of
from regard.text.words import split_words

Floats = npt.NDArray[np.float64]
LONGEST_LOOP = 8
"""Words of the longest phrase that is looked for right after itself."""
NGRAM = 4
"""An n-gram of so many words that comes again is a repetition wherever it stands."""
SMOOTHING = 10.0
"""Characters that are added to both lengths: short sentences vary more."""


def content_words(labels: Sequence[str]) -> list[int]:
    """Places of the words that say something: those with a letter or a digit."""
    return [place for place, word in enumerate(labels) if any(char.isalnum() for char in word)]


def uncovered(weights: Floats, words: Collection[int]) -> Floats:
    """Of each of these columns, what its attention, summed over all rows, lacks to 1; in [0, 1].

    weights: (rows, columns), one row for each output token
    """
    total = weights.sum(axis=0)[list(words)]
    lacks: Floats = 1.0 - np.minimum(total, 1.0)
    return lacks


def repeated_words(text: str) -> int:
    """How many words repeat: they stand in a phrase that was written right before, or end a known 4-gram."""
    words = [word.casefold() for word in split_words(text)]
    again: set[int] = set()
    for size in range(1, min(LONGEST_LOOP, len(words) // 2) + 1):
        for start in range(size, len(words) - size + 1):
            if words[start : start + size] == words[start - size : start]:
                again.update(range(start, start + size))
    seen: set[tuple[str, ...]] = set()
    for end in range(NGRAM, len(words) + 1):
        ngram = tuple(words[end - NGRAM : end])
        if ngram in seen:
            again.add(end - 1)
        seen.add(ngram)
    return len(again)


def copied_share(source: str, text: str) -> float:
    """The share of output words with letters that stand in the source, too; 0 where there are none."""
    theirs = {word.casefold() for word in split_words(source)}
    own = [word.casefold() for word in split_words(text) if any(char.isalpha() for char in word)]
    return sum(word in theirs for word in own) / len(own) if own else 0.0


def length_deviation(source: str, text: str, ratio: float) -> float:
    """|log| of the output's characters over those that a source of this length should have."""
    return abs(math.log((len(text) + SMOOTHING) / (ratio * len(source) + SMOOTHING)))


def foreign_share(text: str, scripts: Collection[str]) -> float:
    """The share of letters of other scripts than these; 0 of a text without letters."""
    letters = [script for script in map(script_of, text) if script]
    return sum(script not in scripts for script in letters) / len(letters) if letters else 0.0


def low_runs(log_probabilities: Sequence[float], limit: float) -> list[tuple[int, int, float]]:
    """Runs of tokens below a log-probability: first, one after the last, and the nats below it together."""
    runs: list[tuple[int, int, float]] = []
    start, below = 0, 0.0
    for place, value in enumerate([*log_probabilities, math.inf]):
        if value < limit:
            below += limit - value
        else:
            if place > start:
                runs.append((start, place, below))
            start, below = place + 1, 0.0
    return runs


def positions(size: int) -> Floats:
    """The relative positions of so many tokens, (j + ½) / n: so texts of other lengths can be compared."""
    return (np.arange(size, dtype=np.float64) + 0.5) / size


def wasserstein_to_all(one: Floats, others: Sequence[Floats]) -> Floats:
    """∫ |F(x) - G(x)| dx, the Wasserstein-1 distance, to each of several distributions over positions."""
    found = np.empty(len(others), dtype=np.float64)
    sizes = np.array([len(other) for other in others], dtype=np.intp)
    for size in np.unique(sizes):  # those of one length have their positions in common
        rows = np.flatnonzero(sizes == size)
        every = np.concatenate([positions(len(one)), positions(int(size))])
        order = np.argsort(every, kind="stable")
        own = np.broadcast_to(one, (len(rows), len(one)))
        both = np.concatenate([own, -np.stack([others[row] for row in rows.tolist()])], axis=1)
        moved = both[:, order].cumsum(axis=1)[:, :-1]
        found[rows] = np.abs(moved) @ np.diff(every[order])
    return found


def total_variation_to_uniform(mass: Floats) -> float:
    """Wass-to-Unif: ½ Σ |p_j - 1/n|, the Wasserstein distance to the uniform distribution at cost 0 or 1."""
    return float(0.5 * np.abs(mass - 1.0 / len(mass)).sum())


def attention_mass(weights: Floats) -> Floats:
    """How the attention of a whole output lies over the source: the mean of the rows, made to sum to 1."""
    mass = weights.mean(axis=0)
    total = mass.sum()
    uniform = np.full_like(mass, 1.0 / len(mass))
    share: Floats = mass / total if total > 0 else uniform
    return share
