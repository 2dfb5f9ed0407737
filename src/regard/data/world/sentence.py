"""From clauses to text: one order of chunks for Korean, one for English, and the links between the words.

Korean: (setting) (time) subject (aside) time … object manner predicate. English: subject auxiliary frequency
verb object … time setting aside. In a question English puts what is asked for first, then an auxiliary, then
the subject; Korean leaves all in its place.

A subordinate clause is a chunk in one of two slots: "setting" before everything else, if it has a subject of
its own (비가 와서 나는 쉬었다), "aside" after the subject that it shares (나는 바빠서 못 갔다). Korean begins
with it and English ends with it, so neither needs a comma. Commas stand only before "and" and "but" between
clauses, in both languages.
"""

from dataclasses import dataclass, field
from functools import cache

from regard.data.world.phrase import Chunk, Word, moved
from regard.data.world.predicate import Predicate

_KOREAN = (
    "setting", "subject", "aside", "time", "reason", "frequency", "companion", "first", "source", "place",
    "vehicle", "recipient", "tool", "object", "goal", "manner", "degree",
)  # fmt: skip
_KOREAN_TIME_FIRST = ("setting", "time", *(slot for slot in _KOREAN[1:] if slot != "time"))
_ENGLISH_BEFORE = ("frequency", "degree", "first")
_ENGLISH_AFTER = (
    "object", "source", "goal", "recipient", "manner", "tool", "vehicle", "place", "companion", "time",
    "setting", "aside",
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

    def lay_out(self, korean: list[str]) -> dict[str, int]:
        """Append the Korean words; return where each slot begins, counted from the clause's first word."""
        start, slots = len(korean), self.slots
        offsets: dict[str, int] = {}
        for slot in _KOREAN_TIME_FIRST if self.time_first else _KOREAN:
            if slot in slots:
                offsets[slot] = len(korean) - start
                korean.extend(slots[slot].korean)
        offsets["predicate"] = len(korean) - start
        korean.extend(self.predicate.korean)
        return offsets

    def say(self, offsets: dict[str, int]) -> list[tuple[tuple[Word, ...], int]]:
        """Return the English in pieces, each with the position in the clause that its anchors count from."""
        slots, (_, auxiliaries, main), at = self.slots, self.predicate, offsets["predicate"]
        said: list[tuple[tuple[Word, ...], int]] = []
        if self.asked and self.asked != "subject":
            said.append((slots[self.asked].english, offsets[self.asked]))
        if self.inverted:
            said.append((auxiliaries[:1], at))
            auxiliaries = auxiliaries[1:]
        if "subject" in slots:
            said.append((slots["subject"].english, offsets["subject"]))
        said.append((auxiliaries, at))
        for slot in _ENGLISH_BEFORE:
            if slot in slots:
                said.append((slots[slot].english, offsets[slot]))
        said.append((main, at))
        for slot in _ENGLISH_AFTER:
            if slot in slots and slot != self.asked:
                said.append((slots[slot].english, offsets[slot]))
        return said


def clause_chunk(clause: Clause, lead: str) -> Chunk:
    """Make a chunk of a clause that hangs on another; `lead` ("because", "who") goes to its last word."""
    korean: list[str] = []
    pieces = clause.say(clause.lay_out(korean))
    said = [word for english, offset in pieces for word in moved(english, offset)]
    return Chunk(tuple(korean), ((lead, (len(korean) - 1,)), *said))


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
        self._clauses: list[tuple[Clause, int, dict[str, int]]] = []

    def add(self, clause: Clause) -> None:
        """Lay out the Korean of a clause, after a comma if a conjunction joins it to the one before."""
        if clause.conjunction:
            self.korean.append(",")
        start = len(self.korean)
        self._clauses.append((clause, start, clause.lay_out(self.korean)))

    def translate(self) -> None:
        """Close the Korean; say all clauses in English, linked."""
        self.korean.append(self.mark)
        for clause, start, offsets in self._clauses:
            if clause.conjunction:
                # -고 or -지만 is in the last word before the comma.
                self._say(((",", (-1,)), (clause.conjunction, (-2,))), start)
            for english, offset in clause.say(offsets):
                self._say(english, start + offset)
        self._say(((self.mark, (-1,)),), len(self.korean))
        first = self.english[0]
        self.english[0] = first[0].upper() + first[1:]

    def _say(self, english: tuple[Word, ...], start: int) -> None:
        """Add English words whose anchors count from Korean position `start`."""
        said, links = self.english, self.links
        for position, (text, anchors) in enumerate(english, len(said)):
            said.append(text)
            for anchor in anchors:
                links.append(_link(start + anchor, position))


def text(words: list[str]) -> str:
    """Join words into text, with punctuation attached to the word before it."""
    return " ".join(words).replace(" ,", ",").replace(" .", ".").replace(" ?", "?")
