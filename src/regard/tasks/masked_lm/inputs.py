"""Texts with masked words in the tokens of a model, with the special tokens that it was trained with."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from regard.errors import ConfigError, DataError
from regard.inference.interventions import SentenceEdits
from regard.insight.token_axis import TokenAxis
from regard.text.foreign import ForeignTokenizer
from regard.text.korean import NO_DICTIONARY, Dictionary
from regard.text.normalise import NormalisedText, Span
from regard.text.scripts import KnownScripts
from regard.text.symbols import BOS, EOS, HIDDEN
from regard.text.tokenizer import Encoding, Tokenizer


class MaskedText(ABC):
    """Reads texts for a model, and writes what it says."""

    symbol: str
    """The mask symbol in a text."""
    mask: int
    """The mask token."""
    before: tuple[int, ...]
    """Tokens before a text."""
    after: tuple[int, ...]
    """Tokens behind it."""
    tokenizer: Tokenizer | ForeignTokenizer
    dictionary: Dictionary = NO_DICTIONARY

    @property
    def scripts(self) -> KnownScripts:
        """What its vocabulary covers."""
        return self.tokenizer.scripts

    @abstractmethod
    def encode(self, texts: Sequence[str]) -> list[Encoding]:
        """Texts as tokens, without those around them."""

    @abstractmethod
    def written(self, tokens: Sequence[int]) -> str:
        """The tokens decoded; special tokens are left out."""

    def side(self, text: Encoding) -> TokenAxis:
        """Labels for the input tokens, special tokens included."""
        typed, spans = text.text.original, tuple(text.text.to_original(span) for span in text.spans)
        before, after = (tuple(map(self.piece, around)) for around in (self.before, self.after))
        whole = mask_spans(typed, text.ids, spans, self.mask)
        return TokenAxis(typed, text.pieces, spans, after, self.dictionary, before=before, whole=whole)

    def word(self, token: int) -> str:
        """A token as text; empty if it is no word."""
        return "" if token == self.mask else self.written([token]).strip()

    def piece(self, token: int) -> str:
        """A token as the vocabulary has it."""
        return self.tokenizer.piece(token)


@dataclass(frozen=True)
class MaskedInput:
    """A text with masked words, in tokens, and what is wanted of it."""

    encoding: Encoding
    """Without special tokens."""
    masked_text: MaskedText
    n_best: int
    """How many candidates for each mask."""
    whole: bool
    """Keep the probability of every entry, which is much for many texts."""

    @property
    def texts(self) -> tuple[str]:
        """The text without masked words."""
        return (self.encoding.text.original.replace(self.masked_text.symbol, " "),)

    @cached_property
    def sides(self) -> tuple[TokenAxis]:
        """There is one."""
        return (self.masked_text.side(self.encoding),)

    @property
    def is_empty(self) -> bool:
        """Every text has special tokens, so none is empty."""
        return False

    @property
    def framed(self) -> tuple[int, ...]:
        """Its tokens, special tokens included."""
        return (*self.masked_text.before, *self.encoding.ids, *self.masked_text.after)

    def without(self, edited: Sequence[SentenceEdits]) -> "MaskedInput":
        """The text without what is removed."""
        (own,) = edited
        if any(self.encoding.ids[token] == self.masked_text.mask for token in own.removed):
            raise DataError("a masked word cannot be removed: it is what is predicted")
        return replace(self, encoding=own.without_removed(self.encoding))


class OwnMaskedText(MaskedText):
    """Texts in a vocabulary that regard learned."""

    symbol = HIDDEN
    before: tuple[int, ...] = (BOS,)
    after: tuple[int, ...] = (EOS,)

    def __init__(self, tokenizer: Tokenizer, where: str) -> None:
        self.tokenizer: Tokenizer = tokenizer
        self.dictionary = tokenizer.dictionary
        self.mask = mask_entry(tokenizer, where)

    def encode(self, texts: Sequence[str]) -> list[Encoding]:
        """Texts as tokens; letters behind a mask belong to its word, unless a space is between."""
        return [self._joined(text) for text in self.tokenizer.encode_many(texts)]

    def _joined(self, text: Encoding) -> Encoding:
        ids = list(text.ids)
        for place in range(1, len(ids)):
            touches = text.spans[place - 1][1] == text.spans[place][0]
            if ids[place - 1] == self.mask and touches:
                ids[place] = self.tokenizer.goes_on(ids[place])
        return Encoding(text.text, tuple(ids), tuple(map(self.tokenizer.piece, ids)), text.spans)

    def written(self, tokens: Sequence[int]) -> str:
        """The tokens decoded."""
        return self.tokenizer.decode(tokens).text.text


class ForeignMaskedText(MaskedText):
    """Texts in a vocabulary that came with a model from elsewhere."""

    def __init__(self, tokenizer: ForeignTokenizer, where: str) -> None:
        self.tokenizer: ForeignTokenizer = tokenizer
        found = tokenizer.hidden
        if found is None:
            raise ConfigError(f"{where}: its tokenizer has no mask token, such as [MASK]")
        self.symbol, self.mask = found
        (empty,) = tokenizer.encode([""])
        if len(empty.ids) != 2:
            raise ConfigError(
                f"{where}: its tokenizer puts {len(empty.ids)} tokens around a text, expected one before "
                f"and one behind"
            )
        self.before: tuple[int, ...] = empty.ids[:1]
        self.after: tuple[int, ...] = empty.ids[1:]

    def encode(self, texts: Sequence[str]) -> list[Encoding]:
        """Texts as tokens, without those around them; one that would be cut is refused."""
        encoded = []
        for text, found in zip(texts, self.tokenizer.encode(texts), strict=True):
            if found.was_cut:
                raise DataError(f"'{text[:30]}…' is longer than the model reads; split it into sentences")
            inner = range(len(self.before), len(found.ids) - len(self.after))
            encoded.append(
                Encoding(
                    NormalisedText(text, text, None),
                    tuple(found.ids[place] for place in inner),
                    tuple(found.pieces[place] for place in inner),
                    tuple(found.spans[place] for place in inner),
                )
            )
        return encoded

    def written(self, tokens: Sequence[int]) -> str:
        """The tokens decoded."""
        return self.tokenizer.decode(tokens)


def mask_spans(typed: str, ids: Sequence[int], spans: Sequence[Span], mask: int) -> tuple[Span, ...]:
    """The spans of masked words in the text as it was typed, without the space before them."""
    found = (span for token, span in zip(ids, spans, strict=True) if token == mask)
    return tuple((end - len(typed[start:end].lstrip()), end) for start, end in found)


def mask_entry(tokenizer: Tokenizer, where: str) -> int:
    """The entry of the mask."""
    number = tokenizer.kept(HIDDEN)
    if number is None:
        raise ConfigError(f"{where}: has no entry {HIDDEN}; it is not the vocabulary of a masked model")
    return number
