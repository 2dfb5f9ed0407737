"""What an editor would strike out: laws about which words stand together, read from the Korean alone."""

import re
from collections import Counter

import pytest

from regard.world import WorldPair, pairs
from regard.world.morphology import analysed
from regard.world.nouns import nouns

NAMES = tuple(noun.korean for noun in nouns("name"))
ELDERS = tuple(noun.korean for noun in nouns("elder elder_kin"))
PAST = ("어제", "그저께", "지난주에", "지난", "지난달에", "작년에", "지난여름에")
AHEAD = ("내일", "모레", "다음", "내년에", "곧")
PARTS_OF_DAY = ("아침에", "오후에", "저녁에", "아침", "저녁")
COORDINATIONS = {"clause coordination", "adjective coordination", "noun coordination", "sequence"}


@pytest.fixture(scope="module")
def many() -> list[WorldPair]:
    return [*pairs("train", 15_000, seed=21), *pairs("heldout", 500, seed=21)]


@pytest.fixture(scope="module")
def chains() -> list[WorldPair]:
    return list(pairs("train", 300, seed=21, lengths="long"))


def test_nobody_is_named_twice(many: list[WorldPair]) -> None:
    for pair in many:
        if not COORDINATIONS & pair.constructions:
            named = Counter(name for name in NAMES for word in pair.words if word.startswith(name))
            assert all(count == 1 for count in named.values()), pair


def test_the_other_of_a_contrast_is_not_its_object(many: list[WorldPair], chains: list[WorldPair]) -> None:
    for pair in (*many, *chains):
        for clause in pair.korean.split(", "):
            subject, *rest = clause.split()
            who = next((name for name in NAMES if subject.startswith(name)), None)
            assert not any(who and word.startswith((f"{who}를", f"{who}을")) for word in rest), pair


def test_times_agree_with_the_tense(many: list[WorldPair]) -> None:
    for pair in many:
        tenses = pair.constructions & {"past", "present", "future", "progressive", "past progressive"}
        if "relative clause" in pair.constructions or len(tenses) != 1:
            continue
        if tenses & {"future", "present", "progressive"}:
            assert not set(PAST) & set(pair.words), pair
        else:
            assert not set(AHEAD) & set(pair.words), pair


def test_lunch_is_at_noon(many: list[WorldPair]) -> None:
    for pair in many:
        if "점심을" in pair.words:
            assert not set(PARTS_OF_DAY) & set(pair.words), pair


def test_one_lives_in_a_place_with_e(many: list[WorldPair]) -> None:
    places = [
        before
        for pair in many
        for at, word in enumerate(pair.words)
        if analysed(word)[0][:2] == ("살", "verb")
        for before in pair.words[max(at - 2, 0) : at]
    ]
    assert sum(place.endswith("에") for place in places) > 50
    assert not [place for place in places if place.endswith("에서")]


@pytest.mark.parametrize(
    "odd",
    [
        "깨끗한 (방|집|부엌|거실|사무실)을? 청소",  # what is clean needs no cleaning
        "밥을 (사|샀|살)",
        "(내|제|나의|저의) (편지|이메일|보고서)를? (쓰|썼|쓸|써)",
        "함께 (크게 |조용히 )?(울었|웃었|울고|웃고)",
        "못 (크|작|예쁘|예쁜|바쁘|바빴|행복|피곤|아프|아팠|친절|비싸)",
        "도착하지 (않|못)",
        "(이|그|저) (날씨|하늘)",
        "열심히 (읽|쓰|먹|마시|심|돕|청소)",
        "우리는 우리 (학교|회사|교실|집)",
    ],
)
def test_what_makes_no_sense_does_not_occur(odd: str, many: list[WorldPair]) -> None:
    pattern = re.compile(f"(^| ){odd}")
    assert [pair.korean for pair in many if pattern.search(pair.korean)] == []


def test_elders_are_spoken_of_with_honorifics(many: list[WorldPair]) -> None:
    raised = re.compile(r"시|으시|드시|주무시|계시|말씀하시")
    checked = 0
    for pair in many:
        first = pair.words[0]
        simple = not COORDINATIONS & pair.constructions and "relative clause" not in pair.constructions
        if simple and first.startswith(ELDERS) and first.endswith(("은", "는", "께서")):
            checked += 1
            assert any(raised.fullmatch(form) for form, _ in pair.morphemes), pair
    assert checked > 200


def test_habits_are_not_about_a_single_thing(many: list[WorldPair]) -> None:
    """Who reads every day reads books; "eats the apple every morning" would be odd."""
    habit = re.compile(r"\b(often|sometimes|always|usually|every \w+)\b")
    single = re.compile(
        r"\b(reads?|eats?|drinks?|buys?|draws?|writes?|borrows?) (the|this|that|an?|two|three) "
    )
    odd = [pair.english for pair in many if habit.search(pair.english) and single.search(pair.english)]
    assert [english for english in odd if " a meal" not in english] == []


def test_one_day_has_one_weather(chains: list[WorldPair]) -> None:
    for pair in chains:
        assert sum(word in ("비가", "눈이", "날씨가") for word in pair.words) <= 1, pair
