"""Plain text in ids, packed into sequences: what a masked language model learns from.

The ids of a corpus lie one after the other, and a sequence is a piece of them: so where each one ends is all
that is held, 8 bytes each, however long the corpus is.
"""

import zlib
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from regard.config.data import Corpus
from regard.config.masked_language_model import MaskedLanguageModelRecipe
from regard.data.corpus import Choose, CorpusBuilder, TrainingRows, learned
from regard.data.encoded import EncodedRows, FlatIds, Ids
from regard.data.pairs import Pair
from regard.data.sentences import plain_schema
from regard.errors import DataError
from regard.text.symbols import HIDDEN
from regard.text.tokenizer import Tokenizer

_ROWS_AT_ONCE = 1 << 18


def document_ends(flat: FlatIds, *, rows: bool) -> NDArray[np.int64]:
    """Where documents end, in tokens.

    Sentences on lines that follow each other are of one document: an empty line ends it, and so does a row
    that could not be used, for what is behind it does not follow what is before it.

    rows: each row is a document
    """
    found = []
    for first in range(0, len(flat.numbers), _ROWS_AT_ONCE):
        numbers = flat.numbers[first : first + _ROWS_AT_ONCE + 1]
        ends = np.arange(len(numbers) - 1) if rows else np.flatnonzero(np.diff(numbers) != 1)
        found.append(flat.starts[first + ends + 1])
    return np.unique(np.concatenate([*found, flat.starts[-1:]]))


def sequence_ends(flat: FlatIds, documents: NDArray[np.int64], *, room: int) -> NDArray[np.int64]:
    """Where sequences end, in tokens: at the end of a sentence wherever one has room."""
    return np.fromiter(_ends(flat.starts, documents, room), np.int64)


def _ends(starts: NDArray[np.int64], documents: NDArray[np.int64], room: int) -> Iterator[int]:
    begin = 0
    for document in documents.tolist():
        while begin < document:
            end = begin + room
            if end >= document:
                end = document
            else:
                sentence = int(starts[np.searchsorted(starts, end, side="right") - 1])
                end = sentence if sentence > begin else end
            yield end
            begin = end


class Sequences:
    """The sequences of one corpus, by their number."""

    def __init__(self, flat: FlatIds, name: str, *, length: int, specials: int, rows: bool) -> None:
        """Find where they end.

        name:   of the corpus: `name:line` is the place of a sentence
        length: tokens of a sequence, the special ones included
        rows:   each row is a document
        """
        self._flat = flat
        self.name = name
        self._documents = document_ends(self._flat, rows=rows)
        self._ends = sequence_ends(self._flat, self._documents, room=length - specials)
        sizes = np.diff(self._ends, prepend=0) + specials - 1  # one more is what a plan counts on
        self.lengths: NDArray[np.uint32] = sizes.astype(np.uint32)[:, None]
        """(n, 1)"""

    def __len__(self) -> int:
        return len(self._ends)

    @property
    def key(self) -> str:
        """Tells these sequences of the same ids from others: an empty line elsewhere makes others."""
        return f"{zlib.crc32(self._ends.tobytes()):08x}{zlib.crc32(self._documents.tobytes()):08x}"

    @cached_property
    def documents(self) -> int:
        """How many documents there are that have a word."""
        return int((np.diff(self._documents, prepend=0) > 0).sum())

    def __getitem__(self, row: int) -> tuple[Ids, ...]:
        """The ids of each sentence of a sequence."""
        begin, end = self._span(row)
        starts = self._flat.starts
        first, last = np.searchsorted(starts, begin, side="right"), np.searchsorted(starts, end)
        cuts = np.unique(starts[first:last]) - begin
        return tuple(np.split(np.asarray(self._flat.ids[begin:end]), cuts))

    def document(self, row: int) -> int:
        """The document that a sequence is of."""
        return int(np.searchsorted(self._documents, self._span(row)[0], side="right"))

    def where(self, row: int) -> str:
        """`file:line` of the first sentence of a sequence."""
        sentence = int(np.searchsorted(self._flat.starts, self._span(row)[0], side="right")) - 1
        return f"{self.name}:{self._flat.numbers[sentence]}"

    def _span(self, row: int) -> tuple[int, int]:
        return (int(self._ends[row - 1]) if row else 0), int(self._ends[row])


def flat_of(sentences: list[list[int]], numbers: list[int]) -> FlatIds:
    """Sentences that are in memory."""
    sizes: list[Any] = [len(ids) for ids in sentences]
    starts = np.concatenate([[0], np.cumsum(sizes, dtype=np.int64)]).astype(np.int64)
    ids = np.array([token for one in sentences for token in one], np.int64)
    return FlatIds(ids, starts, np.array(numbers, np.int64))


