"""Laws that hold for every pair of the world."""

import subprocess
import sys
from itertools import islice

import pytest

from regard.data.world import SPLITS, WorldPair, pairs
from regard.data.world.adjectives import ADJECTIVES
from regard.data.world.adverbs import TIMES
from regard.data.world.nouns import KINDS, nouns
from regard.data.world.verbs import ANIMAL, GIVING, INTRANSITIVE, MOTION, TRANSITIVE
from regard.errors import DataError

ALL = 50_000


@pytest.fixture(scope="module")
def many() -> list[WorldPair]:
    return list(pairs("train", ALL))


def split_words(text: str) -> list[str]:
    for mark in ".?,":
        text = text.replace(mark, f" {mark}")
    return text.split()


def korean_length(pair: WorldPair) -> int:
    return sum(word not in ".?," for word in split_words(pair.korean))


def test_every_word_is_linked_and_every_link_is_in_range(many: list[WorldPair]) -> None:
    for pair in many[:10_000]:
        korean, english = split_words(pair.korean), split_words(pair.english)
        assert {one for one, _ in pair.links} == set(range(len(korean))), pair
        assert {other for _, other in pair.links} == set(range(len(english))), pair


def test_punctuation_is_linked_to_itself(many: list[WorldPair]) -> None:
    for pair in many[:10_000]:
        korean, english = split_words(pair.korean), split_words(pair.english)
        for one, other in pair.links:
            assert (korean[one] in ".?,") == (english[other] in ".?,"), pair


def test_english_is_a_function_of_korean(many: list[WorldPair]) -> None:
    english_of = {pair.korean: pair.english for pair in many}
    for pair in pairs("train", 5_000, max_words=5, seed=2):
        assert english_of.setdefault(pair.korean, pair.english) == pair.english


def test_a_request_has_no_sentence_twice(many: list[WorldPair]) -> None:
    assert len({pair.korean for pair in many}) == ALL


def test_text_is_tidy(many: list[WorldPair]) -> None:
    for pair in many[:10_000]:
        assert pair.english[0].isupper(), pair
        assert pair.korean[-1] == pair.english[-1], pair
        assert pair.korean[-1] in ".?", pair
        for text in (pair.korean, pair.english):
            assert "  " not in text, pair
            assert text == text.strip(), pair


def test_lengths_reach_from_2_to_12(many: list[WorldPair]) -> None:
    lengths = {korean_length(pair) for pair in many}
    assert lengths >= set(range(2, 13))


def test_constructions_are_all_there(many: list[WorldPair]) -> None:
    seen = frozenset[str]().union(*(pair.constructions for pair in many[:5_000]))
    assert seen >= {
        "past", "present", "future", "progressive", "plain", "polite", "formal", "negation", "inability",
        "question", "question word", "transitive", "intransitive", "motion", "giving", "goal", "source",
        "place", "means", "time", "counter", "attributive", "adjective", "copula", "becoming",
        "existence", "possessive", "demonstrative", "plural", "noun coordination", "clause coordination",
        "adjective coordination", "sequence", "honorific", "weather", "companion", "manner", "frequency",
        "degree", "position", "animal",
    }  # fmt: skip


def test_splits_are_disjoint_whatever_the_seed() -> None:
    found = {
        split: {pair.korean for seed in (1, 2) for pair in pairs(split, 150, max_words=4, seed=seed)}
        for split in SPLITS
    }
    assert not found["train"] & found["dev"]
    assert not found["train"] & found["test"]
    assert not found["dev"] & found["test"]


def test_same_request_same_pairs_in_another_process() -> None:
    code = (
        "from regard.data.world import pairs; print(*(p.korean for p in pairs('train', 50, seed=7)), sep='|')"
    )
    command = [sys.executable, "-c", code]
    other = subprocess.run(
        command, capture_output=True, check=True, encoding="utf-8", env=_child_environment()
    )
    assert other.stdout.strip().split("|") == [pair.korean for pair in pairs("train", 50, seed=7)]


def _child_environment() -> dict[str, str]:
    """A fixed hash seed: the order of sets must not matter."""
    return {"PYTHONPATH": ":".join(sys.path), "PYTHONHASHSEED": "3", "PYTHONIOENCODING": "utf-8"}


def test_seeds_differ() -> None:
    assert list(pairs("train", 20, seed=1)) != list(pairs("train", 20, seed=2))


def test_a_small_request_begins_a_large_one(many: list[WorldPair]) -> None:
    assert list(pairs("train", 100)) == many[:100]


def test_max_words_is_kept() -> None:
    for limit in (2, 3, 5, 7):
        lengths = [korean_length(pair) for pair in pairs("train", 300, max_words=limit)]
        assert max(lengths) <= limit


def test_nothing_is_made_before_it_is_asked_for() -> None:
    assert len(list(islice(pairs("train", 10**9), 3))) == 3


def test_unknown_split_is_named_at_once() -> None:
    with pytest.raises(DataError, match=r"unknown split 'dve'.*train, dev, test"):
        pairs("dve", 1)


def test_impossible_lengths_are_named() -> None:
    with pytest.raises(DataError, match=r"max_words must be 2 or more.*found 1"):
        pairs("train", 1, max_words=1)


def test_exhaustion_says_how_many_there_were(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("regard.data.world._PATIENCE", 100)
    with pytest.raises(
        DataError, match=r"gave only \d+ different 'dev' sentences of at most 2 words, 100000 were"
    ):
        list(pairs("dev", 100_000, max_words=2))


def test_the_lexicon_is_large_enough() -> None:
    verbs = {verb.stem.text for verb in (*TRANSITIVE, *GIVING, *INTRANSITIVE, *MOTION, *ANIMAL)}
    assert len(KINDS) + len(verbs) + len(ADJECTIVES) >= 250


def test_more_than_a_million_sentences_without_coordination() -> None:
    """Count one corner of the world: somebody did something at a place at a time, in 3 styles."""
    for_one_subject = sum(
        len(verb.objects) * (len(verb.places) + 1) * len(TIMES["past"])
        for verb in TRANSITIVE
        if verb.aspect in ("activity", "point") and verb.times != "year"
    )
    assert for_one_subject * len(nouns("name")) * 3 > 10**6
