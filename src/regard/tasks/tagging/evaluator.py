"""How good tags are: word by word, tag by tag, and span by span where they write spans."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from regard.data.tagged import read_tagged
from regard.errors import DataError
from regard.evaluation.evaluator import Evaluator, Scoring, metrics_of, timed
from regard.evaluation.outputs import Outputs
from regard.evaluation.result import Evaluation, Table, confusion_table
from regard.evaluation.test_set import TestSet
from regard.insight.display import visible
from regard.metrics.calibration import calibration_statistics
from regard.metrics.classification import confusion_matrix, label_counts, word_accuracy
from regard.metrics.f_score import ClassScore, class_scores, f_statistics, span_scores, span_statistics
from regard.metrics.statistics import Floats, Statistics
from regard.tasks.tagging.predictor import Tagger
from regard.tasks.tagging.result import Tagging
from regard.text.labels import Labels
from regard.text.span_labels import are_span_labels

_MOST_SHOWN = 20
"""A larger confusion matrix is not shown in a terminal; `to_dict` has it."""
Tags = list[list[str]]


@dataclass(frozen=True)
class TagOutputs(Outputs[Tagging]):
    """Tags of the sentences of a test set, with spaces between them."""

    unknown: tuple[npt.NDArray[np.bool_], ...] = ()
    """Which words of each sentence the model does not know."""


@dataclass(frozen=True)
class _Numbered:
    """Predicted and right tags, as names and as numbers."""

    predicted: Tags
    right: Tags

    @cached_property
    def labels(self) -> Labels:
        return Labels(sorted({tag for side in (self.predicted, self.right) for tags in side for tag in tags}))

    @cached_property
    def numbers(self) -> tuple[list[npt.NDArray[np.intp]], list[npt.NDArray[np.intp]]]:
        predicted, right = (
            [np.array([self.labels.number(tag, "") for tag in tags]) for tags in side]
            for side in (self.predicted, self.right)
        )
        return predicted, right

    @cached_property
    def counts(self) -> tuple[Floats, Floats, Floats]:
        return label_counts(*self.numbers, len(self.labels))

    @property
    def has_spans(self) -> bool:
        return are_span_labels(self.labels.names)


@dataclass(frozen=True, repr=False)
class TaggingEvaluation(Evaluation):
    """Scores of the tags of a corpus."""

    task: ClassVar[str] = "tagging"

    @cached_property
    def _tags(self) -> _Numbered:
        return _numbered(self.texts, self.test_set)

    @property
    def labels(self) -> tuple[str, ...]:
        """All tags that were predicted or would have been right, sorted."""
        return self._tags.labels.names

    @cached_property
    def each(self) -> dict[str, ClassScore]:
        """Precision, recall and F1 of each tag."""
        return dict(zip(self.labels, class_scores(*self._tags.counts), strict=True))

    @cached_property
    def spans(self) -> dict[str, ClassScore]:
        """Likewise of each kind of span, where the tags write spans."""
        return span_scores(self._tags.predicted, self._tags.right) if self._tags.has_spans else {}

    @cached_property
    def confusion(self) -> tuple[tuple[int, ...], ...]:
        """How many words of each tag, row by row, were given each tag, in the order of `labels`."""
        predicted, right = map(np.concatenate, self._tags.numbers)
        counts = confusion_matrix(predicted, right, len(self.labels))
        return tuple(tuple(row) for row in counts.tolist())

    @property
    def words(self) -> int:
        """How many were tagged."""
        return sum(map(sum, self.confusion))

    def extra(self) -> dict[str, Any]:
        """The scores of each tag, the confusion matrix, and the speed."""
        facts: dict[str, Any] = {"words": self.words, "tags": _as_values(self.each)}
        if self.spans:
            facts["spans"] = _as_values(self.spans)
        facts |= {"labels": list(self.labels), "confusion": [list(row) for row in self.confusion]}
        if self.seconds is not None:
            rate = round(self.words / max(self.seconds, 1e-9), 1)
            seconds = round(self.seconds, 1)
            facts |= {"temperature": self.temperature, "seconds": seconds, "words_per_second": rate}
        return facts

    def tables(self) -> list[Table]:
        """Precision, recall and F1 of each tag and span; what was taken for what."""
        tables = [_table("tag", self.each)] + ([_table("span", self.spans)] if self.spans else [])
        if len(self.labels) > _MOST_SHOWN:
            return tables
        return [*tables, confusion_table(self.labels, self.confusion)]

    def sentence_scores(self) -> tuple[str, Floats]:
        """The share of right tags of each sentence."""
        shares = [
            sum(a == b for a, b in zip(predicted, right, strict=True)) / len(right)
            for predicted, right in zip(self._tags.predicted, self._tags.right, strict=True)
        ]
        return "accuracy", np.array(shares, dtype=np.float64)


class TaggingEvaluator(Evaluator[Tagger, TagOutputs, TaggingEvaluation]):
    """Accuracy, also of words that the model's vocabulary does not have; the mean F1 of the tags; F1 of
    spans, where the tags write some; the expected calibration error."""

    task = "tagging"
    metrics = metrics_of("accuracy", "unknown_accuracy", "macro_f1", "span_f1", "ece")
    options: ClassVar[Mapping[str, str]] = {"text": "data.text", "label": "data.label"}
    evaluation = TaggingEvaluation
    reader = read_tagged

    def not_comparable(self, name: str, model: Tagger, first: str, base: Tagger) -> str | None:
        """Models of different tags."""
        if model.labels == base.labels:
            return None
        return f"{name} has other tags than {first}; compare models of the same tags"

    def predict(self, model: Tagger, test: TestSet, scoring: Scoring) -> TagOutputs:
        """Tag the sentences."""
        for pair in test.pairs:
            for tag in _split(pair.target):
                model.names.number(tag, pair.where)
        lines = model.tag_lines((pair.where, pair.source) for pair in test.pairs)
        results, seconds = timed(lines, test, "tagging", "sentences", quiet=scoring.quiet)
        return TagOutputs(
            tuple(" ".join(result.tags) for result in results),
            results,
            seconds,
            model.temperature,
            np.concatenate([result.probabilities for result in results]),
            unknown=tuple(~np.array(model.is_known(result.words)) for result in results),
        )

    def parse(self, lines: Sequence[str], test: TestSet) -> TagOutputs:
        """Tags with spaces between them."""
        texts = tuple(" ".join(line.split()) for line in lines)
        for text, pair in zip(texts, test.pairs, strict=True):
            if len(text.split()) != len(_split(pair.target)):
                raise DataError(
                    f"{pair.where}: has {len(_split(pair.target))} words, found {len(text.split())} tags in "
                    f"'{text[:40]}'; expected the tags of a sentence on a line, with spaces between them"
                )
        return TagOutputs(texts)

    def score(self, outputs: TagOutputs, test: TestSet, scoring: Scoring) -> dict[str, Statistics]:
        """What needs tags alone; and the accuracy of unknown words."""
        tags, wanted = _numbered(outputs.texts, test), scoring.metrics
        if not tags.has_spans and are_span_labels(sorted({tag for own in tags.right for tag in own})):
            other = next(t for own in tags.predicted for t in own if not are_span_labels(["O", "B-X", t]))
            raise DataError(
                f"{test.name}: expected tags such as B-X, I-X and O, found '{other}' in the outputs"
            )
        if {*wanted} == {"span_f1"} and not tags.has_spans:
            found = tags.labels.names[0]
            raise DataError(f"{test.name}: span_f1 needs tags such as B-X, I-X and O, found {found}")
        statistics: dict[str, Statistics] = {}
        if "accuracy" in wanted:
            statistics["accuracy"] = word_accuracy(*tags.numbers)
        if "macro_f1" in wanted:
            statistics["macro_f1"] = f_statistics(*tags.counts)
        if "span_f1" in wanted and tags.has_spans:
            statistics["span_f1"] = span_statistics(tags.predicted, tags.right)
        if "unknown_accuracy" in wanted and any(own.any() for own in outputs.unknown):
            statistics["unknown_accuracy"] = word_accuracy(*tags.numbers, outputs.unknown)
        return statistics

    def calibration(self, outputs: TagOutputs, test: TestSet) -> Statistics:
        """Word by word, added up for each sentence."""
        predicted, right = _numbered(outputs.texts, test).numbers
        hits = np.concatenate(predicted) == np.concatenate(right)
        words = calibration_statistics(np.asarray(outputs.confidence), hits)
        firsts = np.cumsum([0, *(len(own) for own in predicted[:-1])])
        return replace(words, counts=np.add.reduceat(words.counts, firsts))


def _split(line: str) -> list[str]:
    return line.split(" ")


def _numbered(texts: Sequence[str], test: TestSet) -> _Numbered:
    return _Numbered([_split(text) for text in texts], [_split(pair.target) for pair in test.pairs])


def _as_values(scores: dict[str, ClassScore]) -> dict[str, dict[str, float]]:
    return {
        name: {part: round(value, 4) for part, value in own._asdict().items()} for name, own in scores.items()
    }


def _table(what: str, scores: dict[str, ClassScore]) -> Table:
    rows = [
        [visible(name), f"{own.there:,}", *(f"{value:.3f}" for value in own[:3])]
        for name, own in scores.items()
    ]
    return [what, "there", "precision", "recall", "f1"], rows
