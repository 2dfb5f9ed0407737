"""What an evaluation gives, whatever the task: how good outputs are, and how sure that is."""

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, TypeVar

import numpy as np

from regard.data.pairs import Pair
from regard.evaluation.outputs import Outputs
from regard.evaluation.test_set import TestSet
from regard.insight.display import visible
from regard.metrics.bootstrap import Interval, interval, resample
from regard.metrics.metric import metric_named
from regard.metrics.statistics import Floats, Rows, Statistics
from regard.progress import counted

_DECIMALS = 4
Table = tuple[Sequence[str], Sequence[Sequence[str]]]
"""Its head, and its rows."""
_ONE_LINE = str.maketrans("\r\n", "  ")


@dataclass(frozen=True)
class Group:
    """The scores of some rows."""

    rows: int
    metrics: dict[str, float]


@dataclass(frozen=True)
class ScoredSentence:
    """A row of a test set with its output, and how good that is."""

    where: str
    source: str
    """What was read; between two texts stands ‖."""
    reference: str
    output: str
    metric: str
    """What the score is: chrf of translations, the probability of the right label, …; more is better."""
    score: float

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        own = {"where": self.where, "source": self.source, "reference": self.reference, "output": self.output}
        return {**own, self.metric: round(self.score, _DECIMALS)}


