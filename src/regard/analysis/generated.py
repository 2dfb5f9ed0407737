"""Outcomes of models that write: a translation or one of its words, the next word of a text."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import torch
from torch import Tensor

from regard.analysis.occluded import occluded_encoding
from regard.analysis.outcome import CONTRAST, Objective, Outcome, Variant, differs, occluder_of, one_word
from regard.data.batching import SYMBOLS, EncodedPair, make_batch
from regard.decoding.hypothesis import Hypothesis
from regard.errors import DataError
from regard.inference.attention import token_axis
from regard.inference.constraints import Constraints
from regard.inference.generator import Generator
from regard.inference.inputs import check_pair
from regard.inference.interventions import SentenceEdits
from regard.inference.search import GenerationRequest
from regard.inference.teacher_forcing import NO_ATTENTION, NOT_LOOKING_BACK, of_wanted, teacher_force
from regard.insight.display import visible
from regard.insight.edits import Word
from regard.insight.token_axis import TokenAxis
from regard.metrics.statistics import Floats
from regard.nn.attention_kinds import AttentionSpec
from regard.nn.trace import Trace
from regard.tasks.language_model.predictor import LanguageModel
from regard.tasks.translation.predictor import Translator
from regard.text.scripts import script_notes
from regard.text.tokenizer import UNK, Encoding, Tokenizer

Tokens = tuple[int, ...]


class GeneratedOutcome(Outcome):
    """Tokens that are forced behind others, and the same for a contrast."""

    model: Generator[Any]
    encoded: Encoding
    """What is read: a source, or the text before."""
    forced: Tokens
    """What is forced, from the beginning of the output or from the end of the text before."""
    contrast: Tokens | None = None
    """The same for what was not said."""
    units: range
    """The tokens of `forced` that are explained; </s> counts, behind the last."""
    others: range

    def __init__(self, model: Generator[Any], encoded: Encoding) -> None:
        self.model, self.network, self.encoded = model, model.module, encoded
        self.sites = model.network.attentions
        self.texts = (encoded.text.original,)
        self.occluder = occluder_of(model.source_tokenizer)
        self.notes = script_notes(model.source_tokenizer.scripts, encoded.text.original)

    def pair(self, read: Encoding, forced: Tokens) -> EncodedPair:
        """What a model is forced through."""
        return EncodedPair(read.ids, forced)

    def first(self, read: Encoding) -> int:
        """The position of the first token that is forced."""
        del read
        return 0

    def choose(self, whole: Encoding, units: range, before: str, instead: str | None) -> None:
        """Explain these tokens; and the same for another word in their place, behind the same text."""
        self.forced, self.units = whole.ids, units
        if instead is not None:
            tokens = continuation(self.model.target_tokenizer, before, instead)
            differs(tokens, tuple(whole.ids[units.start : units.stop]), instead)
            self.contrast = (*whole.ids[: units.start], *tokens)
            self.others = range(units.start, len(self.contrast))
            self.measure = CONTRAST

    @property
    def objectives(self) -> Sequence[tuple[float, Objective]]:  # type: ignore[override]
        """The log-probability of what was said, less that of what was not."""
        found: list[tuple[float, Objective]] = [(1.0, self._objective(self.forced, self.units))]
        if self.contrast is not None:
            found.append((-1.0, self._objective(self.contrast, self.others)))
        return found

    def _objective(self, forced: Tokens, units: range) -> Objective:
        pair, first = self.pair(self.encoded, forced), self.first(self.encoded)
        places = [first + place for place in units]

        def objective(model: Any, copies: int, trace: Trace) -> Tensor:
            batch = make_batch([pair] * copies, range(copies), SYMBOLS).to(model.device)
            written = model.network.teacher_forced(batch.inputs, trace=trace)
            return of_wanted(written, batch)[:, places].sum(-1)

        return objective

    @property
    def plain(self) -> Variant:
        """The input as it is."""
        return Variant(self.encoded)

    def without(self, edits: Sequence[SentenceEdits]) -> Variant:
        """The input without what is removed, and with the changes of its attention."""
        (own,) = edits
        return Variant(own.without_removed(self.encoded), own)

    def occluded(self, side: int, places: Sequence[int], token: int) -> Variant:
        """The input with another token at some places."""
        del side
        return Variant(occluded_encoding(self.encoded, frozenset(places), token))

    def measured(self, variants: Sequence[Variant], told: Sequence[int]) -> tuple[Floats, dict[int, str]]:
        """Log-probabilities, of one forced pass for all; what would be written, of one search."""
        values = self._forced(variants, self.forced, self.units)
        if self.contrast is not None:
            others = self._forced(variants, self.contrast, self.others)
            values = values.sum(1, keepdims=True) - others.sum(1, keepdims=True)
        written = self.written([variants[number] for number in told]) if told else []
        return values, dict(zip(told, written, strict=True))

    def _forced(self, variants: Sequence[Variant], forced: Tokens, units: range) -> Floats:
        found = np.zeros((len(variants), len(units)))
        pairs = [self.pair(variant.read, forced) for variant in variants]
        budget, edited = self.model.recipe.decoding.batch_tokens, [variant.edits for variant in variants]
        for row, values, _ in teacher_force(
            self.model.module, pairs, budget=budget, device=self.model.device, look=False, edited=edited
        ):
            first = self.first(variants[row].read)
            found[row] = [values[first + place] for place in units]
        return found

    def search(
        self, variants: Sequence[Variant], *, greedy: bool = False
    ) -> list[tuple[Any, Hypothesis | None]]:
        """What is written under variants, as it is by default."""
        settings = self.model.recipe.decoding.greedy() if greedy else self.model.search_settings()
        wanted = [Constraints()] * len(variants)
        request = GenerationRequest(settings, wanted, attention=False)
        read, edited = [variant.read for variant in variants], [variant.edits for variant in variants]
        return self.model.write(read, [""] * len(read), request, edited)

    def written(self, variants: Sequence[Variant]) -> list[str]:
        """What would be written instead."""
        return [result.text for result, _ in self.search(variants)]

    @torch.inference_mode()
    def forward(self, trace: Trace) -> None:
        """One forced pass over what was said."""
        batch = make_batch([self.pair(self.encoded, self.forced)], [0], SYMBOLS).to(self.model.device)
        self.model.network.teacher_forced(batch.inputs, trace=trace)

    def rows(self, site: AttentionSpec, count: int) -> list[int]:
        """Those from which the tokens are predicted."""
        del count
        if site.kind not in ("cross", "decoder-self"):
            return []
        first = self.first(self.encoded)
        return [first + place for place in self.units]


class TranslationOutcome(GeneratedOutcome):
    """A translation, or a word of it."""

    model: Translator

    def __init__(
        self, model: Translator, text: str, *, target: str | None, word: Word | None, instead: str | None
    ) -> None:
        (encoded,) = model.encode([text])
        super().__init__(model, encoded)
        if not encoded.ids:
            raise DataError("the sentence has no words, and nothing can be a cause")
        self.no_attention = str(NO_ATTENTION.reason)
        self.sides = (token_axis(encoded, model.source_tokenizer.dictionary, ended=True),)
        ended = True
        if target is None:
            ((_, found),) = self.search([Variant(encoded)])
            assert found is not None
            written, ended = model.target_tokenizer.decode(found.tokens, whole=True), found.ended
        else:
            written = model.target_tokenizer.encode(target)
            check_pair(text, target, "the translation", EncodedPair(encoded.ids, written.ids))
        side = token_axis(written, model.target_tokenizer.dictionary, ended=ended)
        units, before = range(len(side.tokens)), ""
        self.said = visible(side.text)
        if word is None and instead is not None:
            raise DataError(f"instead: in place of which word? name one of: {_numbered(side)}; see `word`")
        if word is not None:
            units, before, notes = chosen_word(word, side, "the translation")
            self.notes += notes
            self.said = f"{visible(_text(side, units))} in '{self.said}'"
        self.said += "" if instead is None else f", not {visible(instead)}"
        self.choose(written, units, before, instead)

    @property
    def main(self) -> Sequence[str]:
        """From the output to the source."""
        return ("cross",)


class NextWordOutcome(GeneratedOutcome):
    """A word of a text, or what comes next; its causes are the words before."""

    model: LanguageModel

    def __init__(
        self, model: LanguageModel, text: str, *, target: str | None, word: Word | None, instead: str | None
    ) -> None:
        (encoded,) = model.encode([text])
        if word is not None and target is not None:
            raise DataError("target: a continuation and a word of the text exclude each other; choose one")
        if not encoded.ids:
            raise DataError("the text has no words, and nothing can be a cause")
        super().__init__(model, encoded)
        whole, notes = encoded, tuple[str, ...]()
        if target is not None:
            whole, first = _continued(model.tokenizer, text, target), len(encoded.ids)
        elif word is None:
            ((_, found),) = self.search([Variant(encoded)], greedy=True)
            assert found is not None
            whole, first = model.tokenizer.decode(found.tokens, whole=True), len(encoded.ids)
        side = token_axis(whole, model.tokenizer.dictionary, ended=True)
        if word is not None:
            units, _, notes = chosen_word(word, side, "the text")
        elif target is not None:
            units = range(first, len(whole.ids))
        else:
            units = _word_from(side, first)
        if not units.start:
            raise DataError(f"nothing stands before '{_text(side, units)}', so no word is its cause")
        before = side.text[: side.spans[units.start - 1][1]]
        read = _first(whole, units.start)
        self.encoded, self.texts, self.notes = read, (before,), self.notes + notes
        self.no_attention = str(NOT_LOOKING_BACK.reason)
        context = token_axis(read, model.tokenizer.dictionary, ended=False)
        self.sides = (replace(context.first(units.start), text=before, before=("<s>",)),)
        self.said = visible(_text(side, units)) + ("" if instead is None else f", not {visible(instead)}")
        own = replace(whole, ids=whole.ids[units.start : min(units.stop, len(whole.ids))])
        gap = "" if before[-1:].isspace() or not _stands_apart(side, units.start) else " "
        self.choose(own, range(len(units)), before + gap, instead)

    def pair(self, read: Encoding, forced: Tokens) -> EncodedPair:
        """There is no source."""
        return EncodedPair((), (*read.ids, *forced))

    def first(self, read: Encoding) -> int:
        """Behind the text before."""
        return len(read.ids)

    def written(self, variants: Sequence[Variant]) -> list[str]:
        """The next word, by greedy search."""
        found = []
        for variant, (_, own) in zip(variants, self.search(variants, greedy=True), strict=True):
            assert own is not None
            whole = self.model.tokenizer.decode(own.tokens, whole=True)
            side = token_axis(whole, self.model.tokenizer.dictionary, ended=True)
            found.append(visible(_text(side, _word_from(side, len(variant.read.ids)))))
        return found

    @property
    def main(self) -> Sequence[str]:
        """From the words before."""
        return ("decoder-self",)


def chosen_word(word: Word, side: TokenAxis, what: str) -> tuple[range, str, tuple[str, ...]]:
    """The tokens of a word of an output, the text before it, and notes."""
    number, notes = one_word(word, side, what)
    members = side.members(number)
    units = range(members[0], members[-1] + 1)
    return units, side.text[: _begins(side, units.start)], notes


def continuation(tokenizer: Tokenizer, before: str, text: str) -> Tokens:
    """The tokens of a text as it stands behind another."""
    if not text.strip():
        raise DataError("instead: expected a word, found an empty text")
    kept = len(before.rstrip())
    encoding = tokenizer.encode(before + text.strip())
    spans = [encoding.text.to_original(span) for span in encoding.spans]
    tokens = tuple(own for own, (_, end) in zip(encoding.ids, spans, strict=True) if end > kept)
    if UNK in tokens or not tokens:
        raise DataError(f"instead: the vocabulary cannot encode '{text}'; use another word")
    return tokens


def _continued(tokenizer: Tokenizer, text: str, target: str) -> Encoding:
    """A text and what comes behind it; the first is cut as it is alone."""
    gap = "" if text[-1:].isspace() else " "
    whole, alone = tokenizer.encode(text + gap + target), tokenizer.encode(text)
    size = len(alone.ids)
    if not target.strip() or whole.ids[:size] != alone.ids or len(whole.ids) == size:
        raise DataError(f"target: expected words that go on with the text, found '{target}'")
    return whole


def _word_from(side: TokenAxis, first: int) -> range:
    """The tokens from a place to the end of the word there; what ended at once has </s>."""
    tokens = [token for token in side.members(int(side.shares()[first].argmax())) if token >= first]
    return range(first, tokens[-1] + 1)


def _begins(side: TokenAxis, token: int) -> int:
    """Where the first letter of a token stands: its span may have the space before it."""
    start = side.spans[token][0] if token < len(side.spans) else len(side.text)
    while start < len(side.text) and side.text[start].isspace():
        start += 1
    return start


def _stands_apart(side: TokenAxis, token: int) -> bool:
    """Whether there is a space before a token; what comes instead of </s> has one."""
    start = _begins(side, token)
    return token >= len(side.spans) or side.text[:start][-1:].isspace()


def _text(side: TokenAxis, units: range) -> str:
    """What tokens write."""
    if units.start >= len(side.spans):
        return side.tokens[units.start]
    last = min(units.stop, len(side.spans)) - 1
    return side.text[side.spans[units.start][0] : side.spans[last][1]].strip()


def _first(text: Encoding, count: int) -> Encoding:
    return replace(text, ids=text.ids[:count], pieces=text.pieces[:count], spans=text.spans[:count])


def _numbered(side: TokenAxis) -> str:
    return ", ".join(f"{number} {visible(label)}" for number, label in enumerate(side.words()))
