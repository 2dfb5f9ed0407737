"""Clauses around a verb: who does what, to whom, where, how and when; each part fits the verb."""

from regard.data.world.adverbs import (
    ANIMAL_TIMES,
    FREQUENCIES,
    MANNERS,
    OCCASIONS,
    SINGLE_PRESENT_TIMES,
    TIMES,
    YEAR_TIMES,
    Tense,
)
from regard.data.world.conjugation import Ending
from regard.data.world.dice import Weighted
from regard.data.world.hangul import GOAL, MEANS, PLACE, SUBJECT, TO, TOPIC, WITH
from regard.data.world.nouns import Noun
from regard.data.world.participants import (
    FIRST_PERSON,
    THIRD_PERSON,
    Participant,
    common_subject,
    named_subject,
    other_person,
    person_subject,
    place,
    thing_object,
)
from regard.data.world.phrase import Chunk, chunk, noun_phrase, words
from regard.data.world.predicate import Form, Negation, verb_predicate
from regard.data.world.scene import Scene
from regard.data.world.sentence import Clause
from regard.data.world.verbs import ANIMAL, DO, GIVING, INTRANSITIVE, MOTION, TRANSITIVE, Aspect, Times, Verb

_EVENT_TENSES: Weighted[Tense] = Weighted(
    {"past": 40, "present": 17, "future": 22, "progressive": 15, "past progressive": 6}
)
_POINT_TENSES: Weighted[Tense] = Weighted({"past": 54, "present": 18, "future": 28})
_TENSES: dict[Aspect, Weighted[Tense]] = {
    "activity": _EVENT_TENSES,
    "point": _POINT_TENSES,
    "done": Weighted({"past": 1}),
    "state": Weighted({"past": 30, "present": 60, "future": 10}),
}
_ANIMAL_TENSES: Weighted[Tense] = Weighted(
    {"past": 40, "present": 20, "progressive": 30, "past progressive": 10}
)
_NEGATIONS: Weighted[Negation] = Weighted({"": 78, "안": 9, "않다": 9, "못": 2.5, "못하다": 1.5})

_WHAT = chunk("무엇을", "what")
_WHO = chunk("누가", "who")
_WHERE_AT = chunk("어디에서", "where")
_WHERE_TO = chunk("어디에", "where")
_WHEN = chunk("언제", "when")
_WHY = chunk("왜", "why")
_TO_WHOM = chunk("누구에게", "to whom")


def predicate_length(tense: Tense, negation: Negation) -> int:
    """Count the Korean words of a predicate."""
    return 1 + (tense not in ("past", "present")) + bool(negation)


def short_negation_fits(korean: str) -> bool:
    """안 and 못 do not stand before noun + 하다, nor before long stems."""
    return len(korean) <= 2 and not (len(korean) == 2 and korean.endswith("하"))


def _choose_negation(scene: Scene, verb: Verb, tense: Tense, *, allowed: bool) -> Negation:
    negation = scene.dice.weighted(_NEGATIONS)
    if not negation or not allowed or not verb.denied or scene.room < 1:
        return ""
    if negation in ("못", "못하다") and (not verb.able or scene.question or tense not in ("past", "present")):
        negation = "않다"
    if tense in ("progressive", "past progressive"):
        negation = "않다"
    if negation in ("안", "못") and not short_negation_fits(verb.stem.text):
        negation = "않다"
    return negation


