import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import sacrebleu

from regard.errors import DataError
from regard.metrics.alignment import alignment_error_rate, alignment_statistics
from regard.metrics.bleu import METRICS, bleu, chrf, ter, translation_statistics

SURE = frozenset({(0, 0), (1, 1)})
POSSIBLE = frozenset({(0, 0), (1, 1), (1, 2)})
OUTPUTS = ["I read the book .", "a cat sleeps", "", "It rains in the park today and tomorrow ."]
REFERENCES = ["I read a book .", "The cat sleeps", "Yes .", "Today it rains in the park ."]
OTHERS = ["I was reading the book .", "A cat sleeps", "Yes !", "It is raining in the park today ."]


def test_alignment_error_rate_by_hand() -> None:
    assert alignment_error_rate([(SURE, SURE, SURE)]) == 0.0
    assert alignment_error_rate([(frozenset({(5, 5)}), SURE, SURE)]) == 1.0
    # One sure link of two found, and one only possible: 1 - (1 + 2) / (2 + 2)
    found = frozenset({(0, 0), (1, 2)})
    assert alignment_error_rate([(found, SURE, POSSIBLE)]) == pytest.approx(0.25)
    # Over a corpus, links are added up before the division: 1 - (2 + 2 + 0 + 0) / (2 + 2 + 1 + 2)
    pairs = [(SURE, SURE, SURE), (frozenset({(9, 9)}), SURE, SURE)]
    assert alignment_error_rate(pairs) == pytest.approx(1 - 4 / 7)
    assert math.isnan(alignment_error_rate([]))


def test_sentences_without_a_known_alignment_do_not_count() -> None:
    known = alignment_statistics([(SURE, SURE, SURE), None])["aer"]
    assert (known.value(), len(known)) == (0.0, 2)
    assert math.isnan(known.value(np.array([1])))


def test_a_score_names_how_it_was_computed() -> None:
    perfect = bleu(["I read the book ."], ["I read the book ."])
    assert perfect.value == pytest.approx(100.0)
    assert "tok:13a" in perfect.signature
    assert "case:mixed" in perfect.signature
    assert bleu(["i read the book ."], ["I read the book ."]).value < 100
    assert chrf(["abc"], ["abc"]).value == pytest.approx(100.0)
    assert "nc:6" in chrf(["abc"], ["abc"]).signature
    assert ter(["a b c d"], ["a b x d"]).value == pytest.approx(25.0)
    assert "tok:tercom" in ter(["a"], ["a"]).signature


@pytest.mark.parametrize("metric", METRICS)
def test_corpus_and_sentence_scores_are_those_of_sacrebleu(metric: str) -> None:
    theirs = {"bleu": sacrebleu.BLEU(), "chrf": sacrebleu.CHRF(), "ter": sacrebleu.TER()}[metric]
    one: dict[str, Callable[..., Any]] = {
        "bleu": sacrebleu.sentence_bleu,
        "chrf": sacrebleu.sentence_chrf,
        "ter": sacrebleu.sentence_ter,
    }
    rows = list(zip(REFERENCES, OTHERS, strict=True))
    ours = translation_statistics(metric, OUTPUTS, rows)
    assert ours.value() == pytest.approx(theirs.corpus_score(OUTPUTS, [REFERENCES, OTHERS]).score)
    assert ours.signature == str(theirs.get_signature())
    expected = [one[metric](output, list(row)).score for output, row in zip(OUTPUTS, rows, strict=True)]
    assert ours.each().tolist() == pytest.approx(expected)
    first = theirs.corpus_score(OUTPUTS[:2], [REFERENCES[:2], OTHERS[:2]]).score
    assert ours.value(np.array([0, 1])) == pytest.approx(first)


def test_a_sentence_may_have_fewer_references_than_another() -> None:
    ours = translation_statistics("bleu", OUTPUTS[:2], [REFERENCES[:1], [REFERENCES[1], OTHERS[1]]])
    theirs = sacrebleu.corpus_bleu(OUTPUTS[:2], [REFERENCES[:2], [None, OTHERS[1]]])  # type: ignore[list-item]
    assert ours.value() == pytest.approx(theirs.score)
    assert "nrefs:var" in ours.signature


def test_an_output_too_few_is_an_error() -> None:
    with pytest.raises(DataError, match="expected 4 outputs, one a sentence, found 3"):
        translation_statistics("chrf", OUTPUTS[:3], [[text] for text in REFERENCES])
