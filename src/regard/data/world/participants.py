"""Who and what takes part: subjects, objects, receivers, companions and owners, with their modifiers."""

from collections.abc import Sequence
from typing import Literal, NamedTuple

from regard.data.world.adjectives import MODIFIERS, PRICED_MODIFIERS
from regard.data.world.dice import Weighted
from regard.data.world.english import Agreement
from regard.data.world.hangul import (
    GOAL,
    HONORED,
    OBJECT,
    OF,
    PLACE,
    SUBJECT,
    TO,
    TO_ELDER,
    TO_SPOKEN,
    TOPIC,
    WITH,
    Particle,
    attach,
)
from regard.data.world.heldout import held_out
from regard.data.world.nouns import KINDS, Noun, nouns
from regard.data.world.phrase import (
    Chunk,
    Possessor,
    chunk,
    counted_phrase,
    joined_phrase,
    noun_phrase,
    words,
)
from regard.data.world.scene import Scene
from regard.data.world.verbs import Verb


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

_NAMES = nouns("name")
_KIN = nouns("kin")
_ELDERS = nouns("elder_kin elder")
_SUPERIORS = nouns("elder")
_PEOPLE = nouns("child adult profession")
_SOMEBODY = nouns("여자 남자 이웃 손님")
_ACQUAINTANCES = nouns("child profession 이웃 손님")
_TEACHERS = nouns("선생님 교수님")
_ADULTS = nouns("adult profession")
_BELONGINGS = frozenset(
    nouns(
        "book mail bag gift device clothes pen car instrument picture pet notebook report "
        "방 집 의자 책상 시계 열쇠 표 컵"
    )
)

_PLACE_SCALES = ("size", "beauty", "cleanness", "noise", "fame")
_PLACE_ADJECTIVES = {
    noun: tuple(adjective for adjective in found if adjective.scale in _PLACE_SCALES)
    for noun, found in MODIFIERS.items()
    if noun.article == "the"
}
HOME = nouns("집")[0]
_AT_HOME = {PLACE: chunk("집에서", "at home"), GOAL: chunk("집에", "home")}
_SHARED_PLACES = frozenset(nouns("학교 집 회사 교실 마을 도시 가게 농장 사무실 방 정원"))
_PRIVATE_PLACES = frozenset(nouns("집 방 가게 정원 사무실"))

_Source = Literal["pronoun", "name", "common", "kin", "elder"]
_SOURCES: Weighted[_Source] = Weighted({"pronoun": 34, "name": 20, "common": 32, "kin": 8, "elder": 6})
_Shape = Literal["bare", "demonstrative", "adjective", "many", "counted", "joined", "owned"]
_SUBJECT_SHAPES: Weighted[_Shape] = Weighted(
    {"bare": 40, "demonstrative": 13, "adjective": 14, "many": 14, "counted": 12, "joined": 7}
)
_OBJECT_SHAPES: Weighted[_Shape] = Weighted(
    {"bare": 38, "demonstrative": 12, "adjective": 18, "counted": 14, "joined": 7, "owned": 11}
)


def pronoun_subject(pronoun: Pronoun, *, topic: bool) -> Participant:
    """Put a pronoun in the subject's place."""
    korean = attach(pronoun.korean, TOPIC) if topic else pronoun.as_subject
    return Participant(Chunk((korean,), words(pronoun.english, 0)), pronoun, pronoun.agreement)


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
        return pronoun_subject(pronoun, topic=topic or pronoun in FIRST_PERSON)
    particle = TOPIC if topic else SUBJECT
    if source == "elder" and elder:
        noun = dice.pick(_TEACHERS if scene.question else _ELDERS)
        chunk = noun_phrase(noun, TOPIC if topic else HONORED, subject=True)
        return Participant(chunk, noun, honored=True, labels=("honorific",))
    if source == "name":
        noun = dice.pick(_NAMES)
        if scene.afford(1, 0.12):
            other = _another(scene, _NAMES, noun)
            joined = joined_phrase(noun_phrase(noun, WITH), noun_phrase(other, particle))
            return Participant(joined, noun, "plural", labels=("noun coordination",))
        return Participant(noun_phrase(noun, particle), noun)
    if source == "kin":
        noun = dice.pick(_KIN)
        if scene.afford(1, 0.4):
            possessor = owner(scene)
            return Participant(noun_phrase(noun, particle, possessor=possessor), noun, labels=("possessive",))
        return Participant(noun_phrase(noun, particle), noun)
    return common_subject(scene, _ADULTS if adult else _PEOPLE, particle=particle, counted=counted)


