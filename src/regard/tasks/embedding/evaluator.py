"""How embeddings are evaluated: the correlation of cosines with scores, and retrieval of positives."""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from regard.config.embedder import SoftmaxConfig
from regard.config.embedding import EmbeddingRecipe
from regard.config.recipe import Recipe
from regard.data.pairs import Pair
from regard.data.text_pairs import TextPair, text_pair_reader
from regard.errors import DataError
from regard.evaluation.evaluator import Evaluator, Scoring, metrics_of, number_of, timed
from regard.evaluation.outputs import Outputs
from regard.evaluation.result import Evaluation
from regard.evaluation.test_set import TestSet
from regard.metrics.correlation import pearson_statistics, spearman_statistics
from regard.metrics.retrieval import partner_ranks, retrieval_statistics
from regard.metrics.statistics import Floats, Statistics
from regard.progress import counted, say
from regard.tasks.embedding.predictor import EmbeddingPredictor
from regard.tasks.embedding.result import Embedding, LongTexts


@dataclass(frozen=True)
class PairOutputs(Outputs[Embedding]):
    """The cosines of the pairs of a test set."""

    ranks: tuple[int, ...] = ()
    """The rank of the positive of each text, from 1, where the test set has no scores."""


@dataclass(frozen=True, repr=False)
class EmbeddingEvaluation(Evaluation):
    """Scores of the vectors of a corpus of pairs. The outputs are the cosines."""

    task: ClassVar[str] = "embedding"
    predictions: PairOutputs

    @property
    def cosines(self) -> tuple[float, ...]:
        """In full."""
        return self.predictions.values

    @property
    def ranks(self) -> tuple[int, ...]:
        """The rank of the positive of each text, from 1, where the test set has no scores."""
        return self.predictions.ranks

    def other_inputs(self, pair: Pair) -> dict[str, Any]:
        """The positive."""
        return {"second": pair.second} if isinstance(pair, TextPair) else {}

    def sentence_scores(self) -> tuple[str, Floats]:
        """1 / the rank of the positive; or, with scores, the cosine."""
        if self.ranks:
            return "mrr", 1 / np.array(self.ranks, dtype=np.float64)
        return "cosine", np.array(self.cosines)

    def quality(self) -> tuple[str, Floats] | None:
        """1 / the rank of the positive; a cosine is good or bad only beside the others."""
        return self.sentence_scores() if self.ranks else None


class EmbeddingEvaluator(Evaluator[EmbeddingPredictor, PairOutputs, EmbeddingEvaluation]):
    """The metrics with and without scores of the pairs; all models that embed can be compared."""

    task = "embedding"
    options: ClassVar[Mapping[str, str]] = {
        "text": "data.text",
        "second": "data.second",
        "label": "data.score",
    }
    evaluation = EmbeddingEvaluation

    @classmethod
    def of(cls, recipe: Recipe) -> "EmbeddingEvaluator":
        """By what the test set has."""
        if not isinstance(recipe, EmbeddingRecipe) or recipe.data.score is not None:
            return SimilarityEvaluator()
        return RetrievalEvaluator(learned_labels=isinstance(recipe.model.objective, SoftmaxConfig))

    def predict(self, model: EmbeddingPredictor, test: TestSet, scoring: Scoring) -> PairOutputs:
        """Embed both texts of each pair."""
        self.check_rows(test)
        sides = [_embedded(model, test, side, quiet=scoring.quiet) for side in (0, 1)]
        (first, _), (second, _) = sides
        cosines = np.einsum("nd,nd->n", first, second)
        return PairOutputs(
            tuple(f"{cosine:.4f}" for cosine in cosines),
            seconds=sum(seconds for _, seconds in sides),
            values=tuple(cosines.tolist()),
            ranks=self.ranks(first, second, test),
        )

    @abstractmethod
    def check_rows(self, test: TestSet) -> None:
        """Refuse a test set from which nothing can be computed."""

    def ranks(self, first: Floats, second: Floats, test: TestSet) -> tuple[int, ...]:
        """The rank of the positive of each text, where it is asked for."""
        del first, second, test
        return ()


