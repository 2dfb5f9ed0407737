"""Exact match and F1 by hand, as SQuAD's own script computes them."""

import pytest

from regard.metrics.squad import answer_f1, answer_words, exact_match, squad_statistics


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ("The  Lord's Prayer.", ["lords", "prayer"]),
        ("an apple, a day", ["apple", "day"]),
        ("theatre", ["theatre"]),
        ("Saint-Denis", ["saintdenis"]),
        ("서울에서, 어제", ["서울에서", "어제"]),
        ("the", []),
    ],
)
def test_what_is_compared(answer: str, words: list[str]) -> None:
    assert answer_words(answer) == words


@pytest.mark.parametrize(
    ("said", "right", "match", "f1"),
    [
        ("the Norman conquest", ["Norman Conquest."], 1.0, 1.0),
        ("in the Norman conquest", ["Norman conquest"], 0.0, 2 * 2 / (3 + 2)),
        ("big big cat", ["big cat cat"], 0.0, 2 * 2 / (3 + 3)),
        ("어제 공원에서", ["공원에서"], 0.0, 2 * 1 / (2 + 1)),
        ("공원", ["공원에서"], 0.0, 0.0),
        ("1066", ["in 1067", "1066"], 1.0, 1.0),
        ("", [], 1.0, 1.0),
        ("", ["1066"], 0.0, 0.0),
        ("1066", [], 0.0, 0.0),
        ("the", ["1066"], 0.0, 0.0),
    ],
)
def test_scores_by_hand(said: str, right: list[str], match: float, f1: float) -> None:
    assert exact_match(said, right) == match
    assert answer_f1(said, right) == pytest.approx(f1)


def test_a_corpus_has_the_mean() -> None:
    found = squad_statistics(["in the park", "1066", ""], [["park"], ["1066"], ["x"]])
    assert found["exact_match"].value() == pytest.approx(1 / 3)
    assert found["f1"].value() == pytest.approx((2 / 3 + 1 + 0) / 3)
