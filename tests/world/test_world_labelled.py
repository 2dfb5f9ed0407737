"""The labelled worlds: opinions, inferences and parts of speech."""

import math
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise, product

import pytest

from regard.errors import DataError
from regard.text.words import split_words
from regard.world import SPLITS, pairs, tagged
from regard.world.adjectives import ADJECTIVES, Adjective
from regard.world.adverbs import Tense
from regard.world.conjugation import Level
from regard.world.heldout import COMBINATIONS
from regard.world.inference import InferenceExample, inference
from regard.world.predicate import Form, Negation, adjective_predicate
from regard.world.sentiment import SentimentExample, sentiment

ROWS = 3_000
LEVELS: tuple[Level, ...] = ("plain", "polite", "formal")


@pytest.fixture(scope="module")
def opinions() -> list[SentimentExample]:
    return list(sentiment("train", ROWS))


@pytest.fixture(scope="module")
def inferences() -> list[InferenceExample]:
    return list(inference("train", ROWS))


def forms() -> Iterator[tuple[tuple[str, ...], Adjective, bool]]:
    """Conjugate every adjective in all forms that are used here; with each, whether it is denied."""
    tenses: tuple[Tense, ...] = ("past", "present")
    negations: tuple[Negation, ...] = ("", "않다")
    for adjective in ADJECTIVES:
        for tense, level, negation, honored in product(tenses, LEVELS, negations, (False, True)):
            form = Form(tense, level, negation, honored=honored)
            yield adjective_predicate(adjective, form).korean, adjective, bool(negation)
        for honored in (False, True):
            joined = Form("present", "plain", ending="고", honored=honored)
            yield adjective_predicate(adjective, joined).korean, adjective, False


FORMS = {words: (adjective, denied) for words, adjective, denied in forms()}


def test_the_words_that_carry_an_opinion_are_its_sign(opinions: list[SentimentExample]) -> None:
    for example in opinions:
        assert list(example.words) == split_words(example.korean)
        carriers = tuple(example.words[at] for at in sorted(example.carriers))
        said = [carriers] if carriers in FORMS else [(word,) for word in carriers]
        for words in said:
            adjective, denied = FORMS[words]
            assert adjective.tone, example
            assert (example.label == "positive") == ((adjective.tone > 0) != denied), example


def test_no_other_word_of_an_opinion_has_a_tone(opinions: list[SentimentExample]) -> None:
    stems = tuple(adjective.stem.text for adjective in ADJECTIVES if adjective.tone and adjective.stem)
    for example in opinions:
        others = [word for at, word in enumerate(example.words) if at not in example.carriers]
        assert not any((word,) in FORMS for word in others), example
        assert not any(word.startswith(("좋아하", "싫어하", "사랑하")) for word in others), example
        assert not any(len(stem) > 1 and word.startswith(stem) for stem in stems for word in others), example


def test_labels_are_balanced(opinions: list[SentimentExample], inferences: list[InferenceExample]) -> None:
    assert set(Counter(example.label for example in opinions).values()) == {ROWS // 2}
    assert set(Counter(example.label for example in inferences).values()) == {ROWS // 3}


def judged(example: InferenceExample) -> str:
    """Derive the label anew, from the words alone."""
    premise, hypothesis = split_words(example.premise)[:-1], split_words(example.hypothesis)[:-1]
    says, claims = not is_denied(premise), not is_denied(hypothesis)
    one, other = quality(premise), quality(hypothesis)
    if one and other and one is not other:  # opposite qualities exclude each other, but may both fail
        if says and claims:
            return "contradiction"
        return "entailment" if says else "neutral"
    # The same deed, or the same quality: more is said by saying it with more, and by denying it with less.
    known, asked = circumstances(premise), circumstances(hypothesis)
    if says == claims:
        return "entailment" if (known > asked if says else known < asked) else "neutral"
    return "contradiction" if (known >= asked if says else known <= asked) else "neutral"


def is_denied(words: list[str]) -> bool:
    return any(word.startswith("않") for word in words[-2:])


def quality(words: list[str]) -> Adjective | None:
    found = FORMS.get((words[-1],)) or FORMS.get(tuple(words[-2:]))
    return found[0] if found else None


def circumstances(words: list[str]) -> set[str]:
    """List the words before the predicate, which ends in 것이다 or 않다."""
    verb = len(words) - 1
    if words[verb].startswith(("것", "거")):
        verb -= 1
    return set(words[: verb - is_denied(words)])


def test_labels_follow_from_the_words(inferences: list[InferenceExample]) -> None:
    for example in inferences:
        assert judged(example) == example.label, example


def test_the_hypothesis_alone_does_not_give_the_label_away() -> None:
    """Naive Bayes over words, pairs of words, length and negation finds hardly more than one in three."""
    counts: dict[str, Counter[str]] = {}
    for example in inference("train", 9_000, seed=2):
        for feature in features(example.hypothesis):
            counts.setdefault(feature, Counter())[example.label] += 1

    def guess(hypothesis: str) -> str:
        scores = dict.fromkeys(("entailment", "neutral", "contradiction"), 0.0)
        for feature in features(hypothesis):
            found = counts.get(feature, Counter[str]())
            for label in scores:
                scores[label] += math.log((found[label] + 1) / (found.total() + 3))
        return max(scores, key=scores.__getitem__)

    unseen = list(inference("test", 1_500, seed=2))
    right = sum(guess(example.hypothesis) == example.label for example in unseen)
    assert right < 0.4 * len(unseen)


def features(text: str) -> list[str]:
    words = text.split()
    return [*words, *map(" ".join, pairwise(words)), str(len(words)), str("않" in text)]


def test_labelled_splits_are_disjoint_and_repeatable() -> None:
    sentences = [{example.korean for example in sentiment(split, 200)} for split in SPLITS]
    assert len(set[str]().union(*sentences)) == 800
    premises = [{example.premise for example in inference(split, 200)} for split in SPLITS]
    assert len(set[str]().union(*premises)) == 800
    assert list(inference("dev", 50, seed=4)) == list(inference("dev", 60, seed=4))[:50]
    assert list(sentiment("dev", 50, seed=4)) == list(sentiment("dev", 60, seed=4))[:50]
    assert list(sentiment("dev", 50, seed=4)) != list(sentiment("dev", 50, seed=5))


def test_opinions_on_held_out_words_are_in_their_split_alone(opinions: list[SentimentExample]) -> None:
    held = [words for words, (adjective, _) in FORMS.items() if adjective.modifier == "지루한"]

    def bores(example: SentimentExample) -> bool:
        words = [word for at, word in enumerate(example.words) if at in example.carriers]
        return any(set(form) <= set(words) for form in held) and "드라마" in example.korean

    assert ("지루한", "드라마") in COMBINATIONS
    assert not any(map(bores, opinions))
    assert any(map(bores, sentiment("heldout", 300)))


def test_impossible_requests_are_refused_at_once() -> None:
    with pytest.raises(DataError, match=r"unknown split 'held' of the built-in sentiment world.*heldout"):
        sentiment("held", 1)
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
