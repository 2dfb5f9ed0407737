"""Clauses that say what is: where and what things are, what they are like or become."""

from regard.world.adjectives import ADJECTIVES, MODIFIERS, PREDICATES, Adjective, modifiers
from regard.world.adverbs import DEGREES, SOON, STATE_TIMES, YEAR_TIMES, Tense, TimeTable
from regard.world.dice import Weighted
from regard.world.english import Agreement
from regard.world.event import Event, labelled
from regard.world.hangul import BARE, GOAL, SUBJECT, TOPIC
from regard.world.heldout import attributive_labels, held_out
from regard.world.nouns import KINDS, Noun, nouns
from regard.world.participants import (
    Participant,
    Pronoun,
    common_subject,
    named_subject,
    owner,
    person_subject,
)
from regard.world.phrase import Chunk, chunk, chunks, noun_phrase, words
from regard.world.predicate import (
    Form,
    Negation,
    adjective_predicate,
    copula_predicate,
    existence_predicate,
    predicate_length,
    short_negation_fits,
    there_is_predicate,
)
from regard.world.relatives import relative_doer, relative_thing
from regard.world.scene import Scene
from regard.world.sentence import Clause
from regard.world.verb_table import BECOME

_BEING_TENSES: Weighted[Tense] = Weighted({"past": 35, "present": 65})
_ROLES = nouns("학생 profession")
_SHOWN = nouns(
    "book bag gift furniture dishware small_thing device clothes pen flower car picture notebook 표 편지"
)


def existence(scene: Scene) -> Clause:
    """Somebody or something is somewhere: 책은 책상 위에 있다; or there is one: 책상 위에 책이 있다."""
    dice = scene.dice
    tense = dice.weighted(_BEING_TENSES)
    scene.room -= 2  # the subject and 있다
    if dice.chance(0.4):
        return _there_is(scene, tense)
    negation: Negation = "않다" if dice.chance(0.2) else ""
    labels = {"existence"}
    if dice.chance(0.6):
        scene.room -= 2
        things = _PETS if dice.chance(0.3) else _PLACED
        subject = common_subject(scene, things, particle=TOPIC, counted=False)
        slots = {"subject": subject.chunk, "place": position(scene, subject.who)}
        labels.add("position")
    else:
        scene.room -= 1
        topic = bool(negation) or dice.chance(0.6)
        subject = person_subject(scene, topic=topic, counted=False, elder=False)
        where, passing = _whereabouts(scene)
        slots = {"subject": subject.chunk, "place": where}
        labels.add("place")
        if not passing:
            _add_state_time(scene, slots, labels, tense)
    form = Form(
        tense, scene.level, negation, scene.ending, agreement=subject.agreement, inverted=scene.question
    )
    predicate = existence_predicate(form)
    labels.update(predicate.labels, subject.labels)
    return Clause(slots, predicate, inverted=scene.question, labels=labels)


def _there_is(scene: Scene, tense: Tense) -> Clause:
    """공원에 아이 두 명이 있다: English "there is", with the place at the end."""
    dice, labels = scene.dice, {"existence"}
    counted = not scene.question
    if dice.chance(0.7):
        scene.room -= 2
        things = _PETS if dice.chance(0.3) else _PLACED
        found = common_subject(scene, things, particle=SUBJECT, counted=counted, bare="predicate")
        where = position(scene, found.who)
        labels.add("position")
    else:
        scene.room -= 1
        found = common_subject(scene, _CROWD, particle=SUBJECT, counted=counted, bare="predicate")
        where, _ = _whereabouts(scene)
        labels.add("place")
    # Where the object stands in both languages.
    slots = {"place": where, "object": found.chunk}
    # "There is a cup and a plate": the verb agrees with the first.
    plural = found.agreement == "plural" and "noun coordination" not in found.labels
    agreement: Agreement = "plural" if plural else "singular"
    form = Form(tense, scene.level, "", scene.ending, agreement=agreement, inverted=scene.question)
    predicate = there_is_predicate(form)
    labels.update(predicate.labels, found.labels)
    return Clause(slots, predicate, labels=labels)


_PLACED = tuple(noun for noun in _SHOWN if KINDS[noun] != "car")
_PETS = nouns("pet")
_CROWD = nouns("child 여자 남자 손님 의사 경찰관 기자")
_WHEREABOUTS = nouns("학교 도서관 병원 사무실 교실 공원 식당 카페 역 공항 호텔 부엌 거실 정원 집")
_ROOMS = nouns("부엌 거실 정원 교실")
_POSITIONS = {
    "위에": "on", "아래에": "under", "옆에": "next to", "앞에": "in front of", "뒤에": "behind",
}  # fmt: skip
_SURFACES = nouns("책상 탁자 의자 침대 소파")
_INSIDES = nouns("상자 가방")
_SMALL = frozenset(
    nouns(
        "book gift small_thing pen picture notebook dishware clothes flower 모자 우산 지갑 카메라 휴대전화 "
        "편지 표"
    )
)


