"""IBM model 1 on the example of the textbooks, by hand."""

import pytest

from regard.experiments.ibm_model_1 import NULL, IBMModel1

BOOKS = [
    (("das", "Haus"), ("the", "house")),
    (("das", "Buch"), ("the", "book")),
    (("ein", "Buch"), ("a", "book")),
]
"""Koehn 2010, figure 4.4; no empty word."""


@pytest.mark.parametrize(
    ("iterations", "expected"),
    [
        (1, {("the", "das"): 0.5, ("house", "das"): 0.25, ("book", "das"): 0.25, ("house", "Haus"): 0.5}),
        (
            2,
            {("the", "das"): 0.6364, ("house", "das"): 0.1818, ("the", "Haus"): 0.4286},
        ),
        (3, {("the", "das"): 0.7479, ("book", "das"): 0.1208, ("the", "Haus"): 0.3466, ("a", "ein"): 0.6534}),
    ],
)
def test_the_table_of_the_textbook(iterations: int, expected: dict[tuple[str, str], float]) -> None:
    model = IBMModel1.learn(BOOKS, iterations=iterations, null=False)
    for (target, source), probability in expected.items():
        assert model.probability(target, source) == pytest.approx(probability, abs=5e-5)


def test_probabilities_of_a_source_word_add_up() -> None:
    model = IBMModel1.learn(BOOKS, iterations=4)
    words = {word for _, target in BOOKS for word in target}
    for source in ("das", "Haus", "Buch", "ein", NULL):
        assert sum(model.probability(word, source) for word in words) == pytest.approx(1.0)


def test_in_the_end_each_word_has_its_own() -> None:
    model = IBMModel1.learn(BOOKS, iterations=50, null=False)
    assert model.align(("das", "Buch"), ("the", "book")) == {(0, 0), (1, 1)}
    assert model.align(("Buch", "das"), ("book",)) == {(0, 0)}


def test_the_other_direction_is_the_other_pair() -> None:
    turned = IBMModel1.learn([(target, source) for source, target in BOOKS], iterations=50, null=False)
    assert turned.align(("the", "house"), ("das", "Haus")) == {(0, 0), (1, 1)}


def test_what_the_empty_word_translates_has_no_link() -> None:
    """`do` comes with every verb, so that no verb explains it better than the empty word."""
    verbs = [((verb,), ("do", word)) for verb, word in (("geht", "go"), ("sieht", "see"), ("isst", "eat"))]
    model = IBMModel1.learn(verbs, iterations=30)
    assert model.align(("geht",), ("do", "go")) == {(0, 1)}
    assert model.align(("geht",), ("unheard",)) == frozenset()
    assert IBMModel1.learn([]).align(("a",), ("b",)) == frozenset()
