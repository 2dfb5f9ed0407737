"""Predicates in both languages at once: tense, aspect, negation, politeness and honorifics, with their links;
and in which tense a verb is said, and how it is denied.

Which Korean word an English auxiliary belongs to depends on the form:

    읽었다          read↔읽었다
    안 읽었다        not↔안, did+read↔읽었다
    읽지 않았다       read↔읽지, did+not↔않았다
    못 읽었다        not↔못, could+read↔읽었다 (못 읽는다: cannot↔못)
    읽을 것이다       read↔읽을, will↔것이다
    읽지 않을 것이다    read↔읽지, not↔않을, will↔것이다
    읽고 있다        reading↔읽고, is↔있다
    읽고 있지 않다     reading↔읽고, is↔있지, not↔않다
    크지 않았다       big↔크지, was+not↔않았다
    읽지 마세요       read↔읽지, do+not↔마세요
    읽을 (책)        will+read↔읽을
    읽기 전에        reading↔읽기 ("before" ↔ 전에)
"""

from functools import cache
from typing import Literal, NamedTuple

from regard.world import english
from regard.world.adjectives import Adjective
from regard.world.adverbs import Tense
from regard.world.conjugation import (
    Ending,
    Kind,
    Level,
    Stem,
    closing,
    connective,
    finite,
    future,
    honorific,
    irregularity,
    prospective,
)
from regard.world.dice import Dice, Weighted
from regard.world.english import Agreement
from regard.world.phrase import Chunk, Word, words
from regard.world.scene import Scene
from regard.world.verbs import Aspect, Verb

Negation = Literal["", "안", "않다", "못", "못하다"]


class Form(NamedTuple):
    """Everything about a predicate but the word itself."""

    tense: Tense
    level: Level
    negation: Negation = ""
    ending: Ending = "statement"
    honored: bool = False
    agreement: Agreement = "singular"
    inverted: bool = False
    """English needs an auxiliary to put before its subject."""


class Predicate(NamedTuple):
    """A predicate: its Korean words, and its English auxiliaries apart from the rest."""

    korean: tuple[str, ...]
    auxiliaries: tuple[Word, ...]
    main: tuple[Word, ...]
    labels: frozenset[str] = frozenset()
    """What it adds to the constructions of its sentence."""


class _Places(NamedTuple):
    """Korean words of a predicate, and which of them carries what."""

    korean: tuple[str, ...]
    meaning: int
    tense: int
    negation: int


_BE_THERE = Stem("있", "existence")
_GO_ON = Stem("있", "existence", auxiliary=True)
_GO_ON_HONORED = Stem("계시", honorific=True, auxiliary=True)


def _korean(stem: Stem, honored_stem: Stem | None, form: Form) -> _Places:
    """Conjugate the Korean, to which it is all one with whom English agrees."""
    return _conjugated(stem, honored_stem, form._replace(agreement="singular", inverted=False))


@cache
def _conjugated(stem: Stem, honored_stem: Stem | None, form: Form) -> _Places:
    before: list[str] = []
    dictionary = honored_stem if form.honored and honored_stem else stem
    carrier = dictionary
    negation = form.negation
    if form.tense in ("progressive", "past progressive"):
        before.append(connective(dictionary, "고"))
        carrier = _GO_ON_HONORED if form.honored else _GO_ON
        if negation:
            before.append(connective(carrier, "지"))
            # 있지 않다, but 계시지 않는다: only the honorific one is a verb through and through.
            carrier = Stem("않", "verb" if form.honored else "adjective")
        # -고 있을 때 leaves the tense to the clause that follows.
        past = form.tense == "past progressive" and form.ending != "때"
        return _Places((*before, *closing(carrier, form.level, form.ending, past=past)), 0, 1, len(before))

    if negation in ("안", "못"):
        before.append(negation)
    elif negation:
        before.append(connective(dictionary, "지"))
        # 않다 conjugates as what it negates does: 읽지 않는다, 크지 않다.
        verbal: Kind = "verb" if stem.kind == "verb" else "adjective"
        carrier = Stem("않" if negation == "않다" else "못하", verbal)
        if form.ending == "command":
            carrier = Stem("말")
    if form.honored and not carrier.honorific:
        carrier = honorific(carrier)

    at = len(before)
    meaning = 0 if negation in ("않다", "못하다") else at
    negating = at if negation in ("않다", "못하다") else 0
    if form.tense == "future" and form.ending == "adnominal":
        return _Places((*before, prospective(carrier)), meaning, at, negating)
    if form.tense == "future":
        korean = (*before, prospective(carrier), future(form.level, form.ending))
        return _Places(korean, meaning, at + 1, negating)
    last = closing(carrier, form.level, form.ending, past=form.tense == "past")
    return _Places((*before, *last), meaning, at, negating)


