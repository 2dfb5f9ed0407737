"""What a verb takes besides its subject: objects, receivers, companions and places, with their modifiers."""

from functools import cache
from typing import Literal

from regard.world.adjectives import modifiers
from regard.world.adverbs import Tense
from regard.world.dice import Dice, Weighted
from regard.world.hangul import GOAL, OBJECT, TO, TO_ELDER, TO_SPOKEN, WITH, Particle, attach
from regard.world.heldout import attributive_labels, held_out
from regard.world.nouns import Noun, nouns
from regard.world.participants import (
    ELDERS,
    FIRST_PERSON,
    I_HUMBLE,
    I_PLAIN,
    KIN,
    NAMES,
    OUR,
    THIRD_PERSON,
    WE,
    Participant,
    Pronoun,
    another,
    are_alike,
    owner,
    speaker,
)
from regard.world.phrase import Bare, Chunk, Possessor, counted_phrase, joined_phrase, noun_phrase, words
from regard.world.scene import Scene
from regard.world.verbs import Verb

_Shape = Literal["bare", "demonstrative", "adjective", "counted", "joined", "owned"]
_SHAPES: Weighted[_Shape] = Weighted(
    {"bare": 36, "demonstrative": 13, "adjective": 20, "counted": 22, "joined": 7, "owned": 12}
)
_BELONGINGS = frozenset(
    nouns(
        "book mail bag gift device clothes pen car instrument picture pet notebook report "
        "방 집 의자 책상 시계 열쇠 표 컵 사무실 이름 주소 전화번호 비밀번호"
    )
)
_SHARED = frozenset(nouns("pet 방 집 자동차 사무실"))
_SUPERIORS = nouns("elder")
_ACQUAINTANCES = nouns("child profession 이웃 손님")
_COMPANIONS = nouns("학생 아이 이웃")
_HOUSE = nouns("집")[0]
_OWN_PLACES = frozenset(nouns("방 가게 정원 사무실"))
_OUR_PLACES = frozenset(nouns("학교 회사 교실 마을 도시 농장"))
_PLACE_QUALITIES = ("큰", "작은", "조용한", "아름다운", "유명한")
_BARE_PLACES = frozenset(nouns("집 학교 병원"))


def thing_object(
    scene: Scene,
    verb: Verb,
    tense: Tense,
    *,
    denied: bool = False,
    subject: Participant | None = None,
) -> Participant:
    """Choose the verb's object, with or without a modifier.

    A number or an "and" beside a negation would leave open what is denied, so `denied` excludes them; a
    number, a "this" or an owner beside a habit would make it about a single thing.
    """
    dice, options, bare = scene.dice, verb.objects, verb.bare_in(tense)
    who = subject.who if subject else None
    noun = another(scene, options, subject and subject.chunk)
    held = held_out(verb, noun)
    if noun.article == "my":
        # Bare kin means the speaker's; beside another subject the owner must be said.
        scene.room -= 1
        chunk = noun_phrase(noun, OBJECT, possessor=owner(scene, who))
        return Participant(chunk, noun, labels=("possessive", *held))
    if not verb.shapes or noun.article == "none":
        return _bare_object(noun, bare, held)
    single = tense != "present" or verb.aspect == "state"
    described = single or bare == "plural" or noun.article != "the"
    match shape if (shape := dice.weighted(_SHAPES)) in verb.shapes else "bare":
        case "demonstrative" if single and scene.afford(1):
            chunk = noun_phrase(noun, OBJECT, demonstrative=dice.pick("이그저"))
            return Participant(chunk, noun, labels=("demonstrative", *held))
        case "adjective" if described and (fitting := modifiers(noun, verb.qualities)) and scene.afford(1):
            adjective = dice.pick(fitting)
            chunk = noun_phrase(noun, OBJECT, bare=bare, adjective=adjective)
            return Participant(chunk, noun, labels=(*held, *attributive_labels(adjective, noun)))
        case "counted" if single and not denied and noun.counter and scene.afford(2):
            number = 1 + int(dice.pick("0011122234"))
            fitting = modifiers(noun, verb.qualities)
            quality = dice.pick(fitting) if fitting and scene.afford(1, 0.25) else None
            chunk = counted_phrase(noun, number, OBJECT, adjective=quality)
            return Participant(chunk, noun, labels=("counter", *held, *attributive_labels(quality, noun)))
        case "joined" if not denied and len(options) > 1 and scene.afford(1):
            first = noun_phrase(noun, WITH, bare=bare)
            other = another(scene, options, first)
            if are_alike(noun, other) and other is not who:
                joined = joined_phrase(first, noun_phrase(other, OBJECT, bare=bare))
                both = (*held, *held_out(verb, other))
                return Participant(joined, noun, labels=("noun coordination", *both))
        case "owned" if single and noun in _BELONGINGS and scene.afford(1):
            whose = owner(scene, who, shared=noun in _SHARED)
            chunk = noun_phrase(noun, OBJECT, possessor=whose)
            return Participant(chunk, noun, labels=("possessive", *held))
    return _bare_object(noun, bare, held)


