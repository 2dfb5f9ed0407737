"""From subword tokens to words, by one stated rule.

Sum over source pieces, mean over target pieces: a word gets the attention of its pieces together, and pays
that of its pieces on average. So each row still sums to what it summed to. A token that reaches over
two words (two morphemes, say) counts for each by its share of the token's characters.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import get_args

import numpy as np
import numpy.typing as npt

from regard.errors import DataError, did_you_mean
from regard.insight.maps import MapKind, Unit, Weights
from regard.text.korean import NO_DICTIONARY, Dictionary, morpheme_spans
from regard.text.normalise import Span
from regard.text.words import word_spans


def check_unit(unit: str) -> None:
    """Refuse what is not a unit of rows and columns."""
    if unit not in get_args(Unit):
        raise DataError(f"unknown unit '{unit}'; {did_you_mean(str(unit), get_args(Unit))}")


@dataclass(frozen=True, slots=True)
class TokenAxis:
    """One axis of a map: a text, its tokens with offsets, and the special tokens around them."""

    text: str
    pieces: tuple[str, ...]
    spans: tuple[Span, ...]
    """The characters of `text` that each token covers."""
    specials: tuple[str, ...] = ("</s>",)
    dictionary: Dictionary = NO_DICTIONARY
    """Words that the morphological analyser is to know."""
    before: tuple[str, ...] = ()
    """Special tokens before the others: <s>, of what was fed."""
    given: tuple[Span, ...] | None = None
    """Offsets of the words, of pre-tokenized input."""
    whole: tuple[Span, ...] = ()
    """Characters that are one word, whatever they are: a [MASK]."""
    separators: tuple[Span, ...] = ()
    """Characters of the symbols between two texts that are read as one."""

    @property
    def tokens(self) -> tuple[str, ...]:
        """Labels of all positions, token by token."""
        return (*self.before, *self.pieces, *self.specials)

    def words(self, unit: Unit = "words") -> tuple[str, ...]:
        """Labels of all positions, unit by unit."""
        check_unit(unit)
        if unit == "tokens":
            return self.tokens
        texts = (self.text[start:end] for start, end in self._unit_spans(unit))
        return (*self.before, *texts, *self.specials)

    def fed(self, first: str = "<s>") -> "TokenAxis":
        """What was fed while this was predicted: the same, shifted by one, after <s>."""
        count = len(self.tokens)
        pieces, spans = self.pieces[: max(0, count - 1)], self.spans[: max(0, count - 1)]
        text = self.text[: spans[-1][1]] if spans else ""
        return TokenAxis(text, pieces, spans, (), self.dictionary, (first,)[:count])

    def first(self, count: int) -> "TokenAxis":
        """The first tokens alone, and the text as far as they go."""
        if count >= len(self.pieces):
            return self
        spans = self.spans[:count]
        end = max((last for _, last in spans), default=0)
        return replace(self, text=self.text[:end], pieces=self.pieces[:count], spans=spans)

    @property
    def special(self) -> npt.NDArray[np.bool_]:
        """(tokens,): which are special tokens: around the text, and between two texts."""
        between = (span in self.separators for span in self.spans)
        return np.array([*(True for _ in self.before), *between, *(True for _ in self.specials)], dtype=bool)

    def members(self, word: int) -> list[int]:
        """The tokens of a word, both counted with special tokens; none if nothing is left of it."""
        tokens: list[int] = np.flatnonzero(self.shares()[:, word]).tolist()
        return tokens

    def shown(self, labels: Sequence[str]) -> slice:
        """Where, among the labels of all positions, those stand that are no special tokens."""
        return slice(len(self.before), len(labels) - len(self.specials))

    def shares(self, unit: Unit = "words") -> Weights:
        """(tokens, words): how much of each token belongs to each word; a row sums to 1.

        A token that is only a space belongs to the word after it.
        """
        check_unit(unit)
        if unit == "tokens":
            return np.eye(len(self.tokens), dtype=np.float32)
        units = self._unit_spans(unit)
        starts, ends = np.array(units, dtype=int).reshape(-1, 2).T
        first = len(self.before)
        shares = np.zeros((len(self.tokens), first + len(units) + len(self.specials)), dtype=np.float32)
        if units and self.spans:  # a text without words has no word for a token
            begin, end = np.array(self.spans, dtype=int).T
            overlap = np.minimum(ends, end[:, None]) - np.maximum(starts, begin[:, None])
            np.maximum(overlap, 0, out=overlap)
            sums = overlap.sum(axis=1)
            for token in np.flatnonzero(sums == 0).tolist():
                overlap[token, min(int(np.searchsorted(starts, end[token])), len(units) - 1)] = sums[
                    token
                ] = 1
            shares[first : first + len(sums), first : first + len(units)] = overlap / sums[:, None]
        for place in range(first):
            shares[place, place] = 1.0
        for place in range(len(self.specials)):
            shares[first + len(self.spans) + place, first + len(units) + place] = 1.0
        return shares

    def word_spans(self) -> tuple[Span, ...]:
        """The characters of each word; special tokens cover none."""
        return tuple(self._unit_spans("words"))

    def _unit_spans(self, unit: Unit) -> list[Span]:
        if unit == "morphemes":
            found = morpheme_spans(self.text, self.dictionary)
        else:
            found = word_spans(self.text) if self.given is None else list(self.given)
        return _set_apart(found, self.whole) if self.whole else found


def joined(first: TokenAxis, second: TokenAxis, between: str, count: int = 1) -> TokenAxis:
    """Two texts as one sequence, with a separator between them, so many times."""
    apart = len(between) + 1
    starts = [len(first.text) + 1 + apart * place for place in range(count)]
    symbols = tuple((start, start + len(between)) for start in starts)
    after = symbols[-1][1] + 1
    moved = tuple((begin + after, end + after) for begin, end in second.spans)
    return TokenAxis(
        " ".join((first.text, *[between] * count, second.text)),
        (*first.pieces, *[between] * count, *second.pieces),
        (*first.spans, *symbols, *moved),
        (),
        first.dictionary,
        whole=symbols,
        separators=symbols,
    )


def _set_apart(words: Sequence[Span], whole: Sequence[Span]) -> list[Span]:
    """Words cut where others begin and end that are to be whole, with these among them."""
    for first, last in whole:
        cut = [part for start, end in words for part in ((start, min(end, first)), (max(start, last), end))]
        words = sorted([*(span for span in cut if span[0] < span[1]), (first, last)])
    return list(words)


def merge_to_words(weights: Weights, rows: TokenAxis, columns: TokenAxis, unit: Unit = "words") -> Weights:
    """(row tokens, column tokens) -> (row words, column words)."""
    if unit == "tokens":
        return weights
    by_source = weights @ columns.shares(unit)
    members = rows.shares(unit)
    pieces = members.sum(axis=0)
    pieces[pieces == 0] = 1.0  # a word that has no token
    merged: Weights = (members.T @ by_source) / pieces[:, None]
    return merged


NO_TARGET = TokenAxis("", (), (), ())
"""The target of a model that has no decoder."""


def token_axes(kind: MapKind, source: TokenAxis, target: TokenAxis, rows: int) -> tuple[TokenAxis, TokenAxis]:
    """What the rows and the columns of a kind of map stand for; `rows` counts learned queries."""
    if kind == "cross":
        return target, source
    if kind == "decoder-self":
        return target.fed(), target.fed()
    if kind == "hops":
        return TokenAxis("", (), (), (), before=tuple(f"hop {n}" for n in range(rows))), source
    return source, source
