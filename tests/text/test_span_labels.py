import pytest

from regard.errors import DataError
from regard.text.span_labels import LabelSpan, are_span_labels, label_rules, may_follow, spans_of


@pytest.mark.parametrize(
    ("labels", "expected"),
    [
        ("O B-X I-X O", [("X", 1, 3)]),
        ("B-X B-X I-X", [("X", 0, 1), ("X", 1, 3)]),
        ("B-X I-Y", [("X", 0, 1), ("Y", 1, 2)]),
        ("O I-X I-X", [("X", 1, 3)]),  # not well-formed, but what is meant is clear
        ("B-X I-X E-X S-Y O", [("X", 0, 3), ("Y", 3, 4)]),
        ("B-X E-X I-X", [("X", 0, 2), ("X", 2, 3)]),
        ("S-X E-X", [("X", 0, 1), ("X", 1, 2)]),
        ("B I O", [("", 0, 2)]),
        ("O O", []),
        ("", []),
    ],
)
def test_spans_by_hand(labels: str, expected: list[tuple[str, int, int]]) -> None:
    assert spans_of(labels.split()) == {LabelSpan(*span) for span in expected}


@pytest.mark.parametrize("label", ["PER", "b-X", "", "O-X", "BI-X"])
def test_what_is_no_span_label_is_refused(label: str) -> None:
    with pytest.raises(DataError, match=f"expected a span label .* found '{label}'"):
        spans_of([label])


def test_what_may_follow() -> None:
    assert may_follow("B-X", "I-X", "bio")
    assert not may_follow("B-X", "I-Y", "bio")
    assert not may_follow("O", "I-X", "bio")
    assert not may_follow(None, "I-X", "bio")
    assert may_follow("B-X", None, "bio")
    assert not may_follow("B-X", None, "bioes")
    assert not may_follow("B-X", "O", "bioes")
    assert may_follow("E-X", "S-Y", "bioes")
    assert not may_follow("E-X", "I-X", "bioes")


@pytest.mark.parametrize(("scheme", "labels"), [("bio", "O B-X I-X B-Y I-Y"), ("bioes", "O B-X I-X E-X S-X")])
def test_the_rules_are_those_of_pairs(scheme: str, labels: str) -> None:
    """A label begins a sentence as it follows O, and ends one as O follows it."""
    names = labels.split()
    between, first, last = label_rules(names, scheme)  # type: ignore[arg-type]
    assert between[0] == first
    assert [row[0] for row in between] == last
    assert between[names.index("B-X")][names.index("I-X")]


@pytest.mark.parametrize(
    ("labels", "expected"),
    [
        ("B-X I-X O", True),
        ("B I O", True),
        ("B-X E-X S-Y", True),
        ("O", False),
        ("NOUN O", False),
        ("B-X I- O", False),
        ("INTJ", False),
        ("", False),
    ],
)
def test_which_labels_write_spans(labels: str, expected: bool) -> None:
    assert are_span_labels(labels.split()) == expected
