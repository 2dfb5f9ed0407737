import pytest

from regard.errors import DataError, StoreError
from regard.text.labels import MOST, Labels


def places(*labels: str) -> list[tuple[str, str]]:
    return [(f"x.tsv:{line}", label) for line, label in enumerate(labels, start=2)]


def test_labels_are_sorted_whatever_the_order_of_the_rows() -> None:
    one, other = (Labels.learn(places(*rows), "label") for rows in (("b", "a", "b"), ("a", " b ")))
    assert one.names == other.names == ("a", "b")
    assert one.encode_ids(["b", "a"]) == [[1], [0]]
    assert Labels.from_json(one.to_json(), "x").names == one.names


def test_a_label_is_the_same_in_any_normal_form() -> None:
    labels = Labels.learn(places("긍정", "부정"), "label")
    assert labels.number("\u1100\u1173\u11bc정", "x") == 0


def test_an_unknown_label_is_named_with_its_place() -> None:
    labels = Labels(["negative", "positive"])
    with pytest.raises(DataError, match=r"^dev.tsv:7: the label 'neutral' is not one that training knows; "):
        labels.number("neutral", "dev.tsv:7")


def test_columns_that_are_no_labels_are_refused() -> None:
    with pytest.raises(DataError, match="two labels or more are needed, and the column 'label' has only 'a'"):
        Labels.learn(places("a", "a"), "label")
    with pytest.raises(DataError, match="the column 'id' has more than 10,000 labels"):
        Labels.learn(places(*map(str, range(MOST + 1))), "id")


def test_a_stored_list_that_training_would_refuse_is_refused() -> None:
    with pytest.raises(StoreError, match=r"^m: expected at most 10,000 labels, found 10,001"):
        Labels.from_json(Labels([str(number) for number in range(MOST + 1)]).to_json(), "m")


@pytest.mark.parametrize(
    "text",
    ["", "[]", "[" * 100_000, '{"labels": ["a"]}', '{"format": 9, "labels": ["a", "b"]}'],
    ids=range(5),
)
def test_a_damaged_list_is_refused(text: str) -> None:
    with pytest.raises(StoreError, match="labels"):
        Labels.from_json(text, "m/labels.json")
