"""The labelled worlds: opinions, inferences and parts of speech."""

from collections import Counter

import pytest

from regard.data.world import pairs
from regard.data.world.inference import InferenceExample, inference
from regard.data.world.sentiment import SentimentExample, sentiment
from regard.data.world.tags import tagged
from regard.errors import DataError
from regard.text.words import split_words

ROWS = 1_500
GOOD = ("맛있", "예쁘", "예뻤", "친절", "깨끗", "부지런", "똑똑")
BAD = ("비싸", "비쌌", "지루", "더럽", "더러", "불편", "게으", "게을")


@pytest.fixture(scope="module")
def opinions() -> list[SentimentExample]:
    return list(sentiment("train", ROWS))


@pytest.fixture(scope="module")
def inferences() -> list[InferenceExample]:
    return list(inference("train", ROWS))


def test_opinions_are_carried_by_their_words(opinions: list[SentimentExample]) -> None:
    for example in opinions:
        assert list(example.words) == split_words(example.korean)
        carriers = [example.words[at] for at in sorted(example.carriers)]
        denied = any(word.startswith("않") for word in carriers)
        if any(word.startswith(GOOD) for word in carriers):
            assert example.label == ("negative" if denied else "positive"), example
        if any(word.startswith(BAD) for word in carriers):
            assert example.label == ("positive" if denied else "negative"), example


def test_labels_are_balanced(opinions: list[SentimentExample], inferences: list[InferenceExample]) -> None:
    assert all(0.45 * ROWS < count < 0.55 * ROWS for count in Counter(e.label for e in opinions).values())
    counts = Counter(example.label for example in inferences)
    assert len(counts) == 3
    assert all(0.25 * ROWS < count < 0.42 * ROWS for count in counts.values())


def content(sentence: str) -> set[str]:
    return set(split_words(sentence)[:-2])  # without the predicate and the mark


def is_negative(sentence: str) -> bool:
    return any(word.startswith("않") for word in split_words(sentence))


def test_less_follows_from_more_and_negation_turns_it_round(inferences: list[InferenceExample]) -> None:
    for example in inferences:
        premise, hypothesis = content(example.premise), content(example.hypothesis)
        negative = is_negative(example.premise)
        if example.label == "contradiction" or negative != is_negative(example.hypothesis):
            continue  # a denial, or two opposite qualities
        wider = premise > hypothesis
        assert wider or premise < hypothesis, example
        assert (example.label == "entailment") == (wider != negative), example


def test_a_contradiction_denies_or_opposes(inferences: list[InferenceExample]) -> None:
    for example in inferences:
        if example.label == "contradiction":
            denies = is_negative(example.premise) != is_negative(example.hypothesis)
            assert denies or content(example.premise) == content(example.hypothesis), example


def test_neither_negation_nor_length_gives_the_label_away(inferences: list[InferenceExample]) -> None:
    negative = Counter(example.label for example in inferences if is_negative(example.hypothesis))
    longer = Counter(e.label for e in inferences if len(e.hypothesis) > len(e.premise))
    for counts in (negative, longer):
        assert max(counts.values()) < 0.7 * counts.total(), counts


def test_labelled_splits_are_disjoint_and_repeatable() -> None:
    splits = [{example.korean for example in sentiment(split, 200)} for split in ("train", "dev", "test")]
    assert len(set[str]().union(*splits)) == 600
    premises = [{example.premise for example in inference(split, 200)} for split in ("train", "dev", "test")]
    assert len(set[str]().union(*premises)) == 600
    assert list(inference("dev", 50, seed=4)) == list(inference("dev", 50, seed=4))
    assert list(sentiment("dev", 50, seed=4)) != list(sentiment("dev", 50, seed=5))


def test_labelled_worlds_hold_no_combinations_out() -> None:
    with pytest.raises(DataError, match=r"unknown split 'heldout' of the built-in sentiment world"):
        sentiment("heldout", 1)
    with pytest.raises(DataError, match=r"rows must be 0 or more, found -1"):
        inference("train", -1)


def test_tags() -> None:
    known = {
        "나는": "pronoun", "학교에서": "noun", "안": "adverb", "두": "numeral", "명이": "counter",
        "이": "determiner", "읽었다": "verb", "예쁜": "adjective", "않았다": "auxiliary", ".": "punctuation",
    }  # fmt: skip
    seen = Counter(
        (word, tag)
        for sentence in tagged("train", 3_000)
        for word, tag in zip(sentence.words, sentence.tags, strict=True)
        if word in known
    )
    assert dict(seen.keys()) == known


def test_tagged_sentences_are_those_of_the_pairs() -> None:
    sentences = [sentence.words for sentence in tagged("dev", 20, max_words=6)]
    assert sentences == [pair.words for pair in pairs("dev", 20, max_words=6)]