def _labels(form: Form, stem: Stem | None = None) -> frozenset[str]:
    """Name the constructions of a predicate: those of its form, and the class of an irregular stem."""
    labels: set[str] = {form.level, "command" if form.ending == "command" else form.tense}
    if form.negation:
        labels.add("negation")
    if form.negation in ("못", "못하다"):
        labels.add("inability")
    if form.ending == "question":
        labels.add("question")
    if stem and irregularity(stem):
        labels.add(f"{irregularity(stem)} irregular")
    return frozenset(labels)


@cache
def verb_predicate(verb: Verb, form: Form) -> Predicate:
    """Conjugate a verb in both languages."""
    return _predicate(verb.stem, verb.honored, verb.english, verb.negative, form)


@cache
def _predicate(stem: Stem, honored: Stem | None, meaning: str, negative: bool, form: Form) -> Predicate:
    """Conjugate a verb: the same one for all entries of the table, and all that are narrowed from them."""
    places = _korean(stem, honored, form)
    auxiliaries, main = _english(meaning, negative, form, places)
    return Predicate(places.korean, auxiliaries, main, _labels(form, stem))


def _english(
    verb: str, negative: bool, form: Form, places: _Places
) -> tuple[tuple[Word, ...], tuple[Word, ...]]:
    """Return auxiliaries and the rest."""
    _, meaning, tense, negation = places
    denied = bool(form.negation) or negative
    negator = words("not", meaning if negative else negation) if denied else ()
    base = words(verb, meaning)
    past = form.tense in ("past", "past progressive")
    if form.ending == "command":
        return (words("do", negation) + negator if denied else ()), base
    if form.ending == "전에":
        return (), words(english.participle(verb), meaning)
    if form.tense == "future":
        return words("will", tense) + negator, base
    if form.tense in ("progressive", "past progressive"):
        be = words(english.be(form.agreement, past=past), tense)
        return be + negator, words(english.participle(verb), meaning)
    if form.negation in ("못", "못하다"):
        return (words("could", tense) + negator if past else words("cannot", negation)), base
    if denied or form.inverted:
        return words(english.do(form.agreement, past=past), tense) + negator, base
    if past:
        return (), words(english.past(verb), meaning)
    return (), words(english.third_person(verb) if form.agreement == "singular" else verb, meaning)


def _be(form: Form, places: _Places, *, denied: bool) -> tuple[Word, ...]:
    negator = words("not", places.negation) if denied else ()
    if form.tense == "future":
        return words("will", places.tense) + negator + words("be", places.meaning)
    return words(english.be(form.agreement, past=form.tense == "past"), places.tense) + negator


@cache
def adjective_predicate(adjective: Adjective, form: Form) -> Predicate:
    """Conjugate an adjective: English says it with "be"."""
    if adjective.stem is None:
        raise ValueError(f"{adjective.modifier} stands only before a noun")
    places = _korean(adjective.stem, None, form)
    auxiliaries = _be(form, places, denied=bool(form.negation))
    main = words(adjective.english, places.meaning)
    return Predicate(places.korean, auxiliaries, main, _labels(form, adjective.stem))


