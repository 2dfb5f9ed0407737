"""Clauses that depend on another: -아서 "because", -면 "if", -ㄹ 때 "when", -기 전에 "before".

The conjunction goes to the last Korean word of its clause: because ↔ 와서, if ↔ 오면, when ↔ 때, before ↔
전에. A subject that both clauses share is said once in Korean; English names it again by a pronoun that goes
to it (before: by none, "before going"). -아서 has no tense: English takes that of the main clause, present
beside a future; -면 is always present; -았을 때 is past, -ㄹ 때 present, -고 있을 때 past progressive.

Which clause goes with which is laid down in tables: what follows from a state or from the weather.
"""

from collections.abc import Callable

from regard.world import adverbs, situations
from regard.world.adverbs import Tense
from regard.world.conjugation import Ending
from regard.world.dice import Weighted
from regard.world.event import Event, enact
from regard.world.events import order
from regard.world.hangul import GOAL, SUBJECT
from regard.world.heldout import held_out
from regard.world.nouns import Noun, nouns
from regard.world.objects import complements
from regard.world.participants import (
    WE,
    Participant,
    may_be_same,
    named_subject,
    person_subject,
    pronoun_subject,
    resumed,
)
from regard.world.phrase import Chunk, moved, noun_phrase, words
from regard.world.predicate import (
    Form,
    Negation,
    Predicate,
    adjective_predicate,
    choose_denial,
    verb_predicate,
)
from regard.world.relatives import embedded_subject
from regard.world.scene import Scene
from regard.world.sentence import Clause, clause_chunk
from regard.world.situations import Outcome
from regard.world.verb_table import RAIN, SNOW
from regard.world.verbs import Verb, able_to_do_both
from regard.world.weather import IT, falling, weather_clause

_REPORTS = (adverbs.YESTERDAY, adverbs.DAY_BEFORE_YESTERDAY, *adverbs.WEEKDAYS[5:])
_FORECASTS = (adverbs.TOMORROW, adverbs.DAY_AFTER_TOMORROW, adverbs.TODAY, *adverbs.WEEKDAYS[5:])
_LEADS: dict[Ending, tuple[str, str]] = {
    "아서": ("because", "-아서"),
    "면": ("if", "-면"),
    "때": ("when", "-ㄹ 때"),
    "전에": ("before", "-기 전에"),
}
"""The English conjunction of each ending, and the label of the construction."""
_HOME = nouns("집")[0]
_REASON_TENSES: Weighted[Tense] = Weighted({"past": 80, "future": 20})
_CONDITION_TENSES: Weighted[Tense] = Weighted({"future": 70, "present": 30})
_BEFORE_TENSES: Weighted[Tense] = Weighted({"past": 50, "future": 30, "present": 20})


def _shared_subject(scene: Scene, *, elder: bool = True) -> Participant:
    """Choose a subject that English can name again by a pronoun."""
    room = scene.room
    while True:
        scene.room = room - 1
        subject = person_subject(scene, topic=True, counted=False, elder=elder)
        if resumed(subject) and "noun coordination" not in subject.labels:
            return subject


def _again(subject: Participant) -> dict[str, Chunk]:
    """Name a shared subject again in English: it stands just before its clause in Korean."""
    return {"subject": Chunk((), words(resumed(subject), -1))}


def _result(
    scene: Scene, outcome: Outcome, tense: Tense, subject: Participant | None, *, timed: bool
) -> Event:
    negation: Negation = ""
    if outcome.denied:
        negation = choose_denial(scene.dice, outcome.verb, hindered=tense != "future")
    return enact(scene, outcome.verb, tense=tense, negation=negation, subject=subject, timed=timed)


def _close(event: Event, slot: str, dependent: Clause, ending: Ending) -> list[Clause]:
    """Hang a clause on the event's; a time then stands first in Korean, so that the two stay apart."""
    lead, label = _LEADS[ending]
    event.slots[slot] = clause_chunk(dependent, lead)
    event.labels.update((label, "subordination", *dependent.labels))
    clause = event.clause()
    clause.time_first = "time" in event.slots
    return [clause]


