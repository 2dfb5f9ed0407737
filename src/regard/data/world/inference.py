"""The built-in world of inferences: a Korean premise, a hypothesis, and how the two stand to each other.

* entailment: the hypothesis leaves out circumstances (place, time, means, manner, company) of the premise;
  beside a negation it adds them: who did not read did not read at school
* neutral: the other way round
* contradiction: one of the two denies what the other says

The same with two opposite qualities: what is big is not small; what is not small may be big; what is big
cannot be small. So neither a negation nor a longer hypothesis gives the label away.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from regard.data.world.adjectives import ADJECTIVES, Adjective
from regard.data.world.adverbs import Tense
from regard.data.world.conjugation import Level
from regard.data.world.coordination import DOINGS
from regard.data.world.dice import Dice, Weighted
from regard.data.world.event import Event
from regard.data.world.hangul import TOPIC
from regard.data.world.nouns import Noun
from regard.data.world.participants import person_subject, thing_object
from regard.data.world.phrase import Chunk, noun_phrase
from regard.data.world.predicate import Form, Predicate, adjective_predicate, verb_predicate
from regard.data.world.sampling import PLAIN_SPLITS, Wanted, check_request, sample
from regard.data.world.scene import Scene
from regard.data.world.sentence import Clause, text

Inference = Literal["entailment", "neutral", "contradiction"]


@dataclass(frozen=True, slots=True)
class InferenceExample:
    """A premise, a hypothesis and what the first says about the second."""

    premise: str
    hypothesis: str
    label: Inference


_LABELS: tuple[Inference, ...] = ("entailment", "neutral", "contradiction")
_LEVELS: tuple[Level, ...] = ("plain", "polite", "formal")
_TENSES: Weighted[Tense] = Weighted({"past": 70, "future": 30})
_CIRCUMSTANCES = ("time", "companion", "place", "vehicle", "tool", "manner")


def inference(split: str, rows: int, *, seed: int = 1) -> Iterator[InferenceExample]:
    """Yield `rows` labelled pairs of a split (train, dev, test), as `pairs` does; no premise comes twice."""
    check_request("inference world", split, rows, PLAIN_SPLITS)
    dice = Dice(seed)

    def drawn(wanted: Wanted) -> tuple[str, InferenceExample] | None:
        example = _draw(dice)
        return (
            (example.premise, example)
            if example and wanted(example.premise, example.premise, False)
            else None
        )

    return sample(split, rows, drawn, "")


def _draw(dice: Dice) -> InferenceExample | None:
    label = dice.pick(_LABELS)
    scene = Scene(dice, dice.pick(_LEVELS), dice.chance(0.5), room=dice.pick((6, 7, 8, 9)), nested=False)
    if dice.chance(0.3):
        return _opposites(scene, label)
    return _about_deed(scene, label)


def _about_deed(scene: Scene, label: Inference) -> InferenceExample | None:
    dice = scene.dice
    verb, tense = dice.pick(DOINGS), dice.weighted(_TENSES)
    event = Event(scene, verb, ask=False, tense=tense, negation="", topic=True)
    # No numbers and no "and": beside a negation they would leave open what is denied.
    subject = person_subject(scene, adult=verb.subjects == "adult", counted=False)
    event.put("subject", subject)
    event.subject = subject
    if verb.objects:
        event.put("object", thing_object(scene, verb, denied=True, subject=subject.who))
    event.circumstances()
    negative = dice.chance(0.4)
    if negative or label == "contradiction":
        # "Not quickly" would not be "not at all".
        for slot in ("manner", "companion", "tool"):
            event.slots.pop(slot, None)
    named = [slot for slot in _CIRCUMSTANCES if slot in event.slots]
    if not named:
        return None
    form = Form(tense, scene.level, honored=subject.honored)
    said, denied = verb_predicate(verb, form), verb_predicate(verb, form._replace(negation="않다"))
    full = event.slots
    dropped = [slot for slot in named if dice.chance(0.5)] or [dice.pick(named)]
    fewer = {slot: chunk for slot, chunk in full.items() if slot not in dropped}
    if label == "contradiction" and negative:
        return InferenceExample(_written(fewer, denied), _written(full, said), label)
    if label == "contradiction":
        return InferenceExample(_written(full, said), _written(fewer, denied), label)
    predicate = denied if negative else said
    more, less = _written(full, predicate), _written(fewer, predicate)
    if (label == "entailment") != negative:
        return InferenceExample(more, less, label)
    return InferenceExample(less, more, label)


def _opposites(scene: Scene, label: Inference) -> InferenceExample:
    """이 가방은 크다 against 이 가방은 작다: two ends of one scale."""
    dice = scene.dice
    one, other, nouns = dice.pick(_ENDS)
    noun = dice.pick(nouns)
    tense: Tense = dice.pick(("past", "present"))
    demonstrative = "" if noun.article in ("none", "my") else dice.pick(("", "이", "그", "저"))
    slots = {"subject": noun_phrase(noun, TOPIC, demonstrative=demonstrative, subject=True)}
    form = Form(tense, scene.level)
    denied = form._replace(negation="않다")
    premise = adjective_predicate(one, denied if label == "neutral" else form)
    hypothesis = adjective_predicate(other, denied if label == "entailment" else form)
    return InferenceExample(_written(slots, premise), _written(slots, hypothesis), label)


_OPPOSITES = (
    "크다 작다, 비싸다 싸다, 무겁다 가볍다, 재미있다 지루하다, 어렵다 쉽다, 길다 짧다, 높다 낮다, 넓다 좁다, "
    "깨끗하다 더럽다, 조용하다 시끄럽다, 빠르다 느리다, 편하다 불편하다, 부지런하다 게으르다"
)


def _ends() -> tuple[tuple[Adjective, Adjective, tuple[Noun, ...]], ...]:
    by_korean = {f"{found.stem.text}다": found for found in ADJECTIVES if found.stem}
    pairs = [tuple(by_korean[word] for word in entry.split()) for entry in _OPPOSITES.split(", ")]
    both = [(one, other) for one, other in pairs] + [(other, one) for one, other in pairs]
    shared = [
        (one, other, tuple(noun for noun in one.said_of if noun in other.said_of and not noun.elder))
        for one, other in both
    ]
    return tuple(shared)


_ENDS = _ends()
"""Two opposite adjectives, and the nouns that either can be said of."""


def _written(slots: dict[str, Chunk], predicate: Predicate) -> str:
    words: list[str] = []
    Clause(slots, predicate).lay_out(words)
    return text([*words, "."])