@cache
def existence_predicate(form: Form) -> Predicate:
    """Say that the subject is, or is not, somewhere: 있다, 없다. The place is not part of it."""
    stem = Stem("없", "existence") if form.negation else _BE_THERE
    places = _korean(stem, None, form._replace(negation=""))
    return Predicate(places.korean, _be(form, places, denied=bool(form.negation)), (), _labels(form))


@cache
def there_is_predicate(form: Form) -> Predicate:
    """Say that there is something: 있다 says both "there" and "is"."""
    places = _korean(_BE_THERE, None, form)
    be, there = _be(form, places, denied=False), words("there", places.meaning)
    return Predicate(places.korean, be + there if form.inverted else there + be, (), _labels(form))


@cache
def copula_predicate(noun: Chunk, form: Form) -> Predicate:
    """Say that the subject is what `noun`, a bare noun phrase, says: 학생이다, 학생이 아니다."""
    *front, last = noun.korean
    at = len(front)
    if form.negation:
        # 아니다 is a word of its own; `noun` then already carries its particle 이/가.
        last_word = finite(Stem("아니", "adjective"), form.level, form.ending, past=form.tense == "past")
        korean = (*noun.korean, last_word)
        at += 1
    else:
        last_word = finite(Stem(f"{last}이", "copula"), form.level, form.ending, past=form.tense == "past")
        korean = (*front, last_word)
    places = _Places(korean, at, at, at)
    return Predicate(korean, _be(form, places, denied=bool(form.negation)), noun.english, _labels(form))


_TENSES: dict[Aspect, Weighted[Tense]] = {
    "activity": Weighted({"past": 40, "present": 17, "future": 22, "progressive": 15, "past progressive": 6}),
    "point": Weighted({"past": 54, "present": 18, "future": 28}),
    "reaction": Weighted({"past": 60, "progressive": 30, "past progressive": 10}),
    "done": Weighted({"past": 1}),
    "state": Weighted({"past": 30, "present": 70}),
}
_TENSES_BUT_PRESENT: dict[Aspect, Weighted[Tense]] = {
    **_TENSES,
    "activity": Weighted({"past": 48, "future": 27, "progressive": 18, "past progressive": 7}),
    "point": Weighted({"past": 66, "future": 34}),
}
_NEGATIONS: Weighted[Negation] = Weighted({"": 78, "안": 9, "않다": 9, "못": 2.5, "못하다": 1.5})


def choose_tense(dice: Dice, verb: Verb) -> Tense:
    """Draw a tense that fits the verb."""
    return dice.weighted((_TENSES_BUT_PRESENT if verb.habit == "never" else _TENSES)[verb.aspect])


def predicate_length(tense: Tense, negation: Negation) -> int:
    """Count the Korean words of a predicate."""
    return 1 + (tense not in ("past", "present")) + bool(negation)


def short_negation_fits(korean: str) -> bool:
    """안 and 못 do not stand before noun + 하다 (nor 춤 + 추다), nor before long stems."""
    return len(korean) <= 2 and not (len(korean) == 2 and korean.endswith("하")) and korean != "춤추"


def choose_negation(scene: Scene, verb: Verb, tense: Tense) -> Negation:
    """Draw a negation, mostly none, that fits the verb in this tense."""
    negation = scene.dice.weighted(_NEGATIONS)
    if not negation or not verb.denied or scene.room < 1:
        return ""
    if tense == "present" and verb.habit == "routine":
        return ""
    able = verb.able if tense == "past" else verb.skill and tense == "present"
    if negation in ("못", "못하다") and (not able or scene.question):
        negation = "않다"
    if tense in ("progressive", "past progressive"):
        negation = "않다"
    if negation in ("안", "못") and not short_negation_fits(verb.stem.text):
        negation = "못하다" if negation == "못" else "않다"
    return negation


def choose_denial(dice: Dice, verb: Verb, *, hindered: bool) -> Negation:
    """Choose how to say that something is not done; for one who is hindered mostly that he cannot do it."""
    short = short_negation_fits(verb.stem.text)
    if hindered and dice.chance(0.7):
        return "못" if short else "못하다"
    return "안" if short and dice.chance(0.5) else "않다"