def _date(dependent: Clause, time: Chunk) -> None:
    """Say when, as the first word of the clause."""
    dependent.slots["time"] = time
    dependent.time_first = True
    dependent.labels.add("time")


def _before_main(tense: Tense) -> Tense:
    return "past" if tense == "past" else "present"


def _by_state(scene: Scene, tense: Tense, ending: Ending) -> list[Clause]:
    subject = _shared_subject(scene)
    scene.room -= 1
    state = scene.dice.pick(situations.COMMON_STATES)
    while isinstance(subject.who, Noun) and subject.who not in state.said_of:
        state = scene.dice.pick(situations.COMMON_STATES)
    outcome = scene.dice.pick(situations.STATES[state])
    event = _result(scene, outcome, tense, subject, timed=tense == "past")
    form = Form(_before_main(tense), scene.level, "", ending, subject.honored, subject.agreement)
    dependent = Clause(_again(subject), adjective_predicate(state, form), labels={"adjective"})
    return _close(event, "aside", dependent, ending)


def _by_weather(scene: Scene, tense: Tense, ending: Ending) -> list[Clause]:
    dice = scene.dice
    sky = dice.pick(situations.GOOD) if dice.chance(0.25) else dice.pick(situations.COMMON_BAD)
    scene.room -= 2
    outcome = dice.pick(situations.BAD.get(sky, situations.OUTSIDE))
    dependent = weather_clause(scene, sky, _before_main(tense), ending)
    if tense != "present" and scene.timed and scene.afford(1, 0.6):
        _date(dependent, dice.pick(_FORECASTS if tense == "future" else _REPORTS))
    event = _result(scene, outcome, tense, None, timed=False)
    return _close(event, "setting", dependent, ending)


def because(scene: Scene) -> list[Clause]:
    """Say why: 비가 와서 나는 집에서 쉬었다; 민수는 바빠서 책을 못 읽었다; 나는 가방이 비싸서 안 샀다."""
    scene.nested = False
    kind = scene.dice.pick(("weather", "state", "state", "quality"))
    if kind == "weather":
        return _by_weather(scene, "past", "아서")
    if kind == "state":
        return _by_state(scene, scene.choose_tense(_REASON_TENSES), "아서")
    return _by_quality(scene)


def _by_quality(scene: Scene) -> list[Clause]:
    """나는 가방이 비싸서 안 샀다, "I did not buy the bag because it was expensive": 가방이 says both."""
    dice = scene.dice
    quality = dice.pick(tuple(situations.QUALITIES))
    verb, denied = dice.pick(situations.QUALITIES[quality])
    fitting = tuple(
        noun for noun in verb.objects if noun in quality.said_of and noun.article in ("the", "mass")
    )
    noun = dice.pick(fitting)
    scene.room -= 3
    negation = choose_denial(dice, verb, hindered=quality in situations.HINDRANCES) if denied else ""
    event = Event(scene, verb, ask=False, tense="past", negation=negation, topic=True)
    # A counted subject would put two 이/가 side by side.
    event.take_subject(person_subject(scene, adult=verb.subjects == "adult", counted=False))
    demonstrative = dice.pick("이그저") if scene.afford(1, 0.4) else ""
    thing = noun_phrase(noun, SUBJECT, bare="subject", demonstrative=demonstrative)
    reason = adjective_predicate(quality, Form("past", scene.level, "", "아서"))
    last = len(thing.korean)
    again = words("because", last) + words("it", last - 1)
    said = moved(reason.auxiliaries + reason.main, last)
    event.slots["aside"] = Chunk((*thing.korean, *reason.korean), thing.english + again + said)
    event.labels.update(("-아서", "subordination", "adjective"))
    event.labels.update((*held_out(quality, noun), *held_out(verb, noun)))
    return [event.clause()]


