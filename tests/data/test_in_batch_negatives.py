"""Which texts of a batch count against which."""

from regard.tasks.embedding.trainer import is_negative


def test_what_is_right_as_well_does_not_count_against_a_text() -> None:
    firsts = ["a", "b", "a", "d"]
    seconds = ["x", "y", "z", "x"]
    found = is_negative(firsts, seconds, ["a", "w"])
    assert found.tolist() == [
        # x and z belong to a, in whichever row; a itself is no negative
        [False, True, False, False, False, True],
        [True, False, True, True, True, True],
        [False, True, False, False, False, True],
        [False, True, True, False, True, True],
    ]
    assert is_negative(["a"], ["b"]).tolist() == [[False]]


def test_another_partner_of_the_same_text_is_right_among_the_negatives_too() -> None:
    found = is_negative(["A", "A", "B"], ["P", "Q", "R"], ["Q", "N", "N"])
    assert found.tolist() == [
        [False, False, True, False, True, True],
        [False, False, True, False, True, True],
        [True, True, False, True, True, True],
    ]
