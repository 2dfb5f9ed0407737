"""Some rows examined, and summed up as numbers: what is kept of a row takes a few dozen bytes."""

import hashlib
import zlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from regard.doctor.examine import Examiner, Seen, Task
from regard.doctor.findings import Example, Tally
from regard.doctor.pairs import place_of
from regard.doctor.records import Record
from regard.doctor.show import WIDTH, excerpt, first_difference

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
