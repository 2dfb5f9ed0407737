"""Plain text in ids, packed into sequences: what a masked language model learns from."""

from collections.abc import Sequence

import numpy as np

from regard.config.data import Corpus
from regard.config.masked_language_model import MaskedLanguageModelRecipe
from regard.data.corpus import Choose, CorpusBuilder, TrainingRows, learned
from regard.data.encoded import EncodedRows, Ids
from regard.data.packing import Sequences, flat_of
from regard.data.pairs import Pair
from regard.data.sentences import plain_schema
from regard.errors import DataError
from regard.text.symbols import HIDDEN
from regard.text.tokenizer import Tokenizer

_FEWEST = 10
"""Sequences of a single document that is long enough to have parts which do not follow each other."""
_TRIES = 10
"""How often a sequence of another document is looked for, as in BERT's own code."""


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
        """A sequence by chance, of another document of the same part."""
        number = int(np.searchsorted(self._firsts, row, side="right")) - 1
        return other_document(self._packed[number], row - int(self._firsts[number]), rng)


def other_document(sequences: Sequences, row: int, rng: np.random.Generator) -> tuple[Ids, ...]:
    """A sequence by chance, of another document than that of a row; of one document, another sequence."""
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
