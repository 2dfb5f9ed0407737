"""The nearest texts, against a search through all of them."""

import numpy as np
import pytest

from regard.errors import DataError
from regard.insight.record import AttentionRecord
from regard.tasks.embedding.nearest import nearest
from regard.tasks.embedding.result import Embedding

NO_ATTENTION = AttentionRecord(reason="none")


def texts(vectors: np.ndarray) -> list[Embedding]:
    return [Embedding(f"text {n}", row, 3, False, NO_ATTENTION) for n, row in enumerate(vectors, start=1)]


def test_as_if_all_were_compared() -> None:
    rng = np.random.default_rng(0)
    queries, vectors = rng.normal(size=(3, 5)).astype("f4"), rng.normal(size=(1200, 5)).astype("f4")
    lengths = np.linalg.norm(vectors, axis=1) * np.linalg.norm(queries, axis=1)[:, None]
    cosines = queries @ vectors.T / lengths
    found = nearest(queries, texts(vectors), n_best=4)
    for row, own in zip(cosines, found, strict=True):
        assert [one.number for one in own] == [int(place) + 1 for place in np.argsort(-row)[:4]]
        assert [one.cosine for one in own] == pytest.approx(sorted(row, reverse=True)[:4], abs=1e-5)
        assert own[0].source == f"text {own[0].number}"


def test_the_earlier_of_two_as_near_comes_first_and_nothing_is_found_in_nothing() -> None:
    same = np.ones((5, 2), "f4")
    assert [one.number for one in nearest(same[:1], texts(same), n_best=3)[0]] == [1, 2, 3]
    assert nearest(same[:2], [], n_best=3) == [[], []]
    empty = Embedding(" ", same[0], 2, False, NO_ATTENTION)
    assert nearest(same[:1], [empty], n_best=3) == [[]]
    with pytest.raises(DataError, match="n_best: expected 1 text or more to find, found 0"):
        nearest(same, [], n_best=0)
