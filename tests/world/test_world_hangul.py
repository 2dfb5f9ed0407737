import pytest

from regard.world.hangul import (
    MEANS,
    OBJECT,
    SUBJECT,
    TOPIC,
    WITH,
    Particle,
    attach,
    batchim,
    compose,
    decompose,
    with_batchim,
)


def test_syllables_come_apart_and_together() -> None:
    assert decompose("한") == ("ㅎ", "ㅏ", "ㄴ")
    assert decompose("가") == ("ㄱ", "ㅏ", "")
    assert compose("ㅎ", "ㅏ", "ㄴ") == "한"
    assert all(compose(*decompose(chr(code))) == chr(code) for code in range(ord("가"), ord("힣") + 1))


def test_what_is_not_a_syllable_is_named() -> None:
    with pytest.raises(ValueError, match="expected one Hangul syllable, found 'a'"):
        decompose("a")


def test_final_consonants() -> None:
    assert batchim("책") == "ㄱ"
    assert batchim("나무") == ""
    assert with_batchim("살", "ㅂ") == "삽"
    assert with_batchim("가", "ㄴ") == "간"
    assert with_batchim("춥", "") == "추"


@pytest.mark.parametrize(
    ("noun", "particle", "expected"),
    [
        ("사람", SUBJECT, "사람이"),
        ("나무", SUBJECT, "나무가"),
        ("사람", TOPIC, "사람은"),
        ("나무", TOPIC, "나무는"),
        ("책", OBJECT, "책을"),
        ("사과", OBJECT, "사과를"),
        ("빵", WITH, "빵과"),
        ("친구", WITH, "친구와"),
        ("집", MEANS, "집으로"),
        ("학교", MEANS, "학교로"),
        ("서울", MEANS, "서울로"),
        ("연필", MEANS, "연필로"),
        ("서울", OBJECT, "서울을"),
    ],
)
def test_particles_follow_the_last_sound(noun: str, particle: Particle, expected: str) -> None:
    assert attach(noun, particle) == expected
