"""Filling: a text with hidden words in, what they could be out, with the attention behind it."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import overload

import numpy as np
import torch

from regard.data.batching import SYMBOLS, length_batches, pad_texts
from regard.errors import ConfigError, DataError
from regard.inference.attention import NOT_ASKED, engine_of, record_of
from regard.inference.encoders import build_encoder
from regard.inference.inputs import given_text, given_texts
from regard.inference.interventions import SentenceEdits, each_edits, refuse_prefix, resolve, trace_edits
from regard.inference.script_notes import script_notes
from regard.inference.streaming import LINES_AT_ONCE, readings
from regard.insight.edits import Edit, Edits
from regard.insight.maps import Weights
from regard.insight.record import AttentionRecord
from regard.metrics.calibration import log_softmax
from regard.metrics.statistics import Floats
from regard.models.bert import Bert
from regard.nn.trace import Trace
from regard.store.convert.encoder import build_tokenizer, read_encoder
from regard.tasks.masked_lm.inputs import ForeignMaskedText, MaskedText
from regard.tasks.masked_lm.result import Candidate, Filled, FillEffect, HiddenWord
from regard.text.tokenizer import Encoding

_BATCH_TOKENS = 4096
N_BEST = 5
"""Words for a place, unless more are asked for."""


class Filler:
    """An encoder that tells hidden words, with its text."""

    def __init__(self, model: Bert, text: MaskedText, where: str) -> None:
        if model.masked_words is None:
            raise ConfigError(f"{where}: has no masked language model's head; it cannot fill")
        self.network = model
        self.head = model.masked_words
        self.masked_text = text

    @classmethod
    def imported(cls, folder: str | Path) -> "Filler":
        """The model in a folder that `transformers` wrote, such as a BertForMaskedLM."""
        stored = read_encoder(Path(folder))
        text = ForeignMaskedText(build_tokenizer(stored, str(folder)), str(folder))
        return Filler(build_encoder(stored, str(folder)), text, str(folder))

    @property
    def symbol(self) -> str:
        """What stands for a hidden word in a text."""
        return self.masked_text.symbol

    @overload  # a str is a sequence of str to the type checker, but never meant as one here
    def fill(  # type: ignore[overload-overlap]
        self, text: str, *, n_best: int = N_BEST, attention: bool = True, edit: None = None
    ) -> Filled: ...
    @overload
    def fill(
        self, text: Sequence[str], *, n_best: int = N_BEST, attention: bool = True, edit: None = None
    ) -> list[Filled]: ...
    @overload
    def fill(  # type: ignore[overload-overlap]
        self, text: str, *, n_best: int = N_BEST, attention: bool = True, edit: Edits
    ) -> FillEffect: ...
    @overload
    def fill(
        self,
        text: Sequence[str],
        *,
        n_best: int = N_BEST,
        attention: bool = True,
        edit: Edit | Sequence[Edits],
    ) -> list[FillEffect]: ...
    def fill(
        self,
        text: str | Sequence[str],
        *,
        n_best: int = N_BEST,
        attention: bool = True,
        edit: Edit | Sequence[Edits] | None = None,
    ) -> Filled | list[Filled] | FillEffect | list[FillEffect]:
        """Tell the hidden words of a text, or of several at once (faster).

        n_best:    how many words for each place
        attention: also read what the model looked at
        edit:      change what is looked at, and give back what that changes; as for `classify`
        """
        alone = isinstance(text, str)
        texts = given_texts(text)
        encoded = self._encode(texts)
        if edit is None:
            results = self._fill(encoded, n_best, attention=attention, whole=alone)
            return results[0] if alone else results
        effects = self._effects(encoded, each_edits(edit, len(texts), alone=alone), n_best)
        return effects[0] if alone else effects

    @overload
    def look(self, text: str, *, edit: None = None) -> Filled: ...
    @overload
    def look(self, text: str, *, edit: Edits) -> FillEffect: ...
    def look(self, text: str, *, edit: Edits | None = None) -> Filled | FillEffect:
        """Fill a text, and read the attention; with an edit, what that changes."""
        encoded = self._encode([given_text(text)], needs_hidden=False)
        if edit is None:
            return self._fill(encoded, N_BEST, whole=True)[0]
        return self._effects(encoded, each_edits(edit, 1, alone=True), N_BEST)[0]

    def fill_lines(
        self, lines: Iterable[tuple[str, str] | None], *, n_best: int = N_BEST, attention: bool = False
    ) -> Iterator[Filled]:
        """Fill lines, each given with its place for an error; as many as there are, in their order.

        An empty line stays empty. None among them says that no more is at hand for now. Those before a line
        that cannot be read are filled first.
        """

        def read(chunk: Sequence[tuple[str, str]]) -> list[Encoding]:
            return self._encode([text for _, text in chunk], [where for where, _ in chunk])

        for encoded in readings(lines, LINES_AT_ONCE, read):
            yield from self._fill(encoded, n_best, attention=attention)

    def _encode(
        self, texts: Sequence[str], places: Sequence[str] | None = None, *, needs_hidden: bool = True
    ) -> list[Encoding]:
        if needs_hidden and self.network.config.reads == "left":
            raise ConfigError("this model sees only the words before a mask; it cannot fill")
        encoded = self.masked_text.encode(texts)
        most = self.network.longest - len(self.masked_text.before) - len(self.masked_text.after)
        for row, (text, found) in enumerate(zip(texts, encoded, strict=True)):
            where = places[row] if places else "the text"
            if needs_hidden and text.strip() and self.masked_text.mask not in found.ids:
                raise DataError(
                    f"{where}: expected a text with {self.symbol} in it, found '{text[:30]}'; "
                    f"write {self.symbol} where a word is to be filled in"
                )
            if len(found.ids) > most:
                raise DataError(
                    f"{where}: expected at most {most:,} tokens, found {len(found.ids):,} in "
                    f"'{text[:30]}…'; split it into sentences"
                )
        return encoded

    def _effects(
        self, encoded: Sequence[Encoding], edits: Sequence[tuple[Edit, ...]], n_best: int
    ) -> list[FillEffect]:
        refuse_prefix(edit for own in edits for edit in own)
        edited = [
            resolve(own, self.masked_text.side(text), self.network.attentions)
            for text, own in zip(encoded, edits, strict=True)
        ]
        for text, own in zip(encoded, edited, strict=True):
            if any(text.ids[token] == self.masked_text.mask for token in own.removed):
                raise DataError("a masked word cannot be removed: it is what is predicted")
        changed = [own.without_removed(text) for own, text in zip(edited, encoded, strict=True)]
        before = self._fill(encoded, n_best, edited=[SentenceEdits()] * len(encoded), whole=True)
        after = self._fill(changed, n_best, edited=edited, whole=True)
        return [
            FillEffect(own, old, new, change.notes)
            for own, old, new, change in zip(edits, before, after, edited, strict=True)
        ]

    def _fill(
        self,
        encoded: Sequence[Encoding],
        n_best: int,
        *,
        attention: bool = True,
        edited: Sequence[SentenceEdits] | None = None,
        whole: bool = False,
    ) -> list[Filled]:
        """Fill texts; `whole` keeps the probability of every entry, which is much for many texts."""
        if n_best < 1:
            raise DataError(f"expected one word or more for each mask, found {n_best}")
        results: dict[int, Filled] = {}
        engine = engine_of(self.network)
        for row, found, seen in self._run(encoded, edited, look=attention):
            text, record = encoded[row], NOT_ASKED
            if attention:
                side = self.masked_text.side(text)
                record = record_of(side, None, seen, self.network.attentions, engine)
            results[row] = self._filled(text, found, record, n_best, whole=whole)
        return [results[row] for row in range(len(encoded))]

    def _filled(
        self, text: Encoding, found: Floats, record: AttentionRecord, n_best: int, *, whole: bool
    ) -> Filled:
        first = len(self.masked_text.before)
        places = [place for place, token in enumerate(text.ids) if token == self.masked_text.mask]
        shown = record.words() if record.looks and places else None
        shares = None if shown is None else self.masked_text.side(text).shares()
        hidden, ids = [], list(text.ids)
        for place, values in zip(places, found, strict=True):
            looked: tuple[tuple[str, float], ...] = ()
            if shown is not None and shares is not None:
                row = shown.weights[int(shares[first + place].argmax())]
                looked = tuple(zip(shown.columns, map(float, row), strict=True))
            candidates = self._candidates(values, n_best)
            ids[place] = candidates[0][0] if candidates else ids[place]
            words = tuple(candidate for _, candidate in candidates)
            kept = {"distribution": values} if whole else {}
            hidden.append(HiddenWord(first + place, words, looked, **kept))
        written = self.masked_text.written(ids) if places else text.text.original
        read = text.text.original.replace(self.symbol, " ")
        notes = script_notes(self.masked_text.scripts, read)
        return Filled(text.text.original, written, tuple(hidden), record, notes)

    def _candidates(self, probabilities: Floats, n_best: int) -> list[tuple[int, Candidate]]:
        """The most probable entries that are words."""
        found: list[tuple[int, Candidate]] = []
        for token in np.argsort(-probabilities, kind="stable"):
            number = int(token)
            if word := self.masked_text.word(number):
                piece = self.masked_text.piece(number)
                found.append((number, Candidate(word, piece, float(probabilities[number]))))
            if len(found) == n_best:
                break
        return found

    @torch.inference_mode()
    def _run(
        self, encoded: Sequence[Encoding], edited: Sequence[SentenceEdits] | None, *, look: bool
    ) -> Iterator[tuple[int, Floats, dict[str, Weights]]]:
        """Read texts in batches of like length, in no particular order.

        yields: the row; the probabilities at its hidden places, (n, v), in float64; the weights of each
                attention by its path, with padding beyond the sentence; none where nobody looks
        """
        before, after = self.masked_text.before, self.masked_text.after
        framed = [(*before, *text.ids, *after) for text in encoded]
        device = next(self.network.parameters()).device
        for rows in length_batches([len(ids) for ids in framed], budget=_BATCH_TOKENS):
            tokens, lengths = pad_texts([framed[row] for row in rows], SYMBOLS)
            changes = None if edited is None else trace_edits([edited[row] for row in rows])
            trace = Trace(self.network, changes) if look or changes is not None else None
            states = self.network(tokens.to(device), lengths.to(device), trace=trace)
            seen: dict[str, Weights] = {}
            if trace is not None and look:
                for path in self.network.attentions:
                    (sight,) = trace.kept[path]  # one look over the whole text
                    seen[path] = sight.weights.float().cpu().numpy()
            for at, row in enumerate(rows):  # one at a time: they are as wide as the vocabulary
                places = [p for p, token in enumerate(framed[row]) if token == self.masked_text.mask]
                logits = self.head(states[at, places]).double().cpu().numpy()
                own = {path: looks[at] for path, looks in seen.items()}
                yield row, np.exp(log_softmax(logits)), own
