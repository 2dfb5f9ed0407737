"""Sentences of two parts, or of many, joined by -고 (and) or -지만 (but).

A long sentence is a chain of clauses in one tense, each about somebody else. No subject and no verb comes
twice in it. Only its first clause names a time, which then holds for all of them.
"""

from collections.abc import Callable
from dataclasses import replace

from regard.world.adjectives import ADJECTIVES, PREDICATES, Adjective, go_together
from regard.world.adverbs import Tense
from regard.world.conjugation import Ending, connective
from regard.world.dice import Weighted
from regard.world.event import Event, enact
from regard.world.heldout import held_out
from regard.world.nouns import Noun
from regard.world.objects import thing_object
from regard.world.phrase import Chunk, words
from regard.world.predicate import Form, Negation, adjective_predicate, short_negation_fits, verb_predicate
from regard.world.scene import Scene
from regard.world.sentence import Clause
from regard.world.situations import SEQUENCES
from regard.world.states import describe, description_form, is_seen_now
from regard.world.subordination import because, before, condition, when
from regard.world.verb_table import INTRANSITIVE, TRANSITIVE
from regard.world.verbs import Verb, able_to_do_both

_LINKED_TENSES: Weighted[Tense] = Weighted({"past": 55, "future": 22, "progressive": 23})
_SEQUENCE_TENSES: Weighted[Tense] = Weighted({"past": 55, "present": 20, "future": 25})
_STATE_CONTRASTS: Weighted[Tense] = Weighted({"past": 1, "present": 2})
_EVENT_CONTRASTS: Weighted[Tense] = Weighted({"past": 2, "present": 1, "future": 1})
# 그리고, "draws and", is also the word "and".
DOINGS = tuple(
    verb
    for verb in (*TRANSITIVE, *INTRANSITIVE)
    if verb.themes and not verb.agents and verb.aspect == "activity" and verb.stem.text != "그리"
)
"""What anybody may be said to do beside what somebody else does."""
_CONTRASTED = tuple(
    replace(
        verb,
        manners=(),
        tools=(),
        social=False,
        shapes=tuple(shape for shape in verb.shapes if shape not in ("counted", "joined")),
    )
    for verb in TRANSITIVE
    if "taste" in verb.themes
)
_FUTURE_CONTRASTED = tuple(verb for verb in _CONTRASTED if verb.aspect != "state")


def _beside(verb: Verb) -> tuple[Verb, ...]:
    themes = set(verb.themes) - {"taste"}
    return tuple(other for other in DOINGS if other.english != verb.english and themes & set(other.themes))


_BESIDE = {verb: _beside(verb) for verb in DOINGS}
"""What somebody else may do meanwhile, so that the two clauses have something in common."""


def side_by_side(scene: Scene) -> list[Clause]:
    """Two people do two things: 나는 책을 읽었고, 민수는 음악을 들었다."""
    verb = scene.dice.pick(DOINGS)
    other = scene.dice.pick(_BESIDE[verb])
    tense = scene.dice.weighted(_LINKED_TENSES)
    room = scene.room
    scene.room = room // 2
    first = enact(scene, verb, tense=tense, timed=True, beside=other)
    scene.room += room - room // 2
    # One time is enough for both, and two could contradict each other.
    second = enact(scene, other, tense=tense, other=first.subject)
    return _joined(first.clause("고"), "and", second.clause())


def contrast(scene: Scene) -> list[Clause]:
    """One does what another does not: 민수는 고기를 먹었지만, 지영은 고기를 먹지 않았다."""
    dice = scene.dice
    verb = dice.pick(_FUTURE_CONTRASTED if scene.tense == "future" else _CONTRASTED)
    tense = scene.choose_tense(_STATE_CONTRASTS if verb.aspect == "state" else _EVENT_CONTRASTS)
    if tense == "present" and verb.habit == "never":
        tense = "past"
    scene.room -= 3  # the second clause: subject, object and the negation
    scene.nested = False  # the object is said twice
    first = enact(scene, verb, tense=tense, timed=True)
    negation: Negation = "안" if short_negation_fits(verb.stem.text) and dice.chance(0.4) else "않다"
    scene.room += 3
    second = Event(scene, verb, ask=False, tense=tense, negation=negation, topic=True)
    second.choose_subject(first.subject)
    second.slots["object"] = first.slots["object"]
    return _joined(first.clause("지만"), "but", second.clause())


def _joined(first: Clause, conjunction: str, second: Clause) -> list[Clause]:
    second.conjunction = conjunction
    second.labels.update(("clause coordination", "-고" if conjunction == "and" else "-지만"))
    return [first, second]


def sequence(scene: Scene) -> list[Clause]:
    """Somebody does one thing and then another: 나는 밥을 먹고 학교에 갔다."""
    dice = scene.dice
    first = dice.pick(_FIRST)
    then = dice.pick(SEQUENCES[first])
    tense = dice.weighted(_SEQUENCE_TENSES)
    if tense == "present" and "never" in (first.habit, then.habit):
        tense = "past"
    event = Event(scene, then, ask=False, tense=tense, negation="", topic=True)
    event.subjects = able_to_do_both(first, then)
    event.fit_times_of(first)
    scene.room -= 2  # the first verb and its object
    subject = event.choose_subject()
    event.fill()
    done, labels = _first_object(event, first)
    stem = first.honored if subject.honored and first.honored else first.stem
    at = len(done.korean)
    # English inflects both verbs; only in the future does "will" serve both.
    said = verb_predicate(first, Form(event.tense, "plain", agreement=subject.agreement)).main
    verb = tuple((text, (at,)) for text, _ in said)
    event.slots["first"] = Chunk(
        (*done.korean, connective(stem, "고")), verb + done.english + words("and", at)
    )
    event.labels.update(("sequence", "-고", *labels))
    return [event.clause()]


