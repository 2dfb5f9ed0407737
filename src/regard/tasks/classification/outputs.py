"""What a classifier says of a test set."""

import time
from dataclasses import dataclass
from typing import Any

from regard.data.labelled import LabelledText
from regard.data.pairs import Pair
from regard.errors import DataError
from regard.evaluation.scores import Evaluation
from regard.evaluation.test_set import TestSet
from regard.progress import say, track
from regard.tasks.classification.predictor import Classifier
from regard.tasks.classification.result import Classification

_TOGETHER = 512


@dataclass(frozen=True, repr=False)
class AnswerEvaluation(Evaluation):
    """Scores of what is said of texts, or of pairs."""

    task = "classification"

    def beside(self, pair: Pair) -> dict[str, Any]:
        """The second text of a pair."""
        second = pair.second if isinstance(pair, LabelledText) else None
        return {} if second is None else {"second": second}


def classified(
    classifier: Classifier, test_set: TestSet, *, quiet: bool
) -> tuple[list[Classification], float]:
    """The results, and the seconds that they took."""
    begun = time.monotonic()
    rows = ((pair.where, texts_of(pair)) for pair in test_set.pairs)
    results = classifier.classify_rows(rows)
    outputs = list(
        track(results, "classifying", unit="texts", total=len(test_set), every=_TOGETHER, quiet=quiet)
    )
    seconds = time.monotonic() - begun
    for output, pair in zip(outputs, test_set.pairs, strict=True):
        if not output.label and not output.probabilities:
            raise DataError(f"{pair.where}: the text has no words")
        for note in output.notes:
            say(f"{pair.where}: {note}", quiet=quiet)
    return outputs, seconds


def texts_of(pair: Pair) -> tuple[str, ...]:
    """What is read: one text, or two."""
    return pair.texts if isinstance(pair, LabelledText) else (pair.source,)
