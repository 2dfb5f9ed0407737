"""How good language models are: perplexity per word."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from regard.data.sentences import read_sentences
from regard.errors import DataError
from regard.evaluation.evaluator import Evaluator, Scoring, metrics_of, timed
from regard.evaluation.outputs import Outputs
from regard.evaluation.result import Evaluation, Table
from regard.evaluation.test_set import TestSet
from regard.inference.generation import TextScore
from regard.metrics.perplexity import counted_words, perplexity_statistics
from regard.metrics.statistics import Floats, Statistics
from regard.tasks.language_model.predictor import LanguageModel
from regard.text.tokenizer import SPECIAL, UNK

_DECIMALS = 6


@dataclass(frozen=True, repr=False)
class LanguageModelEvaluation(Evaluation):
    """The perplexity of a corpus. The outputs are the log-probabilities of its sentences, in nats."""

    task: ClassVar[str] = "language-model"

    @property
    def words(self) -> int:
        """What the perplexity is per: all words, and the end of each sentence."""
        return sum(map(counted_words, self.test_set.sources))

    @property
    def tokens(self) -> int | None:
        """The tokens of the model; None where the outputs come from a file."""
        return sum(len(output.tokens) for output in self.outputs) if self.outputs else None

    @property
    def unknown(self) -> int | None:
        """How many of these are <unk>, which is less than the word."""
        return sum(output.tokens.count(SPECIAL[UNK]) for output in self.outputs) if self.outputs else None

    def extra(self) -> dict[str, Any]:
        """What was counted, and the speed."""
        if self.seconds is None:
            return {"words": self.words}
        counts = {"words": self.words, "tokens": self.tokens, "unknown": self.unknown}
        return {**counts, **super().extra()}

    def tables(self) -> list[Table]:
        """What was counted."""
        if self.tokens is None or self.unknown is None:
            return []
        counts = [f"{count:,}" for count in (self.words, self.tokens, self.unknown)]
        return [(["words with ends", "tokens", "of them <unk>"], [counts])]

    def sentence_scores(self) -> tuple[str, Floats]:
        """The log-probability of a sentence, by word."""
        logs = np.array([float(text) for text in self.texts])
        return "log_probability", logs / [counted_words(pair.source) for pair in self.test_set.pairs]


class LanguageModelEvaluator(Evaluator[LanguageModel, Outputs[TextScore], LanguageModelEvaluation]):
    """Perplexity per word, comparable between models without <unk>."""

    task = "language-model"
    metrics = metrics_of("perplexity")
    options: ClassVar[Mapping[str, str]] = {"text": "data.text"}
    evaluation = LanguageModelEvaluation
    reader = read_sentences

    def not_comparable(self, name: str, model: LanguageModel, first: str, base: LanguageModel) -> str | None:
        """Of two models, one predicts <unk> where the other has to predict the word."""
        kinds = {model.recipe.text.kind, base.recipe.text.kind}
        spells_all = not kinds & {"word", "wordpiece", "given"}
        if spells_all or model.tokenizer.to_json() == base.tokenizer.to_json():
            return None
        return (
            f"{name} has other words than {first}, and what is <unk> for one the other has to say; "
            "compare models of one vocabulary, or of vocabularies that cover every word (bpe, …)"
        )

    def predict(self, model: LanguageModel, test: TestSet, scoring: Scoring) -> Outputs[TextScore]:
        """Score the sentences."""
        scores = model.score((pair.where, pair.source) for pair in test.pairs)
        results, seconds = timed(scores, test, "scoring", "sentences", quiet=scoring.quiet)
        values = tuple(result.log_probability for result in results)
        return Outputs(_texts(values), results, seconds, values=values)

    def parse(self, lines: Sequence[str], test: TestSet) -> Outputs[TextScore]:
        """Log-probabilities in nats that some other model gave."""
        values = []
        for text, pair in zip(lines, test.pairs, strict=True):
            try:
                value = float(text.partition("\t")[0])  # `score` writes more behind it
            except ValueError:
                value = math.nan
            if not value <= 0:
                raise DataError(
                    f"expected the log-probability of {pair.where}, a number of at most 0, found "
                    f"'{text[:40]}'"
                )
            values.append(value)
        return Outputs(_texts(values), values=tuple(values))

    def score(self, outputs: Outputs[TextScore], test: TestSet, scoring: Scoring) -> dict[str, Statistics]:
        """Perplexity."""
        del scoring
        return {"perplexity": perplexity_statistics(outputs.values, test.sources)}


def _texts(values: Sequence[float]) -> tuple[str, ...]:
    return tuple(f"{value:.{_DECIMALS}f}" for value in values)
