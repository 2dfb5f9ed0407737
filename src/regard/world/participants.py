"""Who and what takes part: pronouns, and subjects with their modifiers."""

from collections.abc import Sequence
from functools import cache
from typing import Literal, NamedTuple

from regard.world.adjectives import Adjective, modifiers
from regard.world.dice import Weighted
from regard.world.english import Agreement
from regard.world.hangul import HONORED, OF, SUBJECT, TOPIC, WITH, Particle, attach
from regard.world.heldout import attributive_labels
from regard.world.nouns import KINDS, Noun, nouns
from regard.world.phrase import (
    Bare,
    Chunk,
    Possessor,
    counted_phrase,
    joined_phrase,
    noun_phrase,
    words,
)
from regard.world.scene import Scene
from regard.world.verbs import Named


class Pronoun(NamedTuple):
    """A personal pronoun; its 이/가 form is irregular for the first and second person."""

    korean: str
    as_subject: str
    english: str
    objective: str
    agreement: Agreement


class Participant(NamedTuple):
    """A phrase and what the rest of the sentence must know about it."""

    chunk: Chunk
    who: Noun | Pronoun | None = None
    agreement: Agreement = "singular"
    honored: bool = False
    labels: tuple[str, ...] = ()


I_PLAIN = Pronoun("나", "내가", "I", "me", "I")
I_HUMBLE = Pronoun("저", "제가", "I", "me", "I")
WE = Pronoun("우리", "우리가", "we", "us", "plural")
YOU = Pronoun("너", "네가", "you", "you", "plural")
HE = Pronoun("그", "그가", "he", "him", "singular")
SHE = Pronoun("그녀", "그녀가", "she", "her", "singular")
THEY = Pronoun("그들", "그들이", "they", "them", "plural")
FIRST_PERSON = (I_PLAIN, I_HUMBLE, WE)
THIRD_PERSON = (HE, SHE, THEY)

NAMES = nouns("name")
KIN = nouns("kin")
ELDERS = nouns("elder_kin elder")
_PEOPLE = nouns("child adult profession")
_SOMEBODY = nouns("여자 남자 이웃")
_CHILDREN = nouns("child")
_YOUNG_KIN = nouns("남동생 여동생 아들 딸")
_TEACHERS = nouns("선생님 교수님")
_ADULTS = nouns("adult profession")

_Source = Literal["pronoun", "name", "common", "kin", "elder"]
_SOURCES: Weighted[_Source] = Weighted({"pronoun": 34, "name": 22, "common": 28, "kin": 9, "elder": 7})
_Shape = Literal["bare", "demonstrative", "adjective", "many", "counted", "joined"]
_SUBJECT_SHAPES: Weighted[_Shape] = Weighted(
    {"bare": 40, "demonstrative": 13, "adjective": 14, "many": 14, "counted": 12, "joined": 7}
)
_OF_PEOPLE = ("친절한", "젊은", "유명한", "귀여운", "예쁜")
_OF_OTHERS = ("귀여운", "예쁜", "큰", "작은", "새", "하얀", "까만", "빨간", "파란", "노란")
"""Adjectives that fit whatever part their noun has; "the honest nurse cut cheese" would not do."""


@cache
def pronoun_subject(pronoun: Pronoun, *, topic: bool) -> Participant:
    """Put a pronoun in the subject's place."""
    korean = attach(pronoun.korean, TOPIC) if topic else pronoun.as_subject
    return Participant(Chunk((korean,), words(pronoun.english, 0)), pronoun, pronoun.agreement)


@cache
def bare_subject(noun: Noun, particle: Particle, bare: Bare = "subject") -> Participant:
    """Put a noun without modifiers in the subject's place."""
    return Participant(noun_phrase(noun, particle, bare=bare), noun)


