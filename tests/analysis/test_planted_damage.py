"""Damage that is planted is damage: the other sentence is another one."""

import pytest

from regard.analysis.planted_damage import plant
from regard.errors import DataError


def test_another_sentence_is_the_next_longer_one_with_another_text() -> None:
    pairs = [("a", "She reads."), ("b", "She reads."), ("c", "He reads it."), ("d", "He reads it.")]
    found = plant("another sentence", pairs)
    assert found == [("a", "He reads it."), ("b", "He reads it."), ("c", "She reads."), ("d", "She reads.")]


def test_of_one_text_alone_there_is_no_other() -> None:
    with pytest.raises(DataError, match="another sentence: expected two texts or more, found one"):
        plant("another sentence", [("a", "She reads."), ("b", "She reads.")])