def _first_object(event: Event, first: Verb) -> tuple[Chunk, tuple[str, ...]]:
    if not first.objects:
        return Chunk((), ()), ()
    found = thing_object(event.scene, first, event.tense, subject=event.subject)
    return found.chunk, found.labels


def two_qualities(scene: Scene) -> list[Clause]:
    """Something is this and that, or this but that: 이 가방은 예쁘지만 비싸다."""
    dice = scene.dice
    subject, one = describe(scene)
    scene.room -= 2
    tense: Tense = "present" if is_seen_now(subject.chunk) else dice.pick(("past", "present"))
    fitting = PREDICATES[subject.who] if isinstance(subject.who, Noun) else _PASSING
    others = tuple(other for other in fitting if go_together(one, other))
    form = description_form(scene, subject, tense, "")
    slots = {"subject": subject.chunk}
    labels = {"adjective", *subject.labels}
    if isinstance(subject.who, Noun):
        labels.update(held_out(one, subject.who))
    if others:
        other = dice.pick(others)
        if isinstance(subject.who, Noun):
            labels.update(held_out(other, subject.who))
        ending: Ending = "지만" if one.tone * other.tone < 0 else "고"
        slots["first"] = _quality(one, form, ending)
        labels.update(("adjective coordination", f"-{ending}"))
        one = other
    predicate = adjective_predicate(one, form)
    return [Clause(slots, predicate, labels=labels | predicate.labels)]


def _quality(adjective: Adjective, form: Form, ending: Ending) -> Chunk:
    tense = _tense_before(ending, form.tense)
    predicate = adjective_predicate(adjective, form._replace(ending=ending, tense=tense))
    conjunction = "but" if ending == "지만" else "and"
    return Chunk(predicate.korean, predicate.main + words(conjunction, 0))


def _tense_before(ending: Ending, tense: Tense) -> Tense:
    """-고 leaves the tense to the last adjective, -지만 does not: 크고 무거웠다, 예뻤지만 비쌌다."""
    return "present" if ending == "고" else tense


_FIRST = tuple(SEQUENCES)
_PASSING = tuple(adjective for adjective in ADJECTIVES if adjective.passing)

COORDINATIONS: dict[Callable[[Scene], list[Clause]], tuple[float, int]] = {
    side_by_side: (34, 4),
    contrast: (20, 7),
    sequence: (28, 5),
    two_qualities: (18, 3),
}
"""Each kind with its odds, and the words of its shortest sentence."""

SHORTEST = 5
"""The fewest words from which a chain can be made."""
_UNIT = Weighted({4: 4, 5: 5, 6: 6, 7: 6, 8: 5, 9: 4, 10: 3})
"""Words of one link of the chain."""
_CHAIN_TENSES: Weighted[Tense] = Weighted({"past": 75, "future": 25})
_TRIES = 40


def doing(scene: Scene) -> list[Clause]:
    """Somebody does something."""
    return [enact(scene, scene.dice.pick(DOINGS), tense=scene.tense or "past", timed=True).clause()]


_LINKS: dict[Tense, Weighted[Callable[[Scene], list[Clause]]]] = {
    "past": Weighted({doing: 56, because: 14, when: 10, before: 10, contrast: 10}),
    "future": Weighted({doing: 62, condition: 16, before: 12, contrast: 10}),
}


def chain(scene: Scene) -> list[Clause]:
    """Join clauses until the words of the scene are used up."""
    dice, wanted = scene.dice, scene.room
    scene.tense, scene.whole_days = scene.choose_tense(_CHAIN_TENSES), True
    clauses: list[Clause] = []
    used: set[str] = set()
    length = 0
    last = False
    while not last:
        left = wanted - length
        room = dice.weighted(_UNIT)
        last = left - room < SHORTEST
        scene.ending = "statement" if last else "고"
        link = _new_link(scene, min(room, left), used)
        if clauses:
            link[0].conjunction = "and"
            link[0].labels.update(("clause coordination", "-고"))
        clauses += link
        length += sum(clause.length() for clause in link)
        scene.timed = False
    return clauses


def _new_link(scene: Scene, room: int, used: set[str]) -> list[Clause]:
    """Draw until nobody and nothing in it was mentioned before."""
    kinds = _LINKS[scene.tense or "past"]
    for _ in range(_TRIES):
        scene.room, scene.nested = room, True
        link = scene.dice.weighted(kinds if room > 4 else _SHORT)(scene)
        mentioned = {_subject(clause) for clause in link} | {_verb(link[0]), *_circumstances(link[0])}
        if not mentioned & used:
            break
    used |= mentioned
    return link


_SHORT: Weighted[Callable[[Scene], list[Clause]]] = Weighted({doing: 1})


def _subject(clause: Clause) -> str:
    return " ".join(text for text, _ in clause.slots["subject"].english)


def _circumstances(clause: Clause) -> list[str]:
    """List the ends of its subordinate clauses (행복해서, 자기 전에), or that it is about the weather."""
    found = [clause.slots[slot].korean for slot in ("setting", "aside") if slot in clause.slots]
    if any(word in _SKY for words in (*found, clause.predicate.korean) for word in words):
        return ["weather"]  # one day has one weather
    return [" ".join(words[-2:]) for words in found]


_SKY = ("비가", "눈이", "날씨가")


def _verb(clause: Clause) -> str:
    return clause.predicate.main[0][0]
