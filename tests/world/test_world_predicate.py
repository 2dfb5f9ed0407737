"""Each case reads: the Korean predicate, then each English word with the Korean words it is linked to."""

import pytest

from regard.world.adverbs import Tense
from regard.world.phrase import Word
from regard.world.predicate import Form, Negation, verb_predicate
from regard.world.verb_table import TRANSITIVE
from regard.world.verbs import Verb


def verb(korean: str) -> Verb:
    return next(found for found in TRANSITIVE if f"{found.stem.text}다" == korean)


def shown(korean: tuple[str, ...], english: tuple[Word, ...]) -> str:
    return " ".join(f"{text}↔{'+'.join(korean[anchor] for anchor in anchors)}" for text, anchors in english)


@pytest.mark.parametrize(
    ("tense", "negation", "korean", "english"),
    [
        ("past", "", "읽었다", "read↔읽었다"),
        ("past", "안", "안 읽었다", "did↔읽었다 not↔안 read↔읽었다"),
        ("past", "않다", "읽지 않았다", "did↔않았다 not↔않았다 read↔읽지"),
        ("past", "못", "못 읽었다", "could↔읽었다 not↔못 read↔읽었다"),
        ("past", "못하다", "읽지 못했다", "could↔못했다 not↔못했다 read↔읽지"),
        ("present", "", "읽는다", "reads↔읽는다"),
        ("present", "않다", "읽지 않는다", "does↔않는다 not↔않는다 read↔읽지"),
        ("present", "못", "못 읽는다", "cannot↔못 read↔읽는다"),
        ("future", "", "읽을 것이다", "will↔것이다 read↔읽을"),
        ("future", "안", "안 읽을 것이다", "will↔것이다 not↔안 read↔읽을"),
        ("future", "않다", "읽지 않을 것이다", "will↔것이다 not↔않을 read↔읽지"),
        ("progressive", "", "읽고 있다", "is↔있다 reading↔읽고"),
        ("progressive", "않다", "읽고 있지 않다", "is↔있지 not↔않다 reading↔읽고"),
        ("past progressive", "", "읽고 있었다", "was↔있었다 reading↔읽고"),
    ],
)
def test_tense_and_negation(tense: Tense, negation: Negation, korean: str, english: str) -> None:
    predicate = verb_predicate(verb("읽다"), Form(tense, "plain", negation))
    assert " ".join(predicate.korean) == korean
    assert shown(predicate.korean, predicate.auxiliaries + predicate.main) == english


def test_a_verb_with_negative_meaning() -> None:
    predicate = verb_predicate(verb("모르다"), Form("past", "polite"))
    assert (
        shown(predicate.korean, predicate.auxiliaries + predicate.main)
        == "did↔몰랐어요 not↔몰랐어요 know↔몰랐어요"
    )


@pytest.mark.parametrize(
    ("korean", "tense", "negation", "expected"),
    [
        ("읽다", "past", "", "읽으셨습니다"),
        ("읽다", "past", "않다", "읽지 않으셨습니다"),
        ("읽다", "progressive", "", "읽고 계십니다"),
        ("먹다", "present", "", "드십니다"),
        ("먹다", "present", "않다", "드시지 않으십니다"),
        ("먹다", "future", "", "드실 것입니다"),
    ],
)
def test_honored_subject(korean: str, tense: Tense, negation: Negation, expected: str) -> None:
    form = Form(tense, "formal", negation, honored=True)
    assert " ".join(verb_predicate(verb(korean), form).korean) == expected


def test_a_question_needs_an_auxiliary() -> None:
    form = Form("past", "formal", ending="question", inverted=True)
    predicate = verb_predicate(verb("읽다"), form)
    assert predicate.korean == ("읽었습니까",)
    assert [text for text, _ in predicate.auxiliaries + predicate.main] == ["did", "read"]


@pytest.mark.parametrize(
    ("form", "korean", "english"),
    [
        (Form("present", "plain", "", "command"), "읽어라", "read↔읽어라"),
        (Form("present", "polite", "않다", "command", True), "읽지 마세요", "do↔마세요 not↔마세요 read↔읽지"),
        (Form("past", "plain", "", "adnominal"), "읽은", "read↔읽은"),
        (Form("future", "plain", "", "adnominal"), "읽을", "will↔읽을 read↔읽을"),
        (Form("progressive", "plain", "", "adnominal"), "읽고 있는", "is↔있는 reading↔읽고"),
        (Form("past progressive", "plain", "", "때"), "읽고 있을 때", "was↔있을 reading↔읽고"),
        (Form("past", "plain", "", "때"), "읽었을 때", "read↔읽었을"),
        (Form("past", "formal", "", "아서"), "읽어서", "read↔읽어서"),
        (Form("present", "formal", "", "면"), "읽으면", "reads↔읽으면"),
        (Form("present", "plain", "", "전에"), "읽기 전에", "reading↔읽기"),
        (Form("past", "plain", "", "adnominal", True), "읽으신", "read↔읽으신"),
    ],
)
def test_commands_and_dependent_forms(form: Form, korean: str, english: str) -> None:
    predicate = verb_predicate(verb("읽다"), form)
    assert " ".join(predicate.korean) == korean
    assert shown(predicate.korean, predicate.auxiliaries + predicate.main) == english
