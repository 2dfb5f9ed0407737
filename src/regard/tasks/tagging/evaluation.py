"""How good tags are: word by word, tag by tag, and span by span where they write spans."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

import numpy as np

from regard.data.tagged import TaggedSentence
from regard.errors import DataError
from regard.evaluation.scores import Evaluation, Table, check_metrics, check_rows, evaluation_of
from regard.evaluation.test_set import TestSet
from regard.insight.labels import visible
from regard.metrics.bootstrap import SAMPLES, SEED
from regard.metrics.calibration import calibration_statistics
from regard.metrics.classification import confusion_matrix
from regard.metrics.f_score import KindScore, f_statistics, kind_scores
from regard.metrics.spans import span_scores, span_statistics
from regard.metrics.statistics import Floats, Statistics
from regard.metrics.words import label_counts, word_accuracy
from regard.progress import track
from regard.tasks.tagging.predictor import Tagger
from regard.tasks.tagging.result import Tagging
from regard.text.labels import Labels
from regard.text.span_labels import are_span_labels

METRICS = ("accuracy", "unknown_accuracy", "macro_f1", "span_f1", "ece")
"""The share of right tags; of words that the model's vocabulary does not have; the mean F1 of the tags; F1 of
spans, where the tags write some; the expected calibration error, where less is better. All from 0 to 1. A
file of tags does not say which words are unknown, nor how sure anybody was."""
_OF_MODELS = {"unknown_accuracy", "ece"}
_TOGETHER = 512
_MOST_SHOWN = 20
"""A larger confusion matrix is not shown in a terminal; `to_dict` has it."""


@dataclass(frozen=True, repr=False)
class TagEvaluation(Evaluation):
    """Scores of the tags of a corpus."""

    task: ClassVar[str] = "tagging"

    words: int = 0
    """How many were tagged."""
    labels: tuple[str, ...] = ()
    """All tags that were said or would have been right, sorted."""
    each: dict[str, KindScore] = field(default_factory=dict, compare=False)
    """Precision, recall and F1 of each tag."""
    spans: dict[str, KindScore] = field(default_factory=dict, compare=False)
    """Likewise of each kind of span, where the tags write spans."""
    confusion: tuple[tuple[int, ...], ...] = field(default=(), compare=False)
    """How many words of each tag, row by row, were given each tag, in the order of `labels`."""
    temperature: float | None = None
    """What the model's marginals are calibrated by; None where the outputs come from a file."""
    outputs: tuple[Tagging, ...] = ()
    """The results without their attention; none where the outputs come from a file."""

    def more(self) -> dict[str, Any]:
        """The scores of each tag, the confusion matrix, and the speed."""
        facts: dict[str, Any] = {"words": self.words, "tags": _as_values(self.each)}
        if self.spans:
            facts["spans"] = _as_values(self.spans)
        facts |= {"labels": list(self.labels), "confusion": [list(row) for row in self.confusion]}
        if self.seconds is not None:
            rate = round(self.words / max(self.seconds, 1e-9), 1)
            facts |= {
                "temperature": self.temperature,
                "seconds": round(self.seconds, 1),
                "words_per_second": rate,
            }
        return facts

    def tables(self) -> list[Table]:
        """Precision, recall and F1 of each tag and span; what was taken for what."""
        tables = [_table("tag", self.each)] + ([_table("span", self.spans)] if self.spans else [])
        if len(self.labels) > _MOST_SHOWN:
            return tables
        names = [visible(name) for name in self.labels]
        rows = [
            [name, *(f"{count:,}" for count in counts)]
            for name, counts in zip(names, self.confusion, strict=True)
        ]
        return [*tables, (["gold \\ predicted", *names], rows)]

    def of_sentences(self) -> tuple[str, Floats]:
        """The share of right tags of each sentence."""
        right = [_tags(pair.target) for pair in self.test_set.pairs]
        shares = [
            sum(a == b for a, b in zip(_tags(said), own, strict=True)) / len(own)
            for said, own in zip(self.texts, right, strict=True)
        ]
        return "accuracy", np.array(shares, dtype=np.float64)


def evaluate_tagger(
    tagger: Tagger,
    test_set: TestSet | Sequence[TaggedSentence],
    *,
    metrics: Sequence[str] = METRICS,
    samples: int = SAMPLES,
    seed: int = SEED,
    quiet: bool = True,
) -> TagEvaluation:
    """Tag the sentences and score the tags."""
    test_set = test_set if isinstance(test_set, TestSet) else TestSet.of(test_set)
    check_metrics(metrics, METRICS)
    for pair in test_set.pairs:
        for tag in _tags(pair.target):
            tagger.names.number(tag, pair.where)
    begun = time.monotonic()
    results = tagger.tag_lines((pair.where, pair.source) for pair in test_set.pairs)
    tracked = track(results, "tagging", unit="sentences", total=len(test_set), every=_TOGETHER, quiet=quiet)
    outputs = list(tracked)
    seconds = time.monotonic() - begun
    said = [" ".join(output.tags) for output in outputs]
    facts: dict[str, Any] = {"seconds": seconds, "temperature": tagger.temperature, "outputs": tuple(outputs)}
    return _evaluated(
        said, test_set, metrics, _of_model(tagger, test_set, outputs, metrics), samples, seed, **facts
    )