def _whereabouts(scene: Scene) -> tuple[Chunk, bool]:
    """Say at which place, and whether one is there only in passing: "in the kitchen today" would not do."""
    noun = scene.dice.pick(_WHEREABOUTS)
    return noun_phrase(noun, GOAL, preposition=noun.preposition), noun in _ROOMS


def position(scene: Scene, subject: Noun | Pronoun | None) -> Chunk:
    """Say where in relation to a thing: 책상 위에, "on the desk"; 상자 안에, "in the box"."""
    dice = scene.dice
    if subject in _SMALL and dice.chance(0.25):
        return _position(dice.pick(_INSIDES), "안에", "in")
    if subject in _SMALL:
        korean = dice.pick(("위에", "위에", "아래에", "옆에"))
    else:
        korean = dice.pick(tuple(_POSITIONS) if subject in _PETS else ("옆에", "앞에", "뒤에"))
    thing = dice.pick(_SURFACES)
    while thing is subject:
        thing = dice.pick(_SURFACES)
    return _position(thing, korean, _POSITIONS[korean])


def _position(thing: Noun, korean: str, english: str) -> Chunk:
    noun = noun_phrase(thing, BARE)
    return Chunk((*noun.korean, korean), words(english, 1) + noun.english)


def _add_state_time(scene: Scene, slots: dict[str, Chunk], labels: set[str], tense: Tense) -> None:
    if scene.room > 0 and scene.dice.chance(0.4):
        time = scene.dice.pick(STATE_TIMES[tense])
        if scene.afford(len(time.korean)):
            slots["time"] = time
            labels.add("time")


def description(scene: Scene) -> Clause:
    """Something is as an adjective says: 이 가방은 아주 비싸다."""
    dice = scene.dice
    subject, adjective = describe(scene)
    tense = dice.weighted(_BEING_TENSES)
    if is_seen_now(subject.chunk):
        tense = "present"
    elif adjective.scale in _FORESEEN and dice.chance(0.2):
        tense = "future"
    negation = _adjective_negation(scene, adjective)
    scene.room -= predicate_length(tense, negation)
    slots = {"subject": subject.chunk}
    labels = {"adjective", *subject.labels}
    if isinstance(subject.who, Noun):
        labels.update(held_out(adjective, subject.who))
    gradable = adjective.scale != "color" and not negation and not scene.question and tense != "future"
    if gradable and scene.afford(1, 0.45):
        slots["degree"] = dice.pick(DEGREES)
        labels.add("degree")
    if adjective.dated:
        _add_state_time(scene, slots, labels, tense)
    predicate = adjective_predicate(adjective, description_form(scene, subject, tense, negation))
    labels |= predicate.labels
    time_first = "time" in slots and dice.chance(0.5)
    return Clause(slots, predicate, time_first, inverted=scene.question, labels=labels)


_FORESEEN = ("free_time", "strength")  # one knows that one will be busy or tired, but not hungry or sick


_SAID = (*ADJECTIVES, *(adjective for adjective in ADJECTIVES if adjective.scale == "color"))
"""Colours twice: they are few, and the only words of their class (ㅎ)."""
_PERSONAL = frozenset(("child", "adult", "profession", "kin", "elder", "elder_kin", "name"))


def describe(scene: Scene) -> tuple[Participant, Adjective]:
    """Choose a subject and an adjective that fits it."""
    dice = scene.dice
    scene.room -= 1
    adjective = dice.pick(_SAID)
    if adjective.passing:
        subject = person_subject(scene, topic=True, counted=False)
        if isinstance(subject.who, Noun) and subject.who not in adjective.said_of:
            adjective = dice.pick(PREDICATES[subject.who])
        return subject, adjective
    noun = dice.pick(adjective.said_of)
    while scene.question and noun.article == "my":  # asked about, kin would be the other's
        noun = dice.pick(adjective.said_of)
    about_person = KINDS[noun] in _PERSONAL
    particle = TOPIC if about_person or dice.chance(0.6) else SUBJECT
    if scene.nested and scene.room > 2 and dice.chance(0.25):
        found = relative_doer(scene, noun, particle) or relative_thing(scene, noun, particle)
        if found:
            return found, adjective
    if noun.elder:
        return Participant(noun_phrase(noun, particle), noun, honored=True, labels=("honorific",)), adjective
    if is_pointed_at(noun) and dice.chance(0.4) and scene.afford(1):
        phrase = noun_phrase(noun, particle, demonstrative=dice.pick("이그저"))
        return Participant(phrase, noun, labels=("demonstrative",)), adjective
    return Participant(noun_phrase(noun, particle, bare="subject"), noun), adjective


