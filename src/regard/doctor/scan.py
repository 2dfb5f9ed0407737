"""The pass over all rows: each is examined, and what is kept of it goes into the ledger of its input."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from regard.doctor.corpus import Part
from regard.doctor.findings import Example, Tally
from regard.doctor.records import Lost, Record
from regard.doctor.show import excerpt
from regard.doctor.workers import Workers
from regard.errors import DataError
from regard.progress import track

CHUNK_ROWS = 2048


def scan(parts: Sequence[Part], tally: Tally, checks: frozenset[str], *, quiet: bool) -> None:
    """Fill the ledgers, the samples and the findings."""
    with Workers() as workers:
        for part in parts:
            name = part.reader.name
            rows = track(part.reader, f"examining {name}", total=part.reader.guess_rows(), quiet=quiet)
            for chunk in workers.examine(_chunked(_usable(part, rows, tally, checks)), part.task):
                part.ledger.append(chunk)
                tally.merge(chunk.tally)
            if "bom" in checks and part.reader.begins_with_bom():
                tally.add("bom", name, 1, [Example(f"{name}:1", "")])
    if not any(len(part.ledger) or part.ledger.lost for part in parts):
        raise DataError(f"{parts[0].reader.name}: expected rows, found none")


def _chunked(records: Iterator[Record]) -> Iterator[list[Record]]:
    while chunk := list(islice(records, CHUNK_ROWS)):
        yield chunk


def _usable(
    part: Part, rows: Iterable[Record | Lost], tally: Tally, checks: frozenset[str]
) -> Iterator[Record]:
    """The rows that can be read; the others are counted."""
    for row in rows:
        if isinstance(row, Record):
            part.sample.add(row.texts)
            yield row
            continue
        part.ledger.lost += 1
        if row.check in checks:
            example = Example(part.reader.where(row.number), f"{row.reason}: {excerpt(row.raw)}")
            tally.add(row.check, part.reader.name, 1, [example] if tally.wants(row.check) else [])
