"""Embedding: texts in, a vector for each out. One way for every model that makes vectors of texts."""

import warnings
from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Literal, overload

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from regard.data.batching import Symbols, even_batches, pad_texts
from regard.errors import DataError, did_you_mean
from regard.inference.attention import IN_WINDOWS, NOT_ASKED, NOTHING_READ, engine_of, record_of
from regard.inference.inputs import given_text, given_texts
from regard.inference.interventions import SentenceEdits, refuse_prefix, resolve, trace_edits
from regard.inference.model import TaskModel
from regard.inference.script_notes import script_notes
from regard.inference.streaming import LINES_AT_ONCE, chunks
from regard.inference.teacher_forcing import all_looks
from regard.insight.edits import Edits, as_edits
from regard.insight.merge import Side
from regard.insight.record import AttentionRecord
from regard.nn.kinds import Site
from regard.nn.long_texts import windows_of
from regard.nn.side_by_side import side_by_side
from regard.nn.trace import Trace
from regard.progress import counted
from regard.tasks.embedding.result import Embedding, EmbeddingEffect, LongTexts
from regard.tasks.embedding.similarity import Similarity, WordParts
from regard.text.scripts import KnownScripts

Vectors = NDArray[np.float32]
TooLong = Literal["cut", "windows", "refuse"]
"""What to do with a text of more tokens than the model reads at once: leave its end out, and say so; read it
in windows that overlap, and pool all of its words; or refuse it."""
TEXTS_AT_ONCE = 32
_PADDING = Symbols(pad=0, bos=0, eos=0)
_NO_ATTENTION = AttentionRecord(reason="this model has no attention: its words are pooled without weights")


@dataclass(frozen=True, slots=True)
class Ready:
    """A text in tokens, ready to be read."""

    source: str
    """As it was given, without a prompt."""
    ids: tuple[int, ...]
    """With the symbols around it."""
    segments: tuple[int, ...] | None
    """What the model is told of them; None = nothing."""
    side: Side
    was_cut: bool = False

    def without(self, removed: frozenset[int]) -> "Ready":
        """The same without some of its own tokens, which are counted without symbols."""
        if not removed:
            return self
        first = len(self.side.before)
        own = [place for place in range(len(self.side.pieces)) if place not in removed]
        kept = [*range(first), *(first + place for place in own)]
        kept += range(first + len(self.side.pieces), len(self.ids))
        side = replace(
            self.side,
            pieces=tuple(self.side.pieces[place] for place in own),
            spans=tuple(self.side.spans[place] for place in own),
        )
        segments = None if self.segments is None else tuple(self.segments[place] for place in kept)
        return replace(self, ids=tuple(self.ids[place] for place in kept), segments=segments, side=side)


