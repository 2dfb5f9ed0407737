"""How many sentences there are: one corner of the world, counted exactly as the product of its choices.

The corner: somebody did something to something, perhaps at a place, at a time, in one of three styles.
"""

from collections import Counter
from itertools import product
from random import Random

from regard.data.world import pairs
from regard.data.world.adverbs import TIMES
from regard.data.world.conjugation import Level
from regard.data.world.dice import Dice
from regard.data.world.grammar import draw
from regard.data.world.hangul import OBJECT, PLACE, TOPIC
from regard.data.world.nouns import nouns
from regard.data.world.phrase import Chunk, noun_phrase
from regard.data.world.predicate import Form, verb_predicate
from regard.data.world.sentence import Clause, Draft, text
from regard.data.world.verbs import TRANSITIVE

LEVELS: tuple[Level, ...] = ("plain", "polite", "formal")
VERBS = tuple(
    verb
    for verb in TRANSITIVE
    if verb.aspect in ("activity", "point")
    and verb.times == "day"
    and verb.subjects == "human"
    and not verb.agents
)
PEOPLE = (
    *(noun_phrase(name, TOPIC) for name in nouns("name")),
    *(
        noun_phrase(person, TOPIC, demonstrative=this, subject=True)
        for person, this in product(nouns("child adult profession"), ("", "이", "그", "저"))
    ),
)
DEEDS = tuple(
    (verb, noun_phrase(thing, OBJECT, demonstrative=this), place)
    for verb in VERBS
    for thing in verb.objects
    if thing.article in ("the", "mass")
    for this in ("", "이", "그", "저")
    for place in (None, *(spot for spot in verb.places if spot.korean != "집"))
)
SIZE = len(PEOPLE) * len(DEEDS) * len(TIMES["past"]) * len(LEVELS)


def corner(number: int) -> str:
    """Write the Korean of one sentence of the corner."""
    number, level = divmod(number, len(LEVELS))
    number, time = divmod(number, len(TIMES["past"]))
    person, deed = divmod(number, len(DEEDS))
    verb, thing, place = DEEDS[deed]
    slots: dict[str, Chunk] = {"subject": PEOPLE[person], "object": thing, "time": TIMES["past"][time]}
    if place:
        slots["place"] = noun_phrase(place, PLACE, preposition=place.preposition)
    draft = Draft(".")
    draft.add(Clause(slots, verb_predicate(verb, Form("past", LEVELS[level]))))
    return text(draft.korean)


def test_more_than_ten_million_sentences_without_coordination() -> None:
    assert SIZE > 10**7
    random = Random(1).random
    numbers = {int(random() * SIZE) for _ in range(20_000)}
    assert len({corner(number) for number in numbers}) == len(numbers)


def test_the_choices_are_drawn_independently() -> None:
    """Each name meets each style, and each time each style: nothing in one choice fixes another."""
    names = {name.korean for name in nouns("name")}
    times = {" ".join(time.korean) for time in TIMES["past"]}
    seen: Counter[tuple[str, str]] = Counter()
    for pair in pairs("train", 20_000, seed=3):
        level = next(level for level in LEVELS if level in pair.constructions)
        first, *_ = pair.korean.split()
        if first[:-1] in names and first[-1] in "은는":
            seen[first[:-1], level] += 1
        if {"transitive", "past"} <= pair.constructions:
            for time in times:
                if f" {time} " in pair.korean:
                    seen[time, level] += 1
    assert [found for found in product(names | times, LEVELS) if not seen[found]] == []


def test_few_draws_repeat_one_another() -> None:
    dice, drawn = Dice(5), 10_000
    texts = (draw(dice, wanted=lambda *_: True) for _ in range(drawn))
    assert len({sentence.korean for sentence in texts if sentence}) > 0.98 * drawn