def condition(scene: Scene) -> list[Clause]:
    """Say on what condition: 내일 비가 오면 나는 집에서 쉴 것이다; 시간이 있으면 …; 민수가 오면 …"""
    scene.nested = False
    dice = scene.dice
    tense = scene.choose_tense(_CONDITION_TENSES)
    match dice.pick(("weather", "state", "means", "arrival")):
        case "weather":
            return _by_weather(scene, tense, "면")
        case "state":
            return _by_state(scene, tense, "면")
        case "means":
            return _by_means(scene)
    scene.room -= 4
    # Others would hardly wait for him.
    event = _result(
        scene, Outcome(dice.pick(situations.TOGETHER)), "future", pronoun_subject(WE, topic=True), timed=False
    )
    verb = dice.pick(situations.COMING)
    goal = dice.pick(verb.goals) if verb.goals and dice.chance(0.5) else None
    return _close(event, "setting", _arrival(scene, verb, goal, event.subject, "면"), "면")


def advice(scene: Scene) -> list[Clause]:
    """Say what to do in a case: 피곤하면 집에서 쉬세요, "Rest at home if you are tired"; 비가 오면 …"""
    scene.nested = False
    dice = scene.dice
    scene.room -= 2
    if dice.chance(0.3):
        state = dice.pick(situations.CURABLE)
        verb, denied = dice.pick(situations.STATES[state])
        form = Form("present", scene.level, "", "면", agreement="plural")
        # Nobody is named: "you" is in the Korean predicate.
        you = {"subject": Chunk((), words("you", 0))}
        dependent = Clause(you, adjective_predicate(state, form), labels={"adjective"})
    else:
        sky = dice.pick(situations.GOOD) if dice.chance(0.4) else dice.pick(situations.COMMON_BAD)
        verb, denied = dice.pick(situations.BAD.get(sky, situations.OUTSIDE))
        dependent = weather_clause(scene, sky, "present", "면")
        if scene.afford(1, 0.4):
            _date(dependent, dice.pick(_FORECASTS))
    scene.timed = False
    return _close(order(scene, verb, denied=denied), "setting", dependent, "면")


def _by_means(scene: Scene) -> list[Clause]:
    """시간이 있으면, "if I have time"; 돈이 있으면."""
    # 시간이 있으시면 would be a second honorific rule, which this world does without.
    subject = _shared_subject(scene, elder=False)
    scene.room -= 2
    verb, korean, english = scene.dice.pick(situations.MEANS)
    event = _result(scene, Outcome(verb), "future", subject, timed=False)
    have = "has" if subject.agreement == "singular" else "have"
    dependent = Clause(
        _again(subject), Predicate((korean, "있으면"), (), (*words(have, 1), *words(english, 0)))
    )
    return _close(event, "aside", dependent, "면")


def _arrival(scene: Scene, verb: Verb, goal: Noun | None, main: Participant | None, ending: Ending) -> Clause:
    who = embedded_subject(scene, main, working=goal is not _HOME)
    slots = {"subject": who.chunk}
    labels = {*who.labels}
    if goal:
        slots["goal"] = noun_phrase(goal, GOAL, preposition=verb.goal_preposition)
        labels.add("goal")
    tense: Tense = "past" if ending == "때" else "present"
    form = Form(tense, scene.level, "", ending, who.honored, who.agreement)
    return Clause(slots, verb_predicate(verb, form), labels=labels)


def when(scene: Scene) -> list[Clause]:
    """Say when: 내가 집에 왔을 때 민수는 자고 있었다; 우리가 쉬고 있을 때 비가 왔다; 나는 피곤할 때 쉰다."""
    scene.nested = False
    match scene.dice.pick(_PAST_OCCASIONS if scene.tense == "past" else _OCCASIONS):
        case "state":
            return _by_state(scene, "present", "때")
        case "weather":
            return _by_weather(scene, "present", "때")
        case "arrival":
            return _found(scene)
        case "meanwhile":
            return _surprised(scene)
    return _rained_upon(scene)


_PAST_OCCASIONS = ("arrival", "arrival", "meanwhile", "meanwhile", "rain")
_OCCASIONS = ("state", "state", "weather", *_PAST_OCCASIONS)


