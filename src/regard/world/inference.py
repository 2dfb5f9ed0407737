"""The built-in world of inferences: a Korean premise, a hypothesis, and how the two stand to each other.

The two name the same deed, one with more circumstances (place, time, company, manner) than the other:

    premise     hypothesis    follows if the premise       open if the premise    denied if the premise
    says it     says it       has more                     has fewer
    denies it   denies it     has fewer                    has more
    says it     denies it                                  has fewer              has more
    denies it   says it                                    has more               has fewer

Or they name two opposite qualities: what is big is not small; what is not small may be big; what is big
cannot be small. The hypothesis is chosen first, then the label, then a premise that gives it, so that the
hypothesis alone says nothing about the label.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from operator import attrgetter
from typing import Literal

from regard.world.adjectives import ADJECTIVES, Adjective
from regard.world.adverbs import DEGREES, Tense
from regard.world.conjugation import Level
from regard.world.coordination import DOINGS
from regard.world.dice import Dice, Weighted
from regard.world.event import Event
from regard.world.hangul import TOPIC
from regard.world.heldout import HELD_OUT, held_out
from regard.world.nouns import Noun
from regard.world.objects import thing_object
from regard.world.participants import named_subject, person_subject
from regard.world.phrase import Chunk, noun_phrase
from regard.world.predicate import Form, Predicate, adjective_predicate, verb_predicate
from regard.world.sampling import sample_balanced
from regard.world.scene import Scene, is_humble
from regard.world.sentence import Clause, text
from regard.world.states import is_pointed_at

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
_DENIABLE = ("time", "place")
_CIRCUMSTANCES = (*_DENIABLE, "companion", "tool", "alone", "manner")
"""Beside a negation only times and places: "not quickly" would not be "not at all"."""


def inference(split: str, rows: int, *, seed: int = 1) -> Iterator[InferenceExample]:
    """Yield `rows` labelled pairs of a split, as `pairs` does; no premise comes twice.

    Every three rows have the three labels once each.
    """
    return sample_balanced("inference world", split, rows, seed, _LABELS, _draw, attrgetter("premise"))


def _draw(dice: Dice, label: Inference) -> tuple[InferenceExample | None, bool]:
    """Draw an example (None if there is too little to leave out), and whether it is of held-out words."""
    level = dice.pick(_LEVELS)
    scene = Scene(dice, level, is_humble(dice, level), room=dice.pick((8, 9, 10)), nested=False)
    if dice.chance(0.3):
        return _opposites(scene, label)
    return _about_deed(scene, label)


def _about_deed(scene: Scene, label: Inference) -> tuple[InferenceExample | None, bool]:
    dice = scene.dice
    verb, tense = dice.pick(DOINGS), dice.weighted(_TENSES)
    event = Event(scene, verb, ask=False, tense=tense, negation="", topic=True)
    # No numbers and no "and": beside a negation they would leave open what is denied.
    if verb.subjects in ("staff", "named", "pupil"):
        subject = named_subject(scene, verb.subjects)
    else:
        subject = person_subject(scene, adult=verb.subjects == "adult", counted=False)
    event.take_subject(subject)
    if verb.objects:
        event.put("object", thing_object(scene, verb, tense, denied=True, subject=subject))
    event.circumstances()
    named = [slot for slot in _CIRCUMSTANCES if slot in event.slots]
    negative = dice.chance(0.5)
    chosen = [slot for slot in named if (slot in _DENIABLE or not negative) and dice.chance(0.5)]
    if not chosen or len(chosen) == len(named):
        return None, False
    says, kept = _premise(dice, label, negative, chosen, named)
    form = Form(tense, scene.level, honored=subject.honored)
    forms = {True: form, False: form._replace(negation="않다")}

    def written(slots: list[str], *, positive: bool) -> str:
        kept = {slot: event.slots[slot] for slot in ("subject", "object", *slots) if slot in event.slots}
        return _written(kept, verb_predicate(verb, forms[positive]))

    premise, hypothesis = written(kept, positive=says), written(chosen, positive=not negative)
    return InferenceExample(premise, hypothesis, label), HELD_OUT in event.labels


def _premise(
    dice: Dice, label: Inference, negative: bool, chosen: list[str], named: list[str]
) -> tuple[bool, list[str]]:
    """Return whether the premise says the deed, and its circumstances, so that the label holds.

    negative: the hypothesis denies the deed
    chosen:   its circumstances, some but not all of those `named`
    """
    deniable = [slot for slot in named if slot in _DENIABLE]
    more_to_deny = set(chosen) < set(deniable)
    says = label == ("contradiction" if negative else "entailment")
    if label == "neutral":
        says = not more_to_deny or dice.chance(0.5)
    # To say much, or to deny little, is to say the most.
    strong = label != "neutral"
    if says == strong:
        return says, named if says else deniable
    fewer = chosen if says else [slot for slot in chosen if slot in _DENIABLE]
    fewer = [slot for slot in fewer if dice.chance(0.5)]
    return says, fewer[1:] if fewer == chosen else fewer


def _opposites(scene: Scene, label: Inference) -> tuple[InferenceExample, bool]:
    """이 가방은 크다 against 이 가방은 작다: two ends of one scale."""
    dice = scene.dice
    one, other, nouns = dice.pick(_ENDS)
    noun = dice.pick(nouns)
    tense: Tense = dice.pick(("past", "present"))
    demonstrative = dice.pick(("", "이", "그", "저")) if is_pointed_at(noun) else ""
    slots = {"subject": noun_phrase(noun, TOPIC, bare="subject", demonstrative=demonstrative)}
    form = Form(tense, scene.level)
    denied = form._replace(negation="않다")
    negative = dice.chance(0.5)
    hypothesis = _written(slots, adjective_predicate(other, denied if negative else form))
    if label == "neutral":
        known = adjective_predicate(one, denied)
    elif negative == (label == "entailment"):
        known = adjective_predicate(one, form)
    else:
        known = adjective_predicate(other, form)
        slots["degree"] = dice.pick(DEGREES)
    held = bool(held_out(one, noun) or held_out(other, noun))
    return InferenceExample(_written(slots, known), hypothesis, label), held


_OPPOSITES = (
    "크다 작다, 비싸다 싸다, 무겁다 가볍다, 재미있다 지루하다, 어렵다 쉽다, 길다 짧다, 높다 낮다, 넓다 좁다, "
    "깨끗하다 더럽다, 조용하다 시끄럽다, 빠르다 느리다, 편하다 불편하다, 부지런하다 게으르다"
)


def _ends() -> tuple[tuple[Adjective, Adjective, tuple[Noun, ...]], ...]:
    by_korean: dict[str, list[Adjective]] = {}
    for found in ADJECTIVES:
        by_korean.setdefault(f"{found.stem.text}다" if found.stem else "", []).append(found)
    pairs = [entry.split() for entry in _OPPOSITES.split(", ")]
    shared = [
        (one, other, tuple(noun for noun in one.said_of if noun in other.said_of and not noun.elder))
        for first, second in (*pairs, *((second, first) for first, second in pairs))
        for one, other in product(by_korean[first], by_korean[second])
    ]
    return tuple(ends for ends in shared if ends[2])


_ENDS = _ends()
"""Two opposite adjectives, and the nouns that either can be said of."""


def _written(slots: dict[str, Chunk], predicate: Predicate) -> str:
    words: list[str] = []
    Clause(slots, predicate).lay_out(words)
    return text(words, ".")
