import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from regard.text.unigram import _Lattice, learn_pieces

WORDS = st.dictionaries(
    st.text(alphabet="abc", min_size=1, max_size=7), st.integers(1, 9), min_size=1, max_size=6
)


def spellings(word: str, pieces: set[str]) -> list[tuple[str, ...]]:
    """All of them, the slow way."""
    found = []
    for cuts in itertools.product((False, True), repeat=len(word) - 1):
        places = [0, *(i + 1 for i, cut in enumerate(cuts) if cut), len(word)]
        spelt = tuple(word[a:b] for a, b in itertools.pairwise(places))
        if set(spelt) <= pieces:
            found.append(spelt)
    return found


@given(WORDS, st.sets(st.text(alphabet="abc", min_size=2, max_size=4)), st.integers(0, 99))
def test_the_lattice_holds_every_spelling(words: dict[str, int], longer: set[str], seed: int) -> None:
    pieces = ["a", "b", "c", *sorted(longer)]
    scores = np.log(np.random.default_rng(seed).dirichlet(np.ones(len(pieces))))
    score = dict(zip(pieces, scores, strict=True))
    lattice = _Lattice(list(words), pieces)
    wanted, best = dict.fromkeys(pieces, 0.0), []
    for word, count in words.items():
        ways = {way: math.exp(sum(score[piece] for piece in way)) for way in spellings(word, set(pieces))}
        best.append(math.log(max(ways.values())))
        for way, probability in ways.items():
            for piece in way:
                wanted[piece] += count * probability / sum(ways.values())
    weights = np.array(list(words.values()), dtype=float)
    np.testing.assert_allclose(lattice.expected(scores, weights), list(wanted.values()), atol=1e-9)
    np.testing.assert_allclose(lattice.best(scores), best)


def test_without_the_piece_that_is_the_whole_word() -> None:
    pieces = ["a", "b", "ab", "abb"]
    scores = np.log([0.4, 0.3, 0.2, 0.1])
    other = _Lattice(pieces, pieces, whole=False).best(scores)
    assert other[:2].tolist() == [-math.inf, -math.inf]
    np.testing.assert_allclose(other[2:], [math.log(0.4 * 0.3), math.log(0.2 * 0.3)])  # a·b, ab·b


def test_pieces_can_be_taken_away() -> None:
    lattice = _Lattice(["abab"], ["a", "b", "ab", "bab"])
    lattice.keep(np.array([0, 1, 3]))
    np.testing.assert_allclose(lattice.best(np.log([0.5, 0.2, 0.3])), [math.log(0.5 * 0.3)])  # a·bab


def test_stems_and_endings_are_found() -> None:
    syllables = [chr(0xAC00 + 28 * number) for number in range(60)]
    stems = [f"▁{first}{second}" for first, second in zip(syllables[::2], syllables[1::2], strict=True)]
    endings = ["에서", "까지", "부터", "처럼"]
    counts = {stem + ending: 9 for stem in stems for ending in endings}
    alphabet = sorted(set("".join(counts)))
    size = len(alphabet) + len(stems) + len(endings)
    pieces = {piece for piece, _ in learn_pieces(counts, alphabet, size=size, min_frequency=10)}
    assert pieces == {*alphabet, *stems, *endings}


@given(WORDS, st.integers(1, 12))
def test_a_vocabulary_of_the_size_asked_for_with_probabilities(words: dict[str, int], size: int) -> None:
    pieces = learn_pieces(words, ["a", "b", "c"], size=size, min_frequency=2)
    assert len(pieces) <= max(3, size)
    assert sum(math.exp(score) for _, score in pieces) == pytest.approx(1.0)
    assert {"a", "b", "c"} <= {piece for piece, _ in pieces}
    assert pieces == learn_pieces(dict(sorted(words.items())), ["a", "b", "c"], size=size, min_frequency=2)


def test_a_rare_substring_is_no_candidate() -> None:
    pieces = [
        piece for piece, _ in learn_pieces({"ab": 2, "ca": 3}, ["a", "b", "c"], size=99, min_frequency=3)
    ]
    assert sorted(pieces) == ["a", "b", "c", "ca"]


def test_a_word_longer_than_any_piece() -> None:
    pieces = dict(learn_pieces({"ab" * 100: 3}, ["a", "b"], size=200, min_frequency=2))
    assert max(map(len, pieces)) == 16
