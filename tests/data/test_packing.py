"""Sentences packed into sequences, against what can be seen by hand."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from regard.tasks.masked_lm.examples import Sequences, document_ends, flat_of, sequence_ends

SENTENCES = [[1, 2, 3], [4, 5], [6, 7, 8, 9], [10], [11, 12]]
LINES = [1, 2, 4, 5, 6]
"""An empty line behind the second: two documents."""


def pack(length: int, *, rows: bool = False, specials: int = 0) -> list[list[list[int]]]:
    found = Sequences(flat_of(SENTENCES, LINES), "f", length=length, specials=specials, rows=rows)
    return [[ids.tolist() for ids in found[row]] for row in range(len(found))]


@pytest.mark.parametrize(
    ("length", "expected"),
    [
        (5, [[[1, 2, 3], [4, 5]], [[6, 7, 8, 9], [10]], [[11, 12]]]),
        (4, [[[1, 2, 3]], [[4, 5]], [[6, 7, 8, 9]], [[10], [11, 12]]]),
        (3, [[[1, 2, 3]], [[4, 5]], [[6, 7, 8]], [[9], [10]], [[11, 12]]]),
        (99, [[[1, 2, 3], [4, 5]], [[6, 7, 8, 9], [10], [11, 12]]]),
    ],
)
def test_as_many_sentences_of_a_document_as_there_is_room_for(
    length: int, expected: list[list[list[int]]]
) -> None:
    assert pack(length) == expected
    assert pack(length + 3, specials=3) == expected, "special symbols take room"


def test_each_row_may_be_a_document() -> None:
    assert pack(99, rows=True) == [[ids] for ids in SENTENCES]


def test_where_a_sequence_is_from() -> None:
    found = Sequences(flat_of(SENTENCES, LINES), "f.txt", length=5, specials=0, rows=False)
    assert [found.where(row) for row in range(3)] == ["f.txt:1", "f.txt:4", "f.txt:6"]
    assert [found.document(row) for row in range(3)] == [0, 1, 1]
    assert found.documents == 2
    assert found.lengths.tolist() == [[4], [4], [1]], "one more is what a plan counts on"


@given(
    st.lists(st.tuples(st.integers(0, 6), st.booleans()), min_size=1, max_size=30),
    st.integers(1, 8),
    st.booleans(),
)
def test_nothing_is_lost_and_nothing_is_too_long(
    rows: list[tuple[int, bool]], room: int, alone: bool
) -> None:
    sizes = [size for size, _ in rows]
    lines = np.cumsum([1 + gap for _, gap in rows]).tolist()
    tokens = iter(range(sum(sizes)))
    flat = flat_of([[next(tokens) for _ in range(size)] for size in sizes], lines)
    documents = document_ends(flat, rows=alone)
    ends = sequence_ends(flat, documents, room=room)
    assert (np.diff(ends, prepend=0) > 0).all()
    assert (np.diff(ends, prepend=0) <= room).all()
    assert (ends[-1] if len(ends) else 0) == sum(sizes)
    filled = set(documents.tolist()) - {0}
    assert filled <= set(ends.tolist()), "no sequence has words of two documents"
    found = Sequences(flat, "f", length=room, specials=0, rows=alone)
    read = [int(token) for row in range(len(found)) for ids in found[row] for token in ids]
    assert read == list(range(sum(sizes)))
