"""Morphemes of whole sentences, and what each of them is linked to."""

import pytest

from regard.text.words import split_words
from regard.world import WorldPair, pairs
from regard.world.conjugation import Stem, finite, honorific
from regard.world.hangul import MEANS, SUBJECT, attach
from regard.world.morphemes import link_morphemes, morphemes_of
from regard.world.morphology import analysed, eojeol
from regard.world.predicate import Form, verb_predicate
from regard.world.verb_table import TRANSITIVE

READING = verb_predicate(TRANSITIVE[0], Form("progressive", "plain")).korean  # 읽고 있다


def shown(word: str) -> str:
    """Write "가/verb[0:1] 았/ending[0:1] 다/ending[1:2]"."""
    return " ".join(f"{part.form}/{part.tag}[{part.start}:{part.end}]" for part in analysed(word))


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        (finite(Stem("읽"), past=True), "읽/verb[0:1] 었/ending[1:2] 다/ending[2:3]"),
        (finite(Stem("가"), past=True), "가/verb[0:1] 았/ending[0:1] 다/ending[1:2]"),
        (finite(Stem("가")), "가/verb[0:1] ㄴ다/ending[0:2]"),
        (finite(Stem("하"), "polite"), "하/verb[0:1] 여요/ending[0:2]"),
        (finite(Stem("돕", irregular="ㅂ"), past=True), "돕/verb[0:2] 았/ending[1:2] 다/ending[2:3]"),
        (finite(Stem("부르", irregular="르"), "polite"), "부르/verb[0:2] 어요/ending[1:3]"),
        (finite(Stem("살"), "formal"), "살/verb[0:1] ㅂ니다/ending[0:3]"),
        (finite(Stem("춥", "adjective", "ㅂ"), ending="면"), "춥/adjective[0:2] 으면/ending[1:3]"),
        (finite(honorific(Stem("읽")), "polite"), "읽/verb[0:1] 으시/ending[1:3] 어요/ending[2:4]"),
        (finite(Stem("의사이", "copula")), "의사/noun[0:2] 이/copula[2:2] 다/ending[2:3]"),
        (finite(Stem("학생이", "copula"), "formal"), "학생/noun[0:2] 이/copula[2:3] ㅂ니다/ending[2:5]"),
        (
            finite(honorific(Stem("않")), past=True),
            "않/auxiliary[0:1] 으시/ending[1:3] 었/ending[2:3] 다/ending[3:4]",
        ),
        (READING[1], "있/auxiliary[0:1] 다/ending[1:2]"),
        (attach("연필", MEANS), "연필/noun[0:2] 로/particle[2:3]"),
        (attach("학생", SUBJECT, plural=True), "학생/noun[0:2] 들/suffix[2:3] 이/particle[3:4]"),
        ("월요일에", "월요일/noun[0:3] 에/particle[3:4]"),
        ("누가", "누구/pronoun[0:1] 가/particle[1:2]"),
        ("많이", "많이/adverb[0:2]"),
    ],
)
def test_a_word_knows_its_morphemes(word: str, expected: str) -> None:
    assert shown(word) == expected


def test_equal_words_keep_their_own_morphemes() -> None:
    mountain, bought = eojeol("산", ("산", "noun")), eojeol("산", ("사", "verb"), ("ㄴ", "ending"))
    assert mountain == bought
    assert [part.form for part in analysed(mountain)] == ["산"]
    assert [part.form for part in analysed(bought)] == ["사", "ㄴ"]


def linked(words: list[str], english: str, links: str) -> str:
    """Write each morpheme with its English: "나=I 는=- …"; links are given as "0-0 1-4"."""
    said = split_words(english)
    pairs_of = [(int(one), int(other)) for one, other in (link.split("-") for link in links.split())]
    found = sorted(link_morphemes(words, said, pairs_of))
    return " ".join(
        f"{part.form}={'+'.join(said[other] for one, other in found if one == at) or '-'}"
        for at, part in enumerate(morphemes_of(words))
    )


def test_particles_and_auxiliaries() -> None:
    words = ["나는", "학교에서", finite(Stem("일하")), "."]
    assert (
        linked(words, "I work at the school.", "0-0 2-1 1-2 1-3 1-4 3-5")
        == "나=I 는=- 학교=the+school 에서=at 일하=work ㄴ다=- .=."
    )
    words = ["나는", "안", finite(Stem("읽"), "polite", past=True), "."]
    assert (
        linked(words, "I did not read.", "0-0 2-1 1-2 2-3 3-4")
        == "나=I 는=- 안=not 읽=read 었=did 어요=- .=."
    )


def test_conjunctions_and_copula() -> None:
    words = ["비가", finite(Stem("오"), ending="아서"), "나는", finite(Stem("쉬"), past=True), "."]
    assert (
        linked(words, "I rested because it rained.", "0-3 0-4 1-2 1-4 2-0 3-1 4-5")
        == "비=it+rained 가=- 오=rained 아서=because 나=I 는=- 쉬=rested 었=rested 다=- .=."
    )
    words = ["민수는", finite(Stem("학생이", "copula"), past=True), "."]
    assert (
        linked(words, "Minsu was a student.", "0-0 1-1 1-2 1-3 2-4")
        == "민수=Minsu 는=- 학생=a+student 이=was 었=was 다=- .=."
    )


@pytest.fixture(scope="module")
def many() -> list[WorldPair]:
    return [*pairs("train", 4_000, seed=9), *pairs("train", 100, seed=9, lengths="long")]


def test_spans_lie_in_their_words(many: list[WorldPair]) -> None:
    for pair in many:
        spans = pair.morpheme_spans
        assert len(spans) == len(pair.morphemes)
        assert {at for start, end in spans for at in range(start, end)} == {
            at for at, letter in enumerate(pair.korean) if letter != " "
        }, pair


def test_every_english_word_has_a_morpheme_of_a_linked_word(many: list[WorldPair]) -> None:
    for pair in many:
        word_of = [at for at, word in enumerate(pair.words) for _ in analysed(word)]
        refined = {(word_of[morpheme], english) for morpheme, english in pair.morpheme_links}
        assert refined == pair.links, pair


def test_only_what_english_leaves_unsaid_is_unlinked(many: list[WorldPair]) -> None:
    for pair in many:
        linked_morphemes = {morpheme for morpheme, _ in pair.morpheme_links}
        for at, (form, tag) in enumerate(pair.morphemes):
            if at not in linked_morphemes:
                assert tag in ("particle", "ending", "copula"), (form, tag, pair)


def test_nouns_are_not_taken_for_adverbs(many: list[WorldPair]) -> None:
    adverbs = {form for pair in many for form, tag in pair.morphemes if tag == "adverb"}
    assert len(adverbs) < 50
    assert not adverbs & {"책", "학생", "사과"}