def person_subject(
    scene: Scene, *, adult: bool = False, topic: bool = True, counted: bool = True, elder: bool = True
) -> Participant:
    """Choose a person, or people, as the subject.

    adult:   children do not do this
    counted: a number may stand with the subject (not beside a negation, where it would be ambiguous)
    elder:   people spoken of with honorifics may be chosen
    """
    dice = scene.dice
    source = dice.weighted(_SOURCES)
    if scene.question and source == "kin":
        source = "name"  # asked of somebody, bare kin would be theirs
    if source == "pronoun":
        pronoun = _subject_pronoun(scene)
        return pronoun_subject(pronoun, topic=topic or pronoun not in THIRD_PERSON)
    particle = TOPIC if topic else SUBJECT
    if source == "elder" and elder:
        noun = dice.pick(_TEACHERS if scene.question else ELDERS)
        chunk = noun_phrase(noun, TOPIC if topic else HONORED, bare="subject")
        return Participant(chunk, noun, honored=True, labels=("honorific",))
    if source == "name":
        noun = dice.pick(NAMES)
        if scene.afford(1, 0.12):
            first = noun_phrase(noun, WITH)
            joined = joined_phrase(first, noun_phrase(another(scene, NAMES, first), particle))
            return Participant(joined, noun, "plural", labels=("noun coordination",))
        return bare_subject(noun, particle)
    if source == "kin":
        noun = dice.pick(KIN)
        if scene.afford(1, 0.4):
            possessor = owner(scene)
            return Participant(noun_phrase(noun, particle, possessor=possessor), noun, labels=("possessive",))
        return bare_subject(noun, particle)
    return common_subject(scene, _ADULTS if adult else _PEOPLE, particle=particle, counted=counted)


def named_subject(scene: Scene, circle: Named = "named", *, topic: bool = True) -> Participant:
    """Choose somebody who is not known by a profession, or ("staff") only by a teacher's; or a pupil."""
    dice = scene.dice
    particle = TOPIC if topic else SUBJECT
    if circle == "staff" and dice.chance(0.15):
        noun = dice.pick(_TEACHERS)
        return Participant(noun_phrase(noun, particle), noun, honored=True, labels=("honorific",))
    match dice.pick(("pronoun", "pronoun", "name", "name", "kin", "somebody")):
        case "pronoun":
            return pronoun_subject(_subject_pronoun(scene), topic=topic)
        case "kin" if not scene.question:
            return bare_subject(dice.pick(_YOUNG_KIN if circle == "pupil" else KIN), particle)
        case "somebody" if scene.afford(1):
            noun = dice.pick(_CHILDREN if circle == "pupil" else _SOMEBODY)
            chunk = noun_phrase(noun, particle, demonstrative=dice.pick("이그저"))
            return Participant(chunk, noun, labels=("demonstrative",))
    return bare_subject(dice.pick(NAMES), particle)


def _subject_pronoun(scene: Scene) -> Pronoun:
    dice = scene.dice
    if scene.question:
        # Nobody asks what he does himself; "you" has a word of its own only in the plain style.
        return YOU if scene.level == "plain" and dice.chance(0.5) else dice.pick(THIRD_PERSON)
    if dice.chance(0.5):
        return dice.pick(THIRD_PERSON)
    return WE if dice.chance(0.3) else speaker(scene)


def speaker(scene: Scene) -> Pronoun:
    """Return the speaker's word for himself."""
    return I_HUMBLE if scene.humble else I_PLAIN


def _epithets(noun: Noun) -> tuple[Adjective, ...]:
    return modifiers(noun, _OF_PEOPLE if noun.counter == "명" else _OF_OTHERS)


def common_subject(
    scene: Scene,
    options: Sequence[Noun],
    *,
    particle: Particle,
    counted: bool = True,
    bare: Bare = "subject",
) -> Participant:
    """Choose one of the nouns as the subject, with or without a modifier."""
    dice = scene.dice
    noun = dice.pick(options)
    if noun.article == "none":
        return bare_subject(noun, particle, bare)
    match dice.weighted(_SUBJECT_SHAPES):
        case "demonstrative" if noun.article != "my" and bare == "subject" and scene.afford(1):
            chunk = noun_phrase(noun, particle, demonstrative=dice.pick("이그저"))
            return Participant(chunk, noun, labels=("demonstrative",))
        case "adjective" if (fitting := _epithets(noun)) and scene.afford(1):
            adjective = dice.pick(fitting)
            chunk = noun_phrase(noun, particle, bare=bare, adjective=adjective)
            return Participant(chunk, noun, labels=attributive_labels(adjective, noun))
        case "many" if noun.counter in ("명", "마리") and bare == "subject":
            chunk = noun_phrase(noun, particle, bare=bare, many=True)
            return Participant(chunk, noun, "plural", labels=("plural",))
        case "counted" if counted and noun.counter and not noun.measure and scene.afford(2):
            number = 1 + int(dice.pick("0111122234"))
            chunk = counted_phrase(noun, number, SUBJECT)
            return Participant(chunk, noun, "singular" if number == 1 else "plural", labels=("counter",))
        case "joined" if len(options) > 1 and scene.afford(1):
            first = noun_phrase(noun, WITH, bare=bare)
            other = another(scene, options, first)
            if are_alike(noun, other):
                joined = joined_phrase(first, noun_phrase(other, particle, bare=bare))
                return Participant(joined, noun, "plural", labels=("noun coordination",))
    return bare_subject(noun, particle, bare)


