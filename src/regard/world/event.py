"""A clause around a verb, while its parts are being chosen: each of them fits the verb."""

from functools import cache
from itertools import product

from regard.world import adverbs
from regard.world.adverbs import Tense, Times
from regard.world.conjugation import Ending
from regard.world.hangul import GOAL, MEANS, SUBJECT, TOPIC, Particle
from regard.world.nouns import Noun
from regard.world.objects import companion, place, receiver, thing_object
from regard.world.participants import (
    NAMES,
    Participant,
    common_subject,
    may_be_same,
    named_subject,
    person_subject,
)
from regard.world.phrase import Chunk, noun_phrase, words
from regard.world.predicate import (
    Form,
    Negation,
    choose_negation,
    choose_tense,
    predicate_length,
    verb_predicate,
)
from regard.world.relatives import relative_object, relative_person
from regard.world.scene import Scene
from regard.world.sentence import Clause
from regard.world.verbs import Verb, humbled

_MANNER_TENSES: dict[str, tuple[Tense, ...]] = {
    "잘": ("past", "present"),
    "일찍": ("past", "present", "future"),
    "늦게": ("past", "present", "future"),
}
_LASTING_MANNERS = ("혼자", "열심히", "즐겁게", "다시")
_WITHIN_DAYS = ("hour", "day", "week", "any")
_NAMES = frozenset(name.korean for name in NAMES)


