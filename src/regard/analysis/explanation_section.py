"""The section of explanation tests: a table of numbers with intervals, the evidence, the verdict."""

from dataclasses import dataclass
from typing import Any, ClassVar

from regard.analysis.explanation import ExplanationTests, explanation_tests
from regard.analysis.options import CheckOptions
from regard.analysis.page import curve_svg, heading, paragraph, table_html, table_lines
from regard.errors import DataError
from regard.evaluation.test_set import TestSet
from regard.inference.model import TaskModel
from regard.progress import counted
from regard.tasks.classification.predictor import Classifier

_MEANINGS = {
    "accuracy": "accuracy of the model",
    "uniform": "uniform attention: change of the output, TVD",
    "uniform_accuracy_change": "uniform attention: change of the accuracy",
    "permutation": "permuted attention: median change of the output, TVD",
    "permutation_within_epsilon": "permuted attention: share of texts whose median TVD is 0.01 or less",
    "adversary": "adversary: JSD from the attention, with a TVD of 0.01 or less (at most ln 2 = 0.693)",
    "seed_divergence": "other seeds: JSD from their attention",
    "seed_output_change": "other seeds: TVD from their output",
    "frozen_accuracy": "network without context: accuracy with this attention, frozen",
    "frozen_uniform_accuracy": "network without context: accuracy with uniform attention",
    "frozen_gain": "network without context: what this attention adds",
    "comprehensiveness": "comprehensiveness: what erasing the most attended words costs",
    "random_comprehensiveness": "comprehensiveness of words at random",
    "comprehensiveness_gain": "comprehensiveness: attention less random",
    "sufficiency": "sufficiency: what keeping the most attended words alone costs",
    "random_sufficiency": "sufficiency of words at random",
    "sufficiency_gain": "sufficiency: random less attention",
    "tau_gradient": "Kendall τ of attention and gradients",
    "tau_leave_one_out": "Kendall τ of attention and leaving one word out",
    "rationale_precision": "rationale: share of it among as many most attended words",
    "rationale_chance": "rationale: the same by chance",
    "rationale_gain": "rationale: attention less chance",
}


@dataclass(frozen=True)
class ExplanationSection:
    """The explanation tests of a classifier."""

    name: ClassVar[str] = "explanation"
    title: ClassVar[str] = "Is attention an explanation?"
    tests: ExplanationTests

    @property
    def verdict(self) -> str:
        """In plain words."""
        return self.tests.verdict.text

    def to_dict(self) -> dict[str, Any]:
        """Plain values."""
        return self.tests.to_dict()

    def lines(self) -> list[str]:
        """The numbers, what did not run, the evidence, the verdict."""
        return [
            *table_lines(*self._table()),
            *(f"no {name}: {why}" for name, why in self.tests.missing.items()),
            *self.tests.verdict.lines(),
            f"verdict, from {counted(self.tests.texts, 'text')}: {self.verdict}",
        ]

    def html(self) -> str:
        """The same, with the erasure curves."""
        evidence = table_html(["question", "found", "evidence"], list(map(list, self.tests.verdict.evidence)))
        parts = [evidence, heading("The tests"), table_html(*self._table())]
        parts += [paragraph(f"no {name}: {why}", kind="note") for name, why in self.tests.missing.items()]
        for place, name in ((1, "comprehensiveness"), (2, "sufficiency")):
            points = [(100 * point[0], point[place]) for point in self.tests.erasure_curve]
            if points:
                parts += [
                    heading(f"Erasure: {name}"),
                    curve_svg(name, points, x="% of the words, the most attended first", y=name),
                ]
        return "".join(parts)

    def _table(self) -> tuple[list[str], list[list[str]]]:
        found = self.tests.estimates
        rows = [
            [meaning, *found[name].cells(), f"{found[name].texts:,}"]
            for name, meaning in _MEANINGS.items()
            if name in found
        ]
        return ["test", "value", "95 % interval", "texts"], rows


def explanation_section(model: TaskModel, test: TestSet, options: CheckOptions) -> ExplanationSection:
    """Run the tests; they are for classifiers."""
    if not isinstance(model, Classifier):
        raise DataError(f"the tests are for classifiers, and this is a model for {model.task}")
    tests = explanation_tests(
        model,
        test.pairs,
        adversary=options.adversary,
        seeds=[other for other in options.seeds if isinstance(other, Classifier)],
        seed=options.seed,
        quiet=options.quiet,
    )
    return ExplanationSection(tests)
