import pytest

from regard.metrics.alignment import alignment_error_rate
from regard.metrics.bleu import bleu, chrf

SURE = frozenset({(0, 0), (1, 1)})
POSSIBLE = frozenset({(0, 0), (1, 1), (1, 2)})


def test_alignment_error_rate_by_hand() -> None:
    assert alignment_error_rate([(SURE, SURE, SURE)]) == 0.0
    assert alignment_error_rate([(frozenset({(5, 5)}), SURE, SURE)]) == 1.0
    # One sure link of two found, and one only possible: 1 - (1 + 2) / (2 + 2)
    found = frozenset({(0, 0), (1, 2)})
    assert alignment_error_rate([(found, SURE, POSSIBLE)]) == pytest.approx(0.25)
    # Over a corpus, links are added up before the division: 1 - (2 + 2 + 0 + 0) / (2 + 2 + 1 + 2)
    pairs = [(SURE, SURE, SURE), (frozenset({(9, 9)}), SURE, SURE)]
    assert alignment_error_rate(pairs) == pytest.approx(1 - 4 / 7)


def test_bleu_and_chrf_name_how_they_were_computed() -> None:
    perfect = bleu(["I read the book ."], ["I read the book ."])
    assert perfect.value == pytest.approx(100.0)
    assert "tok:13a" in perfect.signature
    assert "case:mixed" in perfect.signature
    assert bleu(["i read the book ."], ["I read the book ."]).value < 100
    assert chrf(["abc"], ["abc"]).value == pytest.approx(100.0)
    assert "nc:6" in chrf(["abc"], ["abc"]).signature
