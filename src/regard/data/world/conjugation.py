"""From the stem of a Korean predicate to its forms.

Every form is built on one of three bases:

* the stem itself, before a consonant: 읽고, 듣고, 춥지만
* `eu_base`, before endings that begin with 으: 읽으(시), 들으(시), 추우(ㄴ), 하야(ㄴ)
* `infinitive`, before endings that begin with 어: 읽어, 들어, 추워, 하얘; with ㅆ the past base: 읽었, 들었

The classes ㄷ ㅂ ㅅ ㅎ 르 are properties of a word (굽다 is irregular, 입다 is not) and are stated; the
classes 으, ㄹ and 하 can be seen in the stem.
"""

from dataclasses import dataclass
from functools import cache
from typing import Literal

from regard.data.world.hangul import batchim, compose, decompose, with_batchim

Kind = Literal["verb", "adjective", "existence", "copula"]
Irregular = Literal["", "ㄷ", "ㅂ", "ㅅ", "ㅎ", "르"]
Level = Literal["plain", "polite", "formal"]
Ending = Literal["statement", "question", "고", "지만"]

_OPEN_CONTRACTIONS = {
    "ㅏ": "ㅏ",
    "ㅓ": "ㅓ",
    "ㅐ": "ㅐ",
    "ㅔ": "ㅔ",
    "ㅕ": "ㅕ",
    "ㅗ": "ㅘ",
    "ㅜ": "ㅝ",
    "ㅣ": "ㅕ",
    "ㅚ": "ㅙ",
}
_HIEUT_CONTRACTIONS = {"ㅏ": "ㅐ", "ㅑ": "ㅒ", "ㅓ": "ㅐ", "ㅕ": "ㅖ"}
_IS_NOT = "아니"  # follows the copula: 아니에요, 아니었다
_KEEPS_HARMONY = ("돕", "곱")  # the only ㅂ stems that take 와, not 워


@dataclass(frozen=True, slots=True)
class Stem:
    """A predicate without its ending. A copula's stem is its noun and 이: 학생이, 의사이."""

    text: str
    kind: Kind = "verb"
    irregular: Irregular = ""
    honorific: bool = False  # ends in the honorific 시, whose polite form is 세요: 가세요, but 마셔요


def _is_bright(vowel: str) -> bool:
    return vowel in "ㅏㅑㅗ"


def _copula_noun(stem: Stem) -> str:
    return stem.text[:-1]


@cache
def infinitive(stem: Stem) -> str:
    """Return the 아/어 form: 읽어, 가, 와, 마셔, 해, 들어, 도와, 지어, 하얘, 몰라, 써."""
    text = stem.text
    if stem.kind == "copula":
        return f"{text}어" if batchim(_copula_noun(stem)) else f"{_copula_noun(stem)}여"
    if text == _IS_NOT:
        return f"{text}어"
    head, (initial, vowel, final) = text[:-1], decompose(text[-1])
    match stem.irregular:
        case "르":
            bright = _is_bright(decompose(head[-1])[1])
            return with_batchim(head, "ㄹ") + ("라" if bright else "러")
        case "ㅂ":
            return with_batchim(text, "") + ("와" if text in _KEEPS_HARMONY else "워")
        case "ㄷ" | "ㅅ":
            return with_batchim(text, "ㄹ" if stem.irregular == "ㄷ" else "") + (
                "아" if _is_bright(vowel) else "어"
            )
        case "ㅎ":
            return head + compose(initial, _HIEUT_CONTRACTIONS[vowel])
    if final:
        return text + ("아" if _is_bright(vowel) else "어")
    if text[-1] == "하":
        return f"{head}해"
    if vowel == "ㅡ":
        bright = bool(head) and _is_bright(decompose(head[-1])[1])
        return head + compose(initial, "ㅏ" if bright else "ㅓ")
    if vowel in _OPEN_CONTRACTIONS:
        return head + compose(initial, _OPEN_CONTRACTIONS[vowel])
    return f"{text}어"


