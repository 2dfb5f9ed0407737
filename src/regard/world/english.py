"""English inflection, as far as the world's words need it; only the first word of a verb is inflected."""

from functools import cache
from typing import Literal

Agreement = Literal["I", "singular", "plural"]

_PAST = {
    "be": "was", "become": "became", "blow": "blew", "bring": "brought", "build": "built", "buy": "bought",
    "catch": "caught", "come": "came", "cut": "cut", "do": "did", "draw": "drew", "drink": "drank",
    "drive": "drove", "eat": "ate", "feed": "fed", "fly": "flew", "forget": "forgot", "get": "got",
    "give": "gave", "go": "went", "hear": "heard", "hide": "hid", "know": "knew", "leave": "left",
    "lend": "lent", "lose": "lost", "make": "made", "meet": "met", "put": "put", "read": "read",
    "ride": "rode", "rise": "rose", "run": "ran", "say": "said", "see": "saw", "sell": "sold",
    "send": "sent", "set": "set", "sing": "sang", "sleep": "slept", "speak": "spoke", "swim": "swam",
    "take": "took", "teach": "taught", "throw": "threw", "write": "wrote",
}  # fmt: skip
_PLURAL = {"child": "children", "man": "men", "woman": "women", "fisherman": "fishermen", "knife": "knives"}
_DOUBLED = {"cut", "get", "put", "run", "swim", "plan", "set", "forget", "stir"}
_VOWELS = "aeiou"


def _split(phrase: str) -> tuple[str, str]:
    first, space, rest = phrase.partition(" ")
    return first, space + rest


def _y_as_i(word: str) -> str:
    return f"{word[:-1]}i" if word.endswith("y") and word[-2] not in _VOWELS else word


def _add_s(word: str) -> str:
    base = _y_as_i(word)
    hissing = word.endswith(("s", "x", "z", "ch", "sh")) or word in ("potato", "tomato", "go", "do")
    return f"{base}es" if hissing or base != word else f"{word}s"


@cache
def third_person(verb: str) -> str:
    """Return the third person singular of the present: reads, goes, studies, listens to."""
    first, rest = _split(verb)
    return _add_s(first) + rest


@cache
def past(verb: str) -> str:
    """Return the simple past: walked, studied, planned, went, listened to."""
    first, rest = _split(verb)
    if first in _PAST or first.endswith("e"):
        return _PAST.get(first, f"{first}d") + rest
    return f"{_y_as_i(first)}{first[-1] if first in _DOUBLED else ''}ed{rest}"


@cache
def participle(verb: str) -> str:
    """Return the -ing form: reading, writing, running, listening to."""
    first, rest = _split(verb)
    if first.endswith("e") and not first.endswith(("ee", "ye")):
        return f"{first[:-1]}ing{rest}"
    return f"{first}{first[-1] if first in _DOUBLED else ''}ing{rest}"


@cache
def plural(noun: str) -> str:
    """Return the plural of a noun, inflecting its last word: boxes, cities, children, police officers."""
    *before, last = noun.split()
    return " ".join([*before, _PLURAL.get(last) or _add_s(last)])


def indefinite_article(following: str) -> str:
    """Return "a" or "an" for the word that follows it."""
    # Sound decides, not spelling: a university student, an honest man.
    if following.startswith(("uni", "eu", "one")):
        return "a"
    return "an" if following[0] in _VOWELS or following.startswith(("hon", "hour")) else "a"


def be(agreement: Agreement, *, past: bool) -> str:
    """Return the form of "be" that agrees with the subject."""
    if past:
        return "were" if agreement == "plural" else "was"
    return {"I": "am", "singular": "is", "plural": "are"}[agreement]


def do(agreement: Agreement, *, past: bool) -> str:
    """Return the form of the auxiliary "do" that agrees with the subject."""
    if past:
        return "did"
    return "does" if agreement == "singular" else "do"