def named_subject(scene: Scene, *, elder: bool = False) -> Participant:
    """Choose somebody who is not named by a profession, or a teacher if `elder`."""
    dice = scene.dice
    if elder and dice.chance(0.2):
        noun = dice.pick(_TEACHERS)
        return Participant(noun_phrase(noun, TOPIC), noun, honored=True, labels=("honorific",))
    match dice.pick(("pronoun", "pronoun", "name", "name", "kin", "somebody")):
        case "pronoun":
            return pronoun_subject(_subject_pronoun(scene), topic=True)
        case "kin" if not scene.question:
            noun = dice.pick(_KIN)
            return Participant(noun_phrase(noun, TOPIC), noun)
        case "somebody" if scene.afford(1):
            noun = dice.pick(_SOMEBODY)
            chunk = noun_phrase(noun, TOPIC, demonstrative=dice.pick("이그저"))
            return Participant(chunk, noun, labels=("demonstrative",))
    noun = dice.pick(_NAMES)
    return Participant(noun_phrase(noun, TOPIC), noun)


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


def common_subject(
    scene: Scene, options: Sequence[Noun], *, particle: Particle, counted: bool = True
) -> Participant:
    """Choose one of the nouns as the subject, with or without a modifier."""
    dice = scene.dice
    noun = dice.pick(options)
    if noun.article == "none":
        return Participant(noun_phrase(noun, particle, subject=True), noun)
    match dice.weighted(_SUBJECT_SHAPES):
        case "demonstrative" if noun.article != "my" and scene.afford(1):
            chunk = noun_phrase(noun, particle, demonstrative=dice.pick("이그저"), subject=True)
            return Participant(chunk, noun, labels=("demonstrative",))
        case "adjective" if noun in MODIFIERS and scene.afford(1):
            adjective = dice.pick(MODIFIERS[noun])
            chunk = noun_phrase(noun, particle, adjective=adjective, subject=True)
            return Participant(chunk, noun, labels=("attributive", *held_out(adjective, noun)))
        case "many" if noun.counter in ("명", "마리"):
            chunk = noun_phrase(noun, particle, many=True, subject=True)
            return Participant(chunk, noun, "plural", labels=("plural",))
        case "counted" if counted and noun.counter and not noun.measure and scene.afford(2):
            number = 1 + int(dice.pick("0111122234"))
            chunk = counted_phrase(noun, number, SUBJECT)
            return Participant(chunk, noun, "singular" if number == 1 else "plural", labels=("counter",))
        case "joined" if len(options) > 1 and scene.afford(1):
            other = _another(scene, options, noun)
            if _are_alike(noun, other):
                first = noun_phrase(noun, WITH, subject=True)
                joined = joined_phrase(first, noun_phrase(other, particle, subject=True))
                return Participant(joined, noun, "plural", labels=("noun coordination",))
    return Participant(noun_phrase(noun, particle, subject=True), noun)


