"""Examples for what was found by comparison: only now are the texts of a few rows read again."""

from collections.abc import Sequence

from regard.doctor.chunks import beside
from regard.doctor.corpus import Part
from regard.doctor.findings import Example, Tally
from regard.doctor.groups import Match, Place
from regard.doctor.ledger import Ledger
from regard.doctor.records import Record
from regard.progress import counted

Texts = dict[tuple[int, int], Record]
"""By input and row."""
_SAME_TEXT = ("duplicate", "duplicate-held-out", "leak", "leak-held-out")
"""Checks where the other row says nothing new."""


def add_matches(matches: Sequence[Match], parts: Sequence[Part], tally: Tally) -> None:
    """Count the rows of each match, and show some."""
    ledgers = [part.ledger for part in parts]
    chosen = {place: _chosen(match, tally) for place, match in enumerate(matches)}
    wanted = {
        (ledgers.index(ledger), row)
        for pairs in chosen.values()
        for pair in pairs
        for ledger, row in filter(None, pair)
    }
    texts = _fetch(parts, wanted)
    for place, match in enumerate(matches):
        shown = [_example(match.check, pair, parts, texts) for pair in chosen[place]]
        for ledger, rows in match.group.split(match.rows):
            tally.add(match.check, ledger.name, len(rows))
        tally.add(match.check, match.group.ledgers[0].name, 0, shown)
        if match.struck is not None and match.partner_group is not None:
            struck = [(ledger, len(rows)) for ledger, rows in match.partner_group.split(match.struck)]
            told = [
                f"{count:,} of {counted(len(ledger), 'row')} of {ledger.name}"
                for ledger, count in struck
                if count
            ]
            tally.details[match.check] = f"strikes {', '.join(told)}"


def _chosen(match: Match, tally: Tally) -> list[tuple[Place, Place | None]]:
    """The first rows of a match: a match by distance has the farthest first."""
    rows = match.rows[: tally.most_examples]
    return [(match.group.place(int(row)), match.partner(place)) for place, row in enumerate(rows)]


def _fetch(parts: Sequence[Part], wanted: set[tuple[int, int]]) -> Texts:
    """The records of some rows; each file is read up to the last one."""
    texts: Texts = {}
    for place, part in enumerate(parts):
        rows = {row for other, row in wanted if other == place}
        if not rows:
            continue
        last = max(rows)
        for row, record in enumerate(row for row in part.reader if isinstance(row, Record)):
            if row in rows:
                texts[place, row] = record
            if row == last:
                break
    return texts


def _example(check: str, pair: tuple[Place, Place | None], parts: Sequence[Part], texts: Texts) -> Example:
    (ledger, row), other = pair
    where, text = _shown(ledger, row, parts, texts)
    if other is None:
        return Example(where, text)
    other_where, other_text = _shown(*other, parts, texts)
    return Example(where, text, other_where if check in _SAME_TEXT else f"{other_where}: {other_text}")


def _shown(ledger: Ledger, row: int, parts: Sequence[Part], texts: Texts) -> tuple[str, str]:
    place = [part.ledger for part in parts].index(ledger)
    record = texts[place, row]
    label = f" [{record.label}]" if record.label is not None else ""
    return parts[place].reader.where(record.number), beside(record.texts) + label
