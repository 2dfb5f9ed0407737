"""Translation: text in, frozen results out."""

import itertools
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, Unpack, overload

import torch
from torch import nn

from regard.config.decoding import DecodingChanges, DecodingConfig
from regard.config.recipe import Recipe
from regard.data.batching import EncodedPair, Ids, length_batches, pad_sources
from regard.decoding.ensemble import EnsembleDecoder
from regard.decoding.hypothesis import Hypothesis
from regard.decoding.limits import Limits
from regard.decoding.looking import Looking
from regard.decoding.must import unmet
from regard.decoding.ranking import Ranking
from regard.decoding.search import expected_lengths
from regard.decoding.search import search as run_search
from regard.errors import ConfigError, DataError
from regard.insight.edits import Edit, Edits, ForcePrefix, Word, as_edits
from regard.insight.explain import Explanation
from regard.insight.record import AttentionRecord
from regard.nn.masks import padding_mask
from regard.nn.step import EncoderDecoder
from regard.nn.trace import Trace
from regard.tasks.constraints import Constraints, Wishes, each, wishes_of, with_prefixes
from regard.tasks.editing import SentenceEdits, each_edits, trace_edits
from regard.tasks.effect import Effect
from regard.tasks.explaining import explain_row
from regard.tasks.forcing import SYMBOLS, force
from regard.tasks.glossary import Glossary
from regard.tasks.intervening import Output, Run, intervene
from regard.tasks.reading import NOTHING_READ, Reading, coverage_of, looked_at, read_attention, side_of
from regard.tasks.result import Alternative, PairScore, Translation
from regard.tasks.spelling import Speller
from regard.text.tokenizer import BOS, EOS, PAD, SPECIAL, UNK, Encoding, Tokenizer

__all__ = ["MAX_SOURCE_TOKENS", "SYMBOLS", "Alternative", "Translation", "Translator"]

MAX_SOURCE_TOKENS = 1024
MAX_SAMPLES = 256
_PAIRS_AT_ONCE = 4096
"""Pairs that are sorted by length and scored together."""
_NOT_ASKED = AttentionRecord(reason="it was not asked for; use attention=True")