def thing_object(
    scene: Scene,
    verb: Verb,
    *,
    denied: bool = False,
    subject: Noun | Pronoun | None = None,
) -> Participant:
    """Choose the verb's object, with or without a modifier.

    A number or an "and" beside a negation would leave open what is denied, so `denied` excludes them.
    """
    dice, particle, generic = scene.dice, OBJECT, verb.generic
    options, counted = verb.objects, verb.counts and not denied
    modifiers = PRICED_MODIFIERS if verb.priced else MODIFIERS
    noun = _another(scene, options, subject)
    held = held_out(verb, noun)
    if noun.article == "my":
        # Bare kin means the speaker's; beside another subject the owner must be said.
        scene.room -= 1
        chunk = noun_phrase(noun, particle, possessor=owner(scene, subject))
        return Participant(chunk, noun, labels=("possessive", *held))
    if noun.article == "none":
        return Participant(noun_phrase(noun, particle), noun, labels=held)
    match dice.weighted(_OBJECT_SHAPES):
        case "demonstrative" if scene.afford(1):
            chunk = noun_phrase(noun, particle, demonstrative=dice.pick("이그저"))
            return Participant(chunk, noun, labels=("demonstrative", *held))
        case "adjective" if noun in modifiers and scene.afford(1):
            adjective = dice.pick(modifiers[noun])
            chunk = noun_phrase(noun, particle, adjective=adjective, generic=generic)
            return Participant(chunk, noun, labels=("attributive", *held, *held_out(adjective, noun)))
        case "counted" if counted and noun.counter and scene.afford(2):
            number = 1 + int(dice.pick("0011122234"))
            fitting = modifiers.get(noun)
            quality = dice.pick(fitting) if fitting and scene.afford(1, 0.25) else None
            chunk = counted_phrase(noun, number, particle, adjective=quality)
            kind = ("counter", "attributive") if quality else ("counter",)
            return Participant(chunk, noun, labels=(*kind, *held, *held_out(quality, noun)))
        case "joined" if not denied and len(options) > 1 and scene.afford(1):
            other = _another(scene, options, noun)
            if _are_alike(noun, other) and other is not subject:
                first = noun_phrase(noun, WITH, generic=generic)
                joined = joined_phrase(first, noun_phrase(other, particle, generic=generic))
                both = (*held, *held_out(verb, other))
                return Participant(joined, noun, labels=("noun coordination", *both))
        case "owned" if noun in _BELONGINGS and scene.afford(1):
            chunk = noun_phrase(noun, particle, possessor=owner(scene, subject))
            return Participant(chunk, noun, labels=("possessive", *held))
    return Participant(noun_phrase(noun, particle, generic=generic), noun, labels=held)


def receiver(scene: Scene, subject: Participant | None, verb: Verb) -> Participant:
    """Choose to whom it is done: 친구에게, in speech also 친구한테; an elder with 께."""
    dice, preposition = scene.dice, verb.gives_to or ""
    if verb.to_elder and not (subject and subject.honored) and dice.chance(0.4):
        # Bare 어머니 is the speaker's own mother.
        own = subject is not None and subject.who in FIRST_PERSON
        noun = dice.pick(_ELDERS if own else _SUPERIORS)
        phrase = noun_phrase(noun, TO_ELDER, preposition=preposition)
        return Participant(phrase, noun, honored=True, labels=("elder receiver",))
    spoken = scene.level != "formal" and dice.chance(0.4)
    return other_person(scene, subject, TO_SPOKEN if spoken else TO, preposition)


def other_person(
    scene: Scene, subject: Participant | None, particle: Particle, preposition: str = ""
) -> Participant:
    """Choose somebody who is not the subject, as receiver or companion."""
    dice = scene.dice
    who = subject.who if subject else None
    match dice.pick(("pronoun", "name", "name", "common", "common", "kin")):
        case "pronoun":
            pronoun = _object_pronoun(scene, who)
            korean = attach(pronoun.korean, particle)
            return Participant(Chunk((korean,), words(f"{preposition} {pronoun.objective}", 0)), pronoun)
        case "name":
            noun = _another(scene, _NAMES, who)
            return Participant(noun_phrase(noun, particle, preposition=preposition), noun)
        case "kin" if scene.afford(1):
            noun = _another(scene, _KIN, who)
            possessor = owner(scene, who)
            chunk = noun_phrase(noun, particle, preposition=preposition, possessor=possessor)
            return Participant(chunk, noun, labels=("possessive",))
    noun = _another(scene, _ACQUAINTANCES, who)
    return Participant(noun_phrase(noun, particle, preposition=preposition), noun)


def _object_pronoun(scene: Scene, subject: Noun | Pronoun | None) -> Pronoun:
    if subject in FIRST_PERSON:
        return scene.dice.pick((HE, SHE, THEY))
    if isinstance(subject, Pronoun) and subject is not YOU:
        return scene.dice.pick((speaker(scene), WE))
    return scene.dice.pick((speaker(scene), WE, HE, SHE, THEY))


