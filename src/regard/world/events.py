"""Statements, questions and commands about what somebody does: who, what, to whom, where, how and when."""

from regard.world.adverbs import Tense
from regard.world.dice import Weighted
from regard.world.event import Event, labelled
from regard.world.hangul import PLACE
from regard.world.phrase import Chunk, chunks
from regard.world.scene import Scene
from regard.world.sentence import Clause
from regard.world.verb_table import ANIMAL, DO, GIVING, INTRANSITIVE, MOTION, TRANSITIVE
from regard.world.verbs import Verb

_ANIMAL_TENSES: Weighted[Tense] = Weighted(
    {"past": 40, "present": 20, "progressive": 30, "past progressive": 10}
)

_ANIMAL_DEEDS: Weighted[Tense] = Weighted({"past": 50, "progressive": 38, "past progressive": 12})

_WHAT, _WHO, _WHERE_AT, _WHERE_TO, _WHEN, _WHY, _TO_WHOM, _TO_WHOM_SPOKEN = chunks(
    "무엇을 what, 누가 who, 어디에서 where, 어디에 where, 언제 when, 왜 why, "
    "누구에게 to whom, 누구한테 to whom"
)


def transitive(scene: Scene) -> Clause:
    """Somebody does something to something: 나는 어제 학교에서 책을 읽었다."""
    if scene.question and scene.dice.chance(0.1):
        return doing(scene)
    event = _begin(scene, scene.dice.pick(TRANSITIVE), with_object=True)
    if event.asked != "object":
        event.choose_object()
    return _end(event, "transitive")


def doing(scene: Scene) -> Clause:
    """Somebody asks what somebody does: 그는 어제 무엇을 했니?"""
    event = Event(scene, DO, negation="")
    event.ask("object", _WHAT)
    event.choose_subject()
    return _end(event, "transitive")


def giving(scene: Scene) -> Clause:
    """Somebody gives something to somebody: 그는 친구에게 선물을 줬다."""
    event = _begin(scene, scene.dice.pick(GIVING), with_object=True, with_recipient=True)
    if event.asked != "recipient":
        event.choose_receiver()
    if event.asked != "object":
        event.choose_object()
    return _end(event, "giving")


def intransitive(scene: Scene) -> Clause:
    """Somebody does something: 아이는 방에서 조용히 잤다."""
    verb = scene.dice.pick(INTRANSITIVE)
    event = _begin(scene, verb)
    if verb.gives_to is not None:
        event.choose_receiver()
    if verb.needs_place and event.asked != "place":
        scene.room -= 1
    return _end(event, "intransitive")


def motion(scene: Scene) -> Clause:
    """Somebody goes somewhere, or comes from somewhere: 우리는 기차로 부산에 갔다."""
    verb = scene.dice.pick(MOTION)
    event = _begin(scene, verb, with_goal=True)
    if event.asked != "goal" and verb.sources and not event.negation and scene.dice.chance(0.5):
        scene.room -= 1
        event.put_place("source", verb.sources, PLACE, "from")
    elif event.asked != "goal":
        event.choose_goal()
    return _end(event, "motion")


def animal(scene: Scene) -> Clause:
    """An animal does something: 고양이 두 마리가 방에서 자고 있다."""
    verb = scene.dice.pick(ANIMAL)
    tense = scene.dice.weighted(_ANIMAL_DEEDS if verb.habit == "never" else _ANIMAL_TENSES)
    event = Event(scene, verb, ask=False, tense=tense)
    event.choose_subject()
    if event.verb.objects:
        event.choose_object()
    return _end(event, "animal", timed=not event.negation)


def _end(event: Event, label: str, *, timed: bool = True) -> Clause:
    event.circumstances(timed=timed)
    return labelled(event.clause(), label)


def _begin(
    scene: Scene,
    verb: Verb,
    *,
    with_object: bool = False,
    with_goal: bool = False,
    with_recipient: bool = False,
) -> Event:
    """Choose what a question asks for, if it asks with a word and not for yes or no; else who does it."""
    event = Event(scene, verb)
    if event.asks_word:
        choices: list[tuple[str, Chunk]] = [("subject", _WHO)]
        if with_object and verb.asks:
            choices += [("object", _WHAT)] * 3
        if with_goal and verb.asks:
            choices += [("goal", _WHERE_TO)] * 2
        if with_recipient:
            choices.append(("recipient", _TO_WHOM))
            if scene.level != "formal":
                choices.append(("recipient", _TO_WHOM_SPOKEN))
        if verb.places and not with_goal:
            choices += [("place", _WHERE_AT if verb.at is PLACE else _WHERE_TO)] * 2
        # What cannot be left undone, and what is somebody's job, needs no reason.
        if verb.aspect != "state" and verb.denied and not verb.agents:
            choices.append(("reason", _WHY))
        if verb.aspect != "state" and event.tense in ("past", "future") and not verb.needs_manner:
            choices.append(("time", _WHEN))
        event.ask(*scene.dice.pick(choices))
    if event.asked != "subject":
        event.choose_subject()
    return event


_VERBS = (*TRANSITIVE, *TRANSITIVE, *GIVING, *INTRANSITIVE, *INTRANSITIVE, *MOTION)
_ORDERED = tuple(verb for verb in _VERBS if verb.ordered)
_FORBIDDEN = tuple(verb for verb in _VERBS if verb.forbidden)


def command(scene: Scene) -> Clause:
    """Tell somebody to do something, or not to do it: 책을 읽어라, 책을 읽으세요, 책을 읽지 마십시오.

    Nobody is named in either language; the polite and the formal command are honorific by nature: 드세요 for
    먹다.
    """
    room = scene.room
    while True:
        scene.room = room
        denied = scene.dice.chance(0.3)
        clause = order(scene, scene.dice.pick(_FORBIDDEN if denied else _ORDERED), denied=denied).clause()
        if clause.length() > 1:  # 쉬세요 alone would be the only sentence of one word
            return clause


def order(scene: Scene, verb: Verb, *, denied: bool) -> Event:
    """Fill a command around a verb."""
    scene.ending = "command"
    event = Event(scene, verb, ask=False, tense="future", negation="않다" if denied else "")
    event.fill(timed=not denied)
    return event
