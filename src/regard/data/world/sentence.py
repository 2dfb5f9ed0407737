"""From clauses to text: one order of chunks for Korean, one for English, and the links between the words.

Korean: (time) subject time … object manner predicate. English: subject auxiliary frequency verb object …
time. In a question English puts what is asked for first, then an auxiliary, then the subject; Korean leaves
all in its place.
"""

from dataclasses import dataclass, field
from functools import cache

from regard.data.world.phrase import Chunk, Word
from regard.data.world.predicate import Predicate

_KOREAN = (
    "subject", "time", "reason", "frequency", "companion", "first", "source", "place", "vehicle", "recipient",
    "tool", "object", "goal", "manner", "degree",
)  # fmt: skip
_KOREAN_TIME_FIRST = ("time", *(slot for slot in _KOREAN if slot != "time"))
_ENGLISH_BEFORE = ("frequency", "degree", "first")
_ENGLISH_AFTER = (
    "object", "source", "goal", "recipient", "manner", "tool", "vehicle", "place", "companion", "time",
)  # fmt: skip


@dataclass(slots=True)
class Clause:
    """A predicate, and chunks by their place in the clause."""

    slots: dict[str, Chunk]
    predicate: Predicate
    time_first: bool = False
    """Korean begins with the time; English ends with it all the same."""
    asked: str = ""
    """The slot that holds the question word, "" if there is none."""
    inverted: bool = False
    """English puts its first auxiliary before the subject."""
    conjunction: str = ""
    """What English puts between the clause before and this one."""
    labels: set[str] = field(default_factory=set)

    def length(self) -> int:
        """Count the Korean words."""
        return len(self.predicate.korean) + sum(len(chunk.korean) for chunk in self.slots.values())


@cache
def _link(korean: int, english: int) -> tuple[int, int]:
    """Return the one tuple for this link: pairs share them, so that many pairs do not fill the memory."""
    return korean, english


class Draft:
    """A sentence in the making: Korean as its clauses are added, then English and the links.

    English is left to `translate`, because many drafts are dropped for their Korean: another split, or seen.
    """

    __slots__ = ("_clauses", "english", "korean", "links", "mark")

    def __init__(self, mark: str) -> None:
        self.mark = mark
        self.korean: list[str] = []
        self.english: list[str] = []
        self.links: list[tuple[int, int]] = []
        self._clauses: list[tuple[Clause, dict[str, int]]] = []

    def add(self, clause: Clause) -> None:
        """Lay out the Korean of a clause, after a comma if a conjunction joins it to the one before."""
        korean, slots = self.korean, clause.slots
        if clause.conjunction:
            korean.append(",")
        offsets: dict[str, int] = {}
        for slot in _KOREAN_TIME_FIRST if clause.time_first else _KOREAN:
            if slot in slots:
                offsets[slot] = len(korean)
                korean.extend(slots[slot].korean)
        offsets["predicate"] = len(korean)
        korean.extend(clause.predicate.korean)
        self._clauses.append((clause, offsets))

    def translate(self) -> None:
        """Close the Korean; say all clauses in English, linked."""
        end = 0
        for clause, offsets in self._clauses:
            if clause.conjunction:
                # -고 or -지만 is in the last word before the comma.
                self._say(((",", (1,)), (clause.conjunction, (0,))), end)
            self._say_clause(clause, offsets)
            end = offsets["predicate"] + len(clause.predicate.korean) - 1
        self._say(((self.mark, (1,)),), end)
        self.korean.append(self.mark)
        first = self.english[0]
        self.english[0] = first[0].upper() + first[1:]

    def _say(self, english: tuple[Word, ...], offset: int) -> None:
        """Add English words whose anchors count from Korean position `offset`."""
        said, links = self.english, self.links
        for position, (text, anchors) in enumerate(english, len(said)):
            said.append(text)
            for anchor in anchors:
                links.append(_link(offset + anchor, position))

    def _say_clause(self, clause: Clause, offsets: dict[str, int]) -> None:
        slots, (_, auxiliaries, main), at = clause.slots, clause.predicate, offsets["predicate"]
        if clause.asked and clause.asked != "subject":
            self._say(slots[clause.asked].english, offsets[clause.asked])
        if clause.inverted:
            self._say(auxiliaries[:1], at)
            auxiliaries = auxiliaries[1:]
        self._say(slots["subject"].english, offsets["subject"])
        self._say(auxiliaries, at)
        for slot in _ENGLISH_BEFORE:
            if slot in slots:
                self._say(slots[slot].english, offsets[slot])
        self._say(main, at)
        for slot in _ENGLISH_AFTER:
            if slot in slots and slot != clause.asked:
                self._say(slots[slot].english, offsets[slot])


def text(words: list[str]) -> str:
    """Join words into text, with punctuation attached to the word before it."""
    return " ".join(words).replace(" ,", ",").replace(" .", ".").replace(" ?", "?")