class Embeds(TaskModel):
    """Gives each text a vector."""

    task: ClassVar[str] = "embedding"
    width: int
    """Numbers of a vector."""
    longest: int
    """Tokens that are read at once, symbols included."""
    too_long: TooLong = "windows"
    """What is done with longer texts where nobody says it."""
    prompts: Mapping[str, str]
    """What can be written before a text, by name."""
    default_prompt: str | None = None
    normalised: bool = False
    """Whether vectors have length 1 without being asked to."""

    @property
    @abstractmethod
    def attentions(self) -> Mapping[str, Site]:
        """Every attention, by its path from `root`."""

    @abstractmethod
    def ready(self, texts: Sequence[str], *, whole: bool) -> list[Ready]:
        """Texts in tokens; at most `longest` of each, or all."""

    @abstractmethod
    def vectors(
        self, tokens: Tensor, lengths: Tensor, segments: Tensor | None, trace: Trace | None
    ) -> Tensor:
        """(b, t), (b,) and (b, t) -> (b, width). Texts that are longer than `longest` stand alone."""

    @abstractmethod
    def parts(self, tokens: Tensor, lengths: Tensor, segments: Tensor | None) -> Tensor:
        """What each token adds to the vector before it is normalised: (b, t, width); it is their sum."""

    @property
    @abstractmethod
    def scripts(self) -> KnownScripts:
        """What its vocabulary can spell."""

    @property
    @abstractmethod
    def root(self) -> torch.nn.Module:
        """Where the paths of attentions begin."""

    def embed(
        self,
        texts: str | Iterable[str],
        *,
        prompt: str | None = None,
        normalise: bool = False,
        batch_size: int = TEXTS_AT_ONCE,
        too_long: TooLong | None = None,
    ) -> Vectors:
        """A row for each text, (n, width); for one text alone its vector, (width,).

        prompt:     the name of what to write before each text; None = what the model says
        normalise:  give every vector the length 1, so that a product is a cosine; some models do it anyhow
        batch_size: texts that are read together
        too_long:   more tokens than the model reads at once: "cut" the end off, with a warning; read it in
                    "windows"; or "refuse" it. By default, a model of sentence-transformers cuts, as that
                    does, and others read windows
        """
        given = given_texts(texts)
        ready = self._prepared(given, None, prompt, too_long)
        self._warn_of_length(ready, asked=too_long)
        for note in script_notes(self.scripts, *given):
            warnings.warn(note, stacklevel=2)
        found = self._run(ready, batch_size, normalise=normalise)
        return found[0] if isinstance(texts, str) else found

    def embed_ready(self, ready: Sequence[Ready], *, batch_size: int = TEXTS_AT_ONCE) -> Vectors:
        """The vectors of texts in tokens, (n, width)."""
        return self._run(ready, batch_size)

    def embed_lines(
        self,
        lines: Iterable[tuple[str, str] | None],
        *,
        prompt: str | None = None,
        normalise: bool = False,
        attention: bool = False,
        batch_size: int = TEXTS_AT_ONCE,
        too_long: TooLong | None = None,
    ) -> Iterator[Embedding]:
        """A vector for each line, each given with its place for an error; as many as there are, in order.

        Lines are taken many at a time; None among them says that no more is at hand for now.
        """
        self._prompt(prompt)  # a mistake is told before anything is read
        _check_batch_size(batch_size)
        for chunk in chunks(lines, LINES_AT_ONCE):
            places, texts = zip(*chunk, strict=True)
            ready = self._prepared(texts, places, prompt, too_long)
            yield from self._results(ready, batch_size, normalise=normalise, attention=attention)

    @overload
    def look(self, text: str, *, prompt: str | None = None, edit: None = None) -> Embedding: ...
    @overload
    def look(self, text: str, *, prompt: str | None = None, edit: Edits) -> EmbeddingEffect: ...
    def look(
        self, text: str, *, prompt: str | None = None, edit: Edits | None = None
    ) -> Embedding | EmbeddingEffect:
        """Embed a text, and read the attention; with an edit, what that changes."""
        (ready,) = self._prepared([given_text(text)], None, prompt, None)
        self._warn_of_length([ready])
        if edit is None:
            return self._results([ready], 1, attention=True)[0]
        edits = as_edits(edit)
        refuse_prefix(edits)
        changes = resolve(edits, ready.side, self.attentions)
        (before,) = self._results([ready], 1, attention=True, edited=[SentenceEdits()])
        if ready.side.pieces and len(before.attention.looks) < len(self.attentions):
            raise DataError(
                "what is read in windows has no attention over the whole text; edit a shorter one"
            )
        (after,) = self._results([ready.without(changes.removed)], 1, attention=True, edited=[changes])
        return EmbeddingEffect(edits, before, after, changes.notes)

    def similarity(self, first: str, second: str, *, prompt: str | None = None) -> Similarity:
        """How near two texts are, and which of their words make them so.

        The cosine is a sum over pairs of tokens wherever a vector is a sum over tokens, as with mean pooling:
        cos = Σ_ij a_i · b_j / (|a| |b|). A model whose vector is no such sum is refused.

        >>> near = encoder.similarity("나는 책을 읽었다.", "그는 책을 읽었다.")
        >>> bool(abs(near.words().values.sum() - near.cosine) < 1e-5)
        True
        """
        sides, ready = [], self._prepared(given_texts([first, second]), None, prompt, None)
        self._warn_of_length(ready)
        for one in ready:
            if not one.ids:
                raise DataError(f"'{one.source}' has no words, and nothing can be near to it")
            with torch.inference_mode():
                values = self.parts(*self._tensors([one]))[0]
            sides.append(WordParts(one.side, np.asarray(values.double().cpu().numpy())))
        return Similarity.of(*sides)

    def told_cut(self, count: int, text: str) -> str:
        """That texts were longer than the model reads."""
        texts = f"{counted(count, 'text')} {'has' if count == 1 else 'have'}"
        return (
            f"{texts} more than the {self.longest:,} tokens that this model reads; the rest was not read: "
            f"'{text[:30]}…'; shorter texts, such as sentences, lose nothing"
        )

    def told_windows(self, count: int, text: str) -> str:
        """That texts were read in windows."""
        texts = f"{counted(count, 'text')} {'has' if count == 1 else 'have'}"
        return (
            f"{texts} more than the {self.longest:,} tokens that this model reads at once, read in windows "
            f"that overlap: '{text[:30]}…'"
        )

    def say_lengths(self, seen: LongTexts, say: Callable[[str], None]) -> None:
        """Say of how many texts something was left out, and how many were read in windows."""
        for told, count, first in (
            (self.told_cut, seen.cut, seen.first_cut),
            (self.told_windows, seen.in_windows, seen.first_in_windows),
        ):
            if count:
                say(told(count, first))

    def _warn_of_length(self, ready: Sequence[Ready], *, asked: TooLong | None = None) -> None:
        """Of what was left out; and of windows, unless they were asked for."""
        cut = [one for one in ready if one.was_cut]
        if cut:
            warnings.warn(self.told_cut(len(cut), cut[0].source), stacklevel=3)
        long = [one for one in ready if len(one.ids) > self.longest]
        if long and asked is None:
            warnings.warn(self.told_windows(len(long), long[0].source), stacklevel=3)

    def prompt_for(self, role: Literal["query", "document"]) -> str | None:
        """The prompt that a model has for searching: of what is asked, or of what is found; None = none."""
        names = {"query": ("query",), "document": ("document", "passage", "corpus")}[role]
        return next((name for name in names if name in self.prompts), None)

    def _prepared(
        self,
        texts: Sequence[str],
        places: Sequence[str] | None,
        prompt: str | None,
        too_long: TooLong | None,
    ) -> list[Ready]:
        before, how = self._prompt(prompt), too_long or self.too_long
        ready = self.ready([before + text for text in texts] if before else texts, whole=how != "cut")
        if before:
            ready = [replace(one, source=text) for one, text in zip(ready, texts, strict=True)]
        if how == "refuse":
            for row, one in enumerate(ready):
                if len(one.ids) > self.longest:
                    where = places[row] if places else f"text {row + 1}"
                    raise DataError(
                        f"{where}: expected at most {self.longest:,} tokens, found more in "
                        f"'{one.source[:30]}…'; split it into sentences, let its end be cut off, or let it "
                        f"be read in windows"
                    )
        return ready

    def _prompt(self, name: str | None) -> str:
        name = self.default_prompt if name is None else name
        if name is None:
            return ""
        if name not in self.prompts:
            hint = did_you_mean(name, self.prompts) if self.prompts else "it has none"
            raise DataError(f"this model has no prompt '{name}'; {hint}")
        return self.prompts[name]

    def _results(
        self,
        ready: Sequence[Ready],
        batch_size: int,
        *,
        normalise: bool = False,
        attention: bool,
        edited: Sequence[SentenceEdits] | None = None,
    ) -> list[Embedding]:
        records: list[AttentionRecord] | None = [NOTHING_READ] * len(ready) if attention else None
        vectors = self._run(ready, batch_size, normalise=normalise, records=records, edited=edited)
        return [
            Embedding(
                one.source,
                vector,
                len(one.ids),
                one.was_cut,
                NOT_ASKED if records is None else records[row],
                self._windows(one),
                script_notes(self.scripts, one.source),
            )
            for row, (one, vector) in enumerate(zip(ready, vectors, strict=True))
        ]

    def _windows(self, one: Ready) -> int:
        """How many a text is read in."""
        words = len(one.side.pieces)
        if len(one.ids) <= self.longest:
            return 1
        return len(windows_of(words, self.longest - (len(one.ids) - words)))

    def _run(
        self,
        ready: Sequence[Ready],
        batch_size: int,
        *,
        normalise: bool = False,
        records: list[AttentionRecord] | None = None,
        edited: Sequence[SentenceEdits] | None = None,
    ) -> Vectors:
        """Read texts in batches of like length; a text without tokens is a row of zeros.

        records: where to put what was looked at
        """
        _check_batch_size(batch_size)
        found = np.zeros((len(ready), self.width), np.float32)
        lengths = [len(one.ids) for one in ready]
        # The longest first: what a thread does while the others have nothing left is then short.
        windows = [row for row, length in enumerate(lengths) if length > self.longest]
        whole = [row for row, length in enumerate(lengths) if 0 < length <= self.longest]
        together = [*even_batches(windows, lengths, most=1), *even_batches(whole, lengths, most=batch_size)]

        @torch.inference_mode()
        def read(rows: Sequence[int]) -> None:
            changes = None if edited is None else trace_edits([edited[row] for row in rows])
            trace = Trace(self.root, changes) if records is not None or changes is not None else None
            values = self.vectors(*self._tensors([ready[row] for row in rows]), trace)
            found[list(rows)] = values.float().cpu().numpy()
            if trace is not None and records is not None:
                for at, row in enumerate(rows):
                    records[row] = self._record(ready[row].side, trace, at)

        side_by_side(read, together, self.device)
        if normalise:
            found /= np.linalg.norm(found, axis=1, keepdims=True).clip(min=1e-12)
        return found

    def _tensors(self, ready: Sequence[Ready]) -> tuple[Tensor, Tensor, Tensor | None]:
        tokens, lengths = pad_texts([one.ids for one in ready], _PADDING)
        segments = [one.segments for one in ready if one.segments is not None and any(one.segments)]
        told = None
        if segments:
            told, _ = pad_texts([one.segments or () for one in ready], _PADDING)
            told = told.to(self.device)
        return tokens.to(self.device), lengths.to(self.device), told

    def _record(self, side: Side, trace: Trace, at: int) -> AttentionRecord:
        if not self.attentions:
            return _NO_ATTENTION
        sites = {path: site for path, site in self.attentions.items() if trace.kept[path]}
        if not sites:
            return IN_WINDOWS
        seen = {path: all_looks(trace.kept[path])[at] for path in sites}
        return record_of(side, None, seen, sites, engine_of(self.module))


def _check_batch_size(batch_size: int) -> None:
    if batch_size < 1:
        raise DataError(f"batch_size: expected 1 text or more to be read together, found {batch_size}")
