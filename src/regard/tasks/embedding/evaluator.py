"""How encoders of sentences are measured, by what the test set has."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from regard.config.data import Corpus
from regard.config.embedding import EmbeddingRecipe, TextPairsConfig
from regard.config.load import Setting
from regard.config.objective import SoftmaxConfig
from regard.data.bad_rows import BadRows
from regard.data.text_pairs import Said, TextPair, text_pair_reader
from regard.errors import DataError
from regard.evaluation.evaluator import Asked
from regard.evaluation.test_set import TestSet
from regard.progress import say
from regard.tasks.embedding.evaluation import (
    SCORED,
    UNSCORED,
    PairEvaluation,
    evaluate_cosines,
    evaluate_embedder,
)
from regard.tasks.embedding.predictor import Embeds


class PairMeasures:
    """With scores, the correlation of the cosine with them; else, how often partners find each other."""

    def __init__(self, recipe: EmbeddingRecipe) -> None:
        self._scored = recipe.data.score is not None
        self._labelled = not self._scored and isinstance(recipe.model.objective, SoftmaxConfig)
        self.metrics: tuple[str, ...] = SCORED if self._scored else UNSCORED

    def settings(self, asked: Asked) -> list[Setting]:
        """The columns of the two texts, and of how near they are."""
        asked.only("text", "second", "label", task="embedding")
        columns = {"text": asked.text, "second": asked.second, "score": asked.label}
        return [(f"data.{name}", column) for name, column in columns.items() if column]

    def read(
        self, corpus: Corpus, data: TextPairsConfig, *, split: str, bad: BadRows, more: Sequence[str]
    ) -> Iterator[TextPair]:
        """The pairs of a corpus."""
        said: Said | None = "number" if self._scored else None
        return text_pair_reader(said)(corpus, data, split=split, bad=bad, more=more)

    def check_alike(self, models: Mapping[str, Embeds]) -> None:
        """All models that embed can be compared."""

    def of_model(
        self, model: Embeds, test_set: TestSet, asked: Asked, metrics: Sequence[str], **options: Any
    ) -> PairEvaluation:
        """Embed, and score."""
        del asked
        if self._labelled:
            say(
                "softmax learned labels of pairs, and all rows are measured as partners: the score means "
                "little unless all are of equal meaning; else name a column of scores (--label)",
                quiet=bool(options.get("quiet")),
            )
        return evaluate_embedder(model, test_set, metrics=metrics, **options)

    def of_outputs(
        self, texts: Sequence[str], test_set: TestSet, metrics: Sequence[str], **options: Any
    ) -> PairEvaluation:
        """Score the cosines that somebody else has found."""
        if not self._scored:
            raise DataError("a file of cosines is measured against scores, and none are named; see --label")
        return evaluate_cosines(texts, test_set, metrics=metrics, **options)
