"""Rows examined one by one, and summed up as numbers: what is kept of a row takes a few dozen bytes."""

import hashlib
import unicodedata
import zlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from regard.doctor.faults import pair_faults, place_of, share_a_script, text_faults
from regard.doctor.findings import WIDTH, Example, Tally, excerpt, first_difference
from regard.doctor.keys import Key, key_of
from regard.doctor.repair import Change, repair
from regard.doctor.scripts import Writing, writing


class Record(NamedTuple):
    """A row with its texts, and its label if there is one."""

    number: int
    texts: tuple[str, ...]
    label: str | None
    decoded: bool = False
    """The line was not UTF-8, and could be decoded nevertheless."""


class Lost(NamedTuple):
    """A row that cannot be read: its line, the check that says so, why, and what stands there."""

    number: int
    check: str
    reason: str
    raw: str


@dataclass(frozen=True)
class Task:
    """What a row is examined for."""

    files: tuple[str, ...]
    """The file of each side, for `file:line`."""
    scripts: tuple[str | None, ...]
    """The script that each side should be written in, if that is known."""
    translation: bool
    checks: frozenset[str]
    examples: int

    def writings(self) -> tuple[Writing | None, ...]:
        """The scripts, ready to search with."""
        return tuple(writing(script) if script else None for script in self.scripts)


class Seen(NamedTuple):
    """One row after the examination."""

    texts: tuple[str, ...]
    """Repaired."""
    changes: tuple[tuple[int, Change], ...]
    """What was repaired, with its side."""
    faults: tuple[tuple[str, int, int], ...]
    """What was found beside: check, side, character."""
    keys: tuple[Key, ...]
    words: tuple[int, ...]

    def is_empty(self) -> bool:
        """Whether a side has nothing in it, so that the row cannot be used."""
        return any(check == "empty" for check, _, _ in self.faults)

    def checks(self) -> set[str]:
        """Everything that was found, each once."""
        return {change.check for _, change in self.changes} | {check for check, _, _ in self.faults}


class Examiner:
    """Looks at rows one by one."""

    def __init__(self, task: Task) -> None:
        self._task = task
        self._writings = task.writings()
        self._same_script = share_a_script(self._writings)

    def __call__(self, texts: Sequence[str]) -> Seen:
        """Repair a row, and say what it is remarkable for."""
        task = self._task
        repaired: list[str] = []
        changes: list[tuple[int, Change]] = []
        faults: list[tuple[str, int, int]] = []
        words: list[int] = []
        for side, text in enumerate(texts):
            text, changed = repair(text, task.scripts[side], task.checks)
            if changed:
                changes += [(side, change) for change in changed]
            split = text.split()
            if _is_empty(split):
                faults.append(("empty", side, 0))
            else:
                faults += [
                    (check, side, at)
                    for check, at in text_faults(text, split, self._writings[side])
                    if check in task.checks
                ]
            repaired.append(text)
            words.append(len(split))
        keys = tuple(map(key_of, repaired))
        if task.translation:
            same = keys[0].form == keys[1].form
            both = (repaired[0], repaired[1])
            found = pair_faults(both, same_form=same, same_script=self._same_script)
            faults += [(check, 0, 0) for check in found if check in task.checks]
        return Seen(tuple(repaired), tuple(changes), tuple(faults), keys, tuple(words))


def _is_empty(words: Sequence[str]) -> bool:
    """Whether there is nothing to see in a text."""
    if not words or words[0][0].isalnum():
        return not words
    return not words[0].isascii() and all(unicodedata.category(c) == "Cf" for word in words for c in word)


TOUCHED = 1
"""Flag of a row that has something to repair, or for which it may be dropped."""
PAIRED = ("untranslated", "numbers", "placeholders")
"""Checks that are about both sides together."""


@dataclass
class Chunk:
    """What is kept of some rows: numbers to compare with all others, counts, a few examples."""

    numbers: NDArray[np.uint32]
    flags: NDArray[np.uint8]
    forms: tuple[NDArray[np.uint64], ...]
    variants: tuple[NDArray[np.uint32], ...]
    lengths: tuple[NDArray[np.uint32], ...]
    labels: NDArray[np.uint32]
    """Empty where there are none."""
    label_counts: Counter[str]
    words: tuple[int, ...]
    tally: Tally


def examine_chunk(records: Sequence[Record], task: Task) -> Chunk:
    """Examine rows and sum them up."""
    examiner = Examiner(task)
    tally = Tally(task.examples)
    seen = [examiner(record.texts) for record in records]
    flags = np.zeros(len(records), dtype=np.uint8)
    for place, (record, one) in enumerate(zip(records, seen, strict=True)):
        if one.changes or one.faults or record.decoded:
            flags[place] = TOUCHED
            _count(tally, record, one, task)
    labels = [record.label for record in records if record.label is not None]
    sides = range(len(task.files))
    return Chunk(
        numbers=np.array([record.number for record in records], dtype=np.uint32),
        flags=flags,
        forms=tuple(_forms(records, seen, task.files[0], side) for side in sides),
        variants=tuple(np.array([one.keys[side].variant for one in seen], dtype=np.uint32) for side in sides),
        lengths=tuple(np.array([len(one.texts[side]) for one in seen], dtype=np.uint32) for side in sides),
        labels=np.array(list(map(label_key, labels)), dtype=np.uint32),
        label_counts=Counter(labels),
        words=tuple(sum(one.words[side] for one in seen) for side in sides),
        tally=tally,
    )


def label_key(label: str) -> int:
    """A label in four bytes."""
    return zlib.crc32(label.encode("utf-8", "surrogatepass"))


def _forms(records: Sequence[Record], seen: Sequence[Seen], file: str, side: int) -> NDArray[np.uint64]:
    """The keys of a side; a row that cannot be used has one of its own, so that it is like no other."""
    digests = [
        _own_key(f"{file}:{record.number}:{side}") if one.is_empty() else one.keys[side].form
        for record, one in zip(records, seen, strict=True)
    ]
    return np.frombuffer(b"".join(digests), dtype=np.uint64)


def _own_key(place: str) -> bytes:
    return hashlib.blake2b(place.encode("utf-8", "surrogateescape"), digest_size=8, person=b"empty").digest()


def _count(tally: Tally, record: Record, one: Seen, task: Task) -> None:
    for check in sorted(one.checks() & task.checks):
        examples = [_example(check, record, one, task)] if tally.wants(check) else []
        tally.add(check, task.files[0], 1, examples)
    if record.decoded and "not-utf8" in task.checks:
        example = Example(f"{task.files[0]}:{record.number}", f"decoded: {excerpt(record.texts[0])}")
        tally.add("not-utf8", task.files[0], 1, [example])


def _example(check: str, record: Record, one: Seen, task: Task) -> Example:
    for side, change in one.changes:
        if change.check == check:
            at = first_difference(change.before, change.after)
            return Example(f"{task.files[side]}:{record.number}", excerpt(change.before, at))
    side, at = next((side, at) for found, side, at in one.faults if found == check)
    where = f"{task.files[side]}:{record.number}"
    if check in PAIRED or (check == "empty" and len(one.texts) > 1):
        return Example(where, beside(one.texts, [place_of(check, text) for text in one.texts]))
    return Example(where, excerpt(one.texts[side], at))


def beside(texts: Sequence[str], places: Sequence[int] = (0, 0)) -> str:
    """The sides of a row in one line, each around its place."""
    width = WIDTH if len(texts) == 1 else WIDTH * 2 // 3
    return " ⟷ ".join(excerpt(text, at, width) for text, at in zip(texts, places, strict=False))
