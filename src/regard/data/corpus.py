"""A training corpus: rows read and checked, vocabularies learned, everything encoded once and kept."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from regard.config.data import CorporaConfig, Corpus, OneCorpus
from regard.config.text import TextConfig
from regard.data.batching import Plan, plan_batches
from regard.data.cache import cache_folder, code_fingerprint, corpus_facts, key_of, stamps
from regard.data.encoded import EncodedRows, Encoder, Ids, is_whole, write_encoded
from regard.data.mixing import epoch_rows, epoch_sizes
from regard.data.pairs import Pair
from regard.data.readers import parts_of
from regard.data.rows import BadRows, Rows
from regard.data.schema import Schema, SchemaOf
from regard.errors import DataError, StoreError
from regard.progress import say, track
from regard.store.atomic import write_file
from regard.store.build import Vocabularies
from regard.text.labels import Bounded, Labels, LabelSets, Scale
from regard.text.pretokenized import TagIds
from regard.text.tokenizer import Tokenizer

T = TypeVar("T")
D = TypeVar("D", bound=CorporaConfig)
S = TypeVar("S", Labels, LabelSets, Scale)


Choose = Callable[[Callable[[], Vocabularies]], Vocabularies]
"""Chooses the vocabularies, given how to learn them."""


def learned(learn: Callable[[], Vocabularies]) -> Vocabularies:
    """Those that are learned."""
    return learn()


class StoredEncoder(Encoder, Protocol):
    """What turns the texts of a column into ids, and can be kept."""

    def to_json(self) -> str:
        """All that the ids depend on."""
        ...


class Part(Protocol):
    """The rows of one corpus, on the disk."""

    name: str
    lengths: NDArray[np.uint32]
    """(n, k), the ids of each sentence of a row."""
    left_out: int
    bad: int
    quarantine: Path

    def __len__(self) -> int: ...

    def __getitem__(self, row: int, /) -> tuple[Ids, ...]:
        """The ids of each sentence of a row."""
        ...

    def where(self, row: int) -> str:
        """`file:line` of a row."""
        ...


class TrainingRows(Generic[T]):
    """The rows that a model learns from, mapped from files: `rows[row]`, counted through all parts.

    make:    what a row is, from the ids of each of its sides
    counted: only so many of the first sides fill a batch; None = all
    """

    def __init__(
        self,
        corpus: Corpus,
        parts: Sequence[Part],
        key: str,
        ids_key: str,
        make: Callable[..., T],
        encoders: Sequence[StoredEncoder] = (),
        *,
        counted: int | None = None,
    ) -> None:
        self.encoders = tuple(encoders)
        """What the ids of each side are of."""
        self._make = make
        self._counted = counted
        self._parts = parts
        self._sizes = [len(part) for part in parts]
        for part in parts:
            if len(parts) > 1 and len(part) == 0:
                raise DataError(f"{part.name}: this part of the mix gives no rows; is its filter right?")
        self._firsts = np.cumsum([0, *self._sizes])
        self._wanted = epoch_sizes(corpus, self._sizes)
        self.left_out = sum(part.left_out for part in parts)
        self.bad = sum(part.bad for part in parts)
        self.ids_key = ids_key
        """Equal for equal ids and vocabularies, whatever they were read from, and by which code."""
        self.key = key
        """The same as runs knew it before: equal for equal files, read in the same way."""

    def __len__(self) -> int:
        return int(self._firsts[-1])

    def __getitem__(self, row: int, /) -> T:
        return self._make(*self.ids(row))

    def ids(self, row: int) -> tuple[Ids, ...]:
        """The ids of each side of a row."""
        part, own = self._place(row)
        return part[own]

    def where(self, row: int) -> str:
        """`file:line` of a row."""
        part, own = self._place(row)
        return part.where(own)

    def plan(self, *, budget: int, seed: int, epoch: int) -> Plan:
        """The batches of an epoch."""
        rows = epoch_rows(self._sizes, self._wanted, seed=seed, epoch=epoch)
        lengths = [part.lengths[:, : self._counted] for part in self._parts]
        return plan_batches(lengths, rows, budget=budget, seed=seed, epoch=epoch)

    def quarantine(self) -> str:
        """The rows that could not be used, one JSON object a line."""
        return "".join(part.quarantine.read_text(encoding="utf-8") for part in self._parts)

    def _place(self, row: int) -> tuple[Part, int]:
        part = int(np.searchsorted(self._firsts, row, side="right")) - 1
        return self._parts[part], row - int(self._firsts[part])


class CorpusBuilder:
    """The work on one recipe's training corpus, in two passes: vocabularies, then ids."""

    def __init__(
        self,
        data: D,
        text: TextConfig,
        schema_of: SchemaOf[D, Pair],
        *,
        choose: Choose = learned,
        quiet: bool = False,
        longest: Sequence[int] | None = None,
        facts: Mapping[str, Any] | None = None,
    ) -> None:
        """Begin.

        choose:  by default the vocabularies are learned on the training rows
        longest: the longest texts that are learned from, in ids, of each side; None = data.max_tokens of all
        facts:   what more decides which rows can be used
        """
        self._data = data
        self._text = text
        self._choose = choose
        self._quiet = quiet
        self._longest: int | list[int] = data.max_tokens if longest is None else list(longest)
        self._parts = parts_of(data.train)
        self._stamps = [stamps(part) for part in self._parts]
        self._schemas = [schema_of(data, part, "train") for part in self._parts]
        both = list(zip(self._parts, self._schemas, strict=True))
        self._facts = [corpus_facts(part, "train", schema.columns) for part, schema in both]
        self._rows = [schema.open(part, split="train") for part, schema in both]
        self._policy = {
            "on_bad_row": data.on_bad_row,
            "bad_row_limit": data.bad_row_limit,
            "text code": code_fingerprint("text"),
            **(facts or {}),
        }

    def tokenizer(self, sides: Sequence[int]) -> Tokenizer:
        """The one vocabulary of a model, on some sides."""
        (found,) = self._choose(lambda: tuple(self.vocabularies([sides])))
        return found

    def tokenizers(self, source: int, target: int) -> tuple[Tokenizer, Tokenizer]:
        """Those of two sides; they may share one."""

        def learn() -> Vocabularies:
            found = self.vocabularies([[source, target]] if self._text.joint else [[source], [target]])
            return found[0], found[-1]

        first, second = self._choose(learn)
        return first, second

    def vocabularies(self, sides: Sequence[Sequence[int]]) -> list[Tokenizer]:
        """Learn a vocabulary on each group of sides."""
        facts = {"parts": self._facts, "text": self._text.model_dump(mode="json"), **self._policy}
        path = cache_folder() / "vocabularies" / f"{key_of(facts)}.json"
        tokenizers = _kept_vocabularies(path)
        if len(tokenizers) != len(sides):
            say("learning the vocabularies", quiet=self._quiet)
            tokenizers = [Tokenizer.learn(_Texts(self, side), self._text) for side in sides]
            self._check_unchanged()
            texts = [tokenizer.to_json() for tokenizer in tokenizers]
            _write_cache(path, json.dumps(texts, ensure_ascii=False))
        return tokenizers

    def labels(self, side: int, column: str) -> Labels:
        """The labels of a side."""
        return self._said(side, column, {}, Labels.learn, Labels.from_json)

    def label_sets(self, side: int, column: str, separator: str) -> LabelSets:
        """The labels of a side of which a row may have any number."""
        return self._said(
            side,
            column,
            {"separator": separator},
            lambda cells, name: LabelSets.learn_sets(cells, name, separator),
            lambda text, where: LabelSets(Labels.from_json(text, where).names, separator),
        )

    def scale(self, side: int, column: str) -> Scale:
        """The scale of the numbers of a side."""
        return self._said(side, column, {"numbers": True}, Scale.learn, Scale.from_json)

    def _said(
        self,
        side: int,
        column: str,
        how: Mapping[str, Any],
        learn: Callable[[Iterable[tuple[str, str]], str], S],
        read: Callable[[str, str], S],
    ) -> S:
        """What is said of the rows, kept like a vocabulary."""
        facts = {"parts": self._facts, "labels": column, **how, **self._policy}
        path = cache_folder() / "vocabularies" / f"{key_of(facts)}.json"
        try:
            return read(path.read_text(encoding="utf-8"), str(path))
        except (OSError, ValueError, StoreError):  # not there, or damaged
            found = learn(((row.where, row.sides[side]) for row in self.read()), column)
        self._check_unchanged()
        _write_cache(path, found.to_json())
        return found

    def encoded(
        self, encoders: Sequence[StoredEncoder], make: Callable[..., T], *, counted: int | None = None
    ) -> TrainingRows[T]:
        """The rows in ids, an encoder for each side; `make` puts a row together from them.

        counted: only so many of the first sides are asked how long they are; None = all
        """
        parts = self.encoded_parts(encoders, counted=counted)
        key, ids_key = self.content_key(encoders), self.ids_key(parts, encoders)
        return TrainingRows(self._data.train, parts, key, ids_key, make, encoders, counted=counted)

    def encoded_parts(
        self, encoders: Sequence[StoredEncoder], *, counted: int | None = None
    ) -> list[EncodedRows]:
        """The rows in ids of each part of the corpus; the cache gives what was made before."""
        vocabularies = [encoder.to_json() for encoder in encoders]
        parts = []
        for facts, rows, schema in zip(self._facts, self._rows, self._schemas, strict=True):
            key = key_of(
                {
                    "part": facts,
                    "vocabularies": vocabularies,
                    "max_tokens": self._longest,
                    **self._policy,
                }
            )
            folder = cache_folder() / "encoded" / key
            if not is_whole(folder):
                self._encode(rows, schema, folder, encoders, counted)
            parts.append(EncodedRows(folder, rows.name))
        return parts

    def content_key(self, encoders: Sequence[StoredEncoder]) -> str:
        """A hash of what the ids depend on, but for the code that reads and encodes."""
        vocabularies = [encoder.to_json() for encoder in encoders]
        content = [{name: fact for name, fact in facts.items() if name != "readers"} for facts in self._facts]
        return key_of({"content": content, "ids": vocabularies, "max_tokens": self._longest})

    def ids_key(self, parts: Sequence[EncodedRows], encoders: Sequence[StoredEncoder]) -> str:
        """A hash of the ids themselves, and of what they stand for."""
        vocabularies = [encoder.to_json() for encoder in encoders]
        return key_of({"ids": [part.content for part in parts], "vocabularies": vocabularies})

    def _encode(
        self,
        rows: Rows,
        schema: Schema[Pair],
        folder: Path,
        encoders: Sequence[StoredEncoder],
        counted: int | None,
    ) -> None:
        bad = BadRows.of(self._data)
        known = Labels | Bounded | TagIds
        checks = [(side, one) for side, one in enumerate(encoders) if isinstance(one, known)]

        def checked() -> Iterator[tuple[int, tuple[str, ...]]]:
            for row in bad.good(rows):
                where = f"{rows.name}:{row.number}"
                sides = schema.example(row, where).sides
                for side, own in checks:  # here the line is known
                    own.numbers(sides[side], where)
                yield row.number, sides

        tracked = track(checked(), f"encoding {rows.name}", quiet=self._quiet)
        writer = write_encoded(folder, tracked, encoders, longest=self._longest, counted=counted)
        try:
            self._check_unchanged()
            writer.finish(bad.to_json_lines(), len(bad.met))
        finally:
            writer.give_up()

    def texts(self, sides: Sequence[int]) -> Iterator[str]:
        """Every text of these sides, once through."""
        for row in self.read():
            own = row.sides
            yield from (own[side] for side in sides)

    def read(self) -> Iterator[Pair]:
        """Every row, once through."""
        for rows, schema in zip(self._rows, self._schemas, strict=True):
            bad = BadRows.of(self._data)
            for row in track(bad.good(rows), f"reading {rows.name}", quiet=self._quiet):
                yield schema.example(row, f"{rows.name}:{row.number}")

    def _check_unchanged(self) -> None:
        for part, before in zip(self._parts, self._stamps, strict=True):
            if stamps(part) != before:
                raise DataError(f"{_name(part)}: changed while it was being read; start again")


class _Texts:
    """Sentences that can be gone through as often as a learner needs; none is kept."""

    def __init__(self, builder: CorpusBuilder, sides: Sequence[int]) -> None:
        self._builder = builder
        self._sides = sides

    def __iter__(self) -> Iterator[str]:
        return self._builder.texts(self._sides)


def _name(part: OneCorpus) -> str:
    return getattr(part, "path", None) or getattr(part, "source_path", None) or part.kind


def _write_cache(path: Path, text: str) -> None:
    """Write into the cache."""
    try:
        write_file(path, text)
    except StoreError as error:
        raise StoreError(f"{error}; REGARD_CACHE names another place for the cache") from None


def _kept_vocabularies(path: Path) -> list[Tokenizer]:
    """What the cache has; nothing if it is not there or damaged."""
    try:
        return [Tokenizer.from_json(text, str(path)) for text in json.loads(path.read_bytes())]
    except (OSError, ValueError, TypeError, StoreError):
        return []
