"""Changes of a text, by hand."""

import random
import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.examples import examples

from regard.analysis.perturbations import (
    CHANGES,
    change_case,
    change_level,
    change_mark,
    change_word,
    decompose_letters,
    double_spaces,
    join_words,
    mistype,
)
from regard.world import pairs
from regard.world.hangul import decompose
from regard.world.levels import other_level, synonym

DICE = random.Random(1)


def test_spaces() -> None:
    assert double_spaces("나는 책을 읽었다.", DICE) == "나는  책을  읽었다. "
    assert join_words("할 수 있다", random.Random(1)) in ("할수 있다", "할 수있다")
    assert join_words("a book, 책", DICE) is None


def test_another_unicode_form() -> None:
    assert decompose_letters("한 é", DICE) == "\u1112\u1161\u11ab e\u0301"
    assert decompose_letters("\u1112\u1161\u11ab", DICE) == "한"


@pytest.mark.parametrize(
    ("word", "other"),
    [
        ("읽는다", "읽습니다"),
        ("한다", "합니다"),
        ("합니다", "해요"),
        ("해요", "합니다"),
        ("산다", "삽니다"),  # 사다 or 살다: the same
        ("삽니다", None),  # 사요 or 살아요: a guess
        ("예쁘다", "예쁩니다"),
        ("가세요", None),  # a statement, or a command
        ("밝혔다", "밝혔습니다"),  # no word of the world: the ending alone decides
        ("밝혔습니다", "밝혔어요"),
        ("뛰어난다", "뛰어납니다"),
        ("늙는다", "늙습니다"),
        ("합격하다", None),  # a verb or an adjective
        ("의사입니다", "의사예요"),
        ("학생입니다", "학생이에요"),
        ("학생이다", "학생입니다"),
        ("아니다", "아닙니다"),
        ("book", None),
        ("다", None),
    ],
)
def test_levels_of_speech(word: str, other: str | None) -> None:
    assert other_level(word) == other


def test_the_ending_of_a_sentence() -> None:
    assert change_level("나는 책을 읽었다.", DICE) == "나는 책을 읽었습니다."
    assert change_level("방이 넓습니까?", DICE) == "방이 넓어요?"
    assert change_level("읽어요?", DICE) == "읽습니까?"
    assert change_level("...", DICE) is change_level("He left.", DICE) is None


def test_the_world_knows_nearly_all_of_its_own_statements() -> None:
    texts = [pair.korean for pair in pairs("dev", 300)]
    made = [found for text in texts if (found := change_level(text, DICE)) is not None]
    assert len(made) > 250
    back = [change_level(text, DICE) for text in made]
    assert sum(text is not None for text in back) > 200


def test_words_that_say_the_same() -> None:
    assert change_word("나는 간다.", DICE) == "저는 간다."
    assert change_word("친구한테 책을 준다.", DICE) == "친구에게 책을 준다."
    assert synonym("에게") is None
    assert synonym("저것은") is None


def test_final_marks_and_case() -> None:
    assert change_mark("It rains!", DICE) == "It rains"
    assert change_mark("It rains", DICE) == "It rains."
    assert change_mark("간다?", DICE) is None  # without its mark, a question may be a statement
    assert change_case("The US", DICE) == "the us"
    assert change_case("rain", DICE) == "Rain"
    assert CHANGES[-1].of("나는 간다.", 1) is None


def test_one_jamo_is_mistyped() -> None:
    for seed in range(20):
        found = mistype("책을 읽었다", random.Random(seed))
        assert found is not None
        (place,) = (n for n, (old, new) in enumerate(zip("책을 읽었다", found, strict=True)) if old != new)
        old, new = decompose("책을 읽었다"[place]), decompose(found[place])
        assert sum(a != b for a, b in zip(old, new, strict=True)) == 1
    assert mistype("two men", DICE) is None
    assert mistype("abcd", DICE) == "acbd"


@given(st.text(max_size=40), st.integers(0, 3))
@settings(max_examples=examples(60))
def test_a_change_is_one_and_the_same_for_a_seed(text: str, seed: int) -> None:
    for change in CHANGES:
        found = change.of(text, seed)
        assert found == change.of(text, seed)
        assert found != text
        assert found is None or found.strip()
        if change.name == "unicode" and found is not None:
            assert unicodedata.normalize("NFC", found) == unicodedata.normalize("NFC", text)
