"""After − before, by hand."""

import numpy as np

from regard.insight.maps import AttentionMap, compared, difference, word_diff
from regard.insight.record import AttentionRecord, LayerAttention
from regard.insight.token_axis import TokenAxis


def make(rows: str, columns: str, weights: list[list[float]]) -> AttentionMap:
    return AttentionMap(
        "a", "cross", tuple(rows.split()), tuple(columns.split()), np.array(weights, dtype=np.float32)
    )


def test_kept_words_are_subtracted_and_others_have_no_number() -> None:
    before = make("the cat .", "고양이 .", [[0.5, 0.5], [1.0, 0.0], [0.0, 1.0]])
    after = make("a dog .", "고양이 .", [[0.5, 0.5], [1.0, 0.0], [0.25, 0.75]])
    change = difference(before, after)
    assert change.rows == (("−", "the"), ("−", "cat"), ("+", "a"), ("+", "dog"), ("", "."))
    assert change.columns == (("", "고양이"), ("", "."))
    assert np.isnan(change.weights[:4]).all()
    assert change.weights[4].tolist() == [0.25, -0.25]


def test_the_same_map_gives_zeros() -> None:
    one = make("a b", "x y", [[0.5, 0.5], [1.0, 0.0]])
    assert not difference(one, one).weights.any()


def test_a_repeated_word_is_matched_in_order() -> None:
    assert word_diff(["a", "b", "a"], ["a", "a"]) == [("", "a", 0, 0), ("−", "b", 1, None), ("", "a", 2, 1)]


def test_a_word_that_was_taken_out_is_gone_and_not_unseen() -> None:
    """Its tokens are missing from a text that still has it."""
    target = TokenAxis("I slept", ("I", "slept"), ((0, 1), (2, 7)), ())
    weights = np.array([[0.75, 0.25], [0.5, 0.5]], dtype=np.float32)
    whole = TokenAxis("나는 잘 잤다", ("나는", "잤다"), ((0, 2), (5, 7)), ())
    record = AttentionRecord(whole, target, (LayerAttention("a", "cross", weights),))
    assert record.words().columns == ("나는", "잘", "잤다")
    shown = compared(record, "words")
    assert shown.columns == ("나는", "잤다")
    assert shown.weights.tolist() == weights.tolist()
    assert compared(record, "tokens").columns == ("나는", "잤다")
