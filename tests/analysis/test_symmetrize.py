"""Two directed alignments as one: by hand, and against the published pseudo-code."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from regard.analysis.symmetrize import check_symmetrization, symmetrized
from regard.errors import DataError

Links = set[tuple[int, int]]
NEIGHBOURING = ((-1, 0), (0, -1), (1, 0), (0, 1), (-1, -1), (-1, 1), (1, -1), (1, 1))


def published(e2f: Links, f2e: Links, en: int, fn: int) -> Links:
    """GROW-DIAG-FINAL-AND as Koehn et al. print it, in pairs (e, f), with no thought of speed."""
    alignment, union = e2f & f2e, e2f | f2e

    def aligned_e(e: int) -> bool:
        return any(own == e for own, _ in alignment)

    def aligned_f(f: int) -> bool:
        return any(own == f for _, own in alignment)

    added = True
    while added:
        added = False
        for e in range(en):
            for f in range(fn):
                if (e, f) not in alignment:
                    continue
                for down, across in NEIGHBOURING:
                    new = e + down, f + across
                    if new in alignment or new not in union:
                        continue
                    if not aligned_e(new[0]) or not aligned_f(new[1]):
                        alignment.add(new)
                        added = True
    for direction in (e2f, f2e):
        for e in range(en):
            for f in range(fn):
                if (e, f) in direction and not aligned_e(e) and not aligned_f(f):
                    alignment.add((e, f))
    return alignment


FORWARD = frozenset({(0, 0), (0, 1), (1, 1), (1, 2), (5, 0), (4, 4)})
BACKWARD = frozenset({(0, 0), (1, 1), (2, 2), (3, 1), (5, 5)})


def test_a_worked_example() -> None:
    """Both have 0-0 and 1-1. It grows by 1-2, beside 1-1; by 2-2, beside that; by 3-1, across its corner.
    0-1 is beside 0-0, but its words have links. In the end 4-4 and 5-5 link words without any; 5-0 does not.
    """
    assert symmetrized(FORWARD, BACKWARD, "intersection") == {(0, 0), (1, 1)}
    assert symmetrized(FORWARD, BACKWARD, "union") == FORWARD | BACKWARD
    expected = {(0, 0), (1, 1), (1, 2), (2, 2), (3, 1), (4, 4), (5, 5)}
    assert symmetrized(FORWARD, BACKWARD, "grow-diag-final-and") == expected


SIZE = 6
LINKS = st.frozensets(st.tuples(st.integers(0, SIZE - 1), st.integers(0, SIZE - 1)), max_size=14)


@given(LINKS, LINKS)
def test_what_the_published_code_gives(forward: frozenset[tuple[int, int]], backward: Links) -> None:
    first, second = ({(target, source) for source, target in links} for links in (forward, backward))
    expected = {(source, target) for target, source in published(first, second, SIZE, SIZE)}
    found = symmetrized(forward, frozenset(backward), "grow-diag-final-and")
    assert found == expected
    assert forward & backward <= found <= forward | backward


def test_what_is_no_heuristic_is_refused() -> None:
    with pytest.raises(DataError, match="unknown symmetrization 'grow-diag'; did you mean"):
        check_symmetrization("grow-diag")
