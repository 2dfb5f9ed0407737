import unicodedata

import pytest

from regard.errors import DataError
from regard.inference.token_lookup import find_words
from regard.insight.token_axis import TokenAxis

SIDE = TokenAxis("학교에서 3 책을 책을 학교로", ("▁x",) * 5, ((0, 4), (5, 6), (7, 9), (10, 12), (13, 16)))


def test_a_word_by_its_text_or_number() -> None:
    assert find_words("책을", SIDE) == ([2, 3], "")
    assert find_words(unicodedata.normalize("NFD", "책을"), SIDE) == ([2, 3], "")
    assert find_words(0, SIDE) == ([0], "")
    assert find_words("</s>", SIDE) == ([5], "")
    assert find_words("3", SIDE) == ([1], ""), "a word that is written in digits comes before a number"
    assert find_words("4", SIDE) == ([4], "")


def test_a_beginning_where_particles_are_written_onto_words() -> None:
    found, note = find_words("학교", SIDE)
    assert found == [0, 4]
    assert note == "'학교' is not a word of the sentence; taken for the beginning of 학교에서, 학교로"
    exact = TokenAxis("학교 학교에서", ("▁x",) * 2, ((0, 2), (3, 7)))
    assert find_words("학교", exact) == ([0], "")
    english = TokenAxis("schools", ("▁x",), ((0, 7),))
    with pytest.raises(DataError, match="'school' is not in the sentence; its words are 0 schools, 1 </s>"):
        find_words("school", english)


@pytest.mark.parametrize("word", ["사과", "9", "9" * 5000, "４", 9, -1, "", " ", "</"])
def test_what_is_not_there_is_told_with_what_is(word: str | int) -> None:
    with pytest.raises(DataError, match=r"not in the sentence; its words are 0 학교에서, 1 3, .* 5 </s>"):
        find_words(word, SIDE)
