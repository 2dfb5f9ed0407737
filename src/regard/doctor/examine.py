"""One row looked at by itself: repaired, and what it is remarkable for."""

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from regard.doctor.keys import Key, key_of
from regard.doctor.pairs import pair_faults, share_a_script
from regard.doctor.repair import Change, repair
from regard.doctor.scripts import Writing, writing
from regard.doctor.texts import text_faults


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