def owner(scene: Scene, subject: Noun | Pronoun | None = None) -> Possessor:
    """Choose an owner: 내, 제, 그의, 그녀의, 우리, or a name that is not the subject's."""
    owners = _OWNERS_OF_HUMBLE if scene.humble else _OWNERS_OF_PLAIN
    possessor = scene.dice.pick(owners)
    while subject is not None and _is_subjects_own(possessor, subject):
        possessor = scene.dice.pick(owners)
    return possessor


def _is_subjects_own(possessor: Possessor, subject: Noun | Pronoun) -> bool:
    """Tell whether the owner is, or could be read as, the subject, for which Korean would say 자기."""
    if isinstance(subject, Noun):
        return possessor.english in ("his", "her") or possessor.english.startswith(subject.english)
    return subject in THIRD_PERSON and possessor.english in ("his", "her")


def may_be_same(one: Participant, other: Participant) -> bool:
    """Tell whether two could be the same person: "Minsu" and a "he" beside him, "I" and "we"."""
    if one.who in FIRST_PERSON:
        return other.who in FIRST_PERSON
    return one.who == other.who or (isinstance(other.who, Noun) and one.who in THIRD_PERSON)


def resumed(subject: Participant) -> str:
    """Return the pronoun for a subject that English names again, "" if Korean does not tell he from she."""
    if isinstance(subject.who, Pronoun):
        return subject.who.english
    if subject.agreement == "plural":
        return "they"
    return "he" if subject.who in _MALE else "she" if subject.who in _FEMALE else ""


_MALE = frozenset(nouns("민수 철수 민준 준호 지훈 현우 남동생 아들 삼촌 소년 남자 아버지 할아버지"))
_FEMALE = frozenset(nouns("지영 수진 영희 서연 은지 유나 여동생 딸 소녀 여자 어머니 할머니"))


def _are_alike(one: Noun, other: Noun) -> bool:
    """Tell whether two nouns go together: "the egg and the pencil" do not."""
    return one is not other and KINDS[one] == KINDS[other]


def _another(scene: Scene, options: Sequence[Noun], avoid: object) -> Noun:
    noun = scene.dice.pick(options)
    while noun is avoid and len(options) > 1:
        noun = scene.dice.pick(options)
    return noun


def place(scene: Scene, noun: Noun, particle: Particle, preposition: str | None = None) -> Participant:
    """Say where, or where to: 학교에서, 우리 학교에, 큰 도서관에서."""
    dice = scene.dice
    said = noun.preposition if preposition is None else preposition
    if noun in _SHARED_PLACES and scene.afford(1, 0.15):
        whose = owner(scene) if noun in _PRIVATE_PLACES else OUR
        phrase = noun_phrase(noun, particle, preposition=said, possessor=whose)
        return Participant(phrase, noun, labels=("possessive",))
    fitting = _PLACE_ADJECTIVES.get(noun)
    if fitting and scene.afford(1, 0.12):
        adjective = dice.pick(fitting)
        phrase = noun_phrase(noun, particle, preposition=said, adjective=adjective)
        return Participant(phrase, noun, labels=("attributive", *held_out(adjective, noun)))
    if noun is HOME:
        return Participant(_AT_HOME[particle], noun)
    return Participant(noun_phrase(noun, particle, preposition=said), noun)


OUR = Possessor("우리", "our")
_NAMED_OWNERS = tuple(Possessor(attach(name.korean, OF), f"{name.english}'s") for name in _NAMES[:6])
_OTHER_OWNERS = (Possessor("그의", "his"), Possessor("그녀의", "her"), OUR, *_NAMED_OWNERS)
_OWNERS_OF_PLAIN = (*(Possessor(word, "my") for word in ("내", "내", "내", "나의")), *_OTHER_OWNERS)
_OWNERS_OF_HUMBLE = (*(Possessor(word, "my") for word in ("제", "제", "제", "저의")), *_OTHER_OWNERS)
