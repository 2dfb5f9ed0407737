"""The linear baseline against a pipeline of scikit-learn."""

import json
import sys
from pathlib import Path

import numpy as np
import pytest
import safetensors.numpy
from scipy import sparse
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.pipeline import make_pipeline, make_union

from regard.errors import DataError, StoreError
from regard.store.atomic import read_folder, write_folder
from regard.tasks.classification.baseline import VOCABULARY, WEIGHTS, LinearBaseline
from regard.text.words import split_words
from regard.world.sentiment import sentiment

TRAIN, TEST = list(sentiment("train", 300)), list(sentiment("test", 100))
TEXTS, LABELS = [row.korean for row in TRAIN], [row.label for row in TRAIN]
NEW = [row.korean for row in TEST]


@pytest.fixture(scope="module")
def baseline() -> LinearBaseline:
    return LinearBaseline.fit(TEXTS, LABELS, strength=3.0)


def test_it_equals_a_pipeline_of_scikit_learn(baseline: LinearBaseline) -> None:
    """Its characters go to a space; ours to the end of a word, so punctuation is set apart for it."""
    settings = {"min_df": 2, "sublinear_tf": True}
    theirs = make_pipeline(
        make_union(
            TfidfVectorizer(tokenizer=split_words, token_pattern=None, ngram_range=(1, 2), **settings),
            TfidfVectorizer(analyzer="char_wb", ngram_range=(2, 5), **settings),
        ),
        LogisticRegression(C=3.0, max_iter=1000),
    ).fit([" ".join(split_words(text)) for text in TEXTS], LABELS)
    assert baseline.labels == tuple(theirs.classes_)
    expected = theirs.predict_proba([" ".join(split_words(text)) for text in NEW])
    np.testing.assert_allclose(baseline.predict_proba(NEW), expected, atol=1e-6)


def test_several_labels_are_as_many_models_of_scikit_learn() -> None:
    """The sentiment, and whether a text speaks of a book; all have the label text."""
    sets = [
        {label, "text", *(["book"] if "책" in text else [])}
        for text, label in zip(TEXTS, LABELS, strict=True)
    ]
    ours = LinearBaseline.fit_sets(TEXTS, sets, strength=3.0)
    assert ours.labels == ("book", "negative", "positive", "text")
    found = ours.predict_proba(NEW)
    vectors = [sparse.hstack([part(texts) for part in ours.features]) for texts in (TEXTS, NEW)]
    for label in ("book", "negative", "positive"):
        theirs = LogisticRegression(C=3.0, max_iter=1000).fit(vectors[0], [label in own for own in sets])
        place = ours.labels.index(label)
        np.testing.assert_allclose(found[:, place], theirs.predict_proba(vectors[1])[:, 1], atol=1e-6)
    np.testing.assert_allclose(found[:, 3], 301 / 302)  # seen in all of 300, and one row more


def test_numbers_are_the_ridge_regression_of_scikit_learn() -> None:
    lengths = [float(len(text)) for text in TEXTS]
    ours = LinearBaseline.fit_numbers(TEXTS, lengths, strength=2.0)
    vectors = [sparse.hstack([part(texts) for part in ours.features]).toarray() for texts in (TEXTS, NEW)]
    theirs = Ridge(alpha=0.5).fit(vectors[0], lengths)
    np.testing.assert_allclose(ours.predict_numbers(NEW), theirs.predict(vectors[1]), rtol=1e-4)
    assert ours.parameters == vectors[0].shape[1] + 1
    again = LinearBaseline.from_files(ours.to_files(), "linear")
    np.testing.assert_array_equal(again.predict_numbers(NEW), ours.predict_numbers(NEW))
    assert again.says == "number"


def test_it_learns(baseline: LinearBaseline) -> None:
    right = np.mean([said == row.label for said, row in zip(baseline.predict(NEW), TEST, strict=True)])
    assert right > 0.8


def test_it_is_stored_without_pickle_and_read_without_scikit_learn(
    baseline: LinearBaseline, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_folder(tmp_path / "linear", baseline.to_files())
    for name in [name for name in sys.modules if name.split(".")[0] == "sklearn"]:
        monkeypatch.setitem(sys.modules, name, None)
    again = LinearBaseline.from_files(read_folder(tmp_path / "linear"), "linear")
    np.testing.assert_array_equal(again.predict_proba(NEW), baseline.predict_proba(NEW))
    assert again.labels == baseline.labels


@pytest.mark.parametrize(
    ("name", "content"),
    [
        (VOCABULARY, b"{"),
        (VOCABULARY, b"[]"),
        (VOCABULARY, b'{"labels": [], "features": [{"unit": "lines"}]}'),
        (WEIGHTS, b"nothing"),
        (WEIGHTS, safetensors.numpy.save({"weights": np.zeros(1)})),
    ],
)
def test_damaged_files_are_refused(baseline: LinearBaseline, name: str, content: bytes) -> None:
    with pytest.raises(StoreError, match="linear: not a linear baseline that regard wrote"):
        LinearBaseline.from_files(baseline.to_files() | {name: content}, "linear")


def test_a_vocabulary_of_another_model_is_refused(baseline: LinearBaseline) -> None:
    files = baseline.to_files()
    told = json.loads(files[VOCABULARY])
    told["features"][0]["terms"].pop()
    with pytest.raises(StoreError, match="linear: the vocabulary and the weights do not fit"):
        LinearBaseline.from_files(files | {VOCABULARY: json.dumps(told).encode()}, "linear")


@pytest.fixture(scope="module")
def of_pairs() -> LinearBaseline:
    return LinearBaseline.fit([("a b", "c d"), ("a b", "x y"), ("e a", "c d"), ("e b", "x y")], list("pqpq"))


def test_another_number_of_texts_is_refused(of_pairs: LinearBaseline, baseline: LinearBaseline) -> None:
    assert of_pairs.predict([("a", "c d"), ("a", "x y")]) == ["p", "q"]
    with pytest.raises(DataError, match="row 2: expected 2 texts, found 1"):
        of_pairs.predict([("a", "c d"), "a"])
    with pytest.raises(DataError, match="row 1: expected 1 text, found 2"):
        baseline.predict([("a", "b")])
    with pytest.raises(DataError, match="row 2: expected 1 text, found 2"):
        LinearBaseline.fit(["a", ("a", "b")], ["p", "q"])
    with pytest.raises(DataError, match="expected texts to learn from, found none"):
        LinearBaseline.fit([], [])
    files = of_pairs.to_files()
    told = json.dumps(json.loads(files[VOCABULARY]) | {"texts": 3}).encode()
    with pytest.raises(StoreError, match="4 features of 3 texts"):
        LinearBaseline.from_files(files | {VOCABULARY: told}, "linear")


def test_of_no_texts_nothing_is_said(of_pairs: LinearBaseline) -> None:
    assert of_pairs.predict_proba([]).shape == (0, 2)
    assert of_pairs.predict([]) == []
    numbers = LinearBaseline.fit_numbers(["a b", "a c"], [1.0, 2.0], least=1)
    assert numbers.predict_numbers([]).shape == (0,)


def test_texts_without_labels_are_refused() -> None:
    with pytest.raises(DataError, match="expected a label for each of 2 texts, found 1"):
        LinearBaseline.fit(["a", "b"], ["x"])
