"""Combinations of words kept for the split "heldout": a model meets both words in training, never together.

A pair of a verb and its object, or of an adjective and its noun, is held out if a hash of the two words says
so: about one in twenty, of those verbs and adjectives that have enough others left. What is said of people
and of the weather is not held out.
"""

from hashlib import blake2b

from regard.data.world.adjectives import ADJECTIVES, NEW, Adjective
from regard.data.world.nouns import KINDS, Noun
from regard.data.world.verbs import GIVING, TRANSITIVE, Verb

HELD_OUT = "held-out combination"
"""The construction label of a sentence that contains one."""
_ONE_IN = 20
_ENOUGH = 6
_SPARED = ("child", "adult", "profession", "kin", "elder_kin", "elder", "name", "weather")


def _combinations() -> dict[str, dict[str, None]]:
    """List the nouns of each verb (by its stem) and adjective (by its form before a noun)."""
    found: dict[str, dict[str, None]] = {}
    for verb in (*TRANSITIVE, *GIVING):
        found.setdefault(verb.stem.text, {}).update(dict.fromkeys(noun.korean for noun in verb.objects))
    for adjective in (*ADJECTIVES, NEW):
        if not adjective.passing:
            fitting = (noun.korean for noun in adjective.said_of if KINDS[noun] not in _SPARED)
            found[adjective.modifier] = dict.fromkeys(fitting)
    return found


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


def held_out(word: Verb | Adjective | None, noun: Noun) -> tuple[str, ...]:
    """Return the label for these two together: empty unless they are held out."""
    if word is None:
        return ()
    said = word.modifier if isinstance(word, Adjective) else word.stem.text
    return (HELD_OUT,) if (said, noun.korean) in COMBINATIONS else ()
