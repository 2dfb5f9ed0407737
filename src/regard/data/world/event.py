"""A clause around a verb, while its parts are being chosen: each of them fits the verb."""

from regard.data.world.adverbs import (
    ANIMAL_TIMES,
    COMMAND_TIMES,
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
from regard.data.world.hangul import GOAL, MEANS, PLACE, SUBJECT, TOPIC, WITH
from regard.data.world.participants import (
    Participant,
    common_subject,
    may_be_same,
    named_subject,
    other_person,
    person_subject,
    place,
    receiver,
    thing_object,
)
from regard.data.world.phrase import Chunk, noun_phrase, words
from regard.data.world.predicate import Form, Negation, verb_predicate
from regard.data.world.relatives import relative_object, relative_person
from regard.data.world.scene import Scene
from regard.data.world.sentence import Clause
from regard.data.world.verbs import Aspect, Times, Verb, humbled

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
_NEGATIONS: Weighted[Negation] = Weighted({"": 78, "안": 9, "않다": 9, "못": 2.5, "못하다": 1.5})


def predicate_length(tense: Tense, negation: Negation) -> int:
    """Count the Korean words of a predicate."""
    return 1 + (tense not in ("past", "present")) + bool(negation)


def short_negation_fits(korean: str) -> bool:
    """안 and 못 do not stand before noun + 하다 (nor 춤 + 추다), nor before long stems."""
    return len(korean) <= 2 and not (len(korean) == 2 and korean.endswith("하")) and korean != "춤추"


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
        elif self.tense == "future" and not verb.habitual:
            self.tense = "past"  # nobody knows that he will cry
        if negation is None:
            negation = _choose_negation(scene, verb, self.tense, allowed=not self.asks_word)
        self.negation: Negation = negation
        scene.room -= predicate_length(self.tense, negation)
        # 이/가 beside a negation or a state would sound like an answer to "who?".
        settled = bool(negation) or verb.aspect == "state"
        self.topic = settled or dice.chance(0.7) if topic is None else topic
        self.subject: Participant | None = None
        self.times: Times = verb.times
        self.timed = scene.timed
        self.closed = False
        """A clause inside ends the English: what follows it could be taken for a part of it."""
        self.relative_subject = False

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
        while other and may_be_same(subject, other):
            self.scene.room = room
            subject = self._any_subject()
        self.subject = subject
        self.put("subject", subject)
        return subject

    def _any_subject(self) -> Participant:
        scene, verb, dice = self.scene, self.verb, self.scene.dice
        scene.room -= 1
        self.relative_subject, self.timed = False, scene.timed
        counted = not self.negation and not scene.question
        if verb.agents:
            particle = TOPIC if self.topic else SUBJECT
            return common_subject(scene, verb.agents, particle=particle, counted=counted)
        if verb.subjects == "named":
            return named_subject(scene, elder=True)
        # 드시다 is both "eat" and "drink": 무엇을 드셨어요 would be ambiguous.
        elder = not (self.asked == "object" and verb.honored)
        adult = verb.subjects == "adult"
        if scene.nested and scene.room > 3 and dice.chance(0.06) and verb.english != "live":
            self.relative_subject = True
            particle = TOPIC if self.topic else SUBJECT
            known = relative_person(scene, particle, adult=adult, ahead=self.tense == "future")
            self.timed = scene.timed and "time" not in known.labels
            return known
        return person_subject(scene, adult=adult, topic=self.topic, counted=counted, elder=elder)

    def choose_object(self) -> None:
        """Choose what it is done to."""
        scene = self.scene
        scene.room -= 1
        # Two subjects with 이/가 side by side would be hard to read.
        room = scene.nested and not self.relative_subject and self.topic and scene.room > 1
        if room and scene.dice.chance(0.14):
            ahead = self.tense not in ("past", "past progressive")
            if found := relative_object(scene, self.verb, self.subject, ahead=ahead):
                self.put("object", found)
                self.closed = True
                return
        who = self.subject.who if self.subject else None
        self.put("object", thing_object(self.scene, self.verb, denied=bool(self.negation), subject=who))

    def fill(self, *, timed: bool = True) -> None:
        """Choose what the verb needs besides its subject (receiver, object, goal), and circumstances."""
        scene, verb = self.scene, self.verb
        if verb.gives_to is not None:
            self.choose_receiver()
        if verb.objects:
            self.choose_object()
        if verb.goals:
            scene.room -= 1
            self.put("goal", place(scene, scene.dice.pick(verb.goals), GOAL, verb.goal_preposition))
            self.labels.add("goal")
        self.circumstances(timed=timed)

    def circumstances(self, *, timed: bool = True) -> None:
        """Add what the verb allows and the sentence has room for: place, means, companion, manner, time."""
        scene, verb, dice = self.scene, self.verb, self.scene.dice
        slots = self.slots
        if self.closed:
            return
        if timed and self.timed and self.asked != "time" and verb.aspect != "state":
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
        if self.tense == "present" and not self.negation and not self.asked and scene.afford(1, 0.35):
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
        if self.scene.ending == "command" or (tense == "future" and self.negation and self.times == "day"):
            return COMMAND_TIMES
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
        if manner in ("일찍", "늦게", "잘"):
            return self.tense not in ("progressive", "past progressive")
        plural = self.subject is not None and self.subject.agreement == "plural"
        return manner != "혼자" or not (plural or "companion" in self.slots)

    def choose_receiver(self) -> None:
        """Choose to whom it is done; an elder takes 께 and, where there is one, a humble verb."""
        self.scene.room -= 1
        other = receiver(self.scene, self.subject, self.verb)
        self.put("recipient", other)
        if other.honored:
            self.verb = humbled(self.verb)

    def clause(self, ending: Ending | None = None) -> Clause:
        """Conjugate the predicate and close the clause."""
        scene, subject = self.scene, self.subject
        said = ending or scene.ending
        inverted = scene.question and self.asked != "subject"
        form = Form(
            "present" if said == "command" else self.tense,
            scene.level,
            self.negation,
            said,
            honored=scene.level != "plain" if said == "command" else bool(subject and subject.honored),
            agreement=subject.agreement if subject else "singular",
            inverted=inverted,
        )
        # Before a relative clause the time would be taken for its own.
        free = self.asked == "" and not self.relative_subject
        time_first = free and "time" in self.slots and scene.dice.chance(0.25)
        self.labels.update(form_labels(form))
        predicate = verb_predicate(self.verb, form)
        return Clause(self.slots, predicate, time_first, self.asked, inverted, labels=self.labels)


def enact(
    scene: Scene,
    verb: Verb,
    *,
    tense: Tense,
    negation: Negation = "",
    subject: Participant | None = None,
    other: Participant | None = None,
    timed: bool = False,
) -> Event:
    """Fill a statement around a verb: by `subject`, or by anybody who is not `other`."""
    event = Event(scene, verb, ask=False, tense=tense, negation=negation, topic=True)
    if subject:
        event.subject = subject
        event.put("subject", subject)
    else:
        event.choose_subject(other)
    event.fill(timed=timed)
    return event


def form_labels(form: Form) -> set[str]:
    """Name what a predicate's form adds to the constructions of a sentence."""
    if form.ending == "command":
        return {"command", form.level, "negation"} if form.negation else {"command", form.level}
    labels: set[str] = {form.tense, form.level}
    if form.negation:
        labels.add("negation")
    if form.negation in ("못", "못하다"):
        labels.add("inability")
    if form.ending == "question":
        labels.add("question")
    return labels


def labelled(clause: Clause, label: str) -> Clause:
    """Add the construction's name to its clause."""
    clause.labels.add(label)
    return clause
