"""TF-IDF against scikit-learn's."""

import math
from collections import Counter

import numpy as np
import pytest
from sklearn.feature_extraction.text import TfidfVectorizer

from regard.errors import DataError
from regard.text.tfidf import Tfidf, Unit, ngrams
from regard.text.words import split_words
from regard.world import pairs

TEXTS = [text for pair in pairs("train", 40) for text in (pair.korean, pair.english)]
NEW = [text for pair in pairs("test", 10) for text in (pair.korean, pair.english)] + ["", "ㅋㅋㅋ 으아", "a"]


@pytest.mark.parametrize("unit", ["words", "characters"])
@pytest.mark.parametrize(("shortest", "longest"), [(1, 2), (2, 5)])
def test_it_equals_that_of_scikit_learn(unit: Unit, shortest: int, longest: int) -> None:
    """Columns and rows, also of texts that are short, empty, or have nothing in common with the others."""
    texts = [" ".join(split_words(text)) for text in TEXTS]  # for its characters, a word ends at a space
    new = [" ".join(split_words(text)) for text in NEW]
    own = {"tokenizer": split_words, "token_pattern": None} if unit == "words" else {"analyzer": "char_wb"}
    theirs = TfidfVectorizer(ngram_range=(shortest, longest), min_df=2, sublinear_tf=True, **own).fit(texts)
    ours = Tfidf.fit(TEXTS, unit, shortest=shortest, longest=longest)
    assert ours.terms == theirs.vocabulary_
    for given, in_words in ((TEXTS, texts), (NEW, new)):
        np.testing.assert_allclose(ours(given).toarray(), theirs.transform(in_words).toarray(), atol=1e-12)


def test_a_weight_by_hand() -> None:
    """Of two texts 'a' is in both, 'b' in one: 1 and 1 + ln(3/2); b is there twice: times 1 + ln 2."""
    tfidf = Tfidf.fit(["a b B", "A"], "words", longest=1, least=1)
    b = (1 + math.log(2)) * (1 + math.log(3 / 2))
    length = math.hypot(1, b)
    expected = np.array([[1 / length, b / length], [0.0, 0.0], [1.0, 0.0]])
    np.testing.assert_allclose(tfidf(["b a b", "c", "A"]).toarray(), expected)


def test_ngrams_of_characters() -> None:
    found = Counter(ngrams("나는 Ab", "characters", 2, 5))
    assert found == Counter(
        [" 나", "나는", "는 ", " 나는", "나는 ", " 나는 ", " a", "ab", "b ", " ab", "ab ", " ab "]
    )


def test_decomposed_text_is_the_same_text() -> None:
    assert [*ngrams("\u1112\u1161\u11ab", "words", 1, 1)] == [*ngrams("한", "words", 1, 1)] == ["한"]


def test_texts_that_share_nothing_are_refused() -> None:
    with pytest.raises(DataError, match="expected texts that share words, found no n-gram in 2 of 2 texts"):
        Tfidf.fit(["a", "b"], "words")
