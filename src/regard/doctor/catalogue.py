"""The checks of the doctor, as one table: what a finding means, how bad it is, what `--fix` does."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, get_args

from regard.errors import ConfigError, did_you_mean

Severity = Literal["error", "warning", "note"]
Cure = Literal["repairs", "drops", "asks", "leaves"]
"""What `--fix` does: repairs the text; drops the row; drops a training row when `--drop` names the check;
leaves it alone."""


@dataclass(frozen=True)
class Check:
    """One kind of fault."""

    id: str
    severity: Severity
    cure: Cure
    meaning: str
    fix: str
    """What `--fix` does about it, in words."""
    unit: str = "rows"
    """What is counted."""


_TABLE = """
not-utf8 error drops: The line is not UTF-8.
    | a line that is surely CP949 (Korean) or Windows-1252 is decoded; else the row is dropped
unreadable error drops: The row does not have the form of its format, such as the number of columns of the
    header.
    | the row is dropped
empty error drops: A side is empty or has only invisible signs.
    | the row is dropped
bom note repairs files: The file begins with a byte order mark.
    | the mark is removed
mojibake error repairs: The text was decoded with the wrong encoding, such as Ã© for é or ¾È³ç for 안녕.
    | decoded again with the right one
control error repairs: A control character, a terminal colour code or half a character stands in the text.
    | removed, or a space where it parts words
replacement error asks: The sign � (U+FFFD) stands where a character was lost.
jamo error repairs: Jamo that should be a syllable or a letter: a leak of decomposed Hangul.
    | composed where they fit, else written as letters of their own (ㅋ)
not-nfc warning repairs: The text is not in Unicode NFC, such as 한 in three jamo, as files from a Mac have
    it.
    | brought into NFC
entity warning repairs: An HTML entity such as &amp; or &#39; was left over.
    | replaced by the sign that it stands for
escape warning repairs: Escapes of characters were left over, such as \\uc548\\ub155\\ud558 or donu2019t.
    | replaced by the characters
invisible warning repairs: Zero-width signs, direction marks, soft hyphens, or a byte order mark within the
    text.
    | removed
lookalike warning repairs: A Cyrillic or Greek letter that looks like a Latin one stands in a Latin word.
    | replaced by the Latin letter
full-width note repairs: Full-width letters, digits or signs such as Ａ１！, or half-width ﾊﾝｸﾞﾙ.
    | written as usual; the punctuation of Japanese and Chinese stays
space note repairs: Spaces of a special kind: no-break, thin, ideographic, Hangul filler, line separator.
    | replaced by a space
private-use warning asks: Characters that mean nothing outside one font or program: private use, not assigned.
tag note asks: An HTML tag such as <br> was left over.
old-hangul note asks: Old Hangul, which is written in conjoining jamo.
single-jamo note asks: Letters that make no syllable: ㅋㅋ is normal in reviews and chats, 없ㅅ브니다 is a
    slip.
wrong-script warning asks: A side is not written in the script of its language.
foreign-letters note asks: Some letters are of a script that the language does not use.
untranslated warning asks: Both sides are the same text, or nearly.
length-ratio warning asks: One side is much longer than the other, compared with the rest of the corpus.
placeholders warning asks: A placeholder or tag (%s, {0}, <b>) stands on one side only.
numbers note asks: A number of three or more digits stands on one side only.
too-long note asks: A side is longer than 1,000 characters.
no-words note asks: A side has no letter and no digit.
repeated note asks: A word stands four times, or a letter ten times, in a row.
leak error drops: A training row stands in dev or test, too.
    | the training row is dropped, never the one in dev or test
leak-side warning drops: One side of a training pair stands in dev or test, too.
    | the training row is dropped, never the one in dev or test
leak-near note asks: A training row stands in dev or test, too, if case, spacing, punctuation and the values
    of numbers are ignored.
leak-short note asks: A training row of fewer than 15 characters, such as Thanks!, stands in dev or test, too.
leak-held-out warning leaves: A row of dev stands in test, too.
    | nothing: dev and test stay as they are
duplicate warning drops: A training row that is a duplicate of an earlier one.
    | the first is kept, the others are dropped
duplicate-held-out note leaves: A row of dev or test that stood in the same part before.
    | nothing: dev and test stay as they are
near-duplicate note asks: A training row that is a duplicate of an earlier one, if case, spacing, punctuation
    and the values of numbers are ignored.
same-source note asks: One source with several translations.
same-target note asks: One translation for several sources.
label-conflict warning asks: The same text has two labels.
label-unseen error leaves: A label of dev or test does not occur in training.
label-balance note leaves files: One label is ten times as frequent as another.
coverage warning leaves sides: More than 1 % of the characters are not in the vocabulary and fall back to
    bytes.
fertility note leaves sides: A word takes 1.3 times as many tokens as in training: the words are others.
"""
"""Check, severity, cure and (if not rows) unit: what it means; after a stroke, what `--fix` does about it."""
_SEVERITIES: dict[str, Severity] = {name: name for name in get_args(Severity)}
_CURES: dict[str, Cure] = {name: name for name in get_args(Cure)}
_FIXES = {"asks": "nothing, unless --drop names it: then the training row is dropped", "leaves": "nothing"}


def _check(entry: str) -> Check:
    head, _, told = " ".join(entry.split()).partition(": ")
    name, severity, cure, *unit = head.split()
    meaning, _, fix = told.partition(" | ")
    return Check(name, _SEVERITIES[severity], _CURES[cure], meaning, fix or _FIXES[cure], *unit)


CHECKS = {check.id: check for check in map(_check, re.split(r"\n(?=\S)", _TABLE.strip()))}


def selected_checks(only: Iterable[str], skipped: Iterable[str]) -> frozenset[str]:
    """The checks to make; an unknown name is refused."""
    chosen, left_out = known_checks(only, "--checks"), known_checks(skipped, "--skip")
    if both := chosen & left_out:
        raise ConfigError(f"--checks and --skip both name {', '.join(sorted(both))}")
    return (chosen or frozenset(CHECKS)) - left_out


def known_checks(names: Iterable[str], option: str) -> frozenset[str]:
    """The names, if each is a check."""
    found = frozenset(names)
    for name in sorted(found):
        if name not in CHECKS:
            raise ConfigError(f"{option}: there is no check '{name}'; {did_you_mean(name, CHECKS)}")
    return found


def droppable(names: Iterable[str]) -> frozenset[str]:
    """The names, if `--drop` can drop rows for each."""
    found = known_checks(names, "--drop")
    able = [check.id for check in CHECKS.values() if check.cure == "asks"]
    for name in sorted(found):
        if name not in able:
            does = CHECKS[name].fix
            raise ConfigError(f"--drop: no row can be dropped for '{name}' (--fix: {does}); {_list(able)}")
    return found


def _list(names: Iterable[str]) -> str:
    return f"valid: {', '.join(names)}"
