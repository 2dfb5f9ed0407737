"""From the stem of a Korean predicate to its forms.

Every form is built on one of three bases:

* the stem itself, before a consonant: 읽고, 듣고, 춥지만
* `eu_base`, before endings that begin with 으: 읽으(시), 들으(시), 추우(ㄴ), 하야(ㄴ)
* `infinitive`, before endings that begin with 어: 읽어, 들어, 추워, 하얘; with ㅆ the past base: 읽었, 들었

The classes ㄷ ㅂ ㅅ ㅎ 르 are properties of a word (굽다 is irregular, 입다 is not) and are stated; the
classes 으, ㄹ and 하 can be seen in the stem.
"""

from functools import cache
from typing import Literal, NamedTuple

from regard.world.hangul import batchim, compose, decompose, with_batchim
from regard.world.morphology import Eojeol, eojeol

Kind = Literal["verb", "adjective", "existence", "copula"]
Irregular = Literal["", "ㄷ", "ㅂ", "ㅅ", "ㅎ", "르"]
Level = Literal["plain", "polite", "formal"]
Ending = Literal["statement", "question", "command", "고", "지만", "아서", "면", "때", "전에", "adnominal"]
"""What ends a clause: its mood, or how it hangs on what follows (아서 because, 면 if, 때 when, 전에 before,
adnominal: a relative clause before its noun)."""

_OPEN_CONTRACTIONS = dict(zip("ㅏㅓㅐㅔㅕㅗㅜㅣㅚ", "ㅏㅓㅐㅔㅕㅘㅝㅕㅙ", strict=True))
_HIEUT_CONTRACTIONS = dict(zip("ㅏㅑㅓㅕ", "ㅐㅒㅐㅖ", strict=True))
_DO_NOT = "말"  # commands only: 읽지 마, 읽지 마세요, 읽지 마십시오
_AUXILIARIES = ("않", "못하", "말")
_IS_NOT = "아니"  # follows the copula: 아니에요, 아니었다
_KEEPS_HARMONY = ("돕", "곱")  # the only ㅂ stems that take 와, not 워


class Stem(NamedTuple):
    """A predicate without its ending. A copula's stem is its noun and 이: 학생이, 의사이."""

    text: str
    kind: Kind = "verb"
    irregular: Irregular = ""
    honorific: bool = False  # ends in the honorific 시, whose polite form is 세요: 가세요, but 마셔요
    base: str = ""  # the stem without an honorific 시 that was added to it
    auxiliary: bool = False  # stands behind another predicate: 읽고 있다

    def word(self, written: str, *endings: str) -> Eojeol:
        """Return a form of this stem that knows its morphemes: the stem's own, then the endings."""
        auxiliary = self.auxiliary or (self.base or self.text) in _AUXILIARIES
        tag = "auxiliary" if auxiliary else "verb"
        if self.kind == "adjective" or (self.kind == "existence" and len(self.text) > 1):
            tag = "adjective" if tag == "verb" else tag
        pieces = [(self.base or self.text, tag)]
        if self.kind == "copula":
            pieces = [(_copula_noun(self), "noun"), ("이", "copula")]
        elif self.base:
            pieces.append(("으시" if self.text.endswith("으시") else "시", "ending"))
        return eojeol(written, *pieces, *((ending, "ending") for ending in endings))


@cache
def irregularity(stem: Stem) -> str:
    """Name the class of a stem that does not keep its form: ㄷ ㅂ ㅅ ㅎ 르 으 ㄹ; "" for a regular one."""
    if stem.irregular or stem.kind == "copula":
        return stem.irregular
    _, vowel, final = decompose(stem.text[-1])
    if not final and vowel == "ㅡ":
        return "으"
    return final if final == "ㄹ" else ""


def _is_bright(vowel: str) -> bool:
    return vowel in "ㅏㅑㅗ"


def _vowel(stem: Stem) -> str:
    """Return the vowel that begins -아/어 endings in the dictionary form: 가 + 아, 먹 + 어, 하 + 여."""
    text = stem.text
    if stem.kind == "copula" or text == _IS_NOT:
        return "어"
    if text[-1] == "하":
        return "여"
    if stem.irregular == "ㅂ":
        return "아" if text in _KEEPS_HARMONY else "어"
    if decompose(text[-1])[1] == "ㅡ":  # 쓰다, 바쁘다, 부르다: what is before 으 decides
        return "아" if len(text) > 1 and _is_bright(decompose(text[-2])[1]) else "어"
    return "아" if _is_bright(decompose(text[-1])[1]) else "어"


def _past(stem: Stem) -> str:
    return with_batchim(_vowel(stem), "ㅆ")


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
    kind: Kind = "adjective" if stem.kind == "adjective" else "verb"
    return Stem(f"{base}시", kind, honorific=True, base=stem.text)


def past_base(stem: Stem) -> str:
    """Return the base of the past tense: 읽었, 갔, 왔, 했, 학생이었, 의사였."""
    form = infinitive(stem)
    return with_batchim(form, "ㅆ")


