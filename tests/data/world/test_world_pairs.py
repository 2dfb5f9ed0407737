"""Laws that hold for every pair of the world."""

import subprocess
import sys
from collections import Counter
from itertools import islice, pairwise

import pytest

from regard.data.world import SPLITS, WorldPair, pairs
from regard.data.world.adjectives import ADJECTIVES
from regard.data.world.hangul import OBJECT, attach
from regard.data.world.heldout import COMBINATIONS, HELD_OUT
from regard.data.world.nouns import KINDS
from regard.data.world.verbs import ANIMAL, GIVING, INTRANSITIVE, MOTION, TRANSITIVE
from regard.errors import DataError
from regard.text.words import split_words

ALL = 20_000


@pytest.fixture(scope="module")
def many() -> list[WorldPair]:
    return list(pairs("train", ALL))


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


def test_natural_lengths_are_mostly_short(many: list[WorldPair]) -> None:
    lengths = Counter(korean_length(pair) for pair in many)
    assert set(lengths) >= set(range(2, 21))
    assert 0.95 * ALL < sum(count for length, count in lengths.items() if length <= 10) < ALL
    assert max(lengths) < 40


def test_long_lengths_are_spread_evenly() -> None:
    rows = 3_000
    lengths = Counter(korean_length(pair) // 10 for pair in pairs("train", rows, lengths="long"))
    # Ten words of sixty: a sixth each, less at the edges.
    assert all(0.1 * rows < lengths[tens] < 0.25 * rows for tens in range(1, 6)), lengths
    assert lengths[6] > 0.03 * rows


def test_no_clause_of_a_chain_comes_twice() -> None:
    for pair in pairs("train", 300, lengths="long"):
        clauses = pair.korean.rstrip(".?").split(", ")
        assert len(set(clauses)) == len(clauses), pair


def test_every_construction_is_in_one_sentence_of_a_hundred(many: list[WorldPair]) -> None:
    counts = Counter(label for pair in many for label in pair.constructions)
    common = {label for label, count in counts.items() if count >= ALL / 100}
    assert common >= {
        "past", "present", "future", "progressive", "plain", "polite", "formal", "negation", "inability",
        "question", "question word", "transitive", "intransitive", "motion", "giving", "goal", "source",
        "place", "means", "time", "counter", "attributive", "adjective", "copula", "becoming",
        "existence", "possessive", "demonstrative", "plural", "noun coordination", "clause coordination",
        "adjective coordination", "sequence", "honorific", "weather", "companion", "manner", "frequency",
        "degree", "position", "animal", "command", "relative clause", "subordination", "-고", "-지만",
        "-아서", "-면", "-ㄹ 때", "-기 전에", "elder receiver",
    }  # fmt: skip


def test_splits_are_disjoint_whatever_the_seed() -> None:
    found = [
        {pair.korean for seed in (1, 2) for pair in pairs(split, 150, max_words=4, seed=seed)}
        for split in SPLITS
    ]
    assert len(set[str]().union(*found)) == sum(map(len, found))


def test_held_out_combinations_are_in_their_split_alone(many: list[WorldPair]) -> None:
    held = list(pairs("heldout", 400))
    assert all(HELD_OUT in pair.constructions for pair in held)
    assert not any(HELD_OUT in pair.constructions for pair in many)
    # What stands side by side in the text shows most of them without the labels.
    assert sum(_adjacent(pair.korean) for pair in held) > 100
    assert not any(_adjacent(pair.korean) for pair in many)


def _adjacent(korean: str) -> bool:
    """Tell whether a held-out adjective stands before its noun, or an object before its verb."""
    words = korean.rstrip(".?").replace(",", "").split()
    return any(
        one in _HELD_FIRST and any(other.startswith(start) for start in _HELD_FIRST[one])
        for one, other in pairwise(words)
    )


def _held_first() -> dict[str, list[str]]:
    """Map each first word to what follows it in a held-out combination: 까만 → 컵, 밥을 → 먹."""
    adjectives = {adjective.modifier for adjective in ADJECTIVES}
    found: dict[str, list[str]] = {}
    for word, noun in COMBINATIONS:
        first, then = (word, noun) if word in adjectives else (attach(noun, OBJECT), word)
        found.setdefault(first, []).append(then)
    return found


_HELD_FIRST = _held_first()


def test_held_out_words_occur_in_training(many: list[WorldPair]) -> None:
    text = " ".join(pair.korean for pair in many)
    assert [word for pair in COMBINATIONS for word in pair if word not in text] == []


def test_combinations_are_a_small_share() -> None:
    assert 40 < len(COMBINATIONS) < 120


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


def test_unknown_lengths_are_named_at_once() -> None:
    with pytest.raises(DataError, match=r"unknown lengths 'huge'.*natural, long"):
        pairs("train", 1, lengths="huge")


def test_impossible_lengths_are_named() -> None:
    with pytest.raises(DataError, match=r"max_words must be 2 or more.*found 1"):
        pairs("train", 1, max_words=1)


def test_exhaustion_says_how_many_there_were(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("regard.data.world.sampling._PATIENCE", 100)
    with pytest.raises(
        DataError, match=r"gave only \d+ different 'dev' sentences of at most 2 words, 100000 were"
    ):
        list(pairs("dev", 100_000, max_words=2))


def test_the_lexicon_is_large_enough() -> None:
    verbs = {verb.stem.text for verb in (*TRANSITIVE, *GIVING, *INTRANSITIVE, *MOTION, *ANIMAL)}
    assert len(KINDS) + len(verbs) + len(ADJECTIVES) >= 250