@dataclass(frozen=True, repr=False)
class Evaluation:
    """Scores of outputs on a corpus, with what is needed to compare them with others'."""

    task: ClassVar[str]

    rows: int
    metrics: dict[str, float]
    """By name; of a translator bleu, chrf and ter, 0 to 100, and aer, 0 to 1, where a model with attention
    reads a corpus with gold alignments."""
    intervals: dict[str, Interval]
    """Where 95 % of the resampled scores lie; empty without resamples."""
    signature: dict[str, str]
    """How each score was computed, in the words of its reference implementation."""
    by: dict[str, dict[str, Group]]
    """The scores by words of the source (`length`), and by each column that was asked for."""
    test_set: TestSet = field(compare=False)
    predictions: Outputs[Any] = field(compare=False)
    """What was scored."""
    statistics: Mapping[str, Statistics] = field(compare=False)
    """The metrics sentence by sentence."""
    resampled: Mapping[str, Floats] = field(compare=False)
    """The score of each resample; the resamples are the same for all systems on a corpus."""

    @property
    def texts(self) -> tuple[str, ...]:
        """The outputs that were scored."""
        return self.predictions.texts

    @property
    def outputs(self) -> tuple[Any, ...]:
        """The results as the model gave them; none where the outputs come from a file."""
        return self.predictions.results

    @property
    def seconds(self) -> float | None:
        """What a model took, reading of attention not counted; None where the outputs come from a file."""
        return self.predictions.seconds

    @property
    def temperature(self) -> float | None:
        """What the model's logits are divided by, where it has one; None for a file."""
        return self.predictions.temperature

    @property
    def not_measured(self) -> Mapping[str, str]:
        """Why a metric of the task is not among `metrics`, where there is more to say than that."""
        return self.predictions.not_measured

    def __repr__(self) -> str:
        scores = (f"{name} {self.in_words(name)}" for name in self.metrics)
        return f"Evaluation({counted(self.rows, 'row')}: {', '.join(scores)})"

    def in_words(self, metric: str) -> str:
        """A score with its interval."""
        digits = metric_named(metric).decimals
        text = f"{self.metrics[metric]:.{digits}f}"
        if metric not in self.intervals:
            return text
        low, high = self.intervals[metric]
        return f"{text} [{low:.{digits}f}, {high:.{digits}f}]"

    def to_dict(self, *, show: int = 0) -> dict[str, Any]:
        """Plain values, for JSON; the outputs themselves are left out.

        show: how many of the best and of the worst sentences to add
        """
        sides = {"best": self.best(show), "worst": self.worst(show)} if show else {}
        return {
            "task": self.task,
            "rows": self.rows,
            "metrics": rounded(self.metrics),
            "intervals": {
                name: [round(bound, _DECIMALS) for bound in bounds] for name, bounds in self.intervals.items()
            },
            "signature": self.signature,
            "by": {
                column: {
                    value: {"rows": group.rows, "metrics": rounded(group.metrics)}
                    for value, group in groups.items()
                }
                for column, groups in self.by.items()
            },
            **self.extra(),
            **{side: [one.to_dict() for one in found] for side, found in sides.items()},
        }

    def extra(self) -> dict[str, Any]:
        """The speed, where a model was run, and what the task has more; as plain values."""
        if self.seconds is None:
            return {}
        rate = round(self.rows / max(self.seconds, 1e-9), 1)
        return {"seconds": round(self.seconds, 1), "sentences_per_second": rate}

    @property
    def search(self) -> str:
        """How the model was run, in a few words, where there is more than one way."""
        return ""

    def tables(self) -> list[Table]:
        """What the task has more, as tables for a terminal."""
        return []

    def sentence_scores(self) -> tuple[str, Floats]:
        """The metric by which sentences are close or far apart, and its value of each; else the first."""
        name, statistics = next(iter(self.statistics.items()))
        return name, statistics.each()

    def quality(self) -> tuple[str, Floats] | None:
        """How good each output is, and by what, more being better; None where one alone is neither."""
        return self.sentence_scores()

    def best(self, count: int = 5) -> tuple[ScoredSentence, ...]:
        """The sentences with the best outputs, the best first; no sentence is among the worst, too."""
        ranked = self._ranked()
        return tuple(ranked[: min(count, (len(ranked) + 1) // 2)])

    def worst(self, count: int = 5) -> tuple[ScoredSentence, ...]:
        """The sentences with the worst outputs, the worst first."""
        ranked = self._ranked()
        return tuple(ranked[::-1][: min(count, len(ranked) // 2)])

    def _ranked(self) -> list[ScoredSentence]:
        """Every sentence that has a score, the best first."""
        found = self.quality()
        if found is None:
            return []
        metric, scores = found
        order = np.argsort(-scores, kind="stable")
        return [
            ScoredSentence(
                where=self.test_set.pairs[row].where,
                source=self.input_text(row),
                reference=self.reference(self.test_set.pairs[row]),
                output=self.texts[row],
                metric=metric,
                score=float(scores[row]),
            )
            for row in order.tolist()
            if not math.isnan(scores[row])
        ]

    def input_text(self, row: int) -> str:
        """What was read of a row; between two texts stands ‖."""
        pair = self.test_set.pairs[row]
        return " ‖ ".join([pair.source, *self.other_inputs(pair).values()])

    def sentences(self) -> Iterator[dict[str, Any]]:
        """Each row with its output and its own scores, as plain values."""
        each = {name: metric.each() for name, metric in self.statistics.items()}
        for row, (pair, references) in enumerate(
            zip(self.test_set.pairs, self.test_set.references, strict=True)
        ):
            scores = {name: float(values[row]) for name, values in each.items()}
            yield {
                "where": pair.where,
                "source": pair.source,
                **self.other_inputs(pair),
                "reference": self.reference(pair),
                **({"references": list(references)} if len(references) > 1 else {}),
                "output": self.texts[row],
                "scores": rounded(scores),
            }

    def reference(self, pair: Pair) -> str:
        """What would have been right."""
        return pair.target

    def other_inputs(self, pair: Pair) -> dict[str, Any]:
        """What was read beside the source, as plain values."""
        del pair
        return {}

    def outputs_as(self, *, json_lines: bool) -> str:
        """The outputs as a file: one a line, or one JSON object a line with the scores of each."""
        if json_lines:
            return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in self.sentences())
        return "".join(f"{text.translate(_ONE_LINE)}\n" for text in self.texts)


E = TypeVar("E", bound=Evaluation)


def make_evaluation(
    kind: type[E],
    test: TestSet,
    outputs: Outputs[Any],
    statistics: Mapping[str, Statistics],
    *,
    samples: int,
    seed: int,
) -> E:
    """Put an evaluation together from what is known sentence by sentence."""
    resampled = resample(statistics, samples=samples, seed=seed)
    return kind(
        rows=len(test),
        metrics={name: metric.value() for name, metric in statistics.items()},
        intervals={
            name: interval(scores) for name, scores in resampled.items() if not np.isnan(scores).all()
        },
        signature={name: metric.signature for name, metric in statistics.items() if metric.signature},
        by={
            column: {value: _group(statistics, rows) for value, rows in groups.items()}
            for column, groups in test.groups.items()
        },
        test_set=test,
        predictions=outputs,
        statistics=statistics,
        resampled=resampled,
    )


def _group(statistics: Mapping[str, Statistics], rows: Rows) -> Group:
    """The scores of some rows; a metric that cannot be computed there is left out."""
    scores = {name: metric.value(rows) for name, metric in statistics.items()}
    return Group(len(rows), {name: value for name, value in scores.items() if not math.isnan(value)})


def confusion_table(labels: Sequence[str], confusion: Sequence[Sequence[int]]) -> Table:
    """A line for each right label, a column for each that was predicted."""
    names = [visible(name) for name in labels]
    rows = [[name, *(f"{count:,}" for count in own)] for name, own in zip(names, confusion, strict=True)]
    return ["gold \\ predicted", *names], rows


def rounded(scores: Mapping[str, float]) -> dict[str, float]:
    """Scores as they are written in files."""
    return {name: round(value, _DECIMALS) for name, value in scores.items() if not math.isnan(value)}