class Event:
    """A clause around a verb, while its parts are being chosen."""

    def __init__(
        self,
        scene: Scene,
        verb: Verb,
        *,
        ask: bool = True,
        tense: Tense | None = None,
        negation: Negation | None = None,
        topic: bool | None = None,
    ) -> None:
        self.scene, self.verb, dice = scene, verb, scene.dice
        self.asks_word = ask and scene.question and dice.chance(0.6)
        self.slots: dict[str, Chunk] = {}
        self.labels: set[str] = set()
        self.asked = ""
        self.tense: Tense = dice.weighted(_TENSES[verb.aspect]) if tense is None else tense
        if self.tense == "present" and not verb.habitual:
            self.tense = "progressive"
        if negation is None:
            negation = _choose_negation(scene, verb, self.tense, allowed=not self.asks_word)
        self.negation: Negation = negation
        scene.room -= predicate_length(self.tense, negation)
        # 이/가 beside a negation or a state would sound like an answer to "who?".
        settled = bool(negation) or verb.aspect == "state"
        self.topic = settled or dice.chance(0.7) if topic is None else topic
        self.subject: Participant | None = None
        self.times: Times = verb.times

    def ask(self, slot: str, word: Chunk) -> None:
        """Put a question word into a slot."""
        self.slots[slot] = word
        self.asked = slot
        self.labels.add("question word")
        self.scene.room -= len(word.korean)

    def put(self, slot: str, participant: Participant) -> None:
        """Fill a slot."""
        self.slots[slot] = participant.chunk
        self.labels.update(participant.labels)

    def choose_subject(self, other: Participant | None = None) -> Participant:
        """Choose who does it; not `other`, nor a "he" who might be taken for him."""
        room = self.scene.room
        subject = self._any_subject()
        while other and _may_be_same(subject, other):
            self.scene.room = room
            subject = self._any_subject()
        self.subject = subject
        self.put("subject", subject)
        return subject

    def _any_subject(self) -> Participant:
        scene, verb = self.scene, self.verb
        scene.room -= 1
        counted = not self.negation and not scene.question
        if verb.agents:
            particle = TOPIC if self.topic else SUBJECT
            return common_subject(scene, verb.agents, particle=particle, counted=counted)
        if verb.subjects == "named":
            return named_subject(scene, elder=True)
        # 드시다 is both "eat" and "drink": 무엇을 드셨어요 would be ambiguous.
        elder = not (self.asked == "object" and verb.honored)
        adult = verb.subjects == "adult"
        return person_subject(scene, adult=adult, topic=self.topic, counted=counted, elder=elder)

    def choose_object(self) -> None:
        """Choose what it is done to."""
        self.scene.room -= 1
        who = self.subject.who if self.subject else None
        self.put("object", thing_object(self.scene, self.verb, denied=bool(self.negation), subject=who))

    def circumstances(self, *, timed: bool = True) -> None:
        """Add what the verb allows and the sentence has room for: place, means, companion, manner, time."""
        scene, verb, dice = self.scene, self.verb, self.scene.dice
        slots = self.slots
        if timed and self.asked != "time" and verb.aspect != "state":
            self._time()
        if verb.places and "place" not in slots and (verb.needs_place or scene.afford(1, 0.5)):
            self.put("place", place(scene, dice.pick(verb.places), PLACE))
            self.labels.add("place")
        if verb.tools and scene.afford(1, 0.45):
            self.slots["tool"] = noun_phrase(dice.pick(verb.tools), MEANS, preposition="with")
            self.labels.add("means")
        if verb.vehicles and scene.afford(1, 0.4):
            vehicle = dice.pick(verb.vehicles)
            slots["vehicle"] = Chunk(noun_phrase(vehicle, MEANS).korean, words(f"by {vehicle.english}", 0))
            self.labels.add("means")
        if self._may_have_company() and scene.afford(2, 0.17):
            self._companion()
        if verb.manners and not self.negation and self.asked != "reason" and scene.afford(1, 0.33):
            manner = dice.pick(verb.manners)
            if self._manner_fits(manner):
                slots["manner"] = MANNERS[manner]
                self.labels.add("manner")

    def _time(self) -> None:
        scene, dice = self.scene, self.scene.dice
        if self.tense == "present" and not self.negation and not self.asked and scene.afford(1, 0.25):
            self.slots["frequency"] = dice.pick(FREQUENCIES if self.times == "day" else OCCASIONS)
            self.labels.add("frequency")
            return
        if scene.room > 0 and dice.chance(0.6):
            time = dice.pick(self._times())
            if scene.afford(len(time.korean)):
                self.slots["time"] = time
                self.labels.add("time")

    def _times(self) -> tuple[Chunk, ...]:
        verb, tense = self.verb, self.tense
        if verb.subjects == "animal":
            return ANIMAL_TIMES[tense]
        if self.times == "year" or (self.times == "any" and self.scene.dice.chance(0.2)):
            return YEAR_TIMES[tense]
        return SINGLE_PRESENT_TIMES if tense == "present" and self.negation else TIMES[tense]

    def _may_have_company(self) -> bool:
        verb = self.verb
        return verb.social and verb.aspect != "state" and verb.subjects not in ("animal", "thing")

    def _companion(self) -> None:
        other = other_person(self.scene, self.subject, WITH)
        together = len(other.chunk.korean)
        with_whom = words("with", together - 1, together)
        self.slots["companion"] = Chunk((*other.chunk.korean, "함께"), with_whom + other.chunk.english)
        self.labels.update(("companion", *other.labels))

    def _manner_fits(self, manner: str) -> bool:
        if manner in ("일찍", "늦게"):
            return self.tense not in ("progressive", "past progressive")
        plural = self.subject is not None and self.subject.agreement == "plural"
        return manner != "혼자" or not (plural or "companion" in self.slots)

    def clause(self, ending: Ending | None = None) -> Clause:
        """Conjugate the predicate and close the clause."""
        scene, subject = self.scene, self.subject
        inverted = scene.question and self.asked != "subject"
        form = Form(
            self.tense,
            scene.level,
            self.negation,
            ending or ("question" if scene.question else "statement"),
            honored=subject is not None and subject.honored,
            agreement=subject.agreement if subject else "singular",
            inverted=inverted,
        )
        time_first = self.asked == "" and "time" in self.slots and scene.dice.chance(0.25)
        self.labels.update(form_labels(form))
        predicate = verb_predicate(self.verb, form)
        return Clause(self.slots, predicate, time_first, self.asked, inverted, labels=self.labels)


