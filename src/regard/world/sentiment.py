"""The built-in world of opinions: Korean sentences that praise or blame, and the words that do so.

An opinion is an adjective that is good or bad (`Adjective.tone`) said of a thing, a place or a person; a
negation turns it round. Two opinions in one sentence agree. What else the sentence says is neutral.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from operator import attrgetter
from typing import Literal

from regard.world.adjectives import ADJECTIVES, Adjective, go_together
from regard.world.adverbs import DEGREES, Tense
from regard.world.conjugation import Level
from regard.world.dice import Dice, Weighted
from regard.world.hangul import SUBJECT, TOPIC
from regard.world.heldout import HELD_OUT, held_out
from regard.world.nouns import Noun
from regard.world.participants import Participant
from regard.world.phrase import Chunk, noun_phrase
from regard.world.predicate import Form, Negation, adjective_predicate
from regard.world.relatives import relative_doer, relative_thing
from regard.world.sampling import sample_balanced
from regard.world.scene import Scene, is_humble
from regard.world.sentence import Clause, text
from regard.world.states import is_pointed_at, is_seen_now

Sentiment = Literal["positive", "negative"]


@dataclass(frozen=True, slots=True)
class SentimentExample:
    """A sentence with its label and the words that decide it."""

    korean: str
    label: Sentiment
    words: tuple[str, ...]
    """The words of the sentence, punctuation as words of its own."""
    carriers: frozenset[int]
    """Positions in `words` of those that carry the label: opinions and their negations."""


_OPINIONS = tuple(found for found in ADJECTIVES if found.tone and not found.passing)
_BY_TONE = {tone: tuple(found for found in _OPINIONS if found.tone == tone) for tone in (1, -1)}
_LABELS: tuple[Sentiment, ...] = ("positive", "negative")
_LEVELS: tuple[Level, ...] = ("plain", "polite", "formal")
_TENSES: Weighted[Tense] = Weighted({"past": 55, "present": 45})


def sentiment(split: str, rows: int, *, seed: int = 1) -> Iterator[SentimentExample]:
    """Yield `rows` different labelled sentences of a split, as `pairs` does.

    Every two rows have the two labels once each.
    """
    return sample_balanced("sentiment world", split, rows, seed, _LABELS, _draw, attrgetter("korean"))


def _draw(dice: Dice, label: Sentiment) -> tuple[SentimentExample, bool]:
    """Draw an example, and whether a held-out combination is in it."""
    level = dice.pick(_LEVELS)
    scene = Scene(dice, level, is_humble(dice, level), room=8)
    negation: Negation = "않다" if dice.chance(0.3) else ""
    opinion = dice.pick(_BY_TONE[1 if (label == "positive") != bool(negation) else -1])
    noun = dice.pick(opinion.said_of)
    subject = _subject(scene, noun)
    tense: Tense = "present" if is_seen_now(subject.chunk) else dice.weighted(_TENSES)
    slots = {"subject": subject.chunk}
    form = Form(tense, scene.level, negation, honored=noun.elder)
    second = _agreeing(dice, opinion, noun) if not negation and dice.chance(0.35) else None
    if second:
        first = adjective_predicate(second, form._replace(tense="present", ending="고"))
        slots["first"] = Chunk(first.korean, ())
    elif not negation and dice.chance(0.4):
        slots["degree"] = dice.pick(DEGREES)
    clause = Clause(slots, adjective_predicate(opinion, form))
    words: list[str] = []
    offsets = clause.lay_out(words)
    carriers = set(range(offsets["predicate"], len(words)))
    if "first" in slots:
        carriers.add(offsets["first"])
    said = (opinion, second) if second else (opinion,)
    held = HELD_OUT in subject.labels or any(held_out(adjective, noun) for adjective in said)
    return SentimentExample(text(words, "."), label, (*words, "."), frozenset(carriers)), held


def _subject(scene: Scene, noun: Noun) -> Participant:
    dice = scene.dice
    particle = TOPIC if dice.chance(0.7) else SUBJECT
    if dice.chance(0.45) and not noun.elder:
        found = relative_doer(scene, noun, particle) or relative_thing(scene, noun, particle)
        # What somebody else likes would be another opinion.
        if found and not any(word.startswith("좋아하") for word in found.chunk.korean):
            return found
    pointed = dice.pick("이그저") if is_pointed_at(noun) and dice.chance(0.5) else ""
    return Participant(noun_phrase(noun, particle, bare="subject", demonstrative=pointed), noun)


def _agreeing(dice: Dice, opinion: Adjective, noun: Noun) -> Adjective | None:
    """Choose a second opinion of the same tone, on another point."""
    options = tuple(
        other
        for other in _OPINIONS
        if noun in other.said_of and other.tone == opinion.tone and go_together(opinion, other)
    )
    return dice.pick(options) if options else None
