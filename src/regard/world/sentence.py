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

from regard.world.phrase import Chunk, Word, moved
from regard.world.predicate import Predicate

_KOREAN = (
    "setting", "subject", "aside", "time", "reason", "frequency", "companion", "first", "source", "place",
    "vehicle", "alone", "recipient", "tool", "object", "goal", "manner", "degree",
)  # fmt: skip
_KOREAN_TIME_FIRST = ("setting", "time", *(slot for slot in _KOREAN[1:] if slot != "time"))
_ENGLISH_BEFORE = ("frequency", "degree", "first")
_ENGLISH_AFTER = (
    "object", "source", "goal", "recipient", "alone", "manner", "tool", "vehicle", "place", "companion",
    "time", "setting", "aside",
)  # fmt: skip

Piece = tuple[tuple[Word, ...], int]
"""English words, and the position in their clause that their anchors count from."""


@cache
def _korean_order(slots: tuple[str, ...], time_first: bool) -> tuple[str, ...]:
    return tuple(slot for slot in (_KOREAN_TIME_FIRST if time_first else _KOREAN) if slot in slots)


@cache
def _english_order(slots: tuple[str, ...], asked: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return what English says before its verb and after it, apart from the subject."""
    before = tuple(slot for slot in _ENGLISH_BEFORE if slot in slots)
    return before, tuple(slot for slot in _ENGLISH_AFTER if slot in slots and slot != asked)


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
        for slot in _korean_order(tuple(slots), self.time_first):
            offsets[slot] = len(korean) - start
            korean += slots[slot].korean
        offsets["predicate"] = len(korean) - start
        korean += self.predicate.korean
        return offsets

    def say(self, offsets: dict[str, int]) -> list[Piece]:
        """Return the English in pieces."""
        slots, (_, auxiliaries, main, _), at = self.slots, self.predicate, offsets["predicate"]
        before, after = _english_order(tuple(slots), self.asked)
        said: list[Piece] = []
        if self.asked and self.asked != "subject":
            said.append((slots[self.asked].english, offsets[self.asked]))
        if self.inverted:
            said.append((auxiliaries[:1], at))
            auxiliaries = auxiliaries[1:]
        if "subject" in slots:
            said.append((slots["subject"].english, offsets["subject"]))
        if auxiliaries:
            said.append((auxiliaries, at))
        for slot in before:
            said.append((slots[slot].english, offsets[slot]))
        said.append((main, at))
        for slot in after:
            said.append((slots[slot].english, offsets[slot]))
        return said


def clause_chunk(clause: Clause, lead: str) -> Chunk:
    """Make a chunk of a clause that hangs on another; `lead` ("because", "who") goes to its last word."""
    korean: list[str] = []
    pieces = clause.say(clause.lay_out(korean))
    said = [word for english, offset in pieces for word in moved(english, offset)]
    return Chunk(tuple(korean), ((lead, (len(korean) - 1,)), *said))


class _Row(dict[int, tuple[int, int]]):
    """The links of one Korean position, made when first asked for."""

    def __init__(self, korean: int) -> None:
        self.korean = korean

    def __missing__(self, english: int) -> tuple[int, int]:
        link = self[english] = (self.korean, english)
        return link


class _Links(dict[int, _Row]):
    """One tuple for each link: pairs share them, so that many pairs do not fill the memory."""

    def __missing__(self, korean: int) -> _Row:
        row = self[korean] = _Row(korean)
        return row


_LINKS = _Links()


class Draft:
    """A sentence in the making: its words in both languages, without the mark at the end, and the links."""

    __slots__ = ("english", "korean", "links")

    def __init__(self) -> None:
        self.korean: list[str] = []
        self.english: list[str] = []
        self.links: list[tuple[int, int]] = []

    def add(self, clause: Clause) -> None:
        """Add a clause, after a comma if a conjunction joins it to the one before."""
        korean, said, links = self.korean, self.english, self.links
        if clause.conjunction:
            # -고 or -지만 is in the last word before the comma.
            links += (_LINKS[len(korean)][len(said)], _LINKS[len(korean) - 1][len(said) + 1])
            korean.append(",")
            said += (",", clause.conjunction)
        start, position = len(korean), len(said)
        for english, offset in clause.say(clause.lay_out(korean)):
            base = start + offset
            for text, anchors in english:
                said.append(text)
                for anchor in anchors:
                    links.append(_LINKS[base + anchor][position])
                position += 1

    def close(self, mark: str) -> tuple[str, str]:
        """End both sentences with a mark; return their texts."""
        korean, said = self.korean, self.english
        said[0] = said[0][0].upper() + said[0][1:]
        texts = text(korean, mark), text(said, mark)
        self.links.append(_LINKS[len(korean)][len(said)])
        korean.append(mark)
        said.append(mark)
        return texts


def text(words: list[str], mark: str) -> str:
    """Join words and the mark at the end into text, with commas attached to the word before."""
    written = " ".join(words) + mark
    return written.replace(" ,", ",") if " ," in written else written
