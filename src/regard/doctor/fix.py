"""A clean copy of a corpus: repaired where possible, without what cannot be used, with a log of it all."""

import gzip
import json
import os
import shutil
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Self, cast

import numpy as np
from numpy.typing import NDArray

from regard.config.data import STDIN
from regard.doctor.across import Match
from regard.doctor.catalogue import CHECKS
from regard.doctor.corpus import Part
from regard.doctor.diagnose import Examination
from regard.doctor.examine import Examiner, Record, Seen
from regard.doctor.inputs import can_be_rewritten, paths_of
from regard.doctor.raw import Lines, decoded_line, with_lines
from regard.errors import DataError
from regard.progress import track


def check_out(out: Path) -> None:
    """Refuse, before any work, a place where the copy cannot be written."""
    if out.is_dir() and any(out.iterdir()):
        raise DataError(f"{out}: expected a new or empty folder for the clean copy, found files in it")
    if out.exists() and not out.is_dir():
        raise DataError(f"{out}: expected a new folder for the clean copy, found a file")
    nearest = next(place for place in out.absolute().parents if place.exists())
    if not nearest.is_dir():
        raise DataError(f"{out}: cannot be written: {nearest} is a file, expected a folder")
    if not os.access(nearest, os.W_OK | os.X_OK):
        raise DataError(f"{out}: cannot be written: no permission to write in {nearest}")


class OutputFolder:
    """Files that are written under a passing name, which one rename ends."""

    def __init__(self, out: Path) -> None:
        self._out = out.absolute()
        self._passing = self._out.with_name(f".{out.name}.{os.getpid()}.tmp")
        self._files = ExitStack()

    def __enter__(self) -> Self:
        self._passing.mkdir(parents=True)
        return self

    def open(self, name: str) -> IO[bytes]:
        """A file in the folder, compressed if its name says so; the same rows give the same bytes."""
        raw = self._files.enter_context((self._passing / name).open("wb"))
        if not name.endswith(".gz"):
            return raw
        packed = gzip.GzipFile(filename="", mode="wb", compresslevel=6, fileobj=raw, mtime=0)
        return cast(IO[bytes], self._files.enter_context(packed))

    def __exit__(self, kind: object, *_: object) -> None:
        try:
            self._files.close()
            if kind is None:
                self._passing.rename(self._out)
        finally:  # after the rename there is nothing left to remove
            shutil.rmtree(self._passing, ignore_errors=True)


@dataclass(frozen=True)
class Fixed:
    """What was done."""

    repaired: int
    """Rows."""
    dropped: int
    left_out: tuple[str, ...]
    """Inputs in formats that are not rewritten."""


