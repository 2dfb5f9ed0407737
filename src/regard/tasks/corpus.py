"""A training corpus: rows read and checked, vocabularies learned, everything encoded once and kept."""

import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np

from regard.config.data import Corpus, DataConfig, OneCorpus
from regard.config.text import TextConfig
from regard.data.bad_rows import BadRows
from regard.data.batching import EncodedPair, Plan, plan_batches
from regard.data.cache import cache_folder, code_fingerprint, corpus_facts, key_of, stamps
from regard.data.encoded import EncodedRows, is_whole, write_encoded
from regard.data.mixing import epoch_rows, epoch_sizes
from regard.data.pairs import Pair, pair_columns
from regard.data.readers import open_rows, parts_of
from regard.data.rows import Row, Rows
from regard.errors import DataError, StoreError
from regard.progress import say, track
from regard.store.atomic import write_file
from regard.text.tokenizer import Tokenizer

Vocabularies = tuple[Tokenizer, Tokenizer]
"""Source and target; with `joint`, one that is both."""


class TrainingPairs:
    """The pairs that a translator learns from, mapped from files: `pairs[row]`, counted through all parts."""

    def __init__(self, corpus: Corpus, parts: Sequence[EncodedRows], key: str) -> None:
        self._parts = parts
        self._sizes = [len(part) for part in parts]
        for part in parts:
            if len(parts) > 1 and len(part) == 0:
                raise DataError(f"{part.name}: this part of the mix gives no rows; is its filter right?")
        self._firsts = np.cumsum([0, *self._sizes])
        self._wanted = epoch_sizes(corpus, self._sizes)
        self.left_out = sum(part.left_out for part in parts)
        self.bad = sum(part.bad for part in parts)
        self.key = key
        """Equal for equal rows in equal ids, whatever code read them."""

    def __len__(self) -> int:
        return int(self._firsts[-1])

    def __getitem__(self, row: int, /) -> EncodedPair:
        part, own = self._place(row)
        return EncodedPair(*part[own])

    def where(self, row: int) -> str:
        """`file:line` of a row."""
        part, own = self._place(row)
        return part.where(own)

    def plan(self, *, budget: int, seed: int, epoch: int) -> Plan:
        """The batches of an epoch."""
        rows = epoch_rows(self._sizes, self._wanted, seed=seed, epoch=epoch)
        lengths = [part.lengths for part in self._parts]
        return plan_batches(lengths, rows, budget=budget, seed=seed, epoch=epoch)

    def quarantine(self) -> str:
        """The rows that could not be used, one JSON object a line."""
        return "".join(part.quarantine.read_text(encoding="utf-8") for part in self._parts)

    def _place(self, row: int) -> tuple[EncodedRows, int]:
        part = int(np.searchsorted(self._firsts, row, side="right")) - 1
        return self._parts[part], row - int(self._firsts[part])


def prepare_pairs(
    data: DataConfig,
    text: TextConfig,
    *,
    vocabularies: Callable[[Callable[[], Vocabularies]], Vocabularies] = lambda learn: learn(),
    quiet: bool = False,
) -> tuple[Tokenizer, Tokenizer, TrainingPairs]:
    """The vocabularies of a recipe, and its training pairs in ids; the cache gives what was made before.

    vocabularies: chooses the vocabularies, given how to learn them; by default those that are learned
    """
    preparation = _Preparation(data, text, quiet=quiet)
    source, target = vocabularies(preparation.vocabularies)
    encoded = preparation.encoded(source, target)
    return source, target, TrainingPairs(data.train, encoded, preparation.content_key(source, target))


def encode_pairs(pairs: Sequence[Pair], source: Tokenizer, target: Tokenizer) -> list[EncodedPair]:
    """Turn pairs into ids, in memory."""
    sources = source.encode_ids([pair.source for pair in pairs])
    targets = target.encode_ids([pair.target for pair in pairs])
    return [EncodedPair(s, t) for s, t in zip(sources, targets, strict=True)]


