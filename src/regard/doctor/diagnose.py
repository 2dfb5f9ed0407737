"""The examination of a corpus, from its files to its report."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np

from regard.doctor.across import Match, Place, compare
from regard.doctor.corpus import Part, open_parts
from regard.doctor.examine import Lost, Record, beside
from regard.doctor.findings import Example, Tally, excerpt, findings_of
from regard.doctor.guess import Asked, Layout
from regard.doctor.inputs import Input
from regard.doctor.ledger import Ledger
from regard.doctor.report import FileSummary, Lengths, Report
from regard.doctor.tokens import VOCABULARY, Fit, learn, measure
from regard.doctor.workers import Workers
from regard.errors import DataError
from regard.progress import counted, track
from regard.text.tokenizer import Tokenizer

_UNCOVERED = 0.01
_UNLIKE = 1.3


@dataclass(frozen=True)
class Examination:
    """What was found, and what is needed to put it right."""

    report: Report
    parts: tuple[Part, ...]
    matches: tuple[Match, ...]


def examine(
    inputs: Sequence[Input],
    asked: Asked,
    *,
    checks: frozenset[str],
    examples: int = 3,
    tokenizers: Mapping[str, Tokenizer] | None = None,
    quiet: bool = False,
) -> Examination:
    """Look at every row of a corpus.

    asked:      what is known about its columns
    checks:     ids of the catalogue
    examples:   how many to show of each finding
    tokenizers: of the source and the target, by language, to see how they fit; by default, some are learned
    """
    layout, parts = open_parts(inputs, asked, checks=checks, examples=examples)
    tally = Tally(examples)
    scan(parts, tally, checks, quiet=quiet)
    ledgers = [part.ledger for part in parts]
    matches = [match for match in compare(ledgers, translation=layout.translation) if match.check in checks]
    add_matches(matches, parts, tally)
    judge_labels(ledgers, tally, checks)
    vocabulary, fits = _fits(parts, layout, tokenizers, checks)
    _judge_fits(fits, parts, tally, checks)
    report = Report(
        files=tuple(_summary(part, layout) for part in parts),
        guessed=layout.guessed,
        findings=findings_of(tally, sum(len(ledger) + ledger.lost for ledger in ledgers)),
        tokens=tuple(fits),
        vocabulary=vocabulary,
        checks=tuple(sorted(checks)),
    )
    return Examination(report, tuple(parts), tuple(matches))


def _summary(part: Part, layout: Layout) -> FileSummary:
    ledger = part.ledger
    sides = []
    for side, name in enumerate(layout.sides):
        lengths = ledger.lengths(side)
        median, high = np.percentile(lengths, [50, 99]) if len(lengths) else (0, 0)
        total, longest = int(lengths.sum(dtype=np.int64)), int(lengths.max(initial=0))
        script = part.task.scripts[side]
        sides.append(Lengths(name, script, ledger.words[side], total, round(median), round(high), longest))
    labels = dict(ledger.label_counts.most_common())
    return FileSummary(ledger.name, ledger.role, len(ledger) + ledger.lost, ledger.lost, tuple(sides), labels)


def _fits(
    parts: Sequence[Part], layout: Layout, given: Mapping[str, Tokenizer] | None, checks: frozenset[str]
) -> tuple[str, list[Fit]]:
    """How the given vocabularies, or new ones, fit each file."""
    if not {"coverage", "fertility"} & checks:
        return "", []
    samples = {part.ledger.name: part.sample for part in parts}
    if given:
        by_place = [*given.values(), *given.values()]
        of_sides = [given.get(side, by_place[place]) for place, side in enumerate(layout.sides)]
        return "of the model", measure(samples, layout.sides, of_sides)
    learned_on = [part.sample for part in parts if part.ledger.role == "train"]
    scripts = {script for part in parts for script in part.task.scripts}
    learned = learn(learned_on, len(layout.sides), joint=len(scripts) == 1 and not layout.translation)
    if learned is None:
        return "", []
    rows = sum(len(sample.learned_on()) for sample in learned_on)
    return f"BPE of {VOCABULARY:,} entries, learned on {rows:,} rows", measure(samples, layout.sides, learned)


def _judge_fits(fits: Sequence[Fit], parts: Sequence[Part], tally: Tally, checks: frozenset[str]) -> None:
    roles = {part.ledger.name: part.ledger.role for part in parts}
    for fit in fits:
        text = f"{fit.side}: {fit.spelt_in_bytes:.2%} of the characters"
        if "coverage" in checks and fit.spelt_in_bytes > _UNCOVERED:
            tally.add("coverage", fit.file, 1, [Example(fit.file, text)])
        usual = next((f for f in fits if f.side == fit.side and roles[f.file] == "train"), fit)
        own, theirs = fit.tokens_per_word, usual.tokens_per_word
        text = f"{fit.side}: {own:.2f} tokens a word, {theirs:.2f} in {usual.file}"
        if "fertility" in checks and own > _UNLIKE * theirs:
            tally.add("fertility", fit.file, 1, [Example(fit.file, text)])


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


UNBALANCED = 10
MANY = 200
"""A column with more values than this is no label; its balance is not reported."""


def judge_labels(ledgers: Sequence[Ledger], tally: Tally, checks: frozenset[str]) -> None:
    """Add the findings about labels."""
    train = Counter[str]()
    for ledger in ledgers:
        if ledger.role == "train":
            train.update(ledger.label_counts)
    if not 1 < len(train) <= MANY or _are_scores(train):
        return
    if "label-balance" in checks:
        _judge_balance(train, next(ledger.name for ledger in ledgers if ledger.role == "train"), tally)
    if "label-unseen" in checks:
        for ledger in ledgers:
            for label in sorted(ledger.label_counts.keys() - train.keys()):
                count = ledger.label_counts[label]
                tally.add(
                    "label-unseen",
                    ledger.name,
                    count,
                    [Example(ledger.name, f"{label}: {counted(count, 'row')}")],
                )


def _are_scores(labels: Iterable[str]) -> bool:
    """Whether the labels are measures, such as 3.8: then a new one is no surprise."""
    return any("." in label for label in labels) and all(map(_is_number, labels))


def _is_number(label: str) -> bool:
    try:
        float(label)
    except ValueError:
        return False
    return True


def _judge_balance(train: Counter[str], file: str, tally: Tally) -> None:
    ((most, highest),), (least, lowest) = train.most_common(1), train.most_common()[-1]
    if highest >= UNBALANCED * lowest:
        text = f"{most}: {counted(highest, 'row')}, {least}: {counted(lowest, 'row')}"
        tally.add("label-balance", file, 1, [Example(file, text)])