class Changes:
    """The log: one JSON object for every change."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self.repaired = self.dropped = 0

    def write(self, where: str, check: str, before: str, after: str | None, **more: str) -> None:
        """Something was repaired; or dropped, if nothing is left of it."""
        action = "dropped" if after is None else "repaired"
        change = {"where": where, "action": action, "check": check, "before": before, "after": after, **more}
        self._file.write(_as_json(change).encode("utf-8") + b"\n")


def _as_json(change: dict[str, str | None]) -> str:
    """One line in which signs that cannot be seen are escaped, so that a change of them can."""
    text = json.dumps(change, ensure_ascii=False)
    return (
        text if text.isprintable() else "".join(c if c.isprintable() else json.dumps(c)[1:-1] for c in text)
    )


class Rewriting:
    """One input, and what becomes of its rows."""

    def __init__(
        self,
        part: Part,
        matches: Sequence[Match],
        drop: frozenset[str],
        files: Sequence[IO[bytes]],
        changes: Changes,
    ) -> None:
        self._part, self._files, self._changes = part, files, changes
        self._examine = Examiner(part.task)
        self._is_train = part.ledger.role == "train"
        self._drop = drop
        self._matches = [match for match in matches if self._is_train and _drops(match, drop)]
        self._reasons = _reasons_to_drop(part, self._matches)
        self._is_clean = ((part.ledger.flags == 0) & (self._reasons == 0)).tobytes()

    def run(self, *, quiet: bool) -> None:
        """Copy, repair or drop row after row."""
        reader, ledger = self._part.reader, self._part.ledger
        if reader.begins_with_bom():
            self._changes.write(reader.where(1), "bom", "\ufeff", "")
        rows = track(
            with_lines(reader, reader.paths), f"writing {reader.name}", total=len(ledger), quiet=quiet
        )
        number = 0
        for row, lines in rows:
            if isinstance(row, Record):
                self._put(number, row, lines)
                number += 1
            elif row is None:
                self._copy(lines)
            else:
                self._leave_out(row.number, row.check, lines, reason=row.reason)

    def _put(self, number: int, record: Record, lines: Lines) -> None:
        if self._is_clean[number]:
            self._copy(lines)
            return
        # Only a CSV row has several lines; elsewhere these are empty ones after the row.
        own = lines if self._part.reader.input.corpus.kind == "csv" else lines[:1]
        seen = self._examine(record.texts)
        if self._reasons[number]:
            match = self._matches[self._reasons[number] - 1]
            self._leave_out(record.number, match.check, own, **_like(match, number, self._part))
        elif check := self._own_reason(seen):
            self._leave_out(record.number, check, own)
        elif seen.changes or record.decoded:
            self._repair(record, seen, own)
        else:
            self._copy(own)
        self._copy(lines[len(own) :])

    def _own_reason(self, seen: Seen) -> str | None:
        """The check for which the row is dropped, whatever the others are like."""
        found = seen.checks()
        if "empty" in found:
            return "empty"
        return next((check for check in CHECKS if self._is_train and check in found & self._drop), None)

    def _repair(self, record: Record, seen: Seen, own: Lines) -> None:
        reader, raws = self._part.reader, _joined(own)
        texts = tuple(decoded_line(raw) or "" if record.decoded else _text(raw) for raw in raws)
        after = reader.format.with_texts(texts, seen.texts) if reader.format else texts
        for file, raw, text in zip(self._files, raws, after, strict=True):
            file.write(text.encode("utf-8") + raw[len(raw.rstrip(b"\r\n")) :])
        if record.decoded:
            self._changes.write(reader.where(record.number), "not-utf8", _readable(raws), "\t".join(texts))
        for side, change in seen.changes:
            where = reader.where(record.number, side)
            column = reader.sides[side]
            self._changes.write(where, change.check, change.before, change.after, column=column)
        self._changes.repaired += 1

    def _leave_out(self, number: int, check: str, own: Lines, **more: str) -> None:
        self._changes.write(self._part.reader.where(number), check, _readable(_joined(own)), None, **more)
        self._changes.dropped += 1

    def _copy(self, lines: Lines) -> None:
        for line in lines:
            for file, raw in zip(self._files, line, strict=True):
                file.write(raw)


def _drops(match: Match, drop: frozenset[str]) -> bool:
    return CHECKS[match.check].cure == "drops" or match.check in drop


def _reasons_to_drop(part: Part, matches: Sequence[Match]) -> NDArray[np.uint8]:
    """For each row, which match drops it, counted from 1, the first one first; 0 = none."""
    reasons = np.zeros(len(part.ledger), dtype=np.uint8)
    for number, match in reversed(list(enumerate(matches, start=1))):
        for ledger, rows in match.group.split(match.rows):
            if ledger is part.ledger:
                reasons[rows] = number
    return reasons


def _like(match: Match, number: int, part: Part) -> dict[str, str]:
    """The row that a dropped row repeats."""
    place = int(np.searchsorted(match.rows, number + match.group.start_of(part.ledger)))
    other = match.partner(place) if match.partners is not None else None
    return {} if other is None else {"like": f"{other[0].name}:{other[0].numbers[other[1]]}"}


def _joined(lines: Lines) -> list[bytes]:
    return [b"".join(column) for column in zip(*lines, strict=True)]


def _text(raw: bytes) -> str:
    return raw.rstrip(b"\r\n").decode("utf-8")


def _readable(raws: Sequence[bytes]) -> str:
    return "\t".join(raw.rstrip(b"\r\n").decode("utf-8", "backslashreplace") for raw in raws)


CHANGES = "changes.jsonl"


def write_clean_copy(
    examination: Examination, out: Path, drop: frozenset[str], *, quiet: bool = False
) -> Fixed:
    """Write every input under its name into a new folder, and `changes.jsonl` beside.

    drop: checks for which training rows are dropped, beyond what is dropped anyway
    """
    parts = [part for part in examination.parts if can_be_rewritten(part.reader.input.corpus)]
    if not parts:
        name = examination.parts[0].reader.name
        raise DataError(f"{name}: --fix writes tables, JSON lines and plain text, not this format")
    names = {part.ledger.name: _names(part) for part in parts}
    _refuse_equal([name for some in names.values() for name in some])
    try:
        with OutputFolder(out) as folder:
            changes = Changes(folder.open(CHANGES))
            for part in parts:
                files = [folder.open(name) for name in names[part.ledger.name]]
                Rewriting(part, examination.matches, drop, files, changes).run(quiet=quiet)
    except OSError as error:
        raise DataError(f"{out}: cannot be written: {error.strerror}") from None
    left_out = [part.reader.name for part in examination.parts if part not in parts]
    return Fixed(changes.repaired, changes.dropped, tuple(left_out))


def _names(part: Part) -> list[str]:
    corpus = part.reader.input.corpus
    endings = {"tsv": "tsv", "csv": "csv", "jsonl": "jsonl"}
    standard = f"stdin.{endings.get(corpus.kind, 'txt')}"
    return [standard if path == STDIN else Path(path).name for path in paths_of(corpus)]


def _refuse_equal(names: Sequence[str]) -> None:
    for name in names:
        if names.count(name) > 1 or name == CHANGES:
            raise DataError(f"{name}: two files would have this name in the clean copy; fix them one by one")