def complements(dice: Dice, verb: Verb, tense: Tense) -> tuple[dict[str, Chunk], set[str]]:
    """Choose the object and the goal of a clause inside another, bare, with their labels."""
    slots: dict[str, Chunk] = {}
    labels: set[str] = set()
    if verb.objects:
        thing = dice.pick(verb.objects)
        slots["object"] = noun_phrase(thing, OBJECT, bare=verb.bare_in(tense))
        labels.update(held_out(verb, thing))
    if verb.goals:
        slots["goal"] = noun_phrase(dice.pick(verb.goals), GOAL, preposition=verb.goal_preposition)
        labels.add("goal")
    return slots, labels


@cache
def _bare_object(noun: Noun, bare: Bare, held: tuple[str, ...]) -> Participant:
    return Participant(noun_phrase(noun, OBJECT, bare=bare), noun, labels=held)


def receiver(scene: Scene, subject: Participant | None, verb: Verb) -> Participant:
    """Choose to whom it is done: 친구에게, in speech also 친구한테; an elder with 께."""
    dice, preposition = scene.dice, verb.gives_to or ""
    if verb.to_elder and not (subject and subject.honored) and dice.chance(0.4):
        # Bare 어머니 is the speaker's own mother.
        own = subject is not None and subject.who in FIRST_PERSON
        noun = dice.pick(ELDERS if own else _SUPERIORS)
        phrase = noun_phrase(noun, TO_ELDER, preposition=preposition)
        return Participant(phrase, noun, honored=True, labels=("elder receiver",))
    spoken = scene.level != "formal" and dice.chance(0.4)
    return _other_person(scene, subject, TO_SPOKEN if spoken else TO, preposition, _ACQUAINTANCES)


def companion(scene: Scene, subject: Participant | None) -> Participant:
    """Choose with whom it is done: 친구와 함께, whose last two words say "with"."""
    other = _other_person(scene, subject, WITH, "", _COMPANIONS)
    together = len(other.chunk.korean)
    said = words("with", together - 1, together) + other.chunk.english
    return Participant(Chunk((*other.chunk.korean, "함께"), said), other.who, labels=other.labels)


def _other_person(
    scene: Scene,
    subject: Participant | None,
    particle: Particle,
    preposition: str,
    common: tuple[Noun, ...],
) -> Participant:
    """Choose somebody who is not the subject."""
    dice = scene.dice
    who, named = (subject.who, subject.chunk) if subject else (None, None)
    match dice.pick(("pronoun", "name", "name", "common", "kin", "kin")):
        case "pronoun" if pronouns := _object_pronouns(scene, who):
            pronoun = dice.pick(pronouns)
            korean = attach(pronoun.korean, particle)
            return Participant(Chunk((korean,), words(f"{preposition} {pronoun.objective}", 0)), pronoun)
        case "kin" if scene.afford(1):
            noun = another(scene, KIN, named)
            possessor = owner(scene, who)
            chunk = noun_phrase(noun, particle, preposition=preposition, possessor=possessor)
            return Participant(chunk, noun, labels=("possessive",))
        case "common":
            noun = another(scene, common, named)
            return Participant(noun_phrase(noun, particle, preposition=preposition), noun)
    noun = another(scene, NAMES, named)
    return Participant(noun_phrase(noun, particle, preposition=preposition), noun)


def _object_pronouns(scene: Scene, subject: Noun | Pronoun | None) -> tuple[Pronoun, ...]:
    """List the pronouns that fit beside the subject: "he" and "him" could be one person."""
    if subject in FIRST_PERSON:
        return THIRD_PERSON
    # Who was there himself does not ask, unless he asks who it was.
    first = () if scene.question and subject else (speaker(scene), WE)
    return first if subject in THIRD_PERSON else (*first, *THIRD_PERSON)


def _owner_of_place(scene: Scene, noun: Noun, who: Noun | Pronoun | None) -> Possessor | None:
    """Choose whose place it is: nobody but the speaker is in "my room", but anybody may be at my house."""
    if noun is _HOUSE:
        return owner(scene, who)
    if noun in _OWN_PLACES and who in (I_PLAIN, I_HUMBLE):
        return Possessor("제" if scene.humble else "내", "my")
    return OUR if noun in _OUR_PLACES and who is not WE else None


def place(
    scene: Scene,
    noun: Noun,
    particle: Particle,
    preposition: str = "",
    *,
    subject: Participant | None = None,
    ornate: bool = True,
) -> Participant:
    """Say where, or where to: 학교에서, 우리 학교에, 큰 도서관에서 (the last two only if `ornate`)."""
    said = preposition or noun.preposition
    whose = _owner_of_place(scene, noun, subject.who if subject else None) if ornate else None
    if whose and scene.afford(1, 0.15):
        phrase = noun_phrase(noun, particle, preposition=said, possessor=whose)
        return Participant(phrase, noun, labels=("possessive",))
    if ornate and noun.article == "the" and noun not in _BARE_PLACES:
        fitting = modifiers(noun, _PLACE_QUALITIES)
        if fitting and scene.afford(1, 0.12):
            adjective = scene.dice.pick(fitting)
            phrase = noun_phrase(noun, particle, preposition=said, adjective=adjective)
            return Participant(phrase, noun, labels=attributive_labels(adjective, noun))
    return _bare_place(noun, particle, said)


@cache
def _bare_place(noun: Noun, particle: Particle, preposition: str) -> Participant:
    return Participant(noun_phrase(noun, particle, preposition=preposition), noun)
