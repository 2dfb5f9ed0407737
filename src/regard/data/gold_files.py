"""Gold word alignments from a file of their own, for the pairs of another, in their order.

Two forms are known. Pharaoh: a line for each pair, with links as `0-0` (sure) and `1p2` or `1?2` (possible),
counted from 0; an empty line says that nobody aligned the pair. NAACL (the shared task of 2003): a link a
line, `sentence source target` and perhaps `S` or `P`, all counted from 1; word 0 is the empty word, whose
links are left out.
"""

import re
from collections.abc import Sequence
from pathlib import Path

from regard.data.alignments import GOLD, AlignedRow, GoldCells, GoldLinks, Words, gold_links
from regard.data.lines import read_lines
from regard.errors import DataError
from regard.progress import counted

_NAACL = re.compile(r"0*([0-9]{1,9})\s+([0-9]{1,6})\s+([0-9]{1,6})(?:\s+([SP]))?(?:\s+[0-9.]+)?")
_NUMBERS = re.compile(r"[0-9]+\s+[0-9]+\s+[0-9]+\b.*")


def read_gold(path: Path, pairs: Sequence[tuple[str, str]], words: Words | None) -> list[GoldLinks | None]:
    """The alignment of each pair; None where nobody aligned it.

    words: what links count, where that is known
    """
    lines = list(read_lines(path))
    first = next((text for _, text in lines if text.strip()), "")
    naacl = _NUMBERS.fullmatch(first.strip()) is not None
    if naacl:
        cells = _naacl(lines, path, len(pairs))
    else:
        cells = [(where, tuple(text.split())) for where, text in lines]
    if len(cells) != len(pairs):
        raise DataError(
            f"{path}: expected {counted(len(pairs), 'line')}, one for each pair, found {len(cells):,}"
        )
    rows = [
        AlignedRow(source, target, where, GoldCells(((GOLD, links),), words=words, first=int(naacl)))
        for (source, target), (where, links) in zip(pairs, cells, strict=True)
    ]
    found = gold_links(rows)
    if not any(found):
        raise DataError(f"{path}: expected links such as 0-0 1p2, or lines such as 1 1 2 S, found none")
    return found


def _naacl(lines: Sequence[tuple[str, str]], path: Path, count: int) -> list[tuple[str, tuple[str, ...]]]:
    """Links as Pharaoh has them, of each sentence."""
    found: list[list[str]] = [[] for _ in range(count)]
    places: dict[int, list[str]] = {}
    for where, text in lines:
        if not text.strip():
            continue
        match = _NAACL.fullmatch(text.strip())
        if match is None:
            raise DataError(
                f"{where}: expected a link as sentence, source word, target word and S or P, such as "
                f"1 1 2 S, found '{text.strip()[:30]}'"
            )
        sentence, source, target = (int(match[part]) for part in (1, 2, 3))
        if not 1 <= sentence <= count:
            raise DataError(
                f"{where}: expected a sentence of the {counted(count, 'pair')}, counted from 1, found "
                f"sentence {sentence}"
            )
        places.setdefault(sentence, []).append(where.rpartition(":")[2])
        if source and target:
            found[sentence - 1].append(f"{source - 1}{'p' if match[4] == 'P' else '-'}{target - 1}")
    return [
        (_place(path, number, places.get(number, [])), tuple(links))
        for number, links in enumerate(found, start=1)
    ]


def _place(path: Path, sentence: int, lines: Sequence[str]) -> str:
    """Where the links of a sentence stand: its first line, and its last."""
    ends = "-".join(dict.fromkeys([lines[0], lines[-1]])) if lines else "0"
    return f"{path}:{ends}: sentence {sentence}"
