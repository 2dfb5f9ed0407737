"""Which texts of a batch count against which."""

from regard.data.negatives import counts_against


def test_what_is_right_as_well_does_not_count_against_a_text() -> None:
    firsts = ["a", "b", "a", "d"]
    seconds = ["x", "y", "z", "x"]
    found = counts_against(firsts, seconds, ["a", "w"])
    assert found.tolist() == [
        [
            False,
            True,
            False,
            False,
            False,
            True,
        ],  # z belongs to a, too; the last has the same second; a itself
        [True, False, True, True, True, True],
        [False, True, False, True, False, True],
        [False, True, True, False, True, True],
    ]
    assert counts_against(["a"], ["b"]).tolist() == [[False]]
