"""The examination of a corpus, from its files to its report."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from regard.doctor.across import compare
from regard.doctor.corpus import Part, open_parts
from regard.doctor.examples import add_matches
from regard.doctor.findings import Example, Tally, findings_of
from regard.doctor.groups import Match
from regard.doctor.guess import Asked, Layout
from regard.doctor.inputs import Input
from regard.doctor.labels import judge_labels
from regard.doctor.report import FileSummary, Lengths, Report
from regard.doctor.scan import scan
from regard.doctor.tokens import VOCABULARY, Fit, learn, measure
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