_FEWEST = 10
"""Sequences of a single document that is long enough to have parts which do not follow each other."""
_TRIES = 10
"""How often a sequence of another document is drawn again, as in BERT's own code."""


class PackedPart(Sequences):
    """The sequences of a corpus that is on the disk."""

    def __init__(self, rows: EncodedRows, *, length: int, specials: int, alone: bool) -> None:
        super().__init__(rows.flat, rows.name, length=length, specials=specials, rows=alone)
        self.left_out, self.bad, self.quarantine = rows.left_out, rows.bad, rows.quarantine


class PackedRows(TrainingRows[tuple[Ids, ...]]):
    """Sequences by their number, counted through all parts: the ids of each of their sentences."""

    def __init__(self, corpus: Corpus, parts: Sequence[PackedPart], key: str, ids_key: str) -> None:
        super().__init__(corpus, parts, key, ids_key, lambda *sentences: sentences)
        self._packed = parts

    def __getitem__(self, row: int, /) -> tuple[Ids, ...]:
        part, own = self._place(row)
        return part[own]

    def ids(self, row: int) -> tuple[Ids, ...]:
        """The ids of a sequence, as one side."""
        return (np.concatenate(self[row]),)

    @property
    def documents(self) -> int:
        """How many documents there are."""
        return sum(part.documents for part in self._packed)

    def other(self, row: int, rng: np.random.Generator) -> tuple[Ids, ...]:
        """A random sequence of another document of the same part."""
        number = int(np.searchsorted(self._firsts, row, side="right")) - 1
        return other_document(self._packed[number], row - int(self._firsts[number]), rng)


def other_document(sequences: Sequences, row: int, rng: np.random.Generator) -> tuple[Ids, ...]:
    """A random sequence of another document than that of a row; of one document, another sequence."""
    own, alone = sequences.document(row), sequences.documents < 2
    for _ in range(_TRIES):
        drawn = int(rng.integers(len(sequences)))
        if drawn != row if alone else sequences.document(drawn) != own:
            break
    return sequences[drawn]


def check_documents(sequences: Sequences, name: str) -> None:
    """Refuse a corpus that has no sentence which does not follow."""
    if sequences.documents < 2 and len(sequences) < _FEWEST:
        raise DataError(
            f"{name}: objective.next_sentence: on needs two documents or more, with an empty line between "
            f"them, or a long one; found one of {len(sequences)} sequences; say off or order"
        )


def pack_in_memory(
    rows: Sequence[Pair], tokenizer: Tokenizer, recipe: MaskedLanguageModelRecipe
) -> Sequences:
    """A small corpus, such as a dev set, as sequences."""
    corpora = [row.where.rpartition(":")[0] for row in rows]
    first = {name: place << 40 for place, name in enumerate(dict.fromkeys(corpora))}
    numbers = [first[name] + int(row.target) for name, row in zip(corpora, rows, strict=True)]
    flat = flat_of(tokenizer.encode_ids([row.source for row in rows]), numbers)
    data = recipe.data
    name = next(iter(first), "")
    specials = specials_of(recipe)
    return Sequences(flat, name, length=data.length, specials=specials, rows=data.documents == "rows")


def specials_of(recipe: MaskedLanguageModelRecipe) -> int:
    """Tokens around the words of a sequence: <s> and </s>, and one between two parts."""
    return 3 if recipe.asks_for_pairs else 2


def packed_corpus(
    recipe: MaskedLanguageModelRecipe, *, choose: Choose = learned, quiet: bool = False
) -> tuple[Tokenizer, PackedRows]:
    """The vocabulary of a recipe, with [MASK] in it, and its training text in sequences."""
    data = recipe.data
    keep = tuple(dict.fromkeys((*recipe.text.keep, HIDDEN)))
    text = recipe.text.model_copy(update={"keep": keep})
    builder = CorpusBuilder(data, text, plain_schema, choose=choose, quiet=quiet)
    tokenizer = builder.tokenizer([0])
    alone, specials = data.documents == "rows", specials_of(recipe)
    encoded = builder.encoded_parts([tokenizer])
    parts = [PackedPart(rows, length=data.length, specials=specials, alone=alone) for rows in encoded]
    if recipe.objective.next_sentence == "on":
        for part in parts:
            check_documents(part, part.name)
    packing = f"{data.length} {specials} {data.documents} {' '.join(part.key for part in parts)}"
    key, ids_key = builder.content_key([tokenizer]), builder.ids_key(encoded, [tokenizer])
    return tokenizer, PackedRows(data.train, parts, f"{key} {packing}", f"{ids_key} {packing}")