class Translator:
    """A trained translation model with its text."""

    def __init__(
        self,
        model: nn.Module,
        *,
        source_tokenizer: Tokenizer,
        target_tokenizer: Tokenizer,
        recipe: Recipe,
        summary: dict[str, Any] | None = None,
    ) -> None:
        self.module = model
        self.network: EncoderDecoder[Any] = model  # type: ignore[assignment]
        self.source_tokenizer = source_tokenizer
        self.target_tokenizer = target_tokenizer
        self.recipe = recipe
        self.summary = summary or {}
        self._speller = Speller(target_tokenizer)

    @classmethod
    def ensemble(cls, members: Sequence["Translator"], names: Sequence[str] | None = None) -> "Translator":
        """Several translators as one, by the mean of their probabilities; the first one's recipe counts.

        names: what to call the members in an error
        """
        called = names or [f"model {number}" for number in range(1, len(members) + 1)]
        first = members[0]
        for member, name in zip(members[1:], called[1:], strict=True):
            for side in ("source", "target"):
                own, other = getattr(first, f"{side}_tokenizer"), getattr(member, f"{side}_tokenizer")
                if own is not other and own.to_json() != other.to_json():
                    raise ConfigError(
                        f"an ensemble needs models with one vocabulary, but the {side} vocabularies of "
                        f"{called[0]} ({len(own):,} entries) and {name} ({len(other):,} entries) differ; "
                        f"train them on the same data with the same text settings"
                    )
        return cls(
            EnsembleDecoder([member.module for member in members]),
            source_tokenizer=first.source_tokenizer,
            target_tokenizer=first.target_tokenizer,
            recipe=first.recipe,
            summary={"members": list(called)},
        )

    def __repr__(self) -> str:
        parameters = sum(p.numel() for p in self.module.parameters())
        languages = f"{self.recipe.data.source}→{self.recipe.data.target}"
        return f"Translator({languages}, {self.recipe.model.kind}, {parameters:,} parameters)"

    @property
    def device(self) -> torch.device:
        """Where the model is."""
        return next(self.module.parameters()).device

    @overload  # a str is a sequence of str to the type checker, but never meant as one here
    def translate(  # type: ignore[overload-overlap]
        self,
        source: str,
        *,
        n_best: int = 1,
        attention: bool = True,
        search: DecodingConfig | None = None,
        constraints: Constraints | None = None,
        glossary: Glossary | None = None,
        numbered_from: int = 0,
        edit: None = None,
        **changes: Unpack[DecodingChanges],
    ) -> Translation: ...
    @overload
    def translate(
        self,
        source: Sequence[str],
        *,
        n_best: int = 1,
        attention: bool = True,
        search: DecodingConfig | None = None,
        constraints: Constraints | Sequence[Constraints] | None = None,
        glossary: Glossary | None = None,
        numbered_from: int = 0,
        edit: None = None,
        **changes: Unpack[DecodingChanges],
    ) -> list[Translation]: ...
    @overload
    def translate(  # type: ignore[overload-overlap]
        self,
        source: str,
        *,
        n_best: int = 1,
        attention: bool = True,
        search: DecodingConfig | None = None,
        constraints: Constraints | None = None,
        glossary: Glossary | None = None,
        numbered_from: int = 0,
        edit: Edits,
        **changes: Unpack[DecodingChanges],
    ) -> Effect: ...
    @overload
    def translate(
        self,
        source: Sequence[str],
        *,
        n_best: int = 1,
        attention: bool = True,
        search: DecodingConfig | None = None,
        constraints: Constraints | Sequence[Constraints] | None = None,
        glossary: Glossary | None = None,
        numbered_from: int = 0,
        edit: Edit | Sequence[Edits],
        **changes: Unpack[DecodingChanges],
    ) -> list[Effect]: ...
    def translate(
        self,
        source: str | Sequence[str],
        *,
        n_best: int = 1,
        attention: bool = True,
        search: DecodingConfig | None = None,
        constraints: Constraints | Sequence[Constraints] | None = None,
        glossary: Glossary | None = None,
        numbered_from: int = 0,
        edit: Edit | Sequence[Edits] | None = None,
        **changes: Unpack[DecodingChanges],
    ) -> Translation | list[Translation] | Effect | list[Effect]:
        """Translate a sentence, or several at once (faster).

        n_best:        how many translations to give: at most the beam size, or when sampling that many draws
        attention:     also read what the model looked at (one more pass over the output)
        search:        how to search; by default as in the recipe
        constraints:   what translations begin with, must have or must not have; for all sentences, or a list
                       with an entry for each
        glossary:      term pairs: where a source sentence has a term, its translation has the other
        numbered_from: when sampling, the place in the text of the first sentence: (seed, place) decides what
                       is drawn
        edit:          change what is looked at, and give back what that changes. For one sentence an edit or
                       several; for a list of sentences one edit for all, or a list with an entry for each
        changes:       settings of the search to change, such as beam_size=1 or sample=True

        >>> best = model.translate("나는 책을 읽었다.")
        >>> best.text
        'I ...'
        >>> pair = model.translate(["나는 책을 읽었다.", "그는 학교에 갔다."], beam_size=3, n_best=2)
        >>> [len(best.alternatives) for best in pair]
        [1, 1]
        """
        alone = isinstance(source, str)
        texts = [source] if isinstance(source, str) else source
        settings = self.search_settings(search, n_best=n_best, **changes)
        encoded = self._encode_sources(texts)
        wanted = each(constraints, len(texts))

        def run(sources: Sequence[Encoding], edited: Sequence[SentenceEdits] | None) -> list[Output]:
            read = texts
            if edited is not None:  # a term that is removed asks for nothing
                read = [own.text_left(given) for own, given in zip(edited, encoded, strict=True)]
            wishes = wishes_of(read, with_prefixes(wanted, edited), glossary, self._speller)
            found = self._search(sources, settings, wishes, n_best, numbered_from, edited)
            results = self._translations(sources, wishes, found, settings, edited, attention=attention)
            return [(result, own[0] if own else None) for result, own in zip(results, found, strict=True)]

        if edit is None:
            results = [result for result, _ in run(encoded, None)]
            return results[0] if alone else results
        effects = self._effects(encoded, each_edits(edit, len(texts), alone=alone), run)
        return effects[0] if alone else effects

    def _effects(
        self, sources: Sequence[Encoding], edits: Sequence[tuple[Edit, ...]], run: Run
    ) -> list[Effect]:
        return intervene(
            self.module,
            sources,
            edits,
            run,
            dictionary=self.source_tokenizer.dictionary,
            budget=self._budget,
            device=self.device,
        )

    def search_settings(
        self, search: DecodingConfig | None = None, *, n_best: int = 1, **changes: Unpack[DecodingChanges]
    ) -> DecodingConfig:
        """The search that is asked for, if this model can do it and it gives as many results as wanted."""
        if changes.get("sample") and changes.get("beam_size"):
            raise ConfigError("beam_size and sample exclude each other; choose one")
        settings = (search or self.recipe.decoding).changed(changes)
        most, what = (
            (MAX_SAMPLES, f"{MAX_SAMPLES} samples")
            if settings.sample
            else (settings.beam_size, f"the beam size {settings.beam_size}")
        )
        if not 1 <= n_best <= most:
            raise DataError(f"n_best must be from 1 to {what}, found {n_best}")
        kind = self.recipe.text.kind
        if settings.replace_unknown is None:
            replaces = kind == "word" and bool(self.network.cross_attention)
            settings = settings.changed({"replace_unknown": replaces})
        if settings.replace_unknown:
            if kind not in ("word", "wordpiece"):
                raise ConfigError(
                    f"replace_unknown is for vocabularies with unknown words (word, wordpiece); "
                    f"this model's is {kind}, which spells every word"
                )
            if not self.network.cross_attention:
                raise ConfigError("replace_unknown needs attention over the source, and this model has none")
        return settings

    def search_width(self, beam_size: int | None, n_best: int) -> int:
        """The width of the search that is asked for, if it can give as many translations as wanted."""
        return self.search_settings(n_best=n_best, beam_size=beam_size).beam_size

    def tokens_in(self, text: str) -> int:
        """How many tokens a source text has."""
        return len(self.source_tokenizer.encode(text).ids)

    def can_write(self, text: str) -> bool:
        """Whether the target vocabulary can spell a text."""
        return UNK not in self.target_tokenizer.encode(text).ids

    def check_length(self, text: str, where: str) -> None:
        """Refuse a source text that is too long, naming its place."""
        if len(text) * 4 >= MAX_SOURCE_TOKENS:  # shorter ones cannot have so many tokens: a byte each at most
            _check_length(self.source_tokenizer.encode(text).ids, text, where)

    @overload
    def look(self, source: str, target: str | None = None, *, edit: None = None) -> Translation: ...
    @overload
    def look(self, source: str, target: str | None = None, *, edit: Edits) -> Effect: ...
    def look(
        self, source: str, target: str | None = None, *, edit: Edits | None = None
    ) -> Translation | Effect:
        """Translate a sentence, or force a given translation, and read the attention.

        edit: change what is looked at, and give back what that changes

        >>> given = model.look("나는 책을 읽었다.", "I read a book.")
        >>> given.text, given.attention.words().rows
        ('I read a book.', ('I', 'read', 'a', 'book', '.', '</s>'))
        """
        if target is None:
            return self.translate(source) if edit is None else self.translate(source, edit=edit)
        if edit is None:
            return self.force([(source, target)])[0]
        edits = as_edits(edit)
        if any(isinstance(one, ForcePrefix) for one in edits):
            raise DataError("a prefix is forced while the model writes; leave out the given translation")
        encoded, written = self._encode_pairs([(source, target)])
        hypothesis = Hypothesis(written[0].ids, 0.0, 0.0, True)

        def run(sources: Sequence[Encoding], edited: Sequence[SentenceEdits] | None) -> list[Output]:
            (result,) = self._force_encoded([(source, target)], sources, written, edited)
            return [(result, hypothesis)]

        return self._effects(encoded, [edits], run)[0]

    def explain(
        self,
        source: str,
        target: str | None = None,
        *,
        row: Word,
        column: Word | None = None,
        path: str | None = None,
        head: int | None = None,
    ) -> Explanation:
        """Follow one row of attention: the query, each score by this model's formula, softmax, weighted sum.

        target: a given translation; by default the model's own
        row:    a target token by its number, from 0; or a word, where that is one token
        column: a source word, by text or number, whose score is shown in full
        path:   the attention that is meant; by default the first one over the source
        head:   where there are several

        >>> told = model.explain("나는 책을 읽었다.", "I read a book.", row=0, column="책을")
        >>> told.formula, told.error < 1e-5
        ('e_j = v · tanh(W s + U h_j)', True)
        """
        if target is None:
            (encoded,) = self._encode_sources([source])
            if not encoded.ids:
                raise DataError("the sentence has no words, and there is nothing to explain")
            settings = self.search_settings()
            ((best, *_),) = self._search([encoded], settings, [Wishes()], 1, 0)
            written, ended = self.target_tokenizer.decode(best.tokens), best.ended
        else:
            ((encoded,), (written,)), ended = self._encode_pairs([(source, target)]), True
        return explain_row(
            self.module,
            EncodedPair(encoded.ids, written.ids),
            side_of(encoded, self.source_tokenizer.dictionary, ended=True),
            side_of(written, self.target_tokenizer.dictionary, ended=ended),
            row=row,
            column=column,
            path=path,
            head=head,
        )

    def force(self, pairs: Sequence[tuple[str, str]]) -> list[Translation]:
        """Read the attention, and the probability, of given translations."""
        return self._force_encoded(pairs, *self._encode_pairs(pairs))

    def _encode_pairs(self, pairs: Sequence[tuple[str, str]]) -> tuple[list[Encoding], list[Encoding]]:
        sources = list(self.source_tokenizer.encode_many([source for source, _ in pairs]))
        targets = list(self.target_tokenizer.encode_many([target for _, target in pairs]))
        for number, (pair, own, other) in enumerate(zip(pairs, sources, targets, strict=True), 1):
            _check_pair(*pair, f"pair {number}", EncodedPair(own.ids, other.ids))
        return sources, targets

    def _force_encoded(
        self,
        pairs: Sequence[tuple[str, str]],
        sources: Sequence[Encoding],
        targets: Sequence[Encoding],
        edited: Sequence[SentenceEdits] | None = None,
    ) -> list[Translation]:
        read = self._read(sources, targets, [True] * len(targets), edited)
        ranking = Ranking.of(self.recipe.decoding)
        results = []
        for (source, target), encoded, (record, values) in zip(pairs, targets, read, strict=True):
            total = math.fsum(values)
            score = ranking.score(total, len(values), coverage_of(record) if ranking.beta else 0.0)
            results.append(Translation(source, target, score, total, encoded.pieces, True, (), record))
        return results

    def score(self, pairs: Iterable[tuple[str, str] | tuple[str, str, str]]) -> Iterator[PairScore]:
        """How probable given translations are, token by token; streaming, in the order of the pairs.

        No attention is read, so this is the fast way for many pairs; they are taken a few thousand at a time.

        pairs: (source, target), or (source, target, place) with a place, such as `file:line`, for an error
        """
        placed = ((p[0], p[1], p[2] if len(p) == 3 else f"pair {n}") for n, p in enumerate(pairs, 1))
        while chunk := list(itertools.islice(placed, _PAIRS_AT_ONCE)):
            sources = self.source_tokenizer.encode_ids([source for source, _, _ in chunk])
            targets = self.target_tokenizer.encode_ids([target for _, target, _ in chunk])
            encoded = [EncodedPair(s, t) for s, t in zip(sources, targets, strict=True)]
            for pair, (source, target, where) in zip(encoded, chunk, strict=True):
                _check_pair(source, target, where, pair)
            values: list[list[float]] = [[] for _ in chunk]
            forced = force(self.module, encoded, budget=self._budget, device=self.device, look=False)
            for row, own, _ in forced:
                values[row] = own
            for (source, target, _), ids, own in zip(chunk, targets, values, strict=True):
                pieces = (*map(self.target_tokenizer.piece, ids), SPECIAL[EOS])
                yield PairScore(source, target, pieces, tuple(own))

    @property
    def _budget(self) -> int:
        return self.recipe.decoding.batch_tokens

    def _encode_sources(self, texts: Sequence[str]) -> list[Encoding]:
        encoded = list(self.source_tokenizer.encode_many(texts))
        for text, encoding in zip(texts, encoded, strict=True):
            _check_length(encoding.ids, text, "the sentence")
        return encoded

    def _search(
        self,
        sources: Sequence[Encoding],
        settings: DecodingConfig,
        wishes: Sequence[Wishes],
        n_best: int,
        numbered_from: int,
        edited: Sequence[SentenceEdits] | None = None,
    ) -> list[list[Hypothesis]]:
        """The hypotheses wanted for each sentence, best first; none for a sentence without tokens.

        edited: what is changed for each sentence; None searches without a trace
        """
        found: list[list[Hypothesis]] = [[] for _ in sources]
        full = [row for row, source in enumerate(sources) if source.ids]
        for row in full:
            _check_room(sources[row], settings, wishes[row])
        lengths = [len(sources[row].ids) + 1 for row in full]
        constrained = any(wish.tokens.must for wish in wishes)
        for places in length_batches(lengths, budget=settings.batch_tokens):
            rows = [full[place] for place in places]
            ids, sizes = pad_sources([sources[row].ids for row in rows], SYMBOLS)
            ids, sizes = ids.to(self.device), sizes.to(self.device)
            limits = Limits(
                BOS,
                EOS,
                never=(PAD, BOS) if settings.replace_unknown else (PAD, UNK, BOS),
                max_lengths=tuple(settings.max_length(len(sources[row].ids)) for row in rows),
                borders=self._speller.borders if constrained else frozenset(),
            )
            wanted = [wishes[row].tokens for row in rows]
            if constrained and not settings.sample and settings.beam_groups == 1:
                expected = expected_lengths(self.network, ids, sizes, limits, settings, wanted)
                limits = replace(limits, expected=expected)
            changes = trace_edits([edited[row] for row in rows]) if edited is not None else None
            looking = None
            if settings.coverage_beta:
                words = padding_mask(sizes - 1, ids.shape[1])  # </s> need not be looked at
                looking = Looking(Trace(self.module, changes), self.network.cross_attention, words)
            results = run_search(
                self.network,
                ids,
                sizes,
                limits,
                settings,
                constraints=wanted,
                numbers=[numbered_from + row for row in rows],
                n_best=n_best,
                looking=looking,
                trace=None if changes is None else Trace(self.module, changes, keep=False),
            )
            for row, hypotheses in zip(rows, results, strict=True):
                found[row] = hypotheses[:n_best]
        return found

    def _read(
        self,
        sources: Sequence[Encoding],
        targets: Sequence[Encoding],
        ended: Sequence[bool],
        edited: Sequence[SentenceEdits] | None = None,
    ) -> list[Reading]:
        return read_attention(
            self.module,
            sources,
            targets,
            ended,
            dictionaries=(self.source_tokenizer.dictionary, self.target_tokenizer.dictionary),
            budget=self._budget,
            device=self.device,
            edited=edited,
        )

    def _translations(
        self,
        sources: Sequence[Encoding],
        wishes: Sequence[Wishes],
        found: Sequence[Sequence[Hypothesis]],
        settings: DecodingConfig,
        edited: Sequence[SentenceEdits] | None,
        *,
        attention: bool,
    ) -> list[Translation]:
        """Results from hypotheses, with their attention where it is wanted."""
        decode = self.target_tokenizer.decode
        written = [[decode(hypothesis.tokens) for hypothesis in own] for own in found]
        empty = decode(())
        records = [_NOT_ASKED if own else NOTHING_READ for own in found]
        if attention:
            best = [own[0] if own else empty for own in written]
            ended = [not own or own[0].ended for own in found]
            records = [record for record, _ in self._read(sources, best, ended, edited)]
        if settings.replace_unknown:
            self._replace_unknown(sources, written, edited)
        return [
            self._translation(source, wish, own, texts, record)
            for source, wish, own, texts, record in zip(sources, wishes, found, written, records, strict=True)
        ]

    def _replace_unknown(
        self,
        sources: Sequence[Encoding],
        written: Sequence[list[Encoding]],
        edited: Sequence[SentenceEdits] | None,
    ) -> None:
        """Put the source word that was looked at most where an output has <unk>; its tokens stay."""
        places = [
            (row, n) for row, own in enumerate(written) for n, text in enumerate(own) if UNK in text.ids
        ]
        outputs = [written[row][n] for row, n in places]
        changes = None if edited is None else [edited[row] for row, _ in places]
        read = self._read([sources[row] for row, _ in places], outputs, [True] * len(places), changes)
        for (row, n), output, (record, _) in zip(places, outputs, read, strict=True):
            weights = record.tokens().weights[: len(output.ids), : len(sources[row].ids)]  # not </s>
            words = [
                looked_at(sources[row], int(weights[place].argmax()))
                for place, token in enumerate(output.ids)
                if token == UNK
            ]
            written[row][n] = self.target_tokenizer.decode(output.ids, unknown=words)

    def _translation(
        self,
        source: Encoding,
        wish: Wishes,
        hypotheses: Sequence[Hypothesis],
        written: Sequence[Encoding],
        record: AttentionRecord,
    ) -> Translation:
        original = source.text.original
        if not hypotheses:  # nothing to translate
            return Translation(original, "", 0.0, 0.0, (), True, (), record)
        best, *others = hypotheses
        lost = [] if best.met else unmet(wish.tokens.must, best.tokens, BOS, self._speller.borders)
        return Translation(
            source=original,
            text=written[0].text.text,
            score=best.score,
            log_probability=best.log_probability,
            tokens=written[0].pieces,
            ended=best.ended,
            alternatives=tuple(
                Alternative(text.text.text, other.score, other.log_probability, text.pieces)
                for other, text in zip(others, written[1:], strict=True)
            ),
            attention=record,
            missing=tuple(wish.must[number] for number in lost),
        )


def _check_length(ids: Ids, text: str, where: str) -> None:
    if len(ids) > MAX_SOURCE_TOKENS:
        raise DataError(
            f"{where}: expected at most {MAX_SOURCE_TOKENS:,} tokens, found {len(ids):,} in "
            f"'{text[:30]}…'; split it into sentences"
        )


def _check_pair(source: str, target: str, where: str, encoded: EncodedPair) -> None:
    if not len(encoded.source) or not len(encoded.target):
        raise DataError(f"{where}: both the sentence and its translation need words, found an empty text")
    _check_length(encoded.source, source, where)
    _check_length(encoded.target, target, where)


def _check_room(source: Encoding, settings: DecodingConfig, wish: Wishes) -> None:
    longest = settings.max_length(len(source.ids))
    if wish.tokens.least > longest and (wish.tokens.prefix or wish.tokens.must):
        raise DataError(
            f"the prefix and the words that must appear need up to {wish.tokens.least} tokens, but the "
            f"translation of '{source.text.original[:30]}' may have {longest}; raise max_length_extra"
        )
