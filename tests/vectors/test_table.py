"""Which words are near to which: by hand, and as gensim says."""

import unicodedata

import numpy as np
import pytest
from gensim.models import KeyedVectors

from regard.errors import DataError
from regard.vectors.files import WordVectors


def table(**vectors: tuple[float, ...]) -> WordVectors:
    return WordVectors(list(vectors), np.array(list(vectors.values()), np.float32), "v.vec")


COMPASS = table(동=(1.0, 0.0), 북=(0.0, 2.0), 북동=(3.0, 3.0), 서=(-1.0, 0.0), 없음=(0.0, 0.0))


def test_cosines_by_hand() -> None:
    """Length does not count, only direction; a vector of zeros is near to nothing."""
    near = COMPASS.similar(["동"])
    assert [each.word for each in near] == ["북동", "북", "없음", "서"]
    np.testing.assert_allclose([each.similarity for each in near], [0.5**0.5, 0, 0, -1], atol=1e-6)


def test_sums_by_hand() -> None:
    """동 + 북 is 북동, though 북 is twice as long. North without the east lies to the west."""
    best, *_ = COMPASS.similar(["동", "북"])
    assert best.word == "북동"
    assert best.similarity == pytest.approx(1.0)
    assert COMPASS.similar(["북"], ["동"])[0].word == "서"


def test_as_many_as_there_are() -> None:
    assert len(COMPASS.similar(["동"], n_best=100)) == 4
    assert [each.word for each in COMPASS.similar(["동"], n_best=1)] == ["북동"]


def test_the_same_as_gensim() -> None:
    rng = np.random.default_rng(7)
    words = [f"w{number}" for number in range(50)]
    matrix = rng.normal(size=(50, 8)).astype(np.float32)
    ours = WordVectors(words, matrix, "v.vec")
    theirs = KeyedVectors(8)
    theirs.add_vectors(words, matrix)
    for plus, minus in ((["w3"], []), (["w1", "w2"], ["w9"]), ([], ["w4"]), (["w5", "w5"], ["w6"])):
        expected = theirs.most_similar(positive=plus, negative=minus, topn=20)
        found = ours.similar(plus, minus, n_best=20)
        assert [each.word for each in found] == [word for word, _ in expected]
        np.testing.assert_allclose(
            [each.similarity for each in found], [cosine for _, cosine in expected], atol=1e-6
        )


@pytest.mark.parametrize(
    ("word", "told"),
    [
        ("학꾜", "has no word '학꾜'; did you mean '학교'?"),
        ("schol", "did you mean 'school'?"),
        ("ㅋㅋㅋ", "none of its 3 words is spelt like it"),
        ("", "has no word ''"),
    ],
)
def test_an_unknown_word_gets_the_nearest_spelling(word: str, told: str) -> None:
    """By letters: 학꾜 and 학교 share one syllable of two, but four letters of five."""
    known = table(학교=(1.0,), 병원=(1.0,), school=(1.0,))
    with pytest.raises(DataError) as refused:
        known.similar([word])
    assert str(refused.value).startswith("v.vec: ")
    assert told in str(refused.value)


def test_decomposed_input_finds_its_word() -> None:
    known = table(학교=(1.0, 0.0), 병원=(1.0, 0.0))
    assert known.similar([unicodedata.normalize("NFD", "학교")])[0].word == "병원"
