"""Term pairs: where a source sentence has a term, its translation must have the other."""

import re
import unicodedata
from collections.abc import Iterable
from pathlib import Path

from regard.data.lines import read_lines
from regard.errors import DataError
from regard.inference.phrases import is_open


class Glossary:
    """Source terms, and what each is to be called."""

    def __init__(self, terms: Iterable[tuple[str, str]]) -> None:
        """Take (source term, target term); several targets of one source term are alternatives."""
        self._targets: dict[str, list[str]] = {}
        for source, target in terms:
            clean = _clean(source)
            if not clean or not _clean(target):
                raise DataError(f"a glossary needs terms on both sides, found '{source}' and '{target}'")
            self._targets.setdefault(clean, []).append(target)
        longest_first = sorted(self._targets, key=len, reverse=True)
        self._pattern = re.compile("|".join(map(_as_pattern, longest_first)) or r"(?!)")

    @classmethod
    def read(cls, path: str | Path) -> "Glossary":
        """A file of two columns, tab separated: a source term and its target term a line."""
        terms = []
        for where, line in read_lines(Path(path)):
            if not line.strip():
                continue
            cells = line.split("\t")
            if len(cells) != 2 or not all(cell.strip() for cell in cells):
                raise DataError(
                    f"{where}: expected a source term, a tab and a target term, found {line[:60]!r}"
                )
            terms.append((cells[0], cells[1]))
        return cls(terms)

    def __len__(self) -> int:
        return len(self._targets)

    def wanted(self, source: str) -> tuple[tuple[str, ...], ...]:
        """The target terms that a source sentence asks for, each with its alternatives.

        A term stands at the beginning of a word. After one that ends in Hangul, anything may follow in the
        word: 학교 is in 학교에서; after another, Hangul may: API is in API를, but not in APIs. Where terms
        overlap, the first counts, and of those that begin together the longest.
        """
        text = unicodedata.normalize("NFC", source)
        found = dict.fromkeys(_clean(match.group()) for match in self._pattern.finditer(text))
        return tuple(dict.fromkeys(tuple(self._targets[term]) for term in found))


def _clean(term: str) -> str:
    return " ".join(unicodedata.normalize("NFC", term).split())


def _as_pattern(term: str) -> str:
    words = r"\s+".join(map(re.escape, term.split()))
    return rf"(?<!\w){words}" if is_open(term) else rf"(?<!\w){words}(?![^\W가-힣])"