@cache
def _nobodys_kin(people: tuple[Noun, ...]) -> tuple[Noun, ...]:
    """Leave out kin, whom one asks about as the other's: 아들은 자요? is "your son"."""
    return tuple(noun for noun in people if noun.article != "my")


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
        self.tense: Tense = choose_tense(dice, verb) if tense is None else tense
        if negation is None:
            negation = "" if self.asks_word else choose_negation(scene, verb, self.tense)
        self.negation: Negation = negation
        scene.room -= predicate_length(self.tense, negation)
        # 이/가 beside a negation or a state would sound like an answer to "who?".
        settled = bool(negation) or verb.aspect == "state"
        self.topic = settled or dice.chance(0.7) if topic is None else topic
        self.subject: Participant | None = None
        self.subjects = verb.subjects
        self.times: Times = "noon" if scene.whole_days and verb.times in _WITHIN_DAYS else verb.times
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
        if participant.labels:
            self.labels.update(participant.labels)

    def choose_subject(self, other: Participant | None = None) -> Participant:
        """Choose who does it; not `other`, nor a "he" who might be taken for him."""
        room = self.scene.room
        subject = self._any_subject()
        while other and may_be_same(subject, other):
            self.scene.room = room
            subject = self._any_subject()
        self.take_subject(subject)
        return subject

    def take_subject(self, subject: Participant) -> None:
        """Let somebody do it who was chosen elsewhere."""
        self.subject = subject
        self.put("subject", subject)

    def _any_subject(self) -> Participant:
        scene, verb, dice = self.scene, self.verb, self.scene.dice
        scene.room -= 1
        self.relative_subject, self.timed = False, scene.timed
        once = self.tense != "present" and verb.aspect != "state"
        counted = once and not self.negation and not scene.question
        if verb.agents:
            particle = TOPIC if self.topic else SUBJECT
            agents = _nobodys_kin(verb.agents) if scene.question else verb.agents
            counted = counted and not verb.objects  # "five drivers drove a bus"
            return common_subject(scene, agents, particle=particle, counted=counted)
        if self.subjects in ("staff", "named", "pupil"):
            return named_subject(scene, self.subjects)
        # 드시다 is both "eat" and "drink": 무엇을 드셨어요 would be ambiguous.
        elder = not (self.asked == "object" and verb.honored)
        adult = self.subjects == "adult"
        known_for = verb.english != "live" and not (self.negation and self.tense == "present")
        if known_for and scene.nested and scene.room > 3 and dice.chance(0.07):
            self.relative_subject = True
            particle = TOPIC if self.topic else SUBJECT
            known = relative_person(scene, particle, adult=adult, ahead=self.tense == "future")
            self.timed = scene.timed and "time" not in known.labels
            return known
        return person_subject(scene, adult=adult, topic=self.topic, counted=counted, elder=elder)

    def choose_object(self) -> None:
        """Choose what it is done to."""
        scene, verb = self.scene, self.verb
        scene.room -= 1
        # Two subjects with 이/가 side by side would be hard to read; and a habit is about no single thing.
        nested = scene.nested and not self.relative_subject and self.topic and scene.room > 1
        if nested and (self.tense != "present" or verb.aspect == "state") and scene.dice.chance(0.16):
            ahead = self.tense not in ("past", "past progressive")
            if found := relative_object(scene, verb, self.subject, ahead=ahead):
                self.put("object", found)
                self.closed = True
                return
        denied = bool(self.negation) or scene.ending in ("question", "command")
        room = scene.room
        found = thing_object(scene, verb, self.tense, denied=denied, subject=self.subject)
        while self._names_again(found):
            scene.room = room
            found = thing_object(scene, verb, self.tense, denied=denied, subject=self.subject)
        self.put("object", found)

    def _names_again(self, other: Participant) -> bool:
        """Tell whether somebody is named who is named already, once as an owner: 민수와 함께 민수의 집에."""
        if "possessive" not in self.labels and "possessive" not in other.labels:
            return False
        said = [word for chunk in self.slots.values() for word in chunk.korean]
        return any(
            one[:-1] in _NAMES and two.startswith(one[:-1])
            for one, two in (*product(said, other.chunk.korean), *product(other.chunk.korean, said))
            if one[-1] == "의"
        )

    def fill(self, *, timed: bool = True) -> None:
        """Choose what the verb needs besides its subject (receiver, object, goal), and circumstances."""
        verb = self.verb
        if verb.gives_to is not None:
            self.choose_receiver()
        if verb.objects:
            self.choose_object()
        if verb.goals:
            self.choose_goal()
        self.circumstances(timed=timed)

    def choose_goal(self) -> None:
        """Choose where somebody goes."""
        self.scene.room -= 1
        self.put_place("goal", self.verb.goals, GOAL, self.verb.goal_preposition)

    def fit_times_of(self, other: Verb) -> None:
        """Name only times that also suit another verb."""
        if other.times == "noon" and self.times in _WITHIN_DAYS:
            self.times = "noon"

    def put_place(
        self, slot: str, options: tuple[Noun, ...], particle: Particle, preposition: str = ""
    ) -> None:
        """Choose a place, and name the slot among the labels."""
        scene, verb = self.scene, self.verb
        ornate = verb.ornate and verb.subjects != "animal" and scene.ending != "command"
        noun = scene.dice.pick(options)
        self.put(slot, place(scene, noun, particle, preposition, subject=self.subject, ornate=ornate))
        self.labels.add(slot)

    def circumstances(self, *, timed: bool = True) -> None:
        """Add what the verb allows and the sentence has room for: place, means, companion, manner, time."""
        scene, verb, dice = self.scene, self.verb, self.scene.dice
        slots, denied = self.slots, bool(self.negation)
        if self.closed or (self.tense == "present" and self.negation in ("못", "못하다")):
            return
        frequent = False
        untimed = verb.aspect == "state" or (verb.aspect == "done" and denied)
        if timed and self.timed and self.asked != "time" and not untimed:
            frequent = self._time()
        # A habit that is denied, or an order, says when or where.
        full = "time" in slots and (scene.ending == "command" or (denied and self.tense == "present"))
        if verb.places and "place" not in slots and (verb.needs_place or (not full and scene.afford(1, 0.5))):
            self.put_place("place", verb.places, verb.at, verb.place_preposition)
        if verb.tools and not denied and scene.afford(1, 0.45):
            slots["tool"] = noun_phrase(dice.pick(verb.tools), MEANS, preposition="with", bare="a")
            self.labels.add("means")
        if verb.vehicles and scene.afford(1, 0.4):
            vehicle = dice.pick(verb.vehicles)
            slots["vehicle"] = Chunk(noun_phrase(vehicle, MEANS).korean, words(f"by {vehicle.english}", 0))
            self.labels.add("means")
        alone = denied or (scene.ending == "command" and self.times == "hour")
        if verb.social and not alone and scene.afford(2, 0.25):
            other = companion(scene, self.subject)
            if not self._names_again(other):
                self.put("companion", other)
                self.labels.add("companion")
        if verb.needs_manner or (verb.manners and not denied and not self.asked and scene.afford(1, 0.33)):
            self._manner(dice.pick(verb.manners))
        if frequent:
            # "Usually" asks where or how.
            settled = any(slot in slots for slot in ("place", "vehicle", "companion", "goal"))
            settled = settled or verb.needs_manner
            slots["frequency"] = dice.pick(
                adverbs.FREQUENCIES if settled and self.times != "far" else adverbs.OCCASIONS
            )
            self.labels.add("frequency")

    def _time(self) -> bool:
        """Say when; or return that it should be said how often, which is left for the end."""
        scene, dice = self.scene, self.scene.dice
        habit = self.tense == "present" and not self.negation and not scene.question
        needed = habit and self.verb.habit in ("timed", "routine")
        often = habit and self.verb.habit != "routine" and self.verb.subjects != "animal"
        if often and dice.chance(0.5) and (needed or scene.room > 0):
            scene.room -= 1
            return True
        # "Does not watch sad movies in the evening" would deny too much at once.
        crowded = bool(self.negation) and self.tense == "present" and "attributive" in self.labels
        if needed or (scene.room > 0 and not crowded and dice.chance(0.6)):
            time = dice.pick(self._times())
            if needed or scene.afford(len(time.korean)):
                self.slots["time"] = time
                self.labels.add("time")
        return False

    def _times(self) -> tuple[Chunk, ...]:
        verb, tense, times = self.verb, self.tense, self.times
        if self.scene.ending == "command":
            return adverbs.ORDER_TIMES[times]
        if verb.subjects == "animal":
            return adverbs.ANIMAL_TIMES[tense]
        if self.negation and tense == "future":
            return adverbs.DENIED_TIMES[times]
        if self.negation and tense == "present" and times != "noon":
            return adverbs.PARTS_OF_DAY
        if times == "any" and self.scene.dice.chance(0.2):
            return adverbs.YEAR_TIMES[tense]
        return adverbs.TIMES[times][tense]

    def _manner(self, manner: str) -> None:
        if self.verb.needs_manner or self._manner_fits(manner):
            self.slots["alone" if manner == "혼자" else "manner"] = adverbs.MANNERS[manner]
            self.labels.add("manner")

    def _manner_fits(self, manner: str) -> bool:
        if self.slots.get("time") in adverbs.LONG_TIMES and manner not in _LASTING_MANNERS:
            return False  # "walked quickly last week"
        if manner == "혼자":
            plural = self.subject is not None and self.subject.agreement == "plural"
            return not plural and "companion" not in self.slots and self.scene.ending != "command"
        return manner not in _MANNER_TENSES or self.tense in _MANNER_TENSES[manner]

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
            scene.level != "plain" if said == "command" else bool(subject and subject.honored),
            subject.agreement if subject else "singular",
            inverted,
        )
        # Before a relative clause the time would be taken for its own.
        free = self.asked == "" and not self.relative_subject
        time_first = free and "time" in self.slots and scene.dice.chance(0.25)
        predicate = verb_predicate(self.verb, form)
        self.labels |= predicate.labels
        return Clause(self.slots, predicate, time_first, self.asked, inverted, "", self.labels)


def enact(
    scene: Scene,
    verb: Verb,
    *,
    tense: Tense,
    negation: Negation = "",
    subject: Participant | None = None,
    other: Participant | None = None,
    timed: bool = False,
    topic: bool = True,
    beside: Verb | None = None,
) -> Event:
    """Fill a statement around a verb: by `subject`, or by anybody who is not `other`.

    beside: another verb of the sentence, with which its times must agree
    """
    event = Event(scene, verb, ask=False, tense=tense, negation=negation, topic=topic)
    if beside:
        event.fit_times_of(beside)
    if subject:
        event.take_subject(subject)
    else:
        event.choose_subject(other)
    event.fill(timed=timed)
    return event


def labelled(clause: Clause, label: str) -> Clause:
    """Add the construction's name to its clause."""
    clause.labels.add(label)
    return clause
