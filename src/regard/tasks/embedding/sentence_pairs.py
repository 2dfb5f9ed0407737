"""Pairs of sentences: how near a model finds them, and how far that agrees with what people say."""

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np

from regard.config.data import OneCorpus
from regard.data.readers import open_rows
from regard.data.rows import BadRows, CellKind
from regard.errors import DataError
from regard.metrics.bootstrap import SAMPLES, SEED, Interval, interval, resample
from regard.metrics.correlation import pearson_statistics, spearman_statistics
from regard.tasks.embedding.predictor import EmbeddingPredictor
from regard.tasks.embedding.result import Embedding

_PAIRS_AT_ONCE = 256


@dataclass(frozen=True, slots=True)
class SentencePair:
    """Two sentences of a row, and how near they are."""

    first: str
    second: str
    cosine: float
    gold: float | None
    """What people say, where a column has it."""
    long: tuple[Embedding, ...] = ()
    """Those of the two that were longer than the model reads at once."""

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        gold = {} if self.gold is None else {"gold": self.gold}
        found = {"first": self.first, "second": self.second, "cosine": self.cosine, **gold}
        return {**found, "cut": any(one.was_cut for one in self.long)}


@dataclass(frozen=True)
class Agreement:
    """How the cosines of pairs agree with what people say of them."""

    pairs: int
    scores: Mapping[str, float]
    """Spearman's correlation, of the order alone, and Pearson's."""
    intervals: Mapping[str, Interval]
    """Where 95 % of resampled scores lie."""

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        intervals = {name: list(found) for name, found in self.intervals.items()}
        return {"pairs": self.pairs, "scores": dict(self.scores), "intervals": intervals}


def read_pairs(
    model: EmbeddingPredictor, corpus: OneCorpus, first: str, second: str, *, gold: str | None = None
) -> Iterator[SentencePair]:
    """The pairs in two columns of a corpus, in their order.

    gold: the column of the human scores, a number; more is nearer
    """
    named = [first, second, *([gold] if gold is not None else [])]
    if len({*named}) < len(named):
        raise DataError(f"expected {len(named)} columns, found one named twice: {', '.join(named)}")
    wanted: dict[str, CellKind] = {first: "text", second: "text"}
    if gold is not None:
        wanted[gold] = "any"
    rows = open_rows(corpus, wanted, split="test")
    places = [rows.columns.index(name) for name in wanted]
    good = BadRows(None).good(rows)
    while some := list(islice(good, _PAIRS_AT_ONCE)):
        cells = [[str(row.cells[place]) for place in places] for row in some]
        where = [f"{rows.name}:{row.number}" for row in some]
        lines = [(w, text) for w, own in zip(where, cells, strict=True) for text in own[:2]]
        embedded = list(model.embed_lines(lines, normalise=True))
        for at, own in enumerate(cells):
            said = _number(own[2], f"{where[at]}: {gold}") if gold is not None else None
            both = embedded[2 * at : 2 * at + 2]
            cosine = float(both[0].vector.astype(np.float64) @ both[1].vector)
            long = tuple(one for one in both if one.was_cut or one.windows > 1)
            yield SentencePair(own[0], own[1], cosine, said, long)


def _number(cell: str, where: str) -> float:
    try:
        value = float(cell)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise DataError(f"{where}: expected a number, found '{cell[:30]}'")
    return value


def agreement(pairs: Iterable[SentencePair], *, samples: int = SAMPLES, seed: int = SEED) -> Agreement:
    """Correlate the cosines of pairs with what people say of them."""
    both = [(pair.cosine, pair.gold) for pair in pairs if pair.gold is not None]
    if len(both) < 2:
        raise DataError(f"a correlation needs two pairs or more, found {len(both)}")
    said, right = zip(*both, strict=True)
    statistics = {"spearman": spearman_statistics(said, right), "pearson": pearson_statistics(said, right)}
    drawn = resample(statistics, samples=samples, seed=seed)
    return Agreement(
        len(both),
        {name: metric.value() for name, metric in statistics.items()},
        {name: interval(scores) for name, scores in drawn.items()},
    )
