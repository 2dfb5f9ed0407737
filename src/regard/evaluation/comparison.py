"""Systems side by side on one test set: their scores, how sure the differences are, and where they lie."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from regard.errors import DataError
from regard.evaluation.result import Evaluation, rounded
from regard.metrics.bootstrap import Difference, difference
from regard.progress import counted

SHOWN = 5


@dataclass(frozen=True)
class Contrast:
    """A sentence that the systems do differently well."""

    where: str
    source: str
    """What was read; between two texts stands ‖."""
    reference: str
    outputs: dict[str, str]
    """Each system's output."""
    metric: str
    """What tells the outputs apart: chrf of translations, accuracy of labels."""
    scores: dict[str, float]
    """The score of each output alone, by that metric."""


@dataclass(frozen=True, repr=False)
class Comparison:
    """What some systems do on one test set. The first is the baseline."""

    evaluations: dict[str, Evaluation]
    """The systems' own scores, by name."""
    differences: dict[str, dict[str, Difference]]
    """For each system but the baseline and for each metric: what it has more than the baseline."""
    contrasts: tuple[Contrast, ...] = field(default=())
    """The sentences in which a system is furthest from the baseline, the furthest first."""

    @property
    def baseline(self) -> str:
        """The name of the system that the others are compared with."""
        return next(iter(self.evaluations))

    @property
    def first(self) -> Evaluation:
        """The scores of the baseline."""
        return self.evaluations[self.baseline]

    @property
    def metrics(self) -> list[str]:
        """Every metric that a system has."""
        return list(dict.fromkeys(name for each in self.evaluations.values() for name in each.metrics))

    def __repr__(self) -> str:
        rows = counted(self.first.rows, "row")
        lines = [f"Comparison on {self.first.test_set.name}, {rows}; p against {self.baseline}"]
        for system, evaluation in self.evaluations.items():
            scores = []
            for name in evaluation.metrics:
                sure = self.differences.get(system, {}).get(name)
                p_value = f" (p = {sure.p_value:.3f})" if sure else ""
                scores.append(f"{name} {evaluation.in_words(name)}{p_value}")
            lines.append(f"  {system}: {', '.join(scores)}")
        return "\n".join(lines)

    def group_difference(self, system: str, column: str, value: str, metric: str) -> float | None:
        """What a system has more than the baseline in a group of rows; None where one has no score."""
        own = self.evaluations[system].by[column][value].metrics
        base = self.first.by[column][value].metrics
        return own[metric] - base[metric] if metric in own and metric in base else None

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        return {
            "task": self.first.task,
            "data": self.first.test_set.name,
            "rows": self.first.rows,
            "baseline": self.baseline,
            "signature": {
                name: text for each in self.evaluations.values() for name, text in each.signature.items()
            },
            "systems": [{"name": name} | self._system(name, each) for name, each in self.evaluations.items()],
            "sentences": [
                {
                    "where": contrast.where,
                    "source": contrast.source,
                    "reference": contrast.reference,
                    "outputs": contrast.outputs,
                    contrast.metric: rounded(contrast.scores),
                }
                for contrast in self.contrasts
            ],
        }

    def _system(self, system: str, evaluation: Evaluation) -> dict[str, Any]:
        values = evaluation.to_dict()
        for fact in ("task", "rows", "signature"):
            del values[fact]
        if system == self.baseline:
            return values
        values["differences"] = {
            name: {
                "value": round(found.value, 4),
                "interval": [round(bound, 4) for bound in found.interval],
                "p_value": round(found.p_value, 6),
            }
            for name, found in self.differences[system].items()
            if not math.isnan(found.value)  # of numbers that are all alike, say: JSON has no such number
        }
        for column, groups in values["by"].items():
            for value, group in groups.items():
                gaps = {name: self.group_difference(system, column, value, name) for name in group["metrics"]}
                group["differences"] = {name: round(gap, 4) for name, gap in gaps.items() if gap is not None}
        return values


def compare_evaluations(evaluations: Mapping[str, Evaluation], *, show: int = SHOWN) -> Comparison:
    """Compare systems that were scored on the same rows with the same resamples.

    show: how many sentences to pick out
    """
    if len(evaluations) < 2:
        raise DataError(f"a comparison needs two systems or more, found {len(evaluations)}")
    (_, first), *others = evaluations.items()
    for name, other in others:
        if other.task != first.task or other.test_set.sources != first.test_set.sources:
            raise DataError(f"{name}: was scored on another test set than the baseline")
    differences = {name: _differences(first, other) for name, other in others}
    return Comparison(dict(evaluations), differences, _contrasts(evaluations, show))


def _differences(base: Evaluation, system: Evaluation) -> dict[str, Difference]:
    return {
        name: difference(
            base.statistics[name], system.statistics[name], base.resampled[name], system.resampled[name]
        )
        for name in system.resampled
        if name in base.resampled
    }


def _contrasts(evaluations: Mapping[str, Evaluation], show: int) -> tuple[Contrast, ...]:
    if show < 1:
        return ()
    found = [each.sentence_scores() for each in evaluations.values()]
    scores = np.stack([values for _, values in found])
    gap = np.abs(scores - scores[0]).max(axis=0)
    first = next(iter(evaluations.values()))
    test_set = first.test_set
    furthest = np.argsort(-gap, kind="stable")[:show]
    return tuple(
        Contrast(
            where=test_set.pairs[row].where,
            source=first.input_text(row),
            reference=first.reference(test_set.pairs[row]),
            outputs={name: each.texts[row] for name, each in evaluations.items()},
            metric=found[0][0],
            scores={name: float(score) for name, score in zip(evaluations, scores[:, row], strict=True)},
        )
        for row in furthest.tolist()
        if gap[row] > 0
    )
