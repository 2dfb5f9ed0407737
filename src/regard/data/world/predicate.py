"""Predicates in both languages at once: tense, aspect, negation, politeness and honorifics, with their links.

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

from regard.data.world import english
from regard.data.world.adjectives import Adjective
from regard.data.world.adverbs import Tense
from regard.data.world.conjugation import (
    Ending,
    Kind,
    Level,
    Stem,
    closing,
    connective,
    finite,
    future,
    honorific,
    prospective,
)
from regard.data.world.english import Agreement
from regard.data.world.phrase import Chunk, Word, words
from regard.data.world.verbs import Verb

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


class _Places(NamedTuple):
    """Korean words of a predicate, and which of them carries what."""

    korean: tuple[str, ...]
    meaning: int
    tense: int
    negation: int


_BE_THERE = Stem("있", "existence")
_BE_THERE_HONORED = Stem("계시", honorific=True)


def _korean(stem: Stem, honored_stem: Stem | None, form: Form) -> _Places:
    before: list[str] = []
    dictionary = honored_stem if form.honored and honored_stem else stem
    carrier = dictionary
    negation = form.negation
    if form.tense in ("progressive", "past progressive"):
        before.append(connective(dictionary, "고"))
        carrier = _BE_THERE_HONORED if form.honored else _BE_THERE
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


@cache
def verb_predicate(verb: Verb, form: Form) -> Predicate:
    """Conjugate a verb in both languages."""
    korean, meaning, tense, negation = _korean(verb.stem, verb.honored, form)
    denied = bool(form.negation) or verb.negative
    negator = words("not", meaning if verb.negative else negation) if denied else ()
    base = words(verb.english, meaning)
    past = form.tense in ("past", "past progressive")
    if form.ending == "command":
        return Predicate(korean, words("do", negation) + negator if denied else (), base)
    if form.ending == "전에":
        return Predicate(korean, (), words(english.participle(verb.english), meaning))
    if form.tense == "future":
        return Predicate(korean, words("will", tense) + negator, base)
    if form.tense in ("progressive", "past progressive"):
        be = words(english.be(form.agreement, past=past), tense)
        return Predicate(korean, be + negator, words(english.participle(verb.english), meaning))
    if form.negation in ("못", "못하다"):
        able = words("could", tense) + negator if past else words("cannot", negation)
        return Predicate(korean, able, base)
    if denied or form.inverted:
        return Predicate(korean, words(english.do(form.agreement, past=past), tense) + negator, base)
    if past:
        return Predicate(korean, (), words(english.past(verb.english), meaning))
    inflected = english.third_person(verb.english) if form.agreement == "singular" else verb.english
    return Predicate(korean, (), words(inflected, meaning))


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
    return Predicate(places.korean, auxiliaries, words(adjective.english, places.meaning))


@cache
def existence_predicate(form: Form) -> Predicate:
    """Say that the subject is, or is not, somewhere: 있다, 없다. The place is not part of it."""
    stem = Stem("없", "existence") if form.negation else _BE_THERE
    places = _korean(stem, None, form._replace(negation=""))
    return Predicate(places.korean, _be(form, places, denied=bool(form.negation)), ())


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
    return Predicate(korean, _be(form, places, denied=bool(form.negation)), noun.english)
