"""A clean copy of a corpus: repaired where possible, without what cannot be used, with a log of it all."""

from collections.abc import Sequence
from pathlib import Path

from regard.config.data import STDIN
from regard.doctor.corpus import Part
from regard.doctor.diagnose import Examination
from regard.doctor.inputs import can_be_rewritten, paths_of
from regard.doctor.output import OutputFolder
from regard.doctor.rewriting import Changes, Fixed, Rewriting
from regard.errors import DataError

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
