"""Embedding: texts in, a vector for each out. One way for every model that makes vectors of texts."""

import warnings
from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import ClassVar, Literal, overload

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from regard.data.batching import Symbols, even_batches, pad_texts
from regard.errors import DataError, did_you_mean
from regard.inference.attention import EMPTY_INPUT, NOT_ASKED
from regard.inference.inputs import given_text, given_texts
from regard.inference.interventions import SentenceEdits, each_edits
from regard.inference.predictor import Predictor
from regard.insight.edits import Edits
from regard.insight.record import AttentionRecord
from regard.models.embedder import Embedder
from regard.nn.parallel import run_parallel
from regard.nn.sliding_windows import sliding_windows
from regard.nn.trace import Trace
from regard.progress import counted
from regard.tasks.embedding.inputs import EncodedInput, TooLong
from regard.tasks.embedding.result import Embedding, EmbeddingEffect, LongTexts
from regard.tasks.embedding.similarity import Similarity, WordParts
from regard.text.scripts import script_notes

Vectors = NDArray[np.float32]
TEXTS_AT_ONCE = 32
_PADDING = Symbols(pad=0, bos=0, eos=0)


class EmbeddingPredictor(Predictor[EncodedInput, EncodedInput, Vectors, Embedding, EmbeddingEffect]):
    """Gives each text a vector."""

    task: ClassVar[str] = "embedding"
    effect_class = EmbeddingEffect
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

    @abstractmethod
    def ready(self, texts: Sequence[str], *, whole: bool) -> list[EncodedInput]:
        """Texts in tokens; at most `longest` of each, or all."""

    def vectors(
        self, tokens: Tensor, lengths: Tensor, segments: Tensor | None, trace: Trace | None
    ) -> Tensor:
        """(b, t), (b,) and (b, t) -> (b, width). Texts that are longer than `longest` stand alone."""
        vectors: Tensor = self.module(tokens, lengths, segments, trace=trace)
        return vectors

    def parts(self, tokens: Tensor, lengths: Tensor, segments: Tensor | None) -> Tensor:
        """What each token adds to the vector before it is normalised: (b, t, width); it is their sum."""
        pooled: Embedder = self.module  # type: ignore[assignment]
        return pooled.parts(tokens, lengths, segments)

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
        ready = self.encode(given, prompt=prompt, too_long=too_long)
        self._warn_of_length(ready, asked=too_long)
        for note in script_notes(self.scripts, *given):
            warnings.warn(note, stacklevel=2)
        found = self.embed_encoded(ready, batch_size, normalise=normalise)
        return found[0] if isinstance(texts, str) else found

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
        encode = partial(self.encode, prompt=prompt, too_long=too_long)
        results = partial(self.results, attention=attention, batch_size=batch_size, normalise=normalise)
        yield from self.predict_lines(lines, encode, results)

    @overload
    def look(
        self, text: str, second: str | None = None, *, prompt: str | None = None, edit: None = None
    ) -> Embedding: ...
    @overload
    def look(
        self, text: str, second: str | None = None, *, prompt: str | None = None, edit: Edits
    ) -> EmbeddingEffect: ...
    def look(
        self,
        text: str,
        second: str | None = None,
        *,
        prompt: str | None = None,
        edit: Edits | None = None,
    ) -> Embedding | EmbeddingEffect:
        """Embed a text, and read the attention; with an edit, what that changes. There is no second text."""
        self.check_pair(is_pair=second is not None)
        encoded = self.encode([given_text(text)], prompt=prompt)
        self._warn_of_length(encoded)
        if edit is None:
            return self.results(encoded)[0]
        return self.effects(encoded, each_edits(edit, 1, alone=True))[0]

    def similarity(self, first: str, second: str, *, prompt: str | None = None) -> Similarity:
        """How near two texts are, and which of their words make them so.

        The cosine is a sum over pairs of tokens wherever a vector is a sum over tokens, as with mean pooling:
        cos = Σ_ij a_i · b_j / (|a| |b|). A model whose vector is no such sum is refused.

        >>> near = encoder.similarity("나는 책을 읽었다.", "그는 책을 읽었다.")
        >>> bool(abs(near.words().values.sum() - near.cosine) < 1e-5)
        True
        """
        sides, ready = [], self.encode(given_texts([first, second]), prompt=prompt)
        self._warn_of_length(ready)
        for one in ready:
            if not one.ids:
                raise DataError(f"'{one.source}' has no words, and nothing can be near to it")
            with torch.inference_mode():
                values = self.parts(*self._tensors([one]))[0]
            sides.append(WordParts(one.side, np.asarray(values.double().cpu().numpy())))
        return Similarity.of(*sides)

    def say_lengths(self, seen: LongTexts, say: Callable[[str], None]) -> None:
        """Say of how many texts something was left out, and how many were read in windows."""
        if seen.cut:
            say(self._long(seen.cut, seen.first_cut, was_cut=True))
        if seen.in_windows:
            say(self._long(seen.in_windows, seen.first_in_windows, was_cut=False))

    def _long(self, count: int, text: str, *, was_cut: bool) -> str:
        """That texts were longer than the model reads at once."""
        texts = f"{counted(count, 'text')} {'has' if count == 1 else 'have'}"
        more = f"{texts} more than the {self.longest:,} tokens that this model reads"
        if was_cut:
            lost = "the rest was not read"
            return f"{more}; {lost}: '{text[:30]}…'; shorter texts, such as sentences, lose nothing"
        return f"{more} at once, read in windows that overlap: '{text[:30]}…'"

    def _warn_of_length(self, ready: Sequence[EncodedInput], *, asked: TooLong | None = None) -> None:
        """Of what was left out; and of windows, unless they were asked for."""
        cut = [one.source for one in ready if one.was_cut]
        if cut:
            warnings.warn(self._long(len(cut), cut[0], was_cut=True), stacklevel=3)
        long = [one.source for one in ready if len(one.ids) > self.longest]
        if long and asked is None:
            warnings.warn(self._long(len(long), long[0], was_cut=False), stacklevel=3)

    def prompt_for(self, role: Literal["query", "document"]) -> str | None:
        """The prompt that a model has for searching: of what is asked, or of what is found; None = none."""
        names = {"query": ("query",), "document": ("document", "passage", "corpus")}[role]
        return next((name for name in names if name in self.prompts), None)

    def encode(
        self,
        texts: Sequence[str],
        places: Sequence[str] | None = None,
        *,
        prompt: str | None = None,
        too_long: TooLong | None = None,
    ) -> list[EncodedInput]:
        """Texts in tokens, behind a prompt; what is too long is cut, left whole or refused by its place."""
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

    def encode_texts(self, texts: tuple[str, ...]) -> EncodedInput:
        """A text, with the prompt that the model says."""
        return self.encode(texts)[0]

    def example(self, one: EncodedInput) -> EncodedInput:
        """The network is given what is ready."""
        return one

    def length(self, example: EncodedInput) -> int:
        """Its tokens, with symbols."""
        return len(example.ids)

    def forward(self, examples: Sequence[EncodedInput], trace: Trace | None) -> Vectors:
        """The vectors, (b, width)."""
        return self.vectors(*self._tensors(examples), trace).float().cpu().numpy()

    def result(self, one: EncodedInput, output: Vectors, row: int, record: AttentionRecord) -> Embedding:
        """The vector of a text."""
        vector, windows = output[row], self._windows(one)
        return Embedding(one.source, vector, len(one.ids), one.was_cut, record, windows, self.notes(one))

    def results(
        self,
        encoded: Sequence[EncodedInput],
        *,
        attention: bool = True,
        edited: Sequence[SentenceEdits] | None = None,
        batch_size: int = TEXTS_AT_ONCE,
        normalise: bool = False,
    ) -> list[Embedding]:
        """The result of each text; batches are of so many texts, and read side by side."""
        records = [EMPTY_INPUT if attention else NOT_ASKED] * len(encoded)
        see = records if attention else None
        vectors = self.embed_encoded(encoded, batch_size, normalise=normalise, records=see, edited=edited)
        return [self.result(one, vectors, row, records[row]) for row, one in enumerate(encoded)]

    def _windows(self, one: EncodedInput) -> int:
        """How many a text is read in."""
        words = len(one.side.pieces)
        if len(one.ids) <= self.longest:
            return 1
        return len(sliding_windows(words, self.longest - (len(one.ids) - words)))

    def embed_encoded(
        self,
        ready: Sequence[EncodedInput],
        batch_size: int = TEXTS_AT_ONCE,
        *,
        normalise: bool = False,
        records: list[AttentionRecord] | None = None,
        edited: Sequence[SentenceEdits] | None = None,
    ) -> Vectors:
        """Read texts in batches of like length; a text without tokens is a row of zeros.

        records: where to put the attention records
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
            batch = self.run(list(rows), [ready[row] for row in rows], edited, look=records is not None)
            found[batch.rows] = batch.output
            if batch.attention is not None and records is not None:
                for at, row in enumerate(rows):
                    records[row] = self.record(ready[row], batch.attention.row(at))

        run_parallel(read, together, self.device)
        if normalise:
            found /= np.linalg.norm(found, axis=1, keepdims=True).clip(min=1e-12)
        return found

    def _tensors(self, ready: Sequence[EncodedInput]) -> tuple[Tensor, Tensor, Tensor | None]:
        tokens, lengths = pad_texts([one.ids for one in ready], _PADDING)
        segments = [one.segments for one in ready if one.segments is not None and any(one.segments)]
        told = None
        if segments:
            told, _ = pad_texts([one.segments or () for one in ready], _PADDING)
            told = told.to(self.device)
        return tokens.to(self.device), lengths.to(self.device), told


def _check_batch_size(batch_size: int) -> None:
    if batch_size < 1:
        raise DataError(f"batch_size: expected 1 text or more to be read together, found {batch_size}")