def _found(scene: Scene) -> list[Clause]:
    """내가 집에 왔을 때 민수는 자고 있었다: who comes finds another at the same place."""
    dice = scene.dice
    goal = dice.pick(situations.PLACES_TO_COME_TO)
    scene.room -= 4
    subject = _housemate(scene) if goal is _HOME else None
    event = enact(scene, dice.pick(situations.GOING_ON[goal]), tense="past progressive", subject=subject)
    arrival = _arrival(scene, dice.pick(situations.ARRIVALS[goal]), goal, event.subject, "때")
    return _close(event, "setting", arrival, "때")


def _housemate(scene: Scene, other: Participant | None = None) -> Participant:
    """Choose somebody who may be at home; not `other`, beside whom he takes 이/가."""
    while True:
        subject = named_subject(scene, topic=other is None)
        if "demonstrative" not in subject.labels and not (other and may_be_same(subject, other)):
            return subject


def _during(scene: Scene, verb: Verb, *, working: bool) -> tuple[Clause, Participant]:
    """Make 우리가 쉬고 있을 때, and return who did so."""
    pupil = verb.subjects == "pupil"
    who = embedded_subject(scene, working=working and not pupil, elder=not pupil)
    slots, labels = complements(scene.dice, verb, "past progressive")
    slots["subject"] = who.chunk
    labels.update(who.labels)
    form = Form("past progressive", scene.level, "", "때", who.honored, who.agreement)
    return Clause(slots, verb_predicate(verb, form), labels=labels), who


def _surprised(scene: Scene) -> list[Clause]:
    """우리가 쉬고 있을 때 민수가 집에 왔다."""
    dice = scene.dice
    goal = dice.pick(situations.PLACES_TO_COME_TO)
    scene.room -= 4
    dependent, who = _during(scene, dice.pick(situations.GOING_ON[goal]), working=goal is not _HOME)
    verb = dice.pick(situations.ARRIVALS[goal])
    subject = _housemate(scene, who) if goal is _HOME else None
    event = enact(scene, verb, tense="past", subject=subject, other=who, topic=False)
    return _close(event, "setting", dependent, "때")


def _rained_upon(scene: Scene) -> list[Clause]:
    """우리가 걷고 있을 때 비가 왔다."""
    dice = scene.dice
    verb = dice.pick(situations.OUTDOORS)
    scene.room -= 4
    dependent, _ = _during(scene, verb, working=True)
    sky = dice.pick((RAIN, SNOW)) if verb in (situations.WALK, situations.RUN) else RAIN
    event = Event(scene, sky, ask=False, tense="past", negation="", topic=False)
    event.take_subject(Participant(IT))
    clauses = _close(event, "setting", dependent, "때")
    clauses[0].predicate = falling(event.verb, Form("past", scene.level, "", scene.ending))
    clauses[0].labels.add("weather")
    return clauses


def before(scene: Scene) -> list[Clause]:
    """Say before what: 나는 학교에 가기 전에 밥을 먹었다, "I ate a meal before going to school"."""
    scene.nested = False
    dice = scene.dice
    tense = scene.choose_tense(_BEFORE_TENSES)
    scene.room -= 3
    later = dice.pick(_LATER)
    verb = dice.pick(situations.EARLIER[later])
    if tense == "present" and verb.habit == "never":
        tense = "past"
    event = Event(scene, verb, ask=False, tense=tense, negation="", topic=True)
    event.subjects = able_to_do_both(verb, later)
    event.fit_times_of(later)
    event.choose_subject()
    event.fill()
    slots, labels = complements(dice, later, "past")
    honored = event.subject is not None and event.subject.honored
    form = Form("present", scene.level, "", "전에", honored)
    return _close(event, "aside", Clause(slots, verb_predicate(later, form), labels=labels), "전에")


_LATER = tuple(situations.EARLIER)

SUBORDINATIONS: dict[Callable[[Scene], list[Clause]], tuple[float, int]] = {
    because: (10, 4),
    condition: (9, 5),
    when: (9, 5),
    before: (7, 5),
    advice: (3, 4),
}
"""Each kind with its odds, and the words of its shortest sentence."""
