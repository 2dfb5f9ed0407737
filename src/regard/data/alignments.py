"""Gold word alignments, as the columns of a table hold them: Pharaoh links.

`links` has sure links as `0-0` and possible ones as `1p2` or `1?2`; or two columns, `sure` and `possible`,
have them apart. A link leads from a word of the language whose column comes first to one of the other, both
counted from 0. An empty cell says that nobody aligned the row. What `regard align --soft --null` writes can
be read: the probability of a link (`0-0:0.93`) is not used, `NULL-2` is no link.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from regard.data.rows import Cell
from regard.errors import DataError
from regard.progress import counted
from regard.text.words import Links, between_spaces, word_spans

LINKS, SURE, POSSIBLE = "links", "sure", "possible"
GOLD = "gold"
"""What links of a file of their own are called, in the place of a column."""
FORMS = f"a column '{LINKS}' such as 0-0 1-2 2p1 (p or ?: possible), or two, '{SURE}' and '{POSSIBLE}'"

Words = Literal["word", "token"]
"""What links count: words with punctuation apart, as pictures have them; or what stands between spaces."""

_LINK = re.compile(r"([0-9]{1,6})([-p?])([0-9]{1,6})(?::[01](?:\.[0-9]+)?)?")
_NULL = re.compile(r"NULL-[0-9]{1,6}(?::[01](?:\.[0-9]+)?)?")
_SHOWN = 20


@dataclass(frozen=True, slots=True)
class GoldCells:
    """What the columns of one row hold, not yet looked at."""

    cells: tuple[tuple[str, Cell], ...]
    """Each with the name of its column."""
    turned: bool = False
    """Whether the source is the language whose column comes second."""
    words: Words | None = None
    """What is counted, where that is known."""
    first: int = 0
    """What the first word has been counted as, for a message."""

    @property
    def columned(self) -> bool:
        """Whether a table holds them, not a file of their own."""
        return any(column != GOLD for column, _ in self.cells)


@dataclass(frozen=True, slots=True)
class GoldLinks:
    """The alignment of one sentence pair by a person, from source words to target words."""

    sure: Links
    possible: Links
    """With the sure ones."""
    words: Words


@dataclass(frozen=True, slots=True)
class AlignedRow:
    """A sentence pair, and its alignment columns; None if there are none."""

    source: str
    target: str
    where: str
    gold: GoldCells | None


def gold_columns(columns: Sequence[str], where: str) -> tuple[str, ...]:
    """Those columns of a corpus that hold its alignment, if any do."""
    if LINKS in columns and SURE in columns:
        raise DataError(
            f"{where}: expected the alignment in '{LINKS}' or in '{SURE}', found both; rename one of them"
        )
    if LINKS in columns:
        return (LINKS,)
    return (SURE, *([POSSIBLE] if POSSIBLE in columns else [])) if SURE in columns else ()


def gold_links(rows: Sequence[AlignedRow]) -> list[GoldLinks | None]:
    """The alignments of the rows of one corpus; one that cannot be is refused, naming its place.

    Files differ in what they count. The words of a row are what stands between spaces, as the tools that
    write such files have it, unless some link of the corpus is beyond those and within the words with
    punctuation apart: then they are these, in every row.
    """
    parsed = [_parsed(row) if row.gold is not None else None for row in rows]
    apart = any(
        found is not None and _counts_words(found, row.source, row.target)
        for row, found in zip(rows, parsed, strict=True)
        if row.gold is not None and row.gold.words is None
    )
    results: list[GoldLinks | None] = []
    for row, found in zip(rows, parsed, strict=True):
        if found is None or row.gold is None:
            results.append(None)
            continue
        words = row.gold.words or ("word" if apart else "token")
        try:
            results.append(_within(found, row.gold, row.source, row.target, words))
        except ValueError as error:
            raise DataError(f"{row.where}: {error}") from None
    return results


def read_links(gold: GoldCells, source: str, target: str, words: Words) -> GoldLinks | None:
    """The alignment of one row whose words are known; None where nobody aligned it.

    Says by a ValueError why it is none.
    """
    found = _links(gold)
    return None if found is None else _within(found, gold, source, target, words)


def counts_words(gold: GoldCells, source: str, target: str) -> bool:
    """Whether a row shows that links count words with punctuation apart; one that cannot be read does not."""
    try:
        found = _links(gold)
    except ValueError:
        return False
    return found is not None and _counts_words(found, source, target)


def _parsed(row: AlignedRow) -> tuple[Links, Links] | None:
    assert row.gold is not None
    try:
        return _links(row.gold)
    except ValueError as error:
        without = "; mend it, or rename the column; regard evaluate --metrics bleu,chrf does without"
        advice = without if row.gold.columned else ""
        raise DataError(f"{row.where}: {error}{advice}") from None


def _links(gold: GoldCells) -> tuple[Links, Links] | None:
    """The sure and the possible links; None where the cells are empty."""
    texts = [(column, cell.split() if isinstance(cell, str) else cell) for column, cell in gold.cells]
    if not any(links for _, links in texts):
        return None
    found: dict[bool, set[tuple[int, int]]] = {True: set(), False: set()}
    for column, links in texts:
        for link in links:
            if _NULL.fullmatch(link.strip()):
                continue
            match = _LINK.fullmatch(link.strip())
            if match is None or (column == SURE and match[2] != "-"):
                expected = (
                    "i-j, such as 0-0" if column == SURE else "i-j (sure) or ipj (possible), such as 0-0"
                )
                side = "" if column == GOLD else f"the {column} side: "
                raise ValueError(f"{side}expected links {expected}, found '{link[:_SHOWN]}'")
            ends = int(match[1]), int(match[3])
            found[match[2] == "-" and column != POSSIBLE].add(ends[::-1] if gold.turned else ends)
    return frozenset(found[True]), frozenset(found[False])


def _counts_words(found: tuple[Links, Links], source: str, target: str) -> bool:
    """Whether links fit the words with punctuation apart, and not those between spaces."""
    between, apart = (_beyond(found, _sizes(source, target, words)) for words in ("token", "word"))
    return between is not None and apart is None


def _sizes(source: str, target: str, words: str) -> tuple[int, int]:
    cut = word_spans if words == "word" else between_spaces
    return len(cut(source)), len(cut(target))


def _beyond(found: tuple[Links, Links], sizes: tuple[int, int]) -> tuple[int, int] | None:
    """The first link that leads beyond a sentence."""
    wrong = [link for link in found[0] | found[1] if link[0] >= sizes[0] or link[1] >= sizes[1]]
    return min(wrong, default=None)


def _within(found: tuple[Links, Links], gold: GoldCells, source: str, target: str, words: Words) -> GoldLinks:
    """The alignment, once no link leads beyond a sentence."""
    sizes = _sizes(source, target, words)
    wrong = _beyond(found, sizes)
    if wrong is None:
        return GoldLinks(found[0], found[0] | found[1], words)
    shown = wrong[::-1] if gold.turned else wrong
    first, second = sizes[::-1] if gold.turned else sizes
    how = "punctuation apart" if words == "word" else "between spaces"
    leads = "the column that comes first to the other" if gold.columned else "the source to the target"
    raise ValueError(
        f"the link {shown[0] + gold.first}-{shown[1] + gold.first} is beyond the sentences of "
        f"{counted(first, 'word')} and {counted(second, 'word')} ({how}); links count from {gold.first}, "
        f"from {leads}"
    )