def owner(scene: Scene, subject: Noun | Pronoun | None = None, *, shared: bool = True) -> Possessor:
    """Choose an owner: 내, 제, 그의, 그녀의, 우리 (of what can be `shared`), or a name but the subject's."""
    owners = _OWNERS[scene.humble, shared]
    possessor = scene.dice.pick(owners)
    while subject is not None and _is_subjects_own(possessor, subject):
        possessor = scene.dice.pick(owners)
    return possessor


def _is_subjects_own(possessor: Possessor, subject: Noun | Pronoun) -> bool:
    """Tell whether the owner is, or could be read as, the subject, whom Korean would not name again."""
    if isinstance(subject, Noun):
        return possessor.english in ("his", "her") or possessor.english.startswith(subject.english)
    if subject is WE:
        return possessor is OUR
    return subject in THIRD_PERSON and possessor.english in ("his", "her")


OUR = Possessor("우리", "our")
_NAMED_OWNERS = tuple(Possessor(attach(name.korean, OF), f"{name.english}'s") for name in NAMES[:6])
_OTHERS = (Possessor("그의", "his"), Possessor("그녀의", "her"), *_NAMED_OWNERS)
_MINE = {
    humble: tuple(Possessor(word, "my") for word in said.split())
    for humble, said in ((False, "내 내 내 나의"), (True, "제 제 제 저의"))
}
_OWNERS: dict[tuple[bool, bool], tuple[Possessor, ...]] = {
    (humble, shared): (*mine, *_OTHERS, *((OUR,) if shared else ()))
    for humble, mine in _MINE.items()
    for shared in (False, True)
}


def may_be_same(one: Participant, other: Participant) -> bool:
    """Tell whether two could be the same person: "Minsu" and a "he" beside him, "I" and "we"."""
    if one.who in FIRST_PERSON:
        return other.who in FIRST_PERSON
    if one.who in THIRD_PERSON:
        return one.who == other.who or isinstance(other.who, Noun)
    return _is_named_in(one, other) or _is_named_in(other, one)


def _is_named_in(one: Participant, other: Participant) -> bool:
    """Tell whether somebody is mentioned with somebody else: 민수 in 서연과 민수, or in 민수의 딸."""
    who = one.who
    return isinstance(who, Noun) and any(word.startswith(who.korean) for word in other.chunk.korean)


def resumed(subject: Participant) -> str:
    """Return the pronoun for a subject that English names again, "" if Korean does not tell he from she."""
    if isinstance(subject.who, Pronoun):
        return subject.who.english
    if subject.agreement == "plural":
        return "they"
    return "he" if subject.who in _MALE else "she" if subject.who in _FEMALE else ""


_MALE = frozenset(nouns("민수 철수 민준 준호 지훈 현우 남동생 아들 삼촌 소년 남자 아버지 할아버지"))
_FEMALE = frozenset(nouns("지영 수진 영희 서연 은지 유나 여동생 딸 소녀 여자 어머니 할머니"))


def are_alike(one: Noun, other: Noun) -> bool:
    """Tell whether two nouns go together: "the egg and the pencil" do not."""
    return one is not other and KINDS[one] == KINDS[other]


def another(scene: Scene, options: Sequence[Noun], avoid: Chunk | None) -> Noun:
    """Choose one that `avoid` does not name."""
    named = " ".join(avoid.korean) if avoid else ""
    noun = scene.dice.pick(options)
    while noun.korean in named and len(options) > 1:
        noun = scene.dice.pick(options)
    return noun