def _may_be_same(one: Participant, other: Participant) -> bool:
    if one.who in FIRST_PERSON:
        return other.who in FIRST_PERSON
    return one.who == other.who or (isinstance(other.who, Noun) and one.who in THIRD_PERSON)


def form_labels(form: Form) -> set[str]:
    """Name what a predicate's form adds to the constructions of a sentence."""
    labels: set[str] = {form.tense, form.level}
    if form.negation:
        labels.add("negation")
    if form.negation in ("못", "못하다"):
        labels.add("inability")
    if form.ending == "question":
        labels.add("question")
    return labels


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
        scene.room -= 1
        event.put("recipient", other_person(scene, event.subject, TO, verb.gives_to or ""))
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
        scene.room -= 1
        event.put("recipient", other_person(scene, event.subject, TO, verb.gives_to))
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
    if event.asked != "goal":
        scene.room -= 1
        if verb.sources and scene.dice.chance(0.35):
            event.put("source", place(scene, scene.dice.pick(verb.sources), PLACE, "from"))
            event.labels.add("source")
        else:
            event.put("goal", place(scene, scene.dice.pick(verb.goals), GOAL, verb.goal_preposition))
            event.labels.add("goal")
    event.circumstances()
    return labelled(event.clause(), "motion")


def animal(scene: Scene) -> Clause:
    """An animal does something: 고양이 두 마리가 방에서 자고 있다."""
    tense = scene.dice.weighted(_ANIMAL_TENSES)
    event = Event(scene, scene.dice.pick(ANIMAL), ask=False, tense=tense)
    event.choose_subject()
    if event.verb.objects:
        event.choose_object()
    event.circumstances()
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
    if with_goal:
        choices += [("goal", _WHERE_TO)] * 2
    if with_recipient:
        choices.append(("recipient", _TO_WHOM))
    if verb.places and not with_goal:
        choices += [("place", _WHERE_AT)] * 2
    if verb.aspect != "state":
        choices.append(("reason", _WHY))
    if event.tense in ("past", "future") and verb.aspect != "state":
        choices.append(("time", _WHEN))
    event.ask(*event.scene.dice.pick(choices))


def labelled(clause: Clause, label: str) -> Clause:
    """Add the construction's name to its clause."""
    clause.labels.add(label)
    return clause
