"""Statements and questions about what somebody does: who does what, to whom, where, how and when."""

from regard.world.adverbs import Tense
from regard.world.dice import Weighted
from regard.world.event import Event, labelled
from regard.world.hangul import PLACE
from regard.world.phrase import Chunk, chunk
from regard.world.scene import Scene
from regard.world.sentence import Clause
from regard.world.verb_table import ANIMAL, DO, GIVING, INTRANSITIVE, MOTION, TRANSITIVE

_ANIMAL_TENSES: Weighted[Tense] = Weighted(
    {"past": 40, "present": 20, "progressive": 30, "past progressive": 10}
)

_ANIMAL_DEEDS: Weighted[Tense] = Weighted({"past": 50, "progressive": 38, "past progressive": 12})

_WHAT = chunk("무엇을", "what")
_WHO = chunk("누가", "who")
_WHERE_AT = chunk("어디에서", "where")
_WHERE_TO = chunk("어디에", "where")
_WHEN = chunk("언제", "when")
_WHY = chunk("왜", "why")
_TO_WHOM = chunk("누구에게", "to whom")
_TO_WHOM_SPOKEN = chunk("누구한테", "to whom")


def transitive(scene: Scene) -> Clause:
    """Somebody does something to something: 나는 어제 학교에서 책을 읽었다."""
    if scene.question and scene.dice.chance(0.1):
        return doing(scene)
    verb = scene.dice.pick(TRANSITIVE)
    event = Event(scene, verb)
    _ask(event, with_object=True)
    if event.asked != "subject":
        event.choose_subject()
    if event.asked != "object":
        event.choose_object()
    event.circumstances()
    return labelled(event.clause(), "transitive")


def doing(scene: Scene) -> Clause:
    """Somebody asks what somebody does: 그는 어제 무엇을 했니?"""
    event = Event(scene, DO, negation="")
    event.ask("object", _WHAT)
    event.choose_subject()
    event.circumstances()
    return labelled(event.clause(), "transitive")


def giving(scene: Scene) -> Clause:
    """Somebody gives something to somebody: 그는 친구에게 선물을 줬다."""
    verb = scene.dice.pick(GIVING)
    event = Event(scene, verb)
    _ask(event, with_object=True, with_recipient=True)
    if event.asked != "subject":
        event.choose_subject()
    if event.asked != "recipient":
        event.choose_receiver()
    if event.asked != "object":
        event.choose_object()
    event.circumstances()
    return labelled(event.clause(), "giving")


def intransitive(scene: Scene) -> Clause:
    """Somebody does something: 아이는 방에서 조용히 잤다."""
    verb = scene.dice.pick(INTRANSITIVE)
    event = Event(scene, verb)
    _ask(event)
    if event.asked != "subject":
        event.choose_subject()
    if verb.gives_to is not None:
        event.choose_receiver()
    if verb.needs_place and event.asked != "place":
        scene.room -= 1
    event.circumstances()
    return labelled(event.clause(), "intransitive")


def motion(scene: Scene) -> Clause:
    """Somebody goes somewhere, or comes from somewhere: 우리는 기차로 부산에 갔다."""
    verb = scene.dice.pick(MOTION)
    event = Event(scene, verb)
    _ask(event, with_goal=True)
    if event.asked != "subject":
        event.choose_subject()
    if event.asked != "goal" and verb.sources and not event.negation and scene.dice.chance(0.5):
        scene.room -= 1
        event.put_place("source", verb.sources, PLACE, "from")
    elif event.asked != "goal":
        event.choose_goal()
    event.circumstances()
    return labelled(event.clause(), "motion")


def animal(scene: Scene) -> Clause:
    """An animal does something: 고양이 두 마리가 방에서 자고 있다."""
    verb = scene.dice.pick(ANIMAL)
    tense = scene.dice.weighted(_ANIMAL_DEEDS if verb.habit == "never" else _ANIMAL_TENSES)
    event = Event(scene, verb, ask=False, tense=tense)
    event.choose_subject()
    if event.verb.objects:
        event.choose_object()
    event.circumstances(timed=not event.negation)
    return labelled(event.clause(), "animal")


def _ask(
    event: Event, *, with_object: bool = False, with_goal: bool = False, with_recipient: bool = False
) -> None:
    """Choose what a question asks for, if it asks with a word and not for yes or no."""
    if not event.asks_word:
        return
    verb = event.verb
    choices: list[tuple[str, Chunk]] = [("subject", _WHO)]
    if with_object and verb.asks:
        choices += [("object", _WHAT)] * 3
    if with_goal and verb.asks:
        choices += [("goal", _WHERE_TO)] * 2
    if with_recipient:
        choices.append(("recipient", _TO_WHOM))
        if event.scene.level != "formal":
            choices.append(("recipient", _TO_WHOM_SPOKEN))
    if verb.places and not with_goal:
        choices += [("place", _WHERE_AT if verb.at is PLACE else _WHERE_TO)] * 2
    # What cannot be left undone, and what is somebody's job, needs no reason.
    if verb.aspect != "state" and verb.denied and not verb.agents:
        choices.append(("reason", _WHY))
    if verb.aspect != "state" and event.tense in ("past", "future") and not verb.needs_manner:
        choices.append(("time", _WHEN))
    event.ask(*event.scene.dice.pick(choices))
