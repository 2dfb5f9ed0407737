"""How good vectors of texts are: whether near texts mean alike, and whether partners find each other."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from regard.data.pairs import Pair
from regard.data.text_pairs import TextPair
from regard.errors import DataError
from regard.evaluation.scores import Evaluation, check_metrics, check_rows, evaluation_of
from regard.evaluation.test_set import TestSet
from regard.metrics.bootstrap import SAMPLES, SEED
from regard.metrics.correlation import pearson_statistics, spearman_statistics
from regard.metrics.retrieval import partner_ranks, retrieval_statistics
from regard.metrics.statistics import Floats, Statistics
from regard.progress import counted, say, track
from regard.tasks.embedding.predictor import Embeds
from regard.tasks.embedding.result import LongTexts

SCORED = ("spearman", "pearson")
"""Correlation of the cosine with what people say, -1 to 1: of the order alone, and of the values."""
UNSCORED = ("retrieval", "mrr")
"""How often the partner of a text is the nearest of all seconds; the mean of 1 / its rank. 0 to 1."""
_TOGETHER = 512


@dataclass(frozen=True, repr=False)
class PairEvaluation(Evaluation):
    """Scores of the vectors of a corpus of pairs. The outputs are the cosines."""

    task: ClassVar[str] = "embedding"

    cosines: tuple[float, ...] = ()
    """In full."""
    ranks: tuple[int, ...] = ()
    """The place of the partner of each text, from 1, where the test set has no scores."""

    def beside(self, pair: Pair) -> dict[str, Any]:
        """The partner."""
        return {"second": pair.second} if isinstance(pair, TextPair) else {}

    def of_sentences(self) -> tuple[str, Floats]:
        """1 / the rank of the partner; or, with scores, the cosine."""
        if self.ranks:
            return "mrr", 1 / np.array(self.ranks, dtype=np.float64)
        return "cosine", np.array(self.cosines)

    def quality(self) -> tuple[str, Floats] | None:
        """1 / the rank of the partner; a cosine is good or bad only beside the others."""
        return self.of_sentences() if self.ranks else None


def evaluate_embedder(
    model: Embeds,
    test: TestSet,
    *,
    metrics: Sequence[str],
    samples: int = SAMPLES,
    seed: int = SEED,
    quiet: bool = True,
) -> PairEvaluation:
    """Embed both texts of each pair, and score the vectors."""
    (_check_differ if set(metrics) & {*UNSCORED} else _check_scores)(test)
    begun = time.monotonic()
    first, second = (_vectors(model, test, side, quiet=quiet) for side in (0, 1))
    seconds = time.monotonic() - begun
    cosines = np.einsum("nd,nd->n", first, second)
    ranks: tuple[int, ...] = ()
    statistics: dict[str, Statistics]
    if set(metrics) & {*UNSCORED}:
        texts = [[_texts(pair)[side] for pair in test.pairs] for side in (0, 1)]
        found = partner_ranks(first, second, *texts)
        statistics, ranks = retrieval_statistics(found), tuple(found.tolist())
    else:
        statistics = correlations(cosines.tolist(), test)
    chosen = {name: statistics[name] for name in statistics if name in metrics}
    return evaluation_of(
        PairEvaluation, test, [f"{cosine:.4f}" for cosine in cosines], chosen, samples, seed,
        seconds=seconds, cosines=tuple(cosines.tolist()), ranks=ranks,
    )  # fmt: skip


def evaluate_cosines(
    texts: Sequence[str],
    test: TestSet,
    *,
    metrics: Sequence[str],
    samples: int = SAMPLES,
    seed: int = SEED,
    quiet: bool = True,
) -> PairEvaluation:
    """Score given cosines, one for each row of a test set that has scores."""
    del quiet  # it takes no time
    check_metrics(metrics, SCORED)
    check_rows(texts, test)
    _check_scores(test)
    cosines = []
    for line, text in enumerate(texts, start=1):
        try:
            cosines.append(float(text))
        except ValueError:
            cosines.append(np.nan)
        if not np.isfinite(cosines[-1]):
            raise DataError(f"line {line} of the outputs: expected a number, found '{text[:40]}'")
    chosen = {name: one for name, one in correlations(cosines, test).items() if name in metrics}
    return evaluation_of(PairEvaluation, test, texts, chosen, samples, seed, cosines=tuple(cosines))


def correlations(cosines: Sequence[float], test: TestSet) -> dict[str, Statistics]:
    """With what people say of the pairs."""
    right = [float(pair.target) for pair in test.pairs]
    return {"spearman": spearman_statistics(cosines, right), "pearson": pearson_statistics(cosines, right)}


def _check_scores(test: TestSet) -> None:
    """Numbers that are all the same correlate with nothing."""
    found = {float(pair.target) for pair in test.pairs}
    if len(found) < 2:
        raise DataError(
            f"{test.name}: expected pairs whose scores differ, found {counted(len(test), 'pair')}, all with "
            f"{min(found):g}; without a column of scores, retrieval is measured"
        )


def _check_differ(test: TestSet) -> None:
    """Among one text, the partner is always found."""
    if len({_texts(pair)[1] for pair in test.pairs}) < 2:
        raise DataError(
            f"{test.name}: expected two different second texts or more to find partners among, found 1 in "
            f"{counted(len(test), 'pair')}; give more rows"
        )


def _texts(pair: Pair) -> tuple[str, str]:
    if not isinstance(pair, TextPair):
        raise DataError(f"{pair.where}: expected two texts, found one")
    return pair.texts


def _vectors(model: Embeds, test: TestSet, side: int, *, quiet: bool) -> Floats:
    """Of length 1, in float64; what was left out of texts is said."""
    lines = ((pair.where, _texts(pair)[side]) for pair in test.pairs)
    results = model.embed_lines(lines, normalise=True)
    what = f"embedding ({('first', 'second')[side]} texts)"
    tracked = track(results, what, unit="texts", total=len(test), every=_TOGETHER, quiet=quiet)
    long = LongTexts()
    found = [long.see(one) for one in tracked]
    for one, pair in zip(found, test.pairs, strict=True):
        if not one.vector.any():
            raise DataError(f"{pair.where}: the text has no words")
    model.say_lengths(long, lambda text: say(text, quiet=quiet))
    return np.stack([one.vector for one in found]).astype(np.float64)