class SimilarityEvaluator(EmbeddingEvaluator):
    """With scores: the correlation of the cosine with them, of the order alone, and of the values."""

    metrics = metrics_of("spearman", "pearson")
    reader = text_pair_reader("number")

    def check_rows(self, test: TestSet) -> None:
        """Numbers that are all the same correlate with nothing."""
        found = {float(pair.target) for pair in test.pairs}
        if len(found) < 2:
            raise DataError(
                f"{test.name}: expected pairs whose scores differ, found {counted(len(test), 'pair')}, all "
                f"with {min(found):g}; without a column of scores, retrieval is measured"
            )

    def parse(self, lines: Sequence[str], test: TestSet) -> PairOutputs:
        """Cosines."""
        self.check_rows(test)
        values = tuple(number_of(text, line) for line, text in enumerate(lines, start=1))
        return PairOutputs(tuple(lines), values=values)

    def score(self, outputs: PairOutputs, test: TestSet, scoring: Scoring) -> dict[str, Statistics]:
        """The correlation with the scores."""
        right = [float(pair.target) for pair in test.pairs]
        makers = {"spearman": spearman_statistics, "pearson": pearson_statistics}
        return {name: make(outputs.values, right) for name, make in makers.items() if name in scoring.metrics}


class RetrievalEvaluator(EmbeddingEvaluator):
    """Without scores: how often the positive of a text is the nearest of all; the mean of 1 / its rank."""

    metrics = metrics_of("retrieval", "mrr")
    reader = text_pair_reader(None)

    def __init__(self, *, learned_labels: bool = False) -> None:
        self._learned_labels = learned_labels

    def check_rows(self, test: TestSet) -> None:
        """Among one text, the positive is always found."""
        if len({_texts(pair)[1] for pair in test.pairs}) < 2:
            raise DataError(
                f"{test.name}: expected two different second texts or more to find partners among, found 1 "
                f"in {counted(len(test), 'pair')}; give more rows"
            )

    def predict(self, model: EmbeddingPredictor, test: TestSet, scoring: Scoring) -> PairOutputs:
        """Embed both texts of each pair."""
        if self._learned_labels:
            say(
                "softmax learned labels of pairs, and all rows are measured as partners: the score means "
                "little unless all are of equal meaning; else name a column of scores (--label)",
                quiet=scoring.quiet,
            )
        return super().predict(model, test, scoring)

    def ranks(self, first: Floats, second: Floats, test: TestSet) -> tuple[int, ...]:
        """Among all second texts."""
        texts = [[_texts(pair)[side] for pair in test.pairs] for side in (0, 1)]
        return tuple(partner_ranks(first, second, *texts).tolist())

    def parse(self, lines: Sequence[str], test: TestSet) -> PairOutputs:
        """Of a file of cosines, nobody knows the vectors."""
        del lines, test
        raise DataError("a file of cosines is measured against scores, and none are named; see --label")

    def score(self, outputs: PairOutputs, test: TestSet, scoring: Scoring) -> dict[str, Statistics]:
        """The cosines of the pairs."""
        del test
        every = retrieval_statistics(np.array(outputs.ranks))
        return {name: found for name, found in every.items() if name in scoring.metrics}


def _texts(pair: Pair) -> tuple[str, str]:
    if not isinstance(pair, TextPair):
        raise DataError(f"{pair.where}: expected two texts, found one")
    return pair.texts


def _embedded(model: EmbeddingPredictor, test: TestSet, side: int, *, quiet: bool) -> tuple[Floats, float]:
    """Vectors of length 1, in float64, and the seconds that they took; truncation is reported."""
    lines = ((pair.where, _texts(pair)[side]) for pair in test.pairs)
    what = f"embedding ({('first', 'second')[side]} texts)"
    found, seconds = timed(model.embed_lines(lines, normalise=True), test, what, "texts", quiet=quiet)
    long = LongTexts()
    for one, pair in zip(map(long.see, found), test.pairs, strict=True):
        if not one.vector.any():
            raise DataError(f"{pair.where}: the text has no words")
    model.say_lengths(long, lambda text: say(text, quiet=quiet))
    return np.stack([one.vector for one in found]).astype(np.float64), seconds
