"""The world of questions: an answer stands where it is said to, and there is one."""

import re
from collections import Counter

import pytest

from regard.world.questions import QuestionExample, questions

_WORDS = {
    "subject": {"누가"},
    "object": {"무엇을"},
    "place": {"어디에서", "어디에"},
    "goal": {"어디에"},
    "recipient": {"누구에게"},
    "time": {"언제"},
}


@pytest.fixture(scope="module")
def asked() -> list[QuestionExample]:
    return list(questions("train", 600))


def test_an_answer_is_whole_words_of_one_sentence(asked: list[QuestionExample]) -> None:
    for one in asked:
        end = one.start + len(one.answer)
        assert one.text[one.start : end] == one.answer
        assert one.start == 0 or one.text[one.start - 1] == " "
        assert one.text[end] in " ."
        assert "." not in one.answer


def test_a_question_has_the_word_for_what_it_asks(asked: list[QuestionExample]) -> None:
    for one in asked:
        words = set(one.question.rstrip("?").split())
        assert words & _WORDS[one.asked]
        assert not any(words & own for kind, own in _WORDS.items() if not own & _WORDS[one.asked]), one
        assert one.question.endswith("?")
        assert one.answer.split()[-1] not in words


def test_the_words_that_a_question_repeats_are_in_the_sentence_of_the_answer(
    asked: list[QuestionExample],
) -> None:
    """All but the question word and the verb, whose ending is another; so the answer can be found."""
    for one in asked:
        first = one.text.rfind(". ", 0, one.start) + 1
        sentence = set(one.text[first : one.text.index(".", one.start)].split())
        kept = [word for word in one.question.rstrip("?").split() if word not in _WORDS[one.asked]]
        assert set(kept[:-2]) <= sentence, one  # a future has two words: 읽을 거니


def test_everything_is_asked_alike_often_and_texts_differ(asked: list[QuestionExample]) -> None:
    assert set(Counter(one.asked for one in asked).values()) == {100}
    assert len({one.text for one in asked}) == 600
    assert {len(re.findall(r"\.", one.text)) for one in asked} == {2, 3, 4}


def test_the_same_verb_often_stands_in_another_sentence(asked: list[QuestionExample]) -> None:
    """The verb alone does not find the place: at least a quarter of the texts end two sentences alike."""
    alike = [one for one in asked if max(Counter(re.findall(r"(\S+)\.", one.text)).values()) > 1]
    assert len(alike) > 150


def test_splits_are_apart_and_repeatable() -> None:
    parts = [list(questions(split, 40)) for split in ("train", "dev", "test")]
    assert len({one.text for part in parts for one in part}) == 120
    assert list(questions("dev", 20)) == parts[1][:20]


def test_no_other_sentence_fits_the_question(asked: list[QuestionExample]) -> None:
    """One that has all the words that the question repeats, and ends as that of the answer does."""
    for one in asked:
        sentences = [sentence.split() for sentence in one.text.rstrip(".").split(". ")]
        own = sentences[one.text.count(".", 0, one.start)]
        future = own[-1] in ("거예요", "것이다", "것입니다")
        repeated = one.question.rstrip("?").split()[: -2 if future else -1]
        words = {word for word in repeated if word not in _WORDS[one.asked]}
        fit = [each for each in sentences if words <= set(each) and each[-1 - future :] == own[-1 - future :]]
        assert fit == [own], one