def prospective(stem: Stem) -> str:
    """Return the form before 것이다, which makes the future: 읽을, 갈, 살, 들을, 추울."""
    written = with_batchim(eu_base(stem), "ㄹ")
    return stem.word(written, "을" if written.endswith("을") else "ㄹ")


@cache
def attributive(stem: Stem) -> str:
    """Return the present form before a noun: 읽는, 사는 (살다); 예쁜, 작은, 추운, 하얀; 맛있는."""
    if stem.kind in ("verb", "existence"):
        return stem.word(f"{_before_nieun(stem)}는", "는")
    return _with_nieun(stem)


def _with_nieun(stem: Stem) -> str:
    written = with_batchim(eu_base(stem), "ㄴ")
    return stem.word(written, "은" if written.endswith("은") else "ㄴ")


def adnominal(stem: Stem, *, past: bool = False) -> str:
    """Return the form that ends a relative clause: 읽는, 사는 (살다); past 읽은, 산, 들은, 도운, 부른."""
    return _with_nieun(stem) if past else attributive(stem)


@cache
def closing(stem: Stem, level: Level, ending: Ending, *, past: bool = False) -> tuple[str, ...]:
    """Return the words that end a clause: two if the ending has a noun (읽을 때, 읽기 전에), else one."""
    if ending == "때":
        return (stem.word(f"{past_base(stem)}을", _past(stem), "을") if past else prospective(stem), ending)
    if ending == "전에":
        return (connective(stem, "기"), ending)
    return (finite(stem, level, ending, past=past),)


def _command(stem: Stem, level: Level) -> str:
    """Return 읽어라, 읽으세요 or 읽으십시오; the last two are honorific by nature."""
    if level == "plain" and stem.text == _DO_NOT:
        return stem.word("마", "아")
    if level == "plain":
        return stem.word(f"{infinitive(stem)}라", f"{_vowel(stem)}라")
    raised = stem if stem.honorific else honorific(stem)
    if level == "polite":
        return _polite_present(raised)
    return raised.word(f"{with_batchim(raised.text, 'ㅂ')}시오", "ㅂ시오")


def connective(stem: Stem, ending: str, *, past: bool = False) -> str:
    """Attach an ending that begins with a consonant and changes nothing: 고, 지, 지만."""
    if past:
        return stem.word(past_base(stem) + ending, _past(stem), ending)
    if stem.kind == "copula" and not batchim(_copula_noun(stem)):
        return stem.word(_copula_noun(stem) + ending, ending)
    return stem.word(stem.text + ending, ending)


@cache
def future(level: Level, ending: Ending) -> str:
    """Return the word after the prospective form: 것이다, 거예요, 것입니다, 거니, 것이고, …"""
    match ending, level:
        case "고" | "지만", _:
            return _THING.word(f"것이{ending}", ending)
        case "statement", "plain":
            return _THING.word("것이다", "다")
        case "statement", "formal":
            return _THING.word("것입니다", "ㅂ니다")
        case "question", "plain":
            return _THING.word("거니", "니")
        case "question", "formal":
            return _THING.word("것입니까", "ㅂ니까")
    return _THING.word("거예요", "에요")


_THING = Stem("것이", "copula")


@cache
def finite(stem: Stem, level: Level = "plain", ending: Ending = "statement", *, past: bool = False) -> str:
    """Return the form that ends a clause: 읽는다, 읽어요, 읽습니까, 읽었고, 읽어서, 읽으면, 읽으세요, …"""
    match ending:
        case "고" | "지만":
            return connective(stem, ending, past=past)
        case "아서":
            return stem.word(f"{infinitive(stem)}서", f"{_vowel(stem)}서")
        case "면":
            base = eu_base(stem)
            return stem.word(f"{base}면", "면" if batchim(stem.text) in ("", "ㄹ", "ㅎ") else "으면")
        case "adnominal":
            return adnominal(stem, past=past)
        case "command":
            return _command(stem, level)
    if past:
        last = _PAST_ENDINGS[level, ending]
        return stem.word(past_base(stem) + last, _past(stem), last)
    match level:
        case "polite":
            return _polite_present(stem)
        case "formal":
            last = "니다" if ending == "statement" else "니까"
            if batchim(stem.text) in ("", "ㄹ"):
                return stem.word(with_batchim(stem.text, "ㅂ") + last, f"ㅂ{last}")
            return stem.word(f"{stem.text}습{last}", f"습{last}")
    if ending == "question" and stem.kind != "copula":
        return stem.word(f"{_before_nieun(stem)}니", "니")
    if ending == "question":
        return connective(stem, "니")
    if stem.kind != "verb":
        return connective(stem, "다")
    if batchim(stem.text) in ("", "ㄹ"):
        return stem.word(with_batchim(stem.text, "ㄴ") + "다", "ㄴ다")
    return stem.word(f"{stem.text}는다", "는다")


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
        return stem.word(f"{noun}이에요" if batchim(noun) else f"{noun}예요", "에요")
    if stem.text == _IS_NOT:
        return stem.word(f"{stem.text}에요", "에요")
    if stem.honorific:
        return stem.word(f"{stem.text[:-1]}세요", "어요")
    return stem.word(f"{infinitive(stem)}요", f"{_vowel(stem)}요")
