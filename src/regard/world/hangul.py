"""Arithmetic on Hangul syllables, and the particles whose form depends on the last one.

A precomposed syllable is `0xAC00 + (initial * 21 + vowel) * 28 + final`; everything here follows from that.
"""

from functools import cache
from typing import NamedTuple

from regard.world.morphology import Eojeol, eojeol, nominal_tag

INITIALS = "ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ"
VOWELS = "ㅏㅐㅑㅒㅓㅔㅕㅖㅗㅘㅙㅚㅛㅜㅝㅞㅟㅠㅡㅢㅣ"
FINALS = ("", *"ㄱㄲㄳㄴㄵㄶㄷㄹㄺㄻㄼㄽㄾㄿㅀㅁㅂㅄㅅㅆㅇㅈㅊㅋㅌㅍㅎ")
_FIRST, _LAST = ord("가"), ord("힣")


def decompose(syllable: str) -> tuple[str, str, str]:
    """Split one syllable into initial, vowel and final consonant ("" if it is open): 한 → ㅎ, ㅏ, ㄴ."""
    code = ord(syllable)
    if not _FIRST <= code <= _LAST:
        raise ValueError(f"expected one Hangul syllable, found {syllable!r}")
    rest, final = divmod(code - _FIRST, len(FINALS))
    initial, vowel = divmod(rest, len(VOWELS))
    return INITIALS[initial], VOWELS[vowel], FINALS[final]


def compose(initial: str, vowel: str, final: str = "") -> str:
    """Join jamo into one syllable: ㅎ, ㅏ, ㄴ → 한."""
    index = INITIALS.index(initial) * len(VOWELS) + VOWELS.index(vowel)
    return chr(_FIRST + index * len(FINALS) + FINALS.index(final))


def batchim(word: str) -> str:
    """Return the final consonant of the word's last syllable, "" if it ends in a vowel."""
    return decompose(word[-1])[2]


def with_batchim(word: str, final: str) -> str:
    """Replace the final consonant of the word's last syllable: 가 + ㄴ → 간, 살 + ㅂ → 삽, 듣 + "" → 드."""
    initial, vowel, _ = decompose(word[-1])
    return word[:-1] + compose(initial, vowel, final)


class Particle(NamedTuple):
    """A particle in its form after a consonant and its form after a vowel."""

    after_consonant: str
    after_vowel: str
    rieul_is_vowel: bool = False  # 로: 서울로, not 서울으로


TOPIC = Particle("은", "는")
SUBJECT = Particle("이", "가")
OBJECT = Particle("을", "를")
WITH = Particle("과", "와")
MEANS = Particle("으로", "로", rieul_is_vowel=True)
PLACE = Particle("에서", "에서")
GOAL = Particle("에", "에")
TO = Particle("에게", "에게")
TO_SPOKEN = Particle("한테", "한테")
TO_ELDER = Particle("께", "께")
OF = Particle("의", "의")
HONORED = Particle("께서", "께서")
BARE = Particle("", "")


@cache
def attach(word: str, particle: Particle, *, tag: str = "", plural: bool = False) -> Eojeol:
    """Write the particle after the word in the form that its last syllable asks for; plural: after 들."""
    pieces = [(word, tag or nominal_tag(word))]
    if plural:
        pieces.append(("들", "suffix"))
    final = batchim(pieces[-1][0])
    as_vowel = not final or (final == "ㄹ" and particle.rieul_is_vowel)
    written = particle.after_vowel if as_vowel else particle.after_consonant
    if written:
        pieces.append((written, "particle"))
    return eojeol("".join(form for form, _ in pieces), *pieces)
