"""The same sentence in another level of speech, or with another word of the same meaning.

The world's own predicates are known in all their forms. Of other predicates only those endings are changed
whose stem needs no guess: 갔다 is 갔습니다, but 합니다 may be 한다 (a verb) or 하다 (an adjective).
"""

from functools import cache

from regard.world.adjectives import ADJECTIVES
from regard.world.conjugation import Ending, Level, Stem, finite, future, honorific
from regard.world.hangul import batchim, with_batchim
from regard.world.verb_table import (
    ANIMAL,
    BECOME,
    BLOW,
    DO,
    GIVING,
    INTRANSITIVE,
    MOTION,
    RAIN,
    RISE,
    SNOW,
    TRANSITIVE,
)
from regard.world.verbs import Verb

_SENTENCES: tuple[Ending, ...] = ("statement", "question")
_AUXILIARIES = (
    Stem("있", "existence"), Stem("없", "existence"), Stem("않"), Stem("않", "adjective"), Stem("못하"),
    Stem("아니", "adjective"),
)  # fmt: skip
_OTHERS = {"나는": "저는", "내가": "제가", "나를": "저를", "나에게": "저에게", "나와": "저와"}
SYNONYMS = {**_OTHERS, **{second: first for first, second in _OTHERS.items()}}
"""Whole words that say the same: the plain and the humble word for I."""
_PARTICLES = {"에게": "한테", "한테": "에게"}


def other_level(word: str, *, question: bool = False) -> str | None:
    """The word that ends a sentence, in another level: plain and polite become formal, formal polite.

    None where that would be a guess.

    >>> other_level("읽는다"), other_level("갔어요"), other_level("합니다"), other_level("좋다")
    ('읽습니다', '갔습니다', '해요', '좋습니다')
    """
    known = _forms()[question]
    if word in known:
        return known[word]
    return _by_rule(word, question=question)


def synonym(word: str) -> str | None:
    """Another word, or the word with another particle, that the world uses in the same sense.

    >>> synonym("나는"), synonym("친구에게"), synonym("책을")
    ('저는', '친구한테', None)
    """
    if word in SYNONYMS:
        return SYNONYMS[word]
    for particle, other in _PARTICLES.items():
        if word.endswith(particle) and len(word) > len(particle):
            return word.removesuffix(particle) + other
    return None


def _by_rule(word: str, *, question: bool) -> str | None:
    """Of a predicate that the world does not have: what its ending alone decides."""
    last = "까" if question else "다"
    for ending, other in (("어요", f"습니{last}"), (f"습니{last}", "어요")):
        stem = word.removesuffix(ending)
        if stem != word and stem and _final(stem) == "ㅆ" and stem[-1] not in "있겠":
            return stem + other
    if question or not word.endswith("다") or len(word) < 2:
        return None
    noun = word.removesuffix("입니다")
    if noun not in ("", word):
        return f"{noun}이에요" if _final(noun) else f"{noun}예요"
    stem = word[:-1]
    if stem.endswith("이") and len(stem) > 1 and _final(stem[:-1]):
        return f"{stem[:-1]}입니다"
    final = _final(stem)
    if final == "ㅆ":
        return f"{stem}습니다"
    if stem.endswith("는") and len(stem) > 1 and _final(stem[:-1]):
        return f"{stem[:-1]}습니다"
    return with_batchim(stem, "ㅂ") + "니다" if final == "ㄴ" and stem[-1] != "는" else None


def _final(word: str) -> str | None:
    """The final consonant; None of what is no Hangul syllable."""
    return batchim(word) if "가" <= word[-1] <= "힣" else None


@cache
def _forms() -> tuple[dict[str, str], dict[str, str]]:
    """Of statements and of questions: each form of the world's predicates in another level."""
    found: tuple[dict[str, set[str]], dict[str, set[str]]] = ({}, {})
    to: tuple[tuple[Level, Level], ...] = (("plain", "formal"), ("polite", "formal"), ("formal", "polite"))
    for number, ending in enumerate(_SENTENCES):
        for first, second in to:
            found[number].setdefault(future(first, ending), set()).add(future(second, ending))
            for stem in _stems():
                for past in (False, True):
                    word = finite(stem, first, ending, past=past)
                    found[number].setdefault(word, set()).add(finite(stem, second, ending, past=past))
    for stem in _stems():  # 읽으세요 may also be a command
        if stem.kind == "verb":
            word = finite(stem, "polite", "command")
            found[0].setdefault(word, set()).add(finite(stem, "formal", "command"))
    statements, questions = (
        {str(word): str(next(iter(others))) for word, others in forms.items() if len(others) == 1}
        for forms in found
    )
    return statements, questions


@cache
def _stems() -> tuple[Stem, ...]:
    single = (BECOME, BLOW, DO, RAIN, RISE, SNOW)
    verbs: tuple[Verb, ...] = (*ANIMAL, *GIVING, *INTRANSITIVE, *MOTION, *TRANSITIVE, *single)
    stems = [verb.stem for verb in verbs] + [own.stem for own in ADJECTIVES if own.stem is not None]
    plain = tuple(dict.fromkeys((*stems, *_AUXILIARIES)))
    return (*plain, *(honorific(stem) for stem in plain if not stem.honorific))
