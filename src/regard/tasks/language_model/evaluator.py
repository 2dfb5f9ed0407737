"""How language models are measured: perplexity per word."""

import math
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from regard.config.data import Corpus
from regard.config.language import SentencesConfig
from regard.config.load import Setting
from regard.data.bad_rows import BadRows
from regard.data.pairs import Pair
from regard.data.sentences import read_sentences
from regard.errors import DataError
from regard.evaluation.evaluator import Asked
from regard.evaluation.scores import Evaluation, Table, check_metrics, check_rows, evaluation_of
from regard.evaluation.test_set import TestSet
from regard.inference.generation import TextScore
from regard.metrics.bootstrap import SAMPLES, SEED
from regard.metrics.perplexity import counted_words, perplexity_statistics
from regard.metrics.statistics import Floats
from regard.progress import track
from regard.tasks.language_model.predictor import LanguageModel
from regard.text.tokenizer import SPECIAL, UNK

METRICS = ("perplexity",)
"""Per word, where less is better."""
_TOGETHER = 512
_DECIMALS = 6


@dataclass(frozen=True, repr=False)
class LanguageEvaluation(Evaluation):
    """The perplexity of a corpus. The outputs are the log-probabilities of its sentences, in nats."""

    task: ClassVar[str] = "language-model"

    words: int = 0
    """What the perplexity is per: all words, and the end of each sentence."""
    tokens: int | None = None
    """What the model has said of them; None where the outputs come from a file."""
    unknown: int | None = None
    """How many of these are <unk>: of such words the model has said less than they are."""
    outputs: tuple[TextScore, ...] = field(default=(), compare=False)

    def more(self) -> dict[str, Any]:
        """What was counted, and the speed."""
        if self.seconds is None:
            return {"words": self.words}
        counts = {"words": self.words, "tokens": self.tokens, "unknown": self.unknown}
        return {**counts, **super().more()}

    def tables(self) -> list[Table]:
        """What was counted."""
        if self.tokens is None or self.unknown is None:
            return []
        counts = [f"{count:,}" for count in (self.words, self.tokens, self.unknown)]
        return [(["words with ends", "tokens", "of them <unk>"], [counts])]

    def of_sentences(self) -> tuple[str, Floats]:
        """The log-probability of a sentence, by word."""
        logs = np.array([float(text) for text in self.texts])
        return "log_probability", logs / [counted_words(pair.source) for pair in self.test_set.pairs]


def evaluate_language_model(
    model: LanguageModel,
    test_set: TestSet | Sequence[Pair],
    *,
    metrics: Sequence[str] = METRICS,
    samples: int = SAMPLES,
    seed: int = SEED,
    quiet: bool = True,
) -> LanguageEvaluation:
    """How probable the sentences of a test set are."""
    test_set = test_set if isinstance(test_set, TestSet) else TestSet.of(test_set)
    check_metrics(metrics, METRICS)
    begun = time.monotonic()
    scores = model.score((pair.where, pair.source) for pair in test_set.pairs)
    tracked = track(scores, "scoring", unit="sentences", total=len(test_set), every=_TOGETHER, quiet=quiet)
    outputs = tuple(tracked)
    seconds = time.monotonic() - begun
    return _evaluation(
        [output.log_probability for output in outputs],
        test_set,
        samples,
        seed,
        tokens=sum(len(output.tokens) for output in outputs),
        unknown=sum(output.tokens.count(SPECIAL[UNK]) for output in outputs),
        seconds=seconds,
        outputs=outputs,
    )


def evaluate_log_probabilities(
    texts: Sequence[str],
    test_set: TestSet,
    *,
    metrics: Sequence[str] = METRICS,
    samples: int = SAMPLES,
    seed: int = SEED,
    quiet: bool = True,
) -> LanguageEvaluation:
    """The same of log-probabilities that some other model gave, in nats, one for each sentence."""
    del quiet  # it takes no time
    check_metrics(metrics, METRICS)
    check_rows(texts, test_set)
    values = []
    for text, pair in zip(texts, test_set.pairs, strict=True):
        try:
            value = float(text.partition("\t")[0])  # `score` writes more behind it
        except ValueError:
            value = math.nan
        if not value <= 0:
            raise DataError(
                f"expected the log-probability of {pair.where}, a number of at most 0, found '{text[:40]}'"
            )
        values.append(value)
    return _evaluation(values, test_set, samples, seed)


def _evaluation(
    logs: Sequence[float], test_set: TestSet, samples: int, seed: int, **facts: Any
) -> LanguageEvaluation:
    statistics = {"perplexity": perplexity_statistics(logs, test_set.sources)}
    texts = [f"{value:.{_DECIMALS}f}" for value in logs]
    words = sum(map(counted_words, test_set.sources))
    return evaluation_of(LanguageEvaluation, test_set, texts, statistics, samples, seed, words=words, **facts)


class LanguageMeasures:
    """Perplexity per word, comparable between models that spell all of a text."""

    metrics: tuple[str, ...] = METRICS

    def settings(self, asked: Asked) -> list[Setting]:
        """The column of the text."""
        asked.only("text", task="language-model")
        return [("data.text", asked.text)] if asked.text else []

    def read(
        self, corpus: Corpus, data: SentencesConfig, *, split: str, bad: BadRows, more: Sequence[str]
    ) -> Iterator[Pair]:
        """The sentences of a corpus."""
        return read_sentences(corpus, data, split=split, bad=bad, more=more)

    def check_alike(self, models: Mapping[str, LanguageModel]) -> None:
        """Refuse models of which one leaves out, as <unk>, what another has to spell."""
        first = next(iter(models), "")
        for name, model in models.items():
            both = (model, models[first])
            spells_all = all(one.recipe.text.kind not in ("word", "wordpiece", "given") for one in both)
            if not spells_all and model.tokenizer.to_json() != models[first].tokenizer.to_json():
                raise DataError(
                    f"{name} has other words than {first}, and what is <unk> for one the other has to say; "
                    "compare models of one vocabulary, or of vocabularies that spell every word (bpe, …)"
                )

    def of_model(
        self, model: LanguageModel, test_set: TestSet, asked: Asked, metrics: Sequence[str], **options: Any
    ) -> LanguageEvaluation:
        """Score the sentences."""
        del asked
        return evaluate_language_model(model, test_set, metrics=metrics, **options)

    def of_outputs(
        self, texts: Sequence[str], test_set: TestSet, metrics: Sequence[str], **options: Any
    ) -> LanguageEvaluation:
        """Take given log-probabilities."""
        return evaluate_log_probabilities(texts, test_set, metrics=metrics, **options)
