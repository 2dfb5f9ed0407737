"""What is known about a verb: who does it, to what, where, with what, how and when.

The verbs themselves are listed in `verb_table`.
"""

from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Literal

from regard.world.adverbs import Tense, Times
from regard.world.conjugation import Stem
from regard.world.hangul import GOAL, PLACE, Particle
from regard.world.nouns import Noun, nouns
from regard.world.phrase import Bare
from regard.world.table import Entry, check, entries

Named = Literal["staff", "named", "pupil"]
Subjects = Literal["human", "adult", Named, "animal", "thing"]
"""Who does it: anybody; no children; nobody known by another profession than a teacher's; by any profession;
pupils; no people at all."""
Aspect = Literal["activity", "point", "reaction", "done", "state"]
"""Which tenses fit: a point has no progressive, a reaction (laughing) no present and no future, what is
"done" is past only, a state is past or present and has no time beside it."""
Habit = Literal["free", "timed", "routine", "never"]
"""How the simple present is said: as it is ("teaches math"), with a time or frequency ("often reads books"),
so but never denied ("opens the window every morning"), or not at all."""
Kinds = Literal["", "habit", "always"]
"""When a bare object means its kind, in the English plural: never; in the present, 책을 읽는다 "reads books";
in every tense, 개를 좋아했다 "liked dogs"."""

_HONORED = {"먹다": "드시", "마시다": "드시", "자다": "주무시", "말하다": "말씀하시", "있다": "계시"}
_HUMBLE = {"주다": "드리", "말하다": "말씀드리"}
_TO_ELDERS = {"주다", "보내다", "전화하다", "인사하다", "말하다", "설명하다"}


@dataclass(frozen=True, slots=True, eq=False)
class Verb:
    """A Korean verb in one meaning, its English, and what fits it. An empty fit means: not with this verb."""

    stem: Stem
    english: str
    subjects: Subjects = "human"
    agents: tuple[Noun, ...] = ()
    """The only possible subjects, where `subjects` is too wide."""
    objects: tuple[Noun, ...] = ()
    bare: Bare = "object"
    """The article of a bare object: "a" for what is made, bought or ridden, else "the"."""
    kinds: Kinds = ""
    shapes: tuple[str, ...] = ()
    """What may stand with the object: demonstrative, adjective, counted, joined, owned."""
    qualities: tuple[str, ...] = ()
    """The adjectives that may stand before the object, as far as they fit the noun."""
    places: tuple[Noun, ...] = ()
    lasting: bool = False
    """The place takes 에, not 에서: 살다."""
    place_preposition: str = ""
    """What English puts before every place, if the noun does not decide: "from the library" with 빌리다."""
    needs_place: bool = False
    ornate: bool = True
    """A place may have an owner or an adjective."""
    goals: tuple[Noun, ...] = ()
    goal_preposition: str = "to"
    sources: tuple[Noun, ...] = ()
    tools: tuple[Noun, ...] = ()
    vehicles: tuple[Noun, ...] = ()
    manners: tuple[str, ...] = ()
    needs_manner: bool = False
    gives_to: str | None = None
    """The English preposition of a person marked 에게, "" if there is none; None without such a person."""
    honored: Stem | None = None
    """The word that replaces the verb for an honoured subject: 드시다 for 먹다."""
    to_elder: Stem | None = None
    """What is said when the receiver, marked 께, is an elder: 드리다 for 주다. None: not done to elders."""
    aspect: Aspect = "activity"
    habit: Habit = "timed"
    times: Times = "day"
    negative: bool = False
    """The English needs "not": 모르다, "not know"."""
    asks: bool = True
    """무엇을 with this verb can only mean this verb; 어디에 is asked of its goal."""
    able: bool = True
    """Can be tried, so that 못 makes sense in the past."""
    skill: bool = False
    """Is learned, so that 못 makes sense in the present: "cannot swim"."""
    denied: bool = True
    """Can be negated; 알다 cannot, its negation is 모르다."""
    social: bool = False
    """Can be done together with somebody."""
    ordered: bool = False
    """Can be asked for."""
    forbidden: bool = False
    """Can be forbidden."""
    themes: tuple[str, ...] = ()
    """What it belongs to (desk, home, leisure, work): two people then do things that go together. What some
    like and others do not has the theme "taste"."""

    @property
    def at(self) -> Particle:
        """The particle of a place."""
        return GOAL if self.lasting else PLACE

    def bare_in(self, tense: Tense) -> Bare:
        """Return the article of a bare object in a tense."""
        return "plural" if self.kinds == "always" or (self.kinds and tense == "present") else self.bare


_NOUNS = ("agents", "objects", "places", "goals", "sources", "tools", "vehicles")


def fields_of(entry: Entry) -> dict[str, Any]:
    """Return what an entry says as fields of `Verb`; each of its lists begins with the name of the field."""
    fields = dict(entry.facts)
    for given in entry.lists.split(";"):
        name, _, items = given.strip().partition(" ")
        if name:
            fields[name] = nouns(items) if name in _NOUNS else tuple(items.split())
    return check(Verb, fields)


def verbs(table: str) -> tuple[Verb, ...]:
    """Read a table: dictionary form and English, what is known of the verb, what fits it."""
    return tuple(map(_verb, entries(table)))


def _verb(entry: Entry) -> Verb:
    korean, english = entry.words.split(maxsplit=1)
    stem = Stem(korean[:-1], "verb", entry.facts.pop("irregular", ""))
    verb = Verb(stem, english, **fields_of(entry))
    honored = _HONORED.get(korean)
    humble = Stem(_HUMBLE[korean]) if korean in _HUMBLE else stem
    tried = verb.aspect in ("activity", "point") and verb.subjects not in ("animal", "thing")
    return replace(
        verb,
        honored=Stem(honored, honorific=True) if honored else None,
        to_elder=humble if verb.gives_to is not None and korean in _TO_ELDERS else None,
        able=verb.able and tried,
        denied=verb.denied and not verb.negative,
    )


def able_to_do_both(one: Verb, other: Verb) -> Subjects:
    """Return who does both: the narrower of their circles of people."""
    return max(one.subjects, other.subjects, key=("human", "adult", "staff", "named", "pupil").index)


_TRIFLES = nouns("인형 장난감 공 반지 목걸이 만화책 연필 초콜릿")


@cache
def humbled(verb: Verb) -> Verb:
    """Return the verb to use when the receiver is an elder, to whom nobody gives a toy."""
    if verb.to_elder is None:
        return verb
    objects = tuple(noun for noun in verb.objects if noun not in _TRIFLES)
    return replace(verb, stem=verb.to_elder, honored=None, objects=objects)
