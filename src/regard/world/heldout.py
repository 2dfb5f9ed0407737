"""Combinations of words kept for the split "heldout": a model meets both words in training, never together.

A pair of a verb and its object, or of an adjective and its noun, is held out if a hash of the two words says
so: about one in twenty, of those verbs and adjectives that have enough others left. What is
said of people and of the weather, or done to people, is not held out.
"""

from functools import cache
from hashlib import blake2b

from regard.world.adjectives import ADJECTIVES, NEW, Adjective
from regard.world.conjugation import irregularity
from regard.world.nouns import KINDS, Noun
from regard.world.verb_table import GIVING, TRANSITIVE
from regard.world.verbs import Verb

HELD_OUT = "held-out combination"
"""The construction label of a sentence that contains one."""
_ONE_IN = 20
_ENOUGH = 6
_SPARED = ("child", "adult", "profession", "kin", "elder_kin", "elder", "name", "weather")


def _combinations() -> dict[str, dict[str, None]]:
    """List the nouns of each verb (by its stem) and adjective (by its form before a noun)."""
    found: dict[str, dict[str, None]] = {}
    for verb in (*TRANSITIVE, *GIVING):
        found.setdefault(verb.stem.text, {}).update(_unspared(verb.objects))
    for adjective in (*ADJECTIVES, NEW):
        if not adjective.passing:
            found.setdefault(adjective.modifier, {}).update(_unspared(adjective.said_of))
    return found


def _unspared(fitting: tuple[Noun, ...]) -> dict[str, None]:
    return dict.fromkeys(noun.korean for noun in fitting if KINDS[noun] not in _SPARED)


def _is_drawn(word: str, noun: str) -> bool:
    # The first word is a salt: with it the most usual pairs (밥을 먹다, 책을 읽다) stay in training.
    digest = blake2b(f"unseen {word} {noun}".encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big") % _ONE_IN == 0


COMBINATIONS: frozenset[tuple[str, str]] = frozenset(
    (word, noun)
    for word, fitting in _combinations().items()
    if len(fitting) >= _ENOUGH
    for noun in fitting
    if _is_drawn(word, noun)
)
"""The held-out pairs: (stem of a verb, its object) and (form of an adjective before a noun, the noun)."""


@cache
def held_out(word: Verb | Adjective, noun: Noun) -> tuple[str, ...]:
    """Return the label for these two together: empty unless they are held out."""
    said = word.modifier if isinstance(word, Adjective) else word.stem.text
    return (HELD_OUT,) if (said, noun.korean) in COMBINATIONS else ()


@cache
def attributive_labels(adjective: Adjective | None, noun: Noun) -> tuple[str, ...]:
    """Return the labels of a noun with an adjective before it; none without."""
    if adjective is None:
        return ()
    shape = irregularity(adjective.stem) if adjective.stem else ""
    return ("attributive", *((f"{shape} irregular",) if shape else ()), *held_out(adjective, noun))
