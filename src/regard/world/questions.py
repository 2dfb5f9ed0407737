"""The built-in world of questions: a Korean text of some sentences, a question, and where its answer stands.

Every sentence of a text says what somebody does, and no two have the same subject. The question repeats one
of them, with a question word in the place of what it asks for:

    지수는 어제 공원에서 책을 읽었다. 민수는 도서관에서 책을 빌렸다.
    누가 공원에서 책을 읽었니?          지수는
    지수는 어제 어디에서 책을 읽었니?    공원에서

Often a second sentence has the same verb, so that the verb alone does not find the place. The words that a
question repeats are those of one sentence only: there is one answer. It is whole words, particles and all.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from operator import attrgetter
from typing import Literal

from regard.world.adverbs import Tense
from regard.world.conjugation import Level
from regard.world.coordination import DOINGS
from regard.world.dice import Dice, Weighted
from regard.world.event import Event, enact
from regard.world.hangul import PLACE
from regard.world.heldout import HELD_OUT
from regard.world.participants import Pronoun
from regard.world.phrase import Chunk, chunk
from regard.world.predicate import Form, verb_predicate
from regard.world.sampling import sample_balanced
from regard.world.scene import Scene, is_humble
from regard.world.sentence import Clause, text
from regard.world.verb_table import GIVING, MOTION
from regard.world.verbs import Verb

Asked = Literal["subject", "object", "place", "goal", "recipient", "time"]


@dataclass(frozen=True, slots=True)
class QuestionExample:
    """A text, a question and the words of the text that answer it."""

    text: str
    question: str
    answer: str
    start: int
    """The first character of the answer in the text."""
    asked: Asked


_ASKED: tuple[Asked, ...] = ("subject", "object", "place", "goal", "recipient", "time")
_WORDS: dict[Asked, Chunk] = {
    "subject": chunk("누가", "who"),
    "object": chunk("무엇을", "what"),
    "place": chunk("어디에서", "where"),
    "goal": chunk("어디에", "where"),
    "recipient": chunk("누구에게", "to whom"),
    "time": chunk("언제", "when"),
}
_VERBS: tuple[Verb, ...] = (*DOINGS, *MOTION, *GIVING)
_LEVELS: tuple[Level, ...] = ("plain", "polite", "formal")
_TENSES: Weighted[Tense] = Weighted({"past": 75, "future": 25})
_SENTENCES = (2, 3, 3, 4)
_ROOM = (5, 6, 7, 8)
_NEEDED = ("object", "goal", "recipient")
"""A question that leaves them out would ask something else."""


def questions(split: str, rows: int, *, seed: int = 1) -> Iterator[QuestionExample]:
    """Yield `rows` questions of a split, as `pairs` does; no text comes twice.

    Every six rows ask for the six things once each.
    """
    return sample_balanced("world of questions", split, rows, seed, _ASKED, _draw, attrgetter("text"))


def _draw(dice: Dice, asked: Asked) -> tuple[QuestionExample | None, bool]:
    """Draw an example (None if the sentences do not go together), and whether it is of held-out words."""
    level, tense = dice.pick(_LEVELS), dice.weighted(_TENSES)
    humble = is_humble(dice, level)

    def event(verb: Verb) -> Event:
        scene = Scene(dice, level, humble, room=dice.pick(_ROOM), nested=False)
        return enact(scene, verb, tense=tense, timed=True)

    verb = dice.pick(_VERBS)
    meant = event(verb)
    if not _can_ask(meant, asked):
        return None, False
    others = [event(dice.pick(_VERBS)) for _ in range(dice.pick(_SENTENCES) - 1)]
    if dice.chance(0.5):
        others[0] = event(verb)
    subjects = {one.slots["subject"].korean for one in (meant, *others)}
    kept = [slot for slot in meant.slots if slot != asked and (slot in _NEEDED or dice.chance(0.75))]
    if len(subjects) <= len(others) or any(_fits(other, meant, kept) for other in others):
        return None, False
    place = dice.pick(range(len(others) + 1))
    events = [*others[:place], meant, *others[place:]]
    written, start = "", 0
    for one in events:
        words: list[str] = []
        offsets = one.clause().lay_out(words)
        if one is meant:
            before = words[: offsets[asked]]
            start = len(f"{written} ".lstrip()) + len("".join(f"{word} " for word in before))
        written = f"{written} {text(words, '.')}".lstrip()
    answer = " ".join(meant.slots[asked].korean)
    held = any(HELD_OUT in one.labels for one in events)
    return QuestionExample(written, _question(meant, asked, kept), answer, start, asked), held


def _can_ask(event: Event, asked: Asked) -> bool:
    """Whether a question can ask for this part of an event."""
    if asked not in event.slots:
        return False
    if asked == "subject":
        return event.subject is not None and not isinstance(event.subject.who, Pronoun)
    return event.verb.asks if asked in ("object", "goal") else True


def _fits(other: Event, meant: Event, kept: list[str]) -> bool:
    """Whether a question that repeats these parts of an event could also mean another one: 노래를 is also in
    새 노래를."""
    said = {word for part in other.slots.values() for word in part.korean}
    same_deed = other.verb.english == meant.verb.english  # 드리다 is 주다, too
    return same_deed and all(said.issuperset(meant.slots[slot].korean) for slot in kept)


def _question(event: Event, asked: Asked, kept: list[str]) -> str:
    word = _WORDS["goal"] if asked == "place" and event.verb.at is not PLACE else _WORDS[asked]
    slots = {slot: event.slots[slot] for slot in kept} | {asked: word}
    honored = asked != "subject" and event.subject is not None and event.subject.honored
    form = Form(event.tense, event.scene.level, ending="question", honored=honored)
    words: list[str] = []
    Clause(slots, verb_predicate(event.verb, form), asked=asked).lay_out(words)
    return text(words, "?")
