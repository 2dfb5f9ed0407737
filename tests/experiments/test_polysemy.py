"""Planted senses by hand, the probe against another, and the whole in small."""

from pathlib import Path

import numpy as np
import pytest
from sklearn.neighbors import NearestCentroid

from regard.config.load import Setting
from regard.errors import DataError
from regard.experiments.estimates import Quantity, estimate
from regard.experiments.polysemy import BERT, CHANCE, LSTM, _built_in, polysemy
from regard.experiments.pseudowords import (
    Occurrence,
    centroid_guesses,
    choose_pairs,
    joined,
    majority_guesses,
    occurrences,
    planted,
    share_right,
)
from regard.experiments.reproduce import reproduce

TEXTS = ["the cat saw the dog.", "the dog and the sun", "a cat, the sun", "the sun saw the cat", "dog sun"]
"""the 6, sun 4, cat 3, dog 3, saw 2, and 1; `a` is too short."""


def test_pairs_are_alike_in_frequency() -> None:
    assert choose_pairs(TEXTS, 2, skip=1) == [("sun", "cat"), ("dog", "saw")]
    with pytest.raises(DataError, match="expected 9 different words to choose pairs from"):
        choose_pairs(TEXTS, 4, skip=1)


def test_planting_by_hand() -> None:
    written = joined([("cat", "sun")])
    assert written == {"cat": "catsun", "sun": "catsun"}
    assert planted("a cat, the sun! Cats cat.", written) == "a catsun, the catsun! Cats catsun."
    assert planted("no such word", written) == "no such word"
    found = occurrences(TEXTS, written)
    assert found == [
        Occurrence("the catsun saw the dog.", "catsun", "cat"),
        Occurrence("the dog and the catsun", "catsun", "sun"),
        Occurrence("dog catsun", "catsun", "sun"),
    ], "sentences with both senses are left out"
    behind_a_mark = ['he said, "sun and rain"', "now--cat", "(the) sun"]
    assert [own.text for own in occurrences(behind_a_mark, written)] == ["(the) catsun"]


def random_occurrences(count: int, seed: int) -> tuple[list[Occurrence], np.ndarray]:
    rng = np.random.default_rng(seed)
    found = []
    for _ in range(count):
        word = str(rng.choice(["ab", "cd"]))
        found.append(Occurrence("", word, str(rng.choice(list(word), p=[0.7, 0.3]))))
    return found, rng.normal(size=(count, 4))


def test_the_probe_is_a_nearest_centroid_of_each_word() -> None:
    (learned, vectors), (asked, queries) = random_occurrences(60, 1), random_occurrences(40, 2)
    found = centroid_guesses(learned, vectors, asked, queries)
    scale = vectors.std(axis=0)
    for word in ("ab", "cd"):
        rows = [row for row, each in enumerate(learned) if each.word == word]
        probe = NearestCentroid().fit(vectors[rows] / scale, [learned[row].sense for row in rows])
        own = [row for row, each in enumerate(asked) if each.word == word]
        guessed = probe.predict(queries[own] / scale)
        assert found[own].tolist() == [guessed[at] == asked[row].sense for at, row in enumerate(own)]


def test_one_vector_for_a_word_gives_the_majority() -> None:
    """The law of the experiment: the more frequent sense is all that is left."""
    (learned, _), (asked, _) = random_occurrences(61, 3), random_occurrences(50, 4)
    types = dict(zip(("ab", "cd"), np.random.default_rng(5).normal(size=(2, 7)), strict=True))
    vectors, queries = (np.stack([types[each.word] for each in own]) for own in (learned, asked))
    found = centroid_guesses(learned, vectors, asked, queries)
    assert found.tolist() == majority_guesses(learned, asked).tolist()
    assert share_right(np.array([True, True, False, True])).value() == 75.0


def test_the_effects_by_hand() -> None:
    values = {BERT: (90.0, 52.0), LSTM: (80.0, 52.0), CHANCE: (70.0, 52.0)}
    seed = {
        name: {measure: Quantity(value, (value,) * 40) for measure, value in zip(
            ("accuracy", "word vector"), own, strict=True)}
        for name, own in values.items()
    }  # fmt: skip
    findings = [finding for finding in polysemy().findings if finding.world == "built-in"]
    effects = {finding.name: estimate(finding.effect, [seed]).value for finding in findings}
    assert effects == {
        "states tell senses apart": 38.0,
        "an LSTM's states do, too": 28.0,
        "it is learned": 20.0,
        "both sides of the context help": 10.0,
    }


TINY: list[Setting] = [("training.epochs", 1), ("text.vocabulary_size", 400)]


def test_the_whole_in_small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("REGARD_DATA", raising=False)
    small = {"built-in": _built_in(300, 200)._replace(pairs=5)}
    record = reproduce(polysemy(TINY, small), tmp_path / "x", quick=True, quiet=True)
    assert [part.system for part in record.parts] == [BERT, LSTM, CHANCE]
    for part in record.parts:
        assert part.values["word vector"] == part.values["majority"]
        assert len(part.about["pseudowords"]) == 5
        text = (tmp_path / "x" / "parts" / f"built-in-{part.system}-1" / "train.tsv").read_text("utf-8")
        first, second = part.about["pseudowords"][0].split(" / ")
        assert f" {first}{second}" in text
        assert f" {first} " not in text
    assert len(record.findings) == 4