def evaluate_tags(
    texts: Sequence[str],
    test_set: TestSet,
    *,
    metrics: Sequence[str] = METRICS,
    samples: int = SAMPLES,
    seed: int = SEED,
    quiet: bool = True,
) -> TagEvaluation:
    """Score given tags, a line of them for each row of the test set."""
    del quiet  # it takes no time
    check_metrics(metrics, METRICS)
    check_rows(texts, test_set)
    said = [" ".join(text.split()) for text in texts]
    for text, pair in zip(said, test_set.pairs, strict=True):
        if len(text.split()) != len(_tags(pair.target)):
            raise DataError(
                f"{pair.where}: has {len(_tags(pair.target))} words, found {len(text.split())} tags in "
                f"'{text[:40]}'; expected the tags of a sentence on a line, with spaces between them"
            )
    if set(metrics) <= _OF_MODELS:
        raise DataError(f"{' and '.join(metrics)} can be told of a model only; choose accuracy or macro_f1")
    return _evaluated(said, test_set, metrics, {}, samples, seed)


def _evaluated(
    said: Sequence[str],
    test_set: TestSet,
    metrics: Sequence[str],
    of_model: Mapping[str, Statistics],
    samples: int,
    seed: int,
    **facts: Any,
) -> TagEvaluation:
    pairs = [(_tags(text), _tags(pair.target)) for text, pair in zip(said, test_set.pairs, strict=True)]
    labels = Labels(sorted({tag for pair in pairs for tags in pair for tag in tags}))
    has_spans = are_span_labels(labels.names)
    if not has_spans and are_span_labels(sorted({tag for _, right in pairs for tag in right})):
        other = next(tag for own, _ in pairs for tag in own if not are_span_labels(["O", "B-X", tag]))
        raise DataError(
            f"{test_set.name}: expected tags such as B-X, I-X and O, found '{other}' in the outputs"
        )
    if set(metrics) == {"span_f1"} and not has_spans:
        raise DataError(
            f"{test_set.name}: span_f1 needs tags such as B-X, I-X and O, found {labels.names[0]}"
        )
    numbers = [
        [np.array([labels.number(tag, test_set.name) for tag in pair[side]]) for pair in pairs]
        for side in (0, 1)
    ]
    counts = label_counts(numbers[0], numbers[1], len(labels))
    spans = [[tags[side] for tags in pairs] for side in (0, 1)]
    statistics: dict[str, Statistics] = {}
    if "accuracy" in metrics:
        statistics["accuracy"] = word_accuracy(numbers[0], numbers[1])
    if "macro_f1" in metrics:
        statistics["macro_f1"] = f_statistics(*counts)
    if "span_f1" in metrics and has_spans:
        statistics["span_f1"] = span_statistics(spans[0], spans[1])
    statistics |= of_model
    confusion = confusion_matrix(np.concatenate(numbers[0]), np.concatenate(numbers[1]), len(labels))
    return evaluation_of(
        TagEvaluation, test_set, said, statistics, samples, seed,
        words=int(confusion.sum()), labels=labels.names,
        each=dict(zip(labels.names, kind_scores(*counts), strict=True)),
        spans=span_scores(spans[0], spans[1]) if has_spans else {},
        confusion=tuple(tuple(row) for row in confusion.tolist()), **facts,
    )  # fmt: skip


def _of_model(
    tagger: Tagger, test_set: TestSet, outputs: Sequence[Tagging], metrics: Sequence[str]
) -> dict[str, Statistics]:
    """What can be told of a model only: how it does on words that it does not know, and how sure it is."""
    said = [np.array(own.tags) for own in outputs]
    right = [np.array(_tags(pair.target)) for pair in test_set.pairs]
    statistics: dict[str, Statistics] = {}
    unknown = [~np.array(tagger.is_known(output.words)) for output in outputs]
    if "unknown_accuracy" in metrics and any(own.any() for own in unknown):
        statistics["unknown_accuracy"] = word_accuracy(said, right, unknown)
    if "ece" in metrics:
        confidence = np.concatenate([output.probabilities for output in outputs])
        words = calibration_statistics(confidence, np.concatenate(said) == np.concatenate(right))
        firsts = np.cumsum([0, *(len(own) for own in said[:-1])])
        statistics["ece"] = replace(words, counts=np.add.reduceat(words.counts, firsts))
    return statistics


def _tags(line: str) -> list[str]:
    return line.split(" ")


def _as_values(scores: dict[str, KindScore]) -> dict[str, dict[str, float]]:
    return {
        name: {part: round(value, 4) for part, value in own._asdict().items()} for name, own in scores.items()
    }


def _table(what: str, scores: dict[str, KindScore]) -> Table:
    rows = [
        [visible(name), f"{own.there:,}", *(f"{value:.3f}" for value in own[:3])]
        for name, own in scores.items()
    ]
    return [what, "there", "precision", "recall", "f1"], rows
