"""The weather: 어제 비가 왔다, "it rained yesterday"; 해가 떴다, "the sun rose"; 날씨가 좋으면, "if …"."""

from regard.world.adjectives import Adjective
from regard.world.adverbs import WEATHER_TIMES, Tense
from regard.world.conjugation import Ending
from regard.world.event import Event, labelled
from regard.world.hangul import GOAL, SUBJECT
from regard.world.nouns import nouns
from regard.world.participants import Participant
from regard.world.phrase import Chunk, chunks, moved, noun_phrase, words
from regard.world.predicate import Form, Predicate, adjective_predicate, verb_predicate
from regard.world.scene import Scene
from regard.world.sentence import Clause
from regard.world.verb_table import BLOW, RAIN, RISE, SNOW
from regard.world.verbs import Verb

_WEATHER = nouns("날씨")[0]


def weather(scene: Scene) -> Clause:
    """The sky does something: 어제 비가 왔다, "it rained yesterday"; 해가 떴다."""
    dice = scene.dice
    verb = dice.pick((RAIN, RAIN, RAIN, SNOW, SNOW, RISE, BLOW))
    event = Event(scene, verb, ask=False, tense=dice.pick(_WEATHER_TENSES), topic=False)
    scene.room -= 1
    falls = verb in _FALLING
    subject = IT if falls else noun_phrase(dice.pick(verb.agents), SUBJECT, bare="subject")
    event.take_subject(Participant(subject))
    if scene.afford(1, 0.75):
        event.slots["time"] = dice.pick(WEATHER_TIMES[event.tense])
        event.labels.add("time")
    if falls and scene.afford(1, 0.5):
        event.slots["place"] = noun_phrase(dice.pick(_LANDS), GOAL, preposition="in")
        event.labels.add("place")
    clause = event.clause()
    clause.time_first = "time" in event.slots
    if falls:
        measured = not event.negation and event.tense != "progressive" and scene.afford(1, 0.4)
        clause.predicate = _falling(verb, clause.predicate, dice.pick(_AMOUNTS) if measured else None)
    return labelled(clause, "weather")


_LANDS = nouns("city")
_AMOUNTS = chunks("많이 a lot, 조금 a little")


IT = Chunk((), words("it", 0))
"""Belongs to 비가, which follows at once as the first word of the predicate."""

_FALLING = {RAIN: "비가", SNOW: "눈이"}
_WEATHER_TENSES: tuple[Tense, ...] = ("past", "past", "future", "progressive")


def falling(verb: Verb, form: Form) -> Predicate:
    """Say that it rains or snows: 비가 온다, 눈이 와서."""
    return _falling(verb, verb_predicate(verb, form))


def _falling(verb: Verb, predicate: Predicate, amount: Chunk | None = None) -> Predicate:
    """Put 비가 before 오다: "rain" then expresses both. How much it rains stands between them."""
    front = (_FALLING[verb], *amount.korean) if amount else (_FALLING[verb],)
    main = tuple((text, (0, *anchors)) for text, anchors in moved(predicate.main, len(front)))
    much = moved(amount.english, 1) if amount else ()
    return Predicate((*front, *predicate.korean), moved(predicate.auxiliaries, len(front)), (*main, *much))


def weather_clause(scene: Scene, sky: Verb | Adjective, tense: Tense, ending: Ending) -> Clause:
    """Say of the weather what another clause hangs on: 비가 와서, 날씨가 좋으면."""
    form = Form(tense, scene.level, "", ending)
    if isinstance(sky, Verb):
        return Clause({"subject": IT}, falling(sky, form), labels={"weather"})
    slots = {"subject": noun_phrase(_WEATHER, SUBJECT, bare="subject")}
    return Clause(slots, adjective_predicate(sky, form), labels={"adjective"})