@cache
def eu_base(stem: Stem) -> str:
    """Return the base before 으 endings, which ends in a vowel or ㄹ: 읽으, 가, 살, 들으, 추우, 하야."""
    text = stem.text
    match stem.irregular:
        case "ㄷ":
            return with_batchim(text, "ㄹ") + "으"
        case "ㅂ":
            return with_batchim(text, "") + "우"
        case "ㅅ":
            return with_batchim(text, "") + "으"
        case "ㅎ":
            return with_batchim(text, "")
    return text if batchim(text) in ("", "ㄹ") else f"{text}으"


def _before_nieun(stem: Stem) -> str:
    """Return the stem as it stands before ㄴ and ㅅ, where ㄹ falls: 살 → 사(는)."""
    return with_batchim(stem.text, "") if batchim(stem.text) == "ㄹ" else stem.text


@cache
def honorific(stem: Stem) -> Stem:
    """Add the honorific 시: 읽으시, 가시, 사시 (살다), 들으시."""
    base = eu_base(stem)
    if batchim(base) == "ㄹ":
        base = with_batchim(base, "")
    return Stem(f"{base}시", "adjective" if stem.kind == "adjective" else "verb", honorific=True)


def past_base(stem: Stem) -> str:
    """Return the base of the past tense: 읽었, 갔, 왔, 했, 학생이었, 의사였."""
    form = infinitive(stem)
    return with_batchim(form, "ㅆ")


def prospective(stem: Stem) -> str:
    """Return the form before 것이다, which makes the future: 읽을, 갈, 살, 들을, 추울."""
    return with_batchim(eu_base(stem), "ㄹ")


@cache
def attributive(stem: Stem) -> str:
    """Return the present form before a noun: 읽는, 사는 (살다); 예쁜, 작은, 추운, 하얀; 맛있는."""
    if stem.kind in ("verb", "existence"):
        return f"{_before_nieun(stem)}는"
    return with_batchim(eu_base(stem), "ㄴ")


def connective(stem: Stem, ending: str, *, past: bool = False) -> str:
    """Attach an ending that begins with a consonant and changes nothing: 고, 지, 지만."""
    if past:
        return past_base(stem) + ending
    if stem.kind == "copula" and not batchim(_copula_noun(stem)):
        return _copula_noun(stem) + ending
    return stem.text + ending


def future(level: Level, ending: Ending) -> str:
    """Return the word after the prospective form: 것이다, 거예요, 것입니다, 거니, 것이고, …"""
    match ending, level:
        case "고" | "지만", _:
            return f"것이{ending}"
        case "statement", "plain":
            return "것이다"
        case "statement", "formal":
            return "것입니다"
        case "question", "plain":
            return "거니"
        case "question", "formal":
            return "것입니까"
    return "거예요"


@cache
def finite(stem: Stem, level: Level = "plain", ending: Ending = "statement", *, past: bool = False) -> str:
    """Return the form that ends a clause: 읽는다, 읽어요, 읽습니까, 읽었고, …"""
    if ending in ("고", "지만"):
        return connective(stem, ending, past=past)
    if past:
        return past_base(stem) + _PAST_ENDINGS[level, ending]
    match level:
        case "polite":
            return _polite_present(stem)
        case "formal":
            last = "니다" if ending == "statement" else "니까"
            if batchim(stem.text) in ("", "ㄹ"):
                return with_batchim(stem.text, "ㅂ") + last
            return f"{stem.text}습{last}"
    if ending == "question":
        return connective(Stem(_before_nieun(stem), stem.kind), "니")
    if stem.kind != "verb":
        return connective(stem, "다")
    if batchim(stem.text) in ("", "ㄹ"):
        return with_batchim(stem.text, "ㄴ") + "다"
    return f"{stem.text}는다"


_PAST_ENDINGS: dict[tuple[Level, Ending], str] = {
    ("plain", "statement"): "다",
    ("plain", "question"): "니",
    ("polite", "statement"): "어요",
    ("polite", "question"): "어요",
    ("formal", "statement"): "습니다",
    ("formal", "question"): "습니까",
}


def _polite_present(stem: Stem) -> str:
    if stem.kind == "copula":
        noun = _copula_noun(stem)
        return f"{noun}이에요" if batchim(noun) else f"{noun}예요"
    if stem.text == _IS_NOT:
        return f"{stem.text}에요"
    if stem.honorific:
        return f"{stem.text[:-1]}세요"
    return f"{infinitive(stem)}요"