class _Preparation:
    """The work on one recipe's training corpus, in two passes: vocabularies, then ids."""

    def __init__(self, data: DataConfig, text: TextConfig, *, quiet: bool) -> None:
        self._data = data
        self._text = text
        self._quiet = quiet
        columns = pair_columns(data)
        self._parts = parts_of(data.train)
        self._stamps = [stamps(part) for part in self._parts]
        self._facts = [corpus_facts(part, "train", columns) for part in self._parts]
        self._rows = [open_rows(part, columns, split="train") for part in self._parts]
        self._policy = {
            "on_bad_row": data.on_bad_row,
            "bad_row_limit": data.bad_row_limit,
            "text code": code_fingerprint("text"),
        }

    def vocabularies(self) -> Vocabularies:
        """Learn the vocabularies."""
        facts = {"parts": self._facts, "text": self._text.model_dump(mode="json"), **self._policy}
        path = cache_folder() / "vocabularies" / f"{key_of(facts)}.json"
        sides = [[0, 1]] if self._text.joint else [[0], [1]]
        tokenizers = _kept_vocabularies(path)
        if len(tokenizers) != len(sides):
            say("learning the vocabularies", quiet=self._quiet)
            tokenizers = [Tokenizer.learn(_Texts(self, side), self._text) for side in sides]
            self._check_unchanged()
            texts = [tokenizer.to_json() for tokenizer in tokenizers]
            write_file(path, json.dumps(texts, ensure_ascii=False))
        return tokenizers[0], tokenizers[-1]

    def encoded(self, source: Tokenizer, target: Tokenizer) -> list[EncodedRows]:
        """Each part in ids."""
        vocabularies = [source.to_json(), target.to_json()]
        parts = []
        for facts, rows in zip(self._facts, self._rows, strict=True):
            key = key_of(
                {
                    "part": facts,
                    "vocabularies": vocabularies,
                    "max_tokens": self._data.max_tokens,
                    **self._policy,
                }
            )
            folder = cache_folder() / "encoded" / key
            if not is_whole(folder):
                self._encode(rows, folder, source, target)
            parts.append(EncodedRows(folder, rows.name))
        return parts

    def content_key(self, source: Tokenizer, target: Tokenizer) -> str:
        """A hash of what the ids depend on, but for the code that reads and encodes."""
        content = [{name: fact for name, fact in facts.items() if name != "readers"} for facts in self._facts]
        vocabularies = [source.to_json(), target.to_json()]
        return key_of({"content": content, "ids": vocabularies, "max_tokens": self._data.max_tokens})

    def _encode(self, rows: Rows, folder: Path, source: Tokenizer, target: Tokenizer) -> None:
        bad = BadRows.of(self._data)
        pairs = ((row.number, _sentences(row, rows, self._data)) for row in bad.good(rows))
        tracked = track(pairs, f"encoding {rows.name}", quiet=self._quiet)
        writer = write_encoded(folder, tracked, [source, target], longest=self._data.max_tokens)
        try:
            self._check_unchanged()
            writer.finish(bad.to_json_lines(), len(bad.met))
        finally:
            writer.give_up()

    def texts(self, sides: Sequence[int]) -> Iterator[str]:
        """Every sentence of these sides, once through."""
        for rows in self._rows:
            bad = BadRows.of(self._data)
            for row in track(bad.good(rows), f"reading {rows.name}", quiet=self._quiet):
                sentences = _sentences(row, rows, self._data)
                yield from (sentences[side] for side in sides)

    def _check_unchanged(self) -> None:
        for part, before in zip(self._parts, self._stamps, strict=True):
            if stamps(part) != before:
                raise DataError(f"{_name(part)}: changed while it was being read; start again")


class _Texts:
    """Sentences that can be gone through as often as a learner needs; none is kept."""

    def __init__(self, preparation: _Preparation, sides: Sequence[int]) -> None:
        self._preparation = preparation
        self._sides = sides

    def __iter__(self) -> Iterator[str]:
        return self._preparation.texts(self._sides)


def _sentences(row: Row, rows: Rows, data: DataConfig) -> tuple[str, str]:
    return str(row.cells[rows.columns.index(data.source)]), str(row.cells[rows.columns.index(data.target)])


def _name(part: OneCorpus) -> str:
    return getattr(part, "path", None) or getattr(part, "source_path", None) or part.kind


def _kept_vocabularies(path: Path) -> list[Tokenizer]:
    """What the cache has; nothing if it is not there or damaged."""
    try:
        return [Tokenizer.from_json(text, str(path)) for text in json.loads(path.read_bytes())]
    except (OSError, ValueError, TypeError, StoreError):
        return []
