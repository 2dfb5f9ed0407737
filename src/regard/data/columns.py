"""One word a line with its tags beside it, a sentence up to the next empty line: CoNLL-U and column files."""

import re
from collections.abc import Iterator

from regard.config.data import ColumnsCorpus, ConlluCorpus
from regard.data.lines import Line, display_name, lines_of
from regard.data.rows import RAW_SHOWN, BadRow, Row, Rows

CONLLU_COLUMNS = ("words", "lemmas", "tags", "xpos", "text", "sent_id", "heads", "relations")
_CONLLU_FIELDS = 10
_PASSED_OVER = re.compile(r"\d+-\d+|\d+\.\d+")
_DOCUMENT = "-DOCSTART-"


def conllu_rows(corpus: ConlluCorpus) -> Rows:
    """Sentences of a treebank; multiword ranges (3-4) and empty words (5.1) are passed over."""

    def read() -> Iterator[Row | BadRow]:
        return map(_sentence, _blocks(lines_of(corpus.path)))

    return Rows(display_name(corpus.path), CONLLU_COLUMNS, read)


def column_rows(corpus: ColumnsCorpus) -> Rows:
    """Sentences of a file of columns, separated by tabs or else by blanks."""
    names = tuple(name for name in corpus.columns if name != "_")
    places = tuple(place for place, name in enumerate(corpus.columns) if name != "_")

    def read() -> Iterator[Row | BadRow]:
        for block in _blocks(lines_of(corpus.path)):
            if isinstance(block, BadRow) or not block[0].text.startswith(_DOCUMENT):
                yield _cut(block, len(corpus.columns), places)

    return Rows(display_name(corpus.path), names, read)


def _blocks(lines: Iterator[Line | BadRow]) -> Iterator[list[Line] | BadRow]:
    """The lines between two empty ones; with a bad line among them, that one."""
    block: list[Line] = []
    bad: BadRow | None = None
    for line in lines:
        if isinstance(line, BadRow):
            bad = bad or line
        elif line.text.strip():
            block.append(line)
        elif block or bad:
            yield bad or block
            block, bad = [], None
    if block or bad:
        yield bad or block


def _sentence(block: list[Line] | BadRow) -> Row | BadRow:
    if isinstance(block, BadRow):
        return block
    comments: dict[str, str] = {}
    words: list[list[str]] = []
    for line in block:
        if line.text.startswith("#"):
            name, _, value = line.text[1:].partition("=")
            comments[name.strip()] = value.strip()
            continue
        fields = line.text.split("\t")
        if len(fields) != _CONLLU_FIELDS:
            reason = f"expected {_CONLLU_FIELDS} tab-separated columns, found {len(fields)}"
            return BadRow(line.number, reason, line.text[:RAW_SHOWN])
        if _PASSED_OVER.fullmatch(fields[0]):
            continue
        if fields[0] != str(len(words) + 1):
            reason = f"expected word {len(words) + 1} of the sentence, found '{fields[0]}'"
            return BadRow(line.number, reason, line.text[:RAW_SHOWN])
        words.append(fields)
    if not words:
        return BadRow(block[0].number, "the sentence has no words", block[0].text[:RAW_SHOWN])
    forms, lemmas, tags, xpos, heads, relations = (
        tuple(fields[place] for fields in words) for place in (1, 2, 3, 4, 6, 7)
    )
    text = comments.get("text") or " ".join(forms)
    told = (forms, lemmas, tags, xpos, text, comments.get("sent_id", ""), heads, relations)
    return Row(block[0].number, told)


def _cut(block: list[Line] | BadRow, expected: int, places: tuple[int, ...]) -> Row | BadRow:
    if isinstance(block, BadRow):
        return block
    words: list[list[str]] = []
    for line in block:
        fields = line.text.split("\t") if "\t" in line.text else line.text.split()
        if len(fields) != expected:
            reason = f"expected {expected} columns, found {len(fields)}"
            return BadRow(line.number, reason, line.text[:RAW_SHOWN])
        words.append(fields)
    return Row(block[0].number, tuple(tuple(fields[place] for fields in words) for place in places))
