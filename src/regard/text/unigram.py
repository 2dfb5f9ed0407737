"""The unigram language model of subwords (Kudo 2018): learn which pieces explain the words best.

Start with every frequent substring; then, in turn, fit the pieces' probabilities by expectation maximisation
over all segmentations of all words, and prune the pieces that lose the least likelihood, until as many are
left as were asked for. Everything is counted in one order, so the same words give the same pieces.
"""

from array import array
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

_LONGEST = 16  # characters of a piece
_LONGEST_WORD = 64  # a longer one is learned from in parts
_MOST_WORDS = 200_000  # the most frequent; the rest would change little and cost much
_SEEDS = 20  # candidates for each piece that is wanted
_SHRINK = 0.75  # share of the pieces that a round keeps
_ROUNDS = 2  # of expectation maximisation before a cut
_DIGITS = 8  # of a log-probability: every JSON reader gives them back to the last bit
_LEAST = 0.5  # expected count of a piece that must stay though the text could do without it


def learn_pieces(
    counts: Mapping[str, int], alphabet: Sequence[str], *, size: int, min_frequency: int
) -> list[tuple[str, float]]:
    """The pieces with their log-probabilities, likely ones first; every character of the alphabet is one."""
    words = _frequent_parts(counts)
    substrings = _substrings(words)
    seeds = _seeds(substrings, most=_SEEDS * size, least=min_frequency)
    pieces, letters = [*alphabet, *seeds], len(alphabet)
    text, inside = _Lattice(list(words), pieces), _Lattice(pieces, pieces, whole=False)
    weights = np.array(list(words.values()), dtype=np.float64)
    scores = _log_probabilities(np.array([substrings[piece] for piece in pieces], dtype=np.float64))
    while True:
        for _ in range(_ROUNDS):
            expected = text.expected(scores, weights)
            scores = _log_probabilities(expected)
        wanted = max(size, letters, int(_SHRINK * len(pieces)))
        if wanted >= len(pieces):
            break
        loss = expected[letters:] * (scores - inside.best(scores))[letters:]
        longer = letters + np.argsort(-loss, kind="stable")[: wanted - letters]
        kept = np.concatenate([np.arange(letters), np.sort(longer)])
        pieces, scores = [pieces[number] for number in kept], scores[kept]
        text.keep(kept)
        inside.keep(kept)
        inside.keep_words(kept)
    rounded = np.round(scores, _DIGITS).tolist()
    return sorted(zip(pieces, rounded, strict=True), key=lambda entry: (-entry[1], entry[0]))


def _frequent_parts(counts: Mapping[str, int]) -> Counter[str]:
    frequent = sorted(counts, key=lambda word: (-counts[word], word))[:_MOST_WORDS]
    parts: Counter[str] = Counter()
    for word in frequent:
        for start in range(0, len(word), _LONGEST_WORD):
            parts[word[start : start + _LONGEST_WORD]] += counts[word]
    return parts


def _substrings(words: Mapping[str, int]) -> Counter[str]:
    found: Counter[str] = Counter()
    for word, count in words.items():
        for start in range(len(word)):
            for end in range(start + 1, min(start + _LONGEST, len(word)) + 1):
                found[word[start:end]] += count
    return found


def _seeds(substrings: Mapping[str, int], *, most: int, least: int) -> list[str]:
    """Those that cover the most text."""
    frequent = [piece for piece, count in substrings.items() if count >= least and len(piece) > 1]
    return sorted(frequent, key=lambda piece: (-substrings[piece] * len(piece), piece))[:most]


def _log_probabilities(expected: Floats) -> Floats:
    counts = np.maximum(expected, _LEAST)
    logs: Floats = np.log(counts / counts.sum())
    return logs


class _Lattice:
    """The segmentation lattice of some words: edges between the positions of each word.

    A word of n characters has n + 1 positions; an edge is a piece between two of them. Edges are
    sorted by the position where they end, counted from the head of their word, so that one sweep over that
    count visits all words at once.
    """

    def __init__(self, words: Sequence[str], pieces: Sequence[str], *, whole: bool = True) -> None:
        """`whole`: a word may also be one piece."""
        sizes = np.array([len(word) for word in words], dtype=np.int64)
        self._ends = np.cumsum(sizes + 1) - 1
        self._heads = self._ends - sizes
        self._places = int((sizes + 1).sum())
        start, end, piece = _edges(words, self._heads.tolist(), pieces, whole=whole)
        depth = end - self._heads[np.searchsorted(self._ends, start)]
        order = np.lexsort((end, depth))
        self._start, self._end, self._piece, self._depth = (
            start[order],
            end[order],
            piece[order],
            depth[order],
        )

    def keep(self, pieces: Integers) -> None:
        """Take away the edges of all other pieces; those that stay are numbered anew."""
        alive = np.isin(self._piece, pieces)
        self._start, self._end, self._depth = self._start[alive], self._end[alive], self._depth[alive]
        self._piece = np.searchsorted(pieces, self._piece[alive])  # both are sorted

    def keep_words(self, words: Integers) -> None:
        """Ask no more about the other words."""
        self._ends = self._ends[words]

    def best(self, scores: Floats) -> Floats:
        """The score of each word's best segmentation."""
        values: Floats = self._forward(scores, np.maximum)[self._ends]
        return values

    def expected(self, scores: Floats, weights: Floats) -> Floats:
        """The expected count of each piece, over all segmentations of all words."""
        values = self._forward(scores, np.logaddexp)
        share = np.exp(values[self._start] + scores[self._piece] - values[self._end])
        flow = np.zeros(self._places)
        flow[self._ends] = weights
        for sweep in reversed(self._sweeps()):
            share[sweep] *= flow[self._end[sweep]]
            np.add.at(flow, self._start[sweep], share[sweep])
        expected: Floats = np.bincount(self._piece, share, minlength=len(scores)).astype(np.float64)
        return expected

    def _forward(self, scores: Floats, add: np.ufunc) -> Floats:
        """The sum (or the best, as `add` says) of all segmentations up to each position."""
        values = np.full(self._places, -np.inf)
        values[self._heads] = 0.0
        for sweep in self._sweeps():
            ends = self._end[sweep]
            groups = np.flatnonzero(np.diff(ends, prepend=-1))
            arriving = values[self._start[sweep]] + scores[self._piece[sweep]]
            values[ends[groups]] = add.reduceat(arriving, groups)
        return values

    def _sweeps(self) -> list[slice]:
        """The edges that end one, two, … characters from the head of their word."""
        bounds = np.searchsorted(self._depth, np.arange(1, _LONGEST_WORD + 2))
        return [slice(low, high) for low, high in pairwise(bounds.tolist()) if low < high]


def _edges(
    words: Sequence[str], heads: Sequence[int], pieces: Sequence[str], *, whole: bool
) -> tuple[Integers, Integers, Integers]:
    number = {piece: i for i, piece in enumerate(pieces)}
    start, end, piece = array("q"), array("q"), array("q")
    for word, head in zip(words, heads, strict=True):
        for i in range(len(word)):
            for j in range(i + 1, min(i + _LONGEST, len(word)) + 1):
                found = number.get(word[i:j])
                if found is not None and (whole or j - i < len(word)):
                    start.append(head + i)
                    end.append(head + j)
                    piece.append(found)
    return np.array(start), np.array(end), np.array(piece)