def is_seen_now(subject: Chunk) -> bool:
    """Tell whether somebody is described by what he is doing, so that what is said of him is present too."""
    return "있는" in subject.korean


def is_pointed_at(noun: Noun) -> bool:
    """Tell whether 이, 그 and 저 make sense with a noun: not with names and kin, nor with 날씨 or 하늘."""
    unique = KINDS[noun] in ("weather", "sky", "countryside")
    return not unique and not noun.elder and noun.article not in ("none", "my")


def description_form(scene: Scene, subject: Participant, tense: Tense, negation: Negation) -> Form:
    """Collect what an adjective's form depends on."""
    return Form(
        tense, scene.level, negation, scene.ending, subject.honored, subject.agreement, scene.question
    )


def _adjective_negation(scene: Scene, adjective: Adjective) -> Negation:
    if scene.room < 2 or not scene.dice.chance(0.22) or adjective.stem is None:
        return ""
    short = short_negation_fits(adjective.stem.text) and not adjective.stem.text.endswith("있")
    short = short and adjective.scale != "color"
    return "안" if short and scene.dice.chance(0.4) else "않다"


def copula(scene: Scene) -> Clause:
    """Somebody or something is of a kind: 민수는 의사이다; 이것은 내 책이 아니다."""
    dice = scene.dice
    tense = dice.weighted(_BEING_TENSES)
    negation: Negation = "않다" if dice.chance(0.25) else ""
    scene.room -= 2 + bool(negation)
    particle = SUBJECT if negation else BARE
    labels = {"copula"}
    if dice.chance(0.6):
        subject = named_subject(scene)
        role = dice.pick(_ROLES)
        while role is subject.who:
            role = dice.pick(_ROLES)
        many = subject.agreement == "plural" and subject.chunk.english[0][0] != "you"
        adjective = _fitting(scene, role) if scene.afford(1, 0.25) else None
        said = noun_phrase(role, particle, bare="predicate", adjective=adjective, many=many)
        labels.update(subject.labels)
        labels.update(attributive_labels(adjective, role))
    else:
        tense = "present"
        subject = Participant(dice.pick(_POINTING))
        noun = dice.pick(_SHOWN)
        if scene.afford(1, 0.4):
            said = noun_phrase(noun, particle, possessor=owner(scene, shared=False))
            labels.add("possessive")
        else:
            adjective = _fitting(scene, noun) if scene.afford(1, 0.4) else None
            said = noun_phrase(noun, particle, bare="predicate", adjective=adjective)
            labels.update(attributive_labels(adjective, noun))
    form = Form(
        tense, scene.level, negation, scene.ending, agreement=subject.agreement, inverted=scene.question
    )
    predicate = copula_predicate(said, form)
    slots = {"subject": subject.chunk}
    return Clause(slots, predicate, inverted=scene.question, labels=labels | predicate.labels)


_POINTING = chunks("이것은 this, 그것은 that, 저것은 that")


def _fitting(scene: Scene, noun: Noun) -> Adjective | None:
    fitting = MODIFIERS.get(noun)
    return scene.dice.pick(fitting) if fitting else None


def becoming(scene: Scene) -> Clause:
    """Somebody becomes something: 지영은 의사가 됐다."""
    dice = scene.dice
    tense: Tense = dice.pick(("past", "future"))
    event = Event(scene, BECOME, ask=False, tense=tense, negation="" if dice.chance(0.9) else "않다")
    scene.room -= 2
    subject = named_subject(scene)
    event.take_subject(subject)
    role = dice.pick(_BECOMES)
    while role is subject.who:
        role = dice.pick(_BECOMES)
    fitting = modifiers(role, _PROMISING)
    adjective = dice.pick(fitting) if fitting and scene.afford(1, 0.3) else None
    many = subject.agreement == "plural" and subject.chunk.english[0][0] != "you"
    event.slots["object"] = noun_phrase(role, SUBJECT, bare="predicate", adjective=adjective, many=many)
    event.labels.update(attributive_labels(adjective, role))
    if not event.negation and scene.afford(1, 0.4):
        event.slots["time"] = dice.pick(_CAREER_TIMES[tense])
        event.labels.add("time")
    elif tense == "past" and not event.negation and scene.afford(1, 0.3):
        event.slots["frequency"] = _AT_LAST
    return labelled(event.clause(), "becoming")


_AT_LAST = chunk("드디어", "finally")  # stands where frequencies stand, in both languages
_BECOMES = nouns("profession")
_PROMISING = ("유명한", "용감한")
_CAREER_TIMES: TimeTable = {"past": YEAR_TIMES["past"][:2], "future": (YEAR_TIMES["future"][0], SOON)}
