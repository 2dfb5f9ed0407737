"""How many sentences there are: one corner of the world, counted exactly as the product of its choices.

The corner: somebody did something to something, perhaps at a place, at a time, in one of three styles. It
leaves out all other tenses, negations, questions, numbers, owners, means, manners and companions.
"""

from collections import Counter
from itertools import accumulate, product
from random import Random

from regard.world import pairs
from regard.world.adjectives import modifiers
from regard.world.adverbs import DAY_TIMES, HOUR_TIMES, NOON_TIMES, WEEK_TIMES, YEAR_TIMES
from regard.world.conjugation import Level
from regard.world.dice import Dice
from regard.world.grammar import draw
from regard.world.hangul import OBJECT, PLACE, TOPIC
from regard.world.nouns import Noun, nouns
from regard.world.phrase import Chunk, noun_phrase
from regard.world.predicate import Form, verb_predicate
from regard.world.sentence import Clause, text
from regard.world.verb_table import TRANSITIVE
from regard.world.verbs import Verb

LEVELS: tuple[Level, ...] = ("plain", "polite", "formal")
TIMES = {
    "hour": HOUR_TIMES["past"],
    "noon": NOON_TIMES["past"],
    "day": DAY_TIMES["past"],
    "week": WEEK_TIMES["past"],
    "any": (*WEEK_TIMES["past"], *YEAR_TIMES["past"]),
    "year": YEAR_TIMES["past"],
}
VERBS = tuple(
    verb
    for verb in TRANSITIVE
    if verb.aspect in ("activity", "point") and verb.subjects == "human" and not verb.agents
)
PEOPLE = (
    *(noun_phrase(name, TOPIC) for name in nouns("name")),
    *(
        noun_phrase(person, TOPIC, demonstrative=this, bare="subject")
        for person, this in product(nouns("child adult profession"), ("", "이", "그", "저"))
    ),
)


def things(verb: Verb, noun: Noun) -> list[Chunk]:
    """List a verb's object bare, with 이, 그 or 저, and with each adjective."""
    found = [noun_phrase(noun, OBJECT)]
    if "demonstrative" in verb.shapes and noun.article != "none":
        found += [noun_phrase(noun, OBJECT, demonstrative=this) for this in "이그저"]
    if "adjective" in verb.shapes and noun.article != "none":
        found += [noun_phrase(noun, OBJECT, adjective=quality) for quality in modifiers(noun, verb.qualities)]
    return found


def deeds() -> dict[tuple[str, ...], tuple[dict[str, Chunk], Verb, tuple[Chunk, ...]]]:
    """List what is done, and when, by the Korean words: some verbs have two entries for one object."""
    found: dict[tuple[str, ...], tuple[dict[str, Chunk], Verb, tuple[Chunk, ...]]] = {}
    for verb in VERBS:
        times = tuple(dict.fromkeys(TIMES[verb.times]))
        for noun in verb.objects:
            if noun.article == "my":
                continue  # needs an owner
            for thing, place in product(things(verb, noun), (None, *verb.places)):
                slots = {"object": thing}
                if place:
                    slots["place"] = noun_phrase(place, PLACE, preposition=place.preposition)
                words = (*thing.korean, *(slots["place"].korean if place else ()), verb.stem.text)
                found.setdefault(words, (slots, verb, times))
    return found


DEEDS = tuple(deeds().values())
BOUNDS = tuple(accumulate(len(times) for _, _, times in DEEDS))
SIZE = len(PEOPLE) * len(LEVELS) * BOUNDS[-1]


def corner(person: int, level: int, deed: int, time: int) -> str:
    """Write the Korean of one sentence of the corner."""
    slots, verb, times = DEEDS[deed]
    words: list[str] = []
    clause = Clause(
        {"subject": PEOPLE[person], "time": times[time], **slots},
        verb_predicate(verb, Form("past", LEVELS[level])),
    )
    clause.lay_out(words)
    return text(words, ".")


def test_more_than_ten_million_sentences_without_coordination() -> None:
    assert SIZE > 4 * 10**7
    random = Random(1).random
    chosen = set()
    for _ in range(20_000):
        deed = int(random() * len(DEEDS))
        time = int(random() * len(DEEDS[deed][2]))
        chosen.add((int(random() * len(PEOPLE)), int(random() * len(LEVELS)), deed, time))
    assert len({corner(*choice) for choice in chosen}) == len(chosen)


def test_the_choices_are_drawn_independently() -> None:
    """Each name meets each style, and each time each style: nothing in one choice fixes another."""
    names = {name.korean for name in nouns("name")}
    times = {" ".join(time.korean) for time in WEEK_TIMES["past"]}
    seen: Counter[tuple[str, str]] = Counter()
    for pair in pairs("train", 30_000, seed=3):
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
    assert len({pair.korean for pair in texts if pair}) > 0.95 * drawn
