import numpy as np
import pytest

from regard.insight.hops import mean_overlap, overlap, overlap_summary, to_dict, with_sum
from regard.insight.maps import AttentionMap


def hops(*rows: list[float], kind: str = "hops") -> AttentionMap:
    names = tuple(f"hop {number}" for number in range(len(rows)))
    words = tuple("abcd"[: len(rows[0])])
    return AttentionMap("pooling", kind, names, words, np.array(rows, dtype=np.float32))  # type: ignore[arg-type]


def test_the_sum_is_one_more_row_that_sums_to_one() -> None:
    shown = with_sum(hops([1.0, 0.0], [0.5, 0.5]))
    assert shown.rows == ("hop 0", "hop 1", "all hops")
    assert shown.weights[-1].tolist() == [0.75, 0.25]


def test_overlap_by_hand() -> None:
    shown = hops([1.0, 0.0, 0.0], [0.5, 0.5, 0.0], [0.0, 0.0, 1.0])
    assert overlap(shown).tolist() == [[1.0, 0.5, 0.0], [0.5, 1.0, 0.0], [0.0, 0.0, 1.0]]
    assert mean_overlap(shown) == pytest.approx(1 / 6)
    assert overlap_summary(shown) == "overlap between hops: 0.17 on average; most alike hop 0 and hop 1: 0.50"
    assert to_dict(shown)["overlap"][0] == [1.0, 0.5, 0.0]


def test_hops_that_look_at_nothing_are_two_hops() -> None:
    assert overlap_summary(hops([0.0, 0.0], [0.0, 0.0])).endswith("most alike hop 0 and hop 1: 0.00")


def test_what_is_no_hops_stays_as_it_is() -> None:
    for shown in (hops([1.0, 0.0]), hops([1.0, 0.0], [0.0, 1.0], kind="cross")):
        assert with_sum(shown) is shown
        assert (mean_overlap(shown), overlap_summary(shown)) == (None, "")
        assert to_dict(shown) == shown.to_dict()
