"""Translation: text in, frozen results out."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, overload

import numpy as np
import torch
from torch import nn

from regard.config.recipe import Recipe
from regard.data.batching import EncodedPair, Symbols, length_batches, make_batch, pad_sources
from regard.decoding.beam import beam_search
from regard.decoding.greedy import greedy_search
from regard.decoding.hypothesis import Hypothesis
from regard.decoding.limits import Limits
from regard.errors import DataError
from regard.insight.maps import Weights
from regard.insight.merge import Side
from regard.insight.record import AttentionRecord
from regard.nn.step import EncoderDecoder
from regard.nn.trace import Trace
from regard.text.tokenizer import BOS, EOS, PAD, SPECIAL, UNK, Encoding, Tokenizer

SYMBOLS = Symbols(pad=PAD, bos=BOS, eos=EOS)
MAX_SOURCE_TOKENS = 1024
ATTENTION_PATH = "attention"


@dataclass(frozen=True, slots=True)
class Alternative:
    """Another translation that the search found."""

    text: str
    score: float


@dataclass(frozen=True)
class Translation:
    """A sentence, its translation, and what the model looked at while it wrote."""

    source: str
    text: str
    score: float
    """Log-probability of the translation, an average over its tokens where the length exponent is 1."""
    log_probability: float
    """Log-probability of the translation, </s> included."""
    tokens: tuple[str, ...] = field(repr=False)
    ended: bool = field(repr=False)
    """False where the output was cut off at the longest length allowed."""
    alternatives: tuple[Alternative, ...] = field(repr=False)
    """The other translations of the n best, best first."""
    attention: AttentionRecord = field(repr=False, compare=False)

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        return {
            "source": self.source,
            "text": self.text,
            "score": self.score,
            "log_probability": self.log_probability,
            "tokens": list(self.tokens),
            "ended": self.ended,
            "alternatives": [{"text": other.text, "score": other.score} for other in self.alternatives],
            "attention": self.attention.to_dict(),
        }


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
        self, source: str, *, beam_size: int | None = None, n_best: int = 1, attention: bool = True
    ) -> Translation: ...
    @overload
    def translate(
        self, source: Sequence[str], *, beam_size: int | None = None, n_best: int = 1, attention: bool = True
    ) -> list[Translation]: ...
    def translate(
        self,
        source: str | Sequence[str],
        *,
        beam_size: int | None = None,
        n_best: int = 1,
        attention: bool = True,
    ) -> Translation | list[Translation]:
        """Translate a sentence, or several at once (faster).

        beam_size: width of the search, 1 = greedy; by default as in the recipe
        n_best:    how many translations to give, at most `beam_size`
        attention: also read what the model looked at (one more pass over the output)

        >>> best = model.translate("나는 책을 읽었다.")
        >>> best.text
        'I ...'
        >>> pair = model.translate(["나는 책을 읽었다.", "그는 학교에 갔다."], beam_size=3, n_best=2)
        >>> [len(best.alternatives) for best in pair]
        [1, 1]
        """
        if isinstance(source, str):
            return self.translate([source], beam_size=beam_size, n_best=n_best, attention=attention)[0]
        width = self.search_width(beam_size, n_best)
        encoded = self._encode_sources(source)
        found = self._search(encoded, width)
        best = [hypotheses[0] if hypotheses else None for hypotheses in found]
        records = self._read(encoded, best) if attention else [_NOT_ASKED] * len(encoded)
        return [
            self._translation(text, hypotheses[:n_best], record)
            for text, hypotheses, record in zip(source, found, records, strict=True)
        ]

    def search_width(self, beam_size: int | None, n_best: int) -> int:
        """The width of the search that is asked for, if it can give as many translations as wanted."""
        width = self.recipe.decoding.beam_size if beam_size is None else beam_size
        if width < 1:
            raise DataError(f"the beam size must be at least 1, found {width}")
        if not 1 <= n_best <= width:
            raise DataError(f"n_best must be from 1 to the beam size {width}, found {n_best}")
        return width

    def check_length(self, text: str, where: str) -> None:
        """Refuse a source text that is too long, naming its place."""
        if len(text) * 4 >= MAX_SOURCE_TOKENS:  # shorter ones cannot have so many tokens: a byte each at most
            _check_length(self.source_tokenizer.encode(text), text, where)

    def look(self, source: str, target: str | None = None) -> Translation:
        """Translate a sentence, or force a given translation, and read the attention.

        >>> given = model.look("나는 책을 읽었다.", "I read a book.")
        >>> given.text, given.attention.words().rows
        ('I read a book.', ('I', 'read', 'a', 'book', '.', '</s>'))
        """
        if target is None:
            return self.translate(source)
        return self.force([(source, target)])[0]

    def force(self, pairs: Sequence[tuple[str, str]]) -> list[Translation]:
        """Read the attention, and the probability, of given translations."""
        sources = self._encode_sources([source for source, _ in pairs])
        targets = list(self.target_tokenizer.encode_many([target for _, target in pairs]))
        for (source, target), encoded in zip(pairs, targets, strict=True):
            if not source.strip() or not target.strip():
                raise DataError("both the sentence and its translation need words, found an empty text")
            _check_length(encoded, target, "the translation")
        forced = self._forced(sources, targets, [True] * len(targets))
        alpha = self.recipe.decoding.length_alpha
        return [
            Translation(
                source=source,
                text=target,
                score=total / (len(encoded.ids) + 1) ** alpha,
                log_probability=total,
                tokens=encoded.pieces,
                ended=True,
                alternatives=(),
                attention=record,
            )
            for (source, target), encoded, (record, total) in zip(pairs, targets, forced, strict=True)
        ]

    def _encode_sources(self, texts: Sequence[str]) -> list[Encoding]:
        encoded = list(self.source_tokenizer.encode_many(texts))
        for text, encoding in zip(texts, encoded, strict=True):
            _check_length(encoding, text, "the sentence")
        return encoded

    def _search(self, sources: Sequence[Encoding], width: int) -> list[list[Hypothesis]]:
        """Hypotheses for each sentence, best first; none for a sentence without tokens."""
        decoding = self.recipe.decoding
        found: list[list[Hypothesis]] = [[] for _ in sources]
        lengths = [len(source.ids) + 1 for source in sources]
        for rows in self._batches(sources, lengths, decoding.batch_tokens):
            ids, sizes = pad_sources([sources[row].ids for row in rows], SYMBOLS)
            longest = (
                int(decoding.max_length_factor * len(sources[row].ids)) + decoding.max_length_extra
                for row in rows
            )
            limits = Limits(BOS, EOS, never=(PAD, UNK, BOS), max_lengths=tuple(max(1, n) for n in longest))
            ids, sizes = ids.to(self.device), sizes.to(self.device)
            alpha = decoding.length_alpha
            if width == 1:
                results = [[best] for best in greedy_search(self.network, ids, sizes, limits, alpha=alpha)]
            else:
                results = beam_search(self.network, ids, sizes, limits, beam_size=width, alpha=alpha)
            for row, hypotheses in zip(rows, results, strict=True):
                found[row] = hypotheses
        return found

    def _read(self, sources: Sequence[Encoding], best: Sequence[Hypothesis | None]) -> list[AttentionRecord]:
        """The attention of written sentences, by forcing their own tokens."""
        written = [self.target_tokenizer.decode(found.tokens if found else ()) for found in best]
        ended = [found is None or found.ended for found in best]
        return [record for record, _ in self._forced(sources, written, ended)]

    @torch.inference_mode()
    def _forced(
        self, sources: Sequence[Encoding], targets: Sequence[Encoding], ended: Sequence[bool]
    ) -> list[tuple[AttentionRecord, float]]:
        """Attention and log-probability of each target, by one teacher-forced pass with a trace."""
        results: list[tuple[AttentionRecord, float]] = [(_NOTHING_READ, 0.0)] * len(sources)
        pairs = [EncodedPair(s.ids, t.ids) for s, t in zip(sources, targets, strict=True)]
        longest = [max(len(pair.source), len(pair.target)) + 1 for pair in pairs]
        for rows in self._batches(sources, longest, self.recipe.decoding.batch_tokens):
            batch = make_batch(pairs, rows, SYMBOLS).to(self.device)
            trace = Trace(self.module)
            features = self.network.forced(batch.source, batch.lengths, batch.fed, trace=trace)
            weights = torch.cat([sight.weights for sight in trace.kept[ATTENTION_PATH]], dim=1).cpu().numpy()
            log_probabilities = self.network.output(features).log_softmax(-1)
            of_wanted = log_probabilities.gather(-1, batch.wanted[:, :, None]).squeeze(-1)
            totals = (of_wanted.double() * batch.real).sum(1).tolist()
            for place, row in enumerate(rows):
                columns = _side(sources[row], self.source_tokenizer, ended=True)
                # An output that was cut off has no row for </s>: the model did not write one.
                lines = _side(targets[row], self.target_tokenizer, ended=ended[row])
                results[row] = (_record(columns, lines, weights[place]), totals[place])
        return results

    def _batches(
        self, sources: Sequence[Encoding], lengths: Sequence[int], budget: int
    ) -> Iterator[list[int]]:
        """Rows of the sentences that have tokens, in batches of like length."""
        rows = [row for row, source in enumerate(sources) if source.ids]
        for batch in length_batches([lengths[row] for row in rows], budget=budget):
            yield [rows[place] for place in batch]

    def _translation(
        self, source: str, hypotheses: Sequence[Hypothesis], record: AttentionRecord
    ) -> Translation:
        if not hypotheses:  # nothing to translate
            return Translation(source, "", 0.0, 0.0, (), True, (), _NOTHING_READ)
        best, *others = hypotheses
        written = self.target_tokenizer.decode(best.tokens)
        return Translation(
            source=source,
            text=written.text.text,
            score=best.score,
            log_probability=best.log_probability,
            tokens=written.pieces,
            ended=best.ended,
            alternatives=tuple(
                Alternative(self.target_tokenizer.decode(other.tokens).text.text, other.score)
                for other in others
            ),
            attention=record,
        )


_NOTHING_READ = AttentionRecord(reason="the sentence has no words")
_NOT_ASKED = AttentionRecord(reason="it was not asked for; use attention=True")


def _check_length(encoding: Encoding, text: str, where: str) -> None:
    if len(encoding.ids) > MAX_SOURCE_TOKENS:
        raise DataError(
            f"{where}: expected at most {MAX_SOURCE_TOKENS:,} tokens, found {len(encoding.ids):,} in "
            f"'{text[:30]}…'; split it into sentences"
        )


def _record(columns: Side, rows: Side, weights: Weights) -> AttentionRecord:
    """Cut the padding away, and keep the sides that give the labels."""
    own = np.ascontiguousarray(weights[: len(rows.tokens), : len(columns.tokens)], dtype=np.float32)
    return AttentionRecord(columns, rows, own, ATTENTION_PATH)


def _side(encoding: Encoding, tokenizer: Tokenizer, *, ended: bool) -> Side:
    """Labels in the user's own characters."""
    spans = tuple(encoding.text.to_original(span) for span in encoding.spans)
    specials = (SPECIAL[EOS],) if ended else ()
    return Side(encoding.text.original, encoding.pieces, spans, specials, tokenizer.dictionary)
