"""The n-gram language model, the baseline of neural ones: interpolated modified Kneser-Ney smoothing.

Chen and Goodman 1998: p_k(w | h) = (c(hw) - D(c(hw))) / c(h) + γ(h) p_{k-1}(w | h'), where h' is h without
its first word. D is D1, D2 or D3 for a count of 1, of 2, or of more; γ(h) is what the discounts leave. The
highest order counts n-grams. A lower one counts the different words before an n-gram; one that begins a
sentence has none, and counts itself. Below the unigrams, all words are alike.

Own code: kenlm has to be compiled, and nltk.lm has one discount for all counts, no share for unseen words,
and looks each n-gram up in dictionaries. Here n-grams are sorted arrays: a model is a file of arrays, without
pickle, and a sentence is looked up at once.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple, Self

import numpy as np
import numpy.typing as npt

from regard.errors import ConfigError, DataError, StoreError

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Discounts = tuple[float, float, float]

FALLBACK: Discounts = (0.5, 1.0, 1.5)
"""For an order whose counts do not tell, since too few n-grams are there once, twice or thrice."""


class _Order(NamedTuple):
    """All n-grams of one length, sorted."""

    keys: Ints
    """(n,), the place of the n-gram without its last word among those one shorter, times v, plus the word."""
    shares: Floats
    """(n,), (c(hw) - D) / c(h)."""
    rests: Floats
    """(n,), γ of what stands before a word; 1 where nothing was seen after it."""

    def places(self, keys: Ints) -> Ints:
        """Where n-grams are, and -1 for those that were not seen; keys below 0 are never seen."""
        near = np.minimum(np.searchsorted(self.keys, keys), len(self.keys) - 1)
        return np.where(self.keys[near] == keys, near, -1) if len(self.keys) else np.full_like(keys, -1)

    def shares_at(self, places: Ints) -> Floats:
        """Those of n-grams, and 0 for those that were not seen."""
        return np.where(places < 0, 0.0, self.shares[places]) if len(self.shares) else np.zeros(len(places))


class KneserNey:
    """Probabilities of the next token, from the tokens before it in its sentence.

    Tokens are numbers from 0 to v - 1. Two of them are the beginning and the end of a sentence; callers give
    sentences without them.
    """

    def __init__(self, orders: Sequence[_Order], base: Floats, *, start: int, end: int) -> None:
        self._orders, self._base = tuple(orders), base
        self.start, self.end = start, end

    @property
    def order(self) -> int:
        """The length of the longest n-grams."""
        return len(self._orders)

    @property
    def size(self) -> int:
        """v, the size of the vocabulary."""
        return len(self._base)

    @classmethod
    def fit(
        cls,
        sentences: Iterable[Sequence[int]],
        *,
        size: int,
        start: int,
        end: int,
        never: Sequence[int] = (),
        order: int = 5,
        discounts: Sequence[Discounts] | None = None,
    ) -> Self:
        """Count the n-grams of some sentences.

        size:      v
        never:     tokens that no text has, such as padding; like the start, they get a probability of 0
        discounts: D1, D2 and D3 of each order, from 1 on; None estimates them from the counts
        """
        if order < 1 or (discounts is not None and len(discounts) != order):
            given = "" if discounts is None else f" and {len(discounts)} discounts"
            raise ConfigError(
                f"expected an order of at least 1, with discounts for each, found {order}{given}"
            )
        may_be = np.ones(size)
        may_be[[start, *never]] = 0.0
        levels = _levels(sentences, may_be, start=start, end=end, order=order)
        orders: list[_Order] = []
        base = may_be / may_be.sum()
        for number, level in enumerate(levels):
            counts = level.counts
            if number + 1 < order:
                before = np.bincount(levels[number + 1].suffixes, minlength=len(counts))
                counts = np.where(level.begins, counts, before)
            if number == 0:
                counts = np.where(level.keys == start, 0, counts)  # it is only context, and never predicted
            shares, rests = _discounted(
                counts,
                level.keys // size,
                len(orders[-1].keys) if orders else 1,
                estimated_discounts(counts) if discounts is None else discounts[number],
            )
            if orders:
                orders[-1] = orders[-1]._replace(rests=rests)
            else:
                base *= rests[0]
            orders.append(_Order(level.keys, shares, np.ones(len(shares))))
        return cls(orders, base, start=start, end=end)

    def log_probabilities(self, sentence: Sequence[int]) -> Floats:
        """ln p of each token of a sentence, and of its end, (t + 1,)."""
        tokens = _checked([self.start, *sentence, self.end], self.size)
        places = self._orders[0].places(tokens)  # of the n-grams that begin at each token
        found = self._base[tokens[1:]] + self._orders[0].shares_at(places[1:])
        for number in range(1, min(self.order, len(tokens))):
            heads, order = places[: len(tokens) - number], self._orders[number]
            places = order.places(np.where(heads < 0, -1, heads * self.size + tokens[number:]))
            rests = np.where(heads < 0, 1.0, self._orders[number - 1].rests[heads])
            found[number - 1 :] = order.shares_at(places) + rests * found[number - 1 :]
        with np.errstate(divide="ignore"):  # what never is
            logs: Floats = np.log(found)
        return logs

    def next_probabilities(self, before: Sequence[int]) -> Floats:
        """p of every token after the first ones of a sentence, (v,); they add up to 1."""
        tokens = _checked([self.start, *before], self.size)
        found = self._base.copy()
        for number, order in enumerate(self._orders[: len(tokens) + 1]):
            place = 0
            for step, token in enumerate(tokens[len(tokens) - number :]):
                key = np.array([place * self.size + token])
                place = int(self._orders[step].places(key)[0])
                if place < 0:
                    return found  # and nothing longer was seen either
            if number:
                found *= self._orders[number - 1].rests[place]
            first, end = np.searchsorted(order.keys, [place * self.size, (place + 1) * self.size])
            found[order.keys[first:end] - place * self.size] += order.shares[first:end]
        return found

    def sample(self, random: np.random.Generator, *, limit: int = 200) -> list[int]:
        """A sentence drawn word by word, until its end or `limit` words."""
        sentence: list[int] = []
        while len(sentence) < limit:
            probabilities = self.next_probabilities(sentence)
            token = int(random.choice(self.size, p=probabilities / probabilities.sum()))
            if token == self.end:
                break
            sentence.append(token)
        return sentence

    def to_arrays(self) -> dict[str, npt.NDArray[Any]]:
        """Everything, by name."""
        arrays: dict[str, npt.NDArray[Any]] = {
            "boundaries": np.array([self.start, self.end]),
            "base": self._base,
        }
        for number, order in enumerate(self._orders, start=1):
            arrays |= {f"{number}.{name}": part for name, part in order._asdict().items()}
        return arrays

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, npt.NDArray[Any]], where: str) -> Self:
        """What `to_arrays` gave; `where` names their file in an error."""
        count = sum(name.endswith(".keys") for name in arrays)
        names = {f"{number}.{part}" for number in range(1, count + 1) for part in _Order._fields}
        if not count or names | {"boundaries", "base"} != set(arrays):
            raise StoreError(
                f"{where}: expected the arrays of an n-gram model, found {', '.join(sorted(arrays))}"
            )
        base, boundaries, before, orders = arrays["base"], arrays["boundaries"], 1, []
        inside = boundaries.shape == (2,) and ((boundaries >= 0) & (boundaries < base.size)).all()
        if base.ndim != 1 or base.dtype != np.float64 or not inside:
            raise StoreError(f"{where}: the vocabulary of the n-gram model is damaged")
        for number in range(1, count + 1):
            order = _Order(*(arrays[f"{number}.{part}"] for part in _Order._fields))
            keys = order.keys
            if (
                [part.dtype for part in order] != [np.int64, np.float64, np.float64]
                or {part.shape for part in order} != {(len(keys),)}
                or not (np.diff(keys) > 0).all()
                or not ((keys >= 0) & (keys < before * len(base))).all()
            ):
                raise StoreError(f"{where}: the {number}-grams are damaged")
            before = len(keys)
            orders.append(order)
        start, end = boundaries.tolist()
        return cls(orders, base, start=start, end=end)


def estimated_discounts(counts: npt.NDArray[Any]) -> Discounts:
    """D_i = i - (i + 1) Y n_{i+1} / n_i, with Y = n_1 / (n_1 + 2 n_2), where n_i n-grams have the count i."""
    n = [int((counts == number).sum()) for number in range(1, 5)]
    if not all(n[:3]):
        return FALLBACK
    y = n[0] / (n[0] + 2 * n[1])
    first, second, third = (i - (i + 1) * y * n[i] / n[i - 1] for i in (1, 2, 3))
    possible = 0 <= first <= 1 and 0 <= second <= 2 and 0 <= third <= 3
    return (first, second, third) if possible else FALLBACK


def _discounted(
    counts: npt.NDArray[Any], parents: Ints, parent_count: int, discounts: Discounts
) -> tuple[Floats, Floats]:
    """The share of each n-gram, (n,), and what is left to each of those one shorter, (parents,)."""
    taken = np.array([0.0, *discounts])[np.minimum(counts, 3)]
    totals = np.bincount(parents, counts, minlength=parent_count)
    left = np.bincount(parents, taken, minlength=parent_count)
    rests = np.divide(left, totals, out=np.ones(parent_count), where=totals > 0)
    shares = np.divide(counts - taken, totals[parents], out=np.zeros(len(counts)), where=counts > 0)
    return shares, rests


class _Level(NamedTuple):
    """All n-grams of one length, as they were counted, sorted."""

    keys: Ints
    counts: Ints
    begins: npt.NDArray[np.bool_]
    """(n,), those that begin with the start of a sentence."""
    suffixes: Ints
    """(n,), the place of the n-gram without its first word, among those one shorter."""


def _levels(
    sentences: Iterable[Sequence[int]], may_be: Floats, *, start: int, end: int, order: int
) -> list[_Level]:
    size = len(may_be)
    parts = [_checked([start, *sentence, end], size) for sentence in sentences]
    if not parts:
        raise DataError("expected sentences to count n-grams in, found none")
    tokens = np.concatenate(parts)
    owner = np.repeat(np.arange(len(parts)), [len(part) for part in parts])
    if int((may_be[tokens] == 0).sum()) != len(parts):
        raise DataError("expected sentences without the start and without tokens that no text has, found one")
    levels: list[_Level] = []
    places = np.zeros(len(tokens), dtype=np.int64)  # of the n-grams one shorter that begin at each token
    for number in range(order):
        firsts = np.flatnonzero(owner[: max(len(tokens) - number, 0)] == owner[number:])
        keys, first, inverse, counts = np.unique(
            places[firsts] * size + tokens[firsts + number],
            return_index=True,
            return_inverse=True,
            return_counts=True,
        )
        begin = firsts[first]
        suffixes = places[begin + 1] if number else np.zeros(len(keys), dtype=np.int64)
        levels.append(_Level(keys, counts, tokens[begin] == start, suffixes))
        places = np.full(len(tokens), -1, dtype=np.int64)
        places[firsts] = inverse
    return levels


def _checked(tokens: Sequence[int], size: int) -> Ints:
    found = np.asarray(tokens, dtype=np.int64)
    if found.min() < 0 or found.max() >= size:
        raise DataError(f"expected tokens from 0 to {size - 1}, found {found.min()} to {found.max()}")
    return found
