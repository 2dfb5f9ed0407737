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
from regard.data.encoded import EncodedRows, Ids, StoredEncoder, is_whole, write_encoded
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

    def has(self, side: int) -> bool:
        """Whether any row has ids on a side."""
        return any(bool(part.lengths[:, side].any()) for part in self._parts)

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

        def learn() -> list[Tokenizer]:
            say("learning the vocabularies", quiet=self._quiet)
            return [Tokenizer.learn(_Texts(self, side), self._text) for side in sides]

        def read(text: str, where: str) -> list[Tokenizer]:
            return [Tokenizer.from_json(own, where) for _, own in zip(sides, json.loads(text), strict=True)]

        how = {"text": self._text.model_dump(mode="json")}
        return self._kept(how, learn, read, lambda found: json.dumps(_stored(found), ensure_ascii=False))

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
        """The label set of the rows, kept like a vocabulary."""

        def learn_side() -> S:
            return learn(((row.where, row.sides[side]) for row in self.read()), column)

        return self._kept({"labels": column, **how}, learn_side, read, lambda found: found.to_json())

    def _kept(
        self,
        how: Mapping[str, Any],
        learn: Callable[[], T],
        read: Callable[[str, str], T],
        write: Callable[[T], str],
    ) -> T:
        """What the cache has; what is not there, or damaged, is learned from the rows and kept."""
        facts = {"parts": self._facts, **how, **self._policy}
        path = cache_folder() / "vocabularies" / f"{key_of(facts)}.json"
        try:
            return read(path.read_text(encoding="utf-8"), str(path))
        except (OSError, ValueError, TypeError, StoreError):
            found = learn()
        self._check_unchanged()
        try:
            write_file(path, write(found))
        except StoreError as error:
            raise StoreError(f"{error}; REGARD_CACHE names another place for the cache") from None
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
        """The rows in ids of each part of the corpus; the cache has what was encoded before."""
        vocabularies, parts = _stored(encoders), []
        for facts, rows, schema in zip(self._facts, self._rows, self._schemas, strict=True):
            own = {"part": facts, "vocabularies": vocabularies, "max_tokens": self._longest}
            folder = cache_folder() / "encoded" / key_of(own | self._policy)
            if not is_whole(folder):
                self._encode(rows, schema, folder, encoders, counted)
            parts.append(EncodedRows(folder, rows.name))
        return parts

    def content_key(self, encoders: Sequence[StoredEncoder]) -> str:
        """A hash of what the ids depend on, but for the code that reads and encodes."""
        content = [{name: fact for name, fact in facts.items() if name != "readers"} for facts in self._facts]
        return key_of({"content": content, "ids": _stored(encoders), "max_tokens": self._longest})

    def ids_key(self, parts: Sequence[EncodedRows], encoders: Sequence[StoredEncoder]) -> str:
        """A hash of the ids themselves, and of what they stand for."""
        return key_of({"ids": [part.content for part in parts], "vocabularies": _stored(encoders)})

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
    """The texts of some sides, gone through as often as a learner needs; none is kept."""

    def __init__(self, builder: CorpusBuilder, sides: Sequence[int]) -> None:
        self._builder = builder
        self._sides = sides

    def __iter__(self) -> Iterator[str]:
        for row in self._builder.read():
            own = row.sides
            yield from (own[side] for side in self._sides)


def _stored(encoders: Sequence[StoredEncoder]) -> list[str]:
    return [encoder.to_json() for encoder in encoders]


def _name(part: OneCorpus) -> str:
    return getattr(part, "path", None) or getattr(part, "source_path", None) or part.kind
