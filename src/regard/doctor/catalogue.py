"""What the doctor looks for, as one table: what a finding means, how bad it is, what `--fix` does."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

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


_ASKED = "nothing, unless --drop names it: then the training row is dropped"

CHECKS: dict[str, Check] = {
    check.id: check
    for check in (
        # The row cannot be read.
        Check(
            "not-utf8",
            "error",
            "drops",
            "The line is not UTF-8.",
            "a line that is surely CP949 (Korean) or Windows-1252 is decoded; else the row is dropped",
        ),
        Check(
            "unreadable",
            "error",
            "drops",
            "The row does not have the form of its format, such as the number of columns of the header.",
            "the row is dropped",
        ),
        Check(
            "empty", "error", "drops", "A side is empty or has only invisible signs.", "the row is dropped"
        ),
        Check(
            "bom",
            "note",
            "repairs",
            "The file begins with a byte order mark.",
            "the mark is removed",
            "files",
        ),
        # Signs that should not be there.
        Check(
            "mojibake",
            "error",
            "repairs",
            "The text was decoded with the wrong encoding, such as Ã© for é or ¾È³ç for 안녕.",
            "decoded again with the right one",
        ),
        Check(
            "control",
            "error",
            "repairs",
            "A control character, a terminal colour code or half a character stands in the text.",
            "removed, or a space where it parts words",
        ),
        Check(
            "replacement",
            "error",
            "asks",
            "The sign � (U+FFFD) stands where a character was lost.",
            _ASKED,
        ),
        Check(
            "jamo",
            "error",
            "repairs",
            "Jamo that should be a syllable or a letter: a leak of decomposed Hangul.",
            "composed where they fit, else written as letters of their own (ㅋ)",
        ),
        Check(
            "not-nfc",
            "warning",
            "repairs",
            "The text is not in Unicode NFC, such as 한 in three jamo, as files from a Mac have it.",
            "brought into NFC",
        ),
        Check(
            "entity",
            "warning",
            "repairs",
            "An HTML entity such as &amp; or &#39; was left over.",
            "replaced by the sign that it stands for",
        ),
        Check(
            "escape",
            "warning",
            "repairs",
            "Escapes of characters were left over, such as \\uc548\\ub155\\ud558 or donu2019t.",
            "replaced by the characters",
        ),
        Check(
            "invisible",
            "warning",
            "repairs",
            "Zero-width signs, direction marks, soft hyphens, or a byte order mark within the text.",
            "removed",
        ),
        Check(
            "lookalike",
            "warning",
            "repairs",
            "A Cyrillic or Greek letter that looks like a Latin one stands in a Latin word.",
            "replaced by the Latin letter",
        ),
        Check(
            "full-width",
            "note",
            "repairs",
            "Full-width letters, digits or signs such as Ａ１！, or half-width ﾊﾝｸﾞﾙ.",
            "written as usual; the punctuation of Japanese and Chinese stays",
        ),
        Check(
            "space",
            "note",
            "repairs",
            "Spaces of a special kind: no-break, thin, ideographic, Hangul filler, line separator.",
            "replaced by a space",
        ),
        Check(
            "private-use",
            "warning",
            "asks",
            "Characters that mean nothing outside one font or program: private use, not assigned.",
            _ASKED,
        ),
        Check("tag", "note", "asks", "An HTML tag such as <br> was left over.", _ASKED),
        Check("old-hangul", "note", "asks", "Old Hangul, which is written in conjoining jamo.", _ASKED),
        Check(
            "single-jamo",
            "note",
            "asks",
            "Letters that make no syllable: ㅋㅋ is normal in reviews and chats, 없ㅅ브니다 is a slip.",
            _ASKED,
        ),
        # The wrong text.
        Check(
            "wrong-script",
            "warning",
            "asks",
            "A side is not written in the script of its language.",
            _ASKED,
        ),
        Check(
            "foreign-letters",
            "note",
            "asks",
            "Some letters are of a script that the language does not use.",
            _ASKED,
        ),
        Check(
            "untranslated",
            "warning",
            "asks",
            "Both sides are the same text, or nearly.",
            _ASKED,
        ),
        Check(
            "length-ratio",
            "warning",
            "asks",
            "One side is much longer than the other, compared with the rest of the corpus.",
            _ASKED,
        ),
        Check(
            "placeholders",
            "warning",
            "asks",
            "A placeholder or tag (%s, {0}, <b>) stands on one side only.",
            _ASKED,
        ),
        Check("numbers", "note", "asks", "A number of three or more digits stands on one side only.", _ASKED),
        Check("too-long", "note", "asks", "A side is longer than 1,000 characters.", _ASKED),
        Check("no-words", "note", "asks", "A side has no letter and no digit.", _ASKED),
        Check(
            "repeated",
            "note",
            "asks",
            "A word stands four times, or a letter ten times, in a row.",
            _ASKED,
        ),
        # Rows beside rows.
        Check(
            "leak",
            "error",
            "drops",
            "A training row stands in dev or test, too.",
            "the training row is dropped, never the one in dev or test",
        ),
        Check(
            "leak-side",
            "warning",
            "drops",
            "One side of a training pair stands in dev or test, too.",
            "the training row is dropped, never the one in dev or test",
        ),
        Check(
            "leak-near",
            "note",
            "asks",
            "A training row stands in dev or test, too, if case, spacing, punctuation and the values of "
            "numbers are ignored.",
            _ASKED,
        ),
        Check(
            "leak-short",
            "note",
            "asks",
            "A training row of fewer than 15 characters, such as Thanks!, stands in dev or test, too.",
            _ASKED,
        ),
        Check(
            "leak-held-out",
            "warning",
            "leaves",
            "A row of dev stands in test, too.",
            "nothing: dev and test stay as they are",
        ),
        Check(
            "duplicate",
            "warning",
            "drops",
            "A training row that is a duplicate of an earlier one.",
            "the first is kept, the others are dropped",
        ),
        Check(
            "duplicate-held-out",
            "note",
            "leaves",
            "A row of dev or test that stood in the same part before.",
            "nothing: dev and test stay as they are",
        ),
        Check(
            "near-duplicate",
            "note",
            "asks",
            "A training row that is a duplicate of an earlier one, if case, spacing, punctuation and the "
            "values of numbers are ignored.",
            _ASKED,
        ),
        Check("same-source", "note", "asks", "One source with several translations.", _ASKED),
        Check("same-target", "note", "asks", "One translation for several sources.", _ASKED),
        # Labels.
        Check("label-conflict", "warning", "asks", "The same text has two labels.", _ASKED),
        Check(
            "label-unseen",
            "error",
            "leaves",
            "A label of dev or test does not occur in training.",
            "nothing",
        ),
        Check(
            "label-balance",
            "note",
            "leaves",
            "One label is ten times as frequent as another.",
            "nothing",
            "files",
        ),
        # Tokens.
        Check(
            "coverage",
            "warning",
            "leaves",
            "More than 1 % of the characters are not in the vocabulary and are spelt in bytes.",
            "nothing",
            "sides",
        ),
        Check(
            "fertility",
            "note",
            "leaves",
            "A word takes 1.3 times as many tokens as in training: the words are others.",
            "nothing",
            "sides",
        ),
    )
}


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
