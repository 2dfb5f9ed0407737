"""Scores of spans against seqeval's."""

import numpy as np
import pytest
from seqeval import metrics as reference

from regard.errors import DataError
from regard.metrics.bootstrap import resample
from regard.metrics.f_score import Mean, Measure, span_scores, span_statistics

LABELS = {"bio": "O B-X I-X B-Y I-Y", "bioes": "O B-X I-X E-X S-X B-Y I-Y E-Y S-Y"}
SCORES = {
    "precision": reference.precision_score,
    "recall": reference.recall_score,
    "f1": reference.f1_score,
}


def sentences(scheme: str) -> tuple[list[list[str]], list[list[str]]]:
    """Any labels in any order, of which the tagger has some right: not well-formed, as taggers are."""
    random = np.random.default_rng(1)
    names = np.array(LABELS[scheme].split())
    right = [random.choice(names, size=length) for length in random.integers(1, 9, 80)]
    said = [
        np.where(random.random(len(row)) < 0.8, row, random.choice(names, size=len(row))) for row in right
    ]
    return [row.tolist() for row in said], [row.tolist() for row in right]


@pytest.mark.parametrize("scheme", LABELS)
@pytest.mark.parametrize("mean", ["micro", "macro"])
@pytest.mark.parametrize("measure", ["precision", "recall", "f1"])
def test_it_is_that_of_seqeval(scheme: str, measure: Measure, mean: Mean) -> None:
    said, right = sentences(scheme)
    ours = span_statistics(said, right, measure=measure, mean=mean)
    assert ours.value() == pytest.approx(SCORES[measure](right, said, average=mean))
    rows = np.arange(20)
    assert ours.value(rows) == pytest.approx(SCORES[measure](right[:20], said[:20], average=mean))
    assert len(resample({"f1": ours}, samples=3)["f1"]) == 3


@pytest.mark.parametrize("scheme", LABELS)
def test_each_kind_is_that_of_seqeval(scheme: str) -> None:
    said, right = sentences(scheme)
    theirs = reference.classification_report(right, said, output_dict=True)
    for kind, score in span_scores(said, right).items():
        assert score._asdict() == pytest.approx(
            {
                "precision": theirs[kind]["precision"],
                "recall": theirs[kind]["recall"],
                "f1": theirs[kind]["f1-score"],
                "there": theirs[kind]["support"],
            }
        )


def test_by_hand() -> None:
    """Of two spans, one is found; the other with a wrong end. Three were said: 1/3, 1/2, 2/5."""
    right = [["B-X", "I-X", "O", "B-Y"], ["O"]]
    said = [["B-X", "O", "O", "B-Y"], ["B-Y"]]
    values = [span_statistics(said, right, measure=m).value() for m in ("precision", "recall", "f1")]
    assert values == pytest.approx([1 / 3, 1 / 2, 2 / 5])


def test_sentences_of_other_lengths_are_refused() -> None:
    with pytest.raises(DataError, match="sentence 2 has 1 words, found 2 labels"):
        span_statistics([["O"], ["O", "O"]], [["O"], ["O"]])
    with pytest.raises(DataError, match="2 sentences; found 1 sentences"):
        span_statistics([["O"]], [["O"], ["O"]])
