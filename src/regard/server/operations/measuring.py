"""Operations that measure: probabilities, word alignments, causes, alarms, and checks of a few rows."""

from collections.abc import Mapping, Sequence
from typing import Any

from regard.analysis.alarm_section import AlarmSection
from regard.analysis.alarms import check_alarms
from regard.analysis.alignment import Aligner, AlignmentOptions
from regard.analysis.causes import DEFAULT
from regard.analysis.check import check_model
from regard.analysis.options import CheckOptions
from regard.analysis.thresholds import AlarmThresholds
from regard.data.labelled import LabelledText
from regard.data.pairs import Pair
from regard.data.questions import QuestionExample
from regard.data.tagged import TaggedSentence
from regard.evaluation.test_set import TestSet
from regard.metrics.bootstrap import SEED
from regard.server.bounds import MOST_ROWS
from regard.server.operations.looking import texts_of
from regard.server.operations.observer import BatchObserver
from regard.server.operations.options import check_options
from regard.server.service import Result, ServiceError


def score(
    model: Any, inputs: Sequence[Mapping[str, Any]], options: Mapping[str, Any], observer: BatchObserver
) -> list[Result]:
    """How probable each given text is, or translation."""
    del observer
    check_options(options, set())
    if model.task == "language-model":
        return [one.to_dict() for one in model.score([("the text", one["text"]) for one in inputs])]
    pairs = [(*_pair(one), "the pair") for one in inputs]
    return [one.to_dict() for one in model.score(pairs)]


def align(
    model: Any, inputs: Sequence[Mapping[str, Any]], options: Mapping[str, Any], observer: BatchObserver
) -> list[Result]:
    """Which words of each text and its translation belong together; by default, of the model's own."""
    check_options(options, {"unit", "threshold"})
    aligner = Aligner(model, AlignmentOptions(options.get("unit") or "words", options.get("threshold")))
    found: list[Result] = []
    for number, one in enumerate(inputs):
        if observer.is_cancelled(number):
            found.append({})
        elif one.get("target") is None:
            (own,) = aligner.stream_outputs([("the text", one["text"])])
            found.append(own.to_dict(null=True))
        else:
            (given,) = aligner.align([_pair(one)], ["the pair"])
            found.append(given.to_dict(null=True))
    return found


def causes(
    model: Any, inputs: Sequence[Mapping[str, Any]], options: Mapping[str, Any], observer: BatchObserver
) -> list[Result]:
    """What the output for each input owes to its words, by measured effect."""
    check_options(options, {"word", "instead", "by", "steps", "alternatives"})
    given = {name: value for name, value in options.items() if value is not None}
    asked = {"by": DEFAULT, **given}
    found: list[Result] = []
    for number, one in enumerate(inputs):
        if observer.is_cancelled(number):
            found.append({})
            continue
        if model.task == "question-answering":
            text, second = texts_of(model, one)
            beside = {"second": second}
        else:
            text = one["text"]
            beside = {name: one[name] for name in ("second", "target") if one.get(name) is not None}
        found.append(model.causes(text, **beside, **asked).to_dict())
    return found


class Alarms:
    """The alarms of outputs. An `Operation`."""

    def __init__(self, thresholds: AlarmThresholds | None) -> None:
        """thresholds: those of the model's folder; without them, defaults that no data has confirmed"""
        self._thresholds = thresholds

    def __call__(
        self,
        model: Any,
        inputs: Sequence[Mapping[str, Any]],
        options: Mapping[str, Any],
        observer: BatchObserver,
    ) -> list[Result]:
        """Whether each output can be trusted; of a translator, given translations or its own."""
        del observer
        check_options(options, set())
        return [self._of(model, one) for one in inputs]

    def _of(self, model: Any, one: Mapping[str, Any]) -> Result:
        target = one.get("target")
        section = check_alarms(
            model, [_example(model, one)], self._thresholds, None if target is None else [target]
        )
        return alarms_to_dict(section)


def alarms_to_dict(section: AlarmSection) -> dict[str, Any]:
    """The alarms of one output."""
    (judged,) = section.judged
    known = section.thresholds
    return {
        "source": judged.one.source,
        "text": judged.one.text,
        "severity": judged.severity,
        "alarms": [each.to_dict() for each in judged.raised],
        "scores": dict(judged.scores),
        "thresholds": {name: known.limits[name].threshold for name in judged.scores if name in known.limits},
        "not_applicable": dict(section.not_applicable),
        "fitted": known.is_fitted,
        "notes": list(section.notes),
    }


class Check:
    """Whether attention is stable and explains what a model says, on rows of a request. An `Operation`."""

    def __init__(self, thresholds: AlarmThresholds | None, name: str) -> None:
        self._thresholds, self._name = thresholds, name

    def __call__(
        self,
        model: Any,
        inputs: Sequence[Mapping[str, Any]],
        options: Mapping[str, Any],
        observer: BatchObserver,
    ) -> list[Result]:
        """A report for each input, which has rows."""
        del observer
        check_options(options, {"only", "seed"})
        seed = options.get("seed")
        found: list[Result] = []
        for one in inputs:
            rows = one.get("rows") or []
            if not 1 <= len(rows) <= MOST_ROWS:
                raise ServiceError(
                    422,
                    "invalid",
                    f"rows: expected 1 to {MOST_ROWS} rows, found {len(rows)}",
                    field="rows",
                    limit=MOST_ROWS,
                    found=len(rows),
                )
            test = TestSet.of([_example(model, row, n) for n, row in enumerate(rows, start=1)])
            asked = CheckOptions(False, (), SEED if seed is None else seed, True, self._thresholds)
            report = check_model(model, test, asked, name=self._name, only=options.get("only"))
            found.append(report.to_dict())
        return found


def _pair(one: Mapping[str, Any]) -> tuple[str, str]:
    for name in ("text", "target"):
        if one.get(name) is None:
            raise ServiceError(422, "invalid", f"{name}: a source and its translation are needed", field=name)
    return one["text"], one["target"]


def _example(model: Any, one: Mapping[str, Any], number: int = 1) -> Pair:
    """A row as a corpus of the model's task has it; what is right, where it is said."""
    where, text, right = f"row:{number}", one.get("text") or "", one.get("target") or ""
    match model.task:
        case "classification":
            return LabelledText(text, right, where, None, (), one.get("second"))
        case "tagging":
            words = tuple(text.split())
            return TaggedSentence(text, right, where, None, (), words)
        case "question-answering":
            return QuestionExample(text, right, where, None, (), one.get("question") or "")
        case _:
            return Pair(text, right, where)
