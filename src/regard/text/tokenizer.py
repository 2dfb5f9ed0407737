"""The tokenizer: train, store, encode with offsets, decode.

A space becomes the sign ▁ at the head of the word after it, so decoding is joining; punctuation and other
white space stand apart, so no token crosses a word's end. A text comes back from bpe, unigram, byte_bpe and
char as it was, up to this: it is in NFC and without spaces at its ends, a ▁ of its own has become a space
(not in byte_bpe), and U+FDD0, which Unicode reserves for programs, has become U+FFFD.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise

import numpy as np
from tokenizers import Tokenizer as Backend
from tokenizers import pre_tokenizers

from regard.config.text import TextConfig
from regard.errors import DataError, StoreError
from regard.text.engine import engine
from regard.text.korean import Dictionary, compose
from regard.text.normalise import NormalisedText, Span
from regard.text.pieces import GOES_ON, learned, shown, true_spans, written
from regard.text.prepare import normalised, pre_tokenizer, prepare
from regard.text.rules import Rules
from regard.text.scripts import KnownScripts
from regard.text.stored_rules import check_stored
from regard.text.symbols import BOS, BYTES, EOS, PAD, SPECIAL, UNK, Symbols
from regard.text.utf8 import write
from regard.text.vocabulary_training import train_backend

__all__ = ["BOS", "EOS", "PAD", "SPECIAL", "UNK", "Encoding", "Tokenizer"]

_TEXTS_AT_ONCE = 4096
_CANNOT_READ = "the tokenizer of this model cannot read a text"


@dataclass(frozen=True, slots=True)
class Encoding:
    """One text as tokens: ids, the pieces, and the characters that each covers."""

    text: NormalisedText
    """The text in NFC; `text.to_original` leads from there to what was typed."""
    ids: tuple[int, ...]
    pieces: tuple[str, ...]
    spans: tuple[Span, ...]
    """Spans of the NFC text."""


class Tokenizer:
    """A vocabulary: texts to ids and back."""

    def __init__(self, backend: Backend, rules: Rules) -> None:
        self._backend = backend
        self._rules = rules
        kept = sorted(backend.get_added_tokens_decoder().items())
        self._kept = {token.content: number for number, token in kept}
        self._symbols = Symbols(self._kept)
        names = [backend.id_to_token(number) or SPECIAL[UNK] for number in range(backend.get_vocab_size())]
        self._names: Sequence[str] = names
        self._pieces = [name if name in self._kept else shown(name, rules.kind) for name in names]
        self._written = [name if name in self._kept else written(name, rules.kind) for name in names]
        self._pieces[: len(SPECIAL)] = SPECIAL
        self._written[: len(SPECIAL)] = [""] * len(SPECIAL)

    @classmethod
    def learn(cls, texts: Iterable[str], config: TextConfig) -> "Tokenizer":
        """Train a vocabulary on texts, which may be read more than once."""
        if iter(texts) is texts:
            raise TypeError("texts must be something that can be read twice, such as a list, not an iterator")
        rules = Rules.of(config)
        return cls(train_backend(texts, config, rules), rules)

    @classmethod
    def from_json(cls, text: str, where: str) -> "Tokenizer":
        """Read what `to_json` gave; `where` names the file in an error."""
        told = f"{where}: not a tokenizer that regard wrote"
        try:
            with engine(StoreError, told):
                tokenizer = cls._stored(text, where)
        except TypeError as error:
            raise StoreError(f"{told}: {error}") from None
        tokenizer._rules.warn_of_another_kiwi()
        return tokenizer

    @classmethod
    def _stored(cls, text: str, where: str) -> "Tokenizer":
        state = json.loads(text)
        if "sentencepiece" in state:
            from regard.text.sentencepiece import SentencePieceTokenizer  # which is a Tokenizer

            return SentencePieceTokenizer.of_state(state, where)
        written = state["pre_tokenizer"].pop("regard", None)
        rules = Rules.stored({} if written is None else written)
        check_stored(state, rules, where, is_first=written is None)
        return cls(Backend.from_str(json.dumps(state)), rules)

    def to_json(self) -> str:
        """The vocabulary and its rules as one JSON text, in the format of the `tokenizers` library.

        The rules are in `pre_tokenizer`, where that library passes over names it does not know.
        """
        state = json.loads(self._backend.to_str())
        state["pre_tokenizer"]["regard"] = self._rules.to_dict()
        return json.dumps(state, ensure_ascii=False)

    def __len__(self) -> int:
        return len(self._pieces)

    @property
    def unknown(self) -> int | None:
        """The entry for what the vocabulary does not have; None where it has all."""
        return UNK

    @property
    def dictionary(self) -> Dictionary:
        """The user dictionary of Kiwi."""
        return self._rules.dictionary

    def keeps(self, symbol: str) -> bool:
        """Whether a symbol such as <b> is one token wherever it stands."""
        return symbol in self._kept

    def kept(self, symbol: str) -> int | None:
        """The id of a symbol that is one token wherever it stands; None if it is not."""
        return self._kept.get(symbol)

    def goes_on(self, token: int) -> int:
        """The entry for the same letters inside of a word, where a vocabulary has both."""
        if self._rules.kind != "wordpiece":
            return token
        inside = self._backend.token_to_id(f"{GOES_ON}{self._backend.id_to_token(token)}")
        return token if inside is None else int(inside)

    @cached_property
    def scripts(self) -> KnownScripts:
        """The scripts that its entries cover."""
        kept = {*self._kept, *SPECIAL}
        return KnownScripts(learned(name, self._rules.kind) for name in self._names if name not in kept)

    @property
    def joins_letters(self) -> bool:
        """Whether a token can change the last character before it: letters of Hangul join into one."""
        return self._rules.split == "jamo"

    @property
    def dropout(self) -> float:
        """The probability with which `resample` drops a merge."""
        return self._rules.dropout

    def encode(self, text: str) -> Encoding:
        """Turn a text into tokens."""
        return next(self.encode_many([text]))

    def encode_many(self, texts: Sequence[str]) -> Iterator[Encoding]:
        """Turn texts into tokens, on all cores."""
        for first in range(0, len(texts), _TEXTS_AT_ONCE):
            sources = list(normalised(texts[first : first + _TEXTS_AT_ONCE]))
            prepared = prepare([source.text for source in sources], self._rules, self._symbols)
            with engine(DataError, _CANNOT_READ):
                found = self._backend.encode_batch([made.text for made in prepared], add_special_tokens=False)
            for source, made, tokens in zip(sources, prepared, found, strict=True):
                ids = tuple(tokens.ids)
                pieces = tuple(map(self.piece, ids))
                spans = true_spans(pieces, tokens.offsets, made.text)
                yield Encoding(source, ids, pieces, tuple(map(made.to_original, spans)))

    def encode_ids(self, texts: Sequence[str]) -> list[list[int]]:
        """Only the ids that `encode` gives: the fast way for many texts, on all cores."""
        ids: list[list[int]] = []
        for first in range(0, len(texts), _TEXTS_AT_ONCE):
            sources = [source.text for source in normalised(texts[first : first + _TEXTS_AT_ONCE])]
            prepared = [made.text for made in prepare(sources, self._rules, self._symbols)]
            with engine(DataError, _CANNOT_READ):
                found = self._backend.encode_batch_fast(prepared, add_special_tokens=False)
            ids.extend(tokens.ids for tokens in found)
        return ids

    def decode(self, ids: Sequence[int], *, unknown: Sequence[str] = (), whole: bool = False) -> Encoding:
        """Decode tokens, with the characters of each.

        Special tokens are skipped. Bytes that are not UTF-8 become �.

        unknown: words to write, one for each <unk> in turn
        whole:   nothing comes after them: the sign of a space at the end writes nothing
        """
        words = iter(unknown)
        parts = [f" {next(words)}" if unknown and t == UNK else self._written_by(t) for t in ids]
        parts = _without_space_ahead(parts)
        text, spans = write(_without_space_behind(parts) if whole else parts)
        if self._rules.split == "jamo":
            composed = compose(text)
            text, spans = composed.text, [composed.from_original(span) for span in spans]
        return Encoding(
            NormalisedText(text, text, None), tuple(ids), tuple(map(self.piece, ids)), tuple(spans)
        )

    def _written_by(self, token: int) -> str | bytes:
        return self._written[token] if 0 <= token < len(self._written) else ""

    def piece(self, token: int) -> str:
        """The token as people can read it; bytes that make no character by their names."""
        return self._pieces[token] if 0 <= token < len(self._pieces) else SPECIAL[UNK]

    def resample(self, ids: Sequence[int], *, key: Sequence[int]) -> tuple[int, ...]:
        """Another segmentation of the same text, by BPE-dropout; the key decides which.

        ids: as `encode` gives them, without special tokens
        key: such as (seed, epoch, row, side), none below 0
        """
        if not self.dropout:
            return tuple(ids)
        text = prepare([self.decode(ids).text.text], self._rules, self._symbols)[0].text
        numbers = draws(key)
        tokens: list[int] = []
        for section, is_symbol in self._symbols.sections(text):
            if is_symbol:
                tokens.append(self._kept[section])
                continue
            for part, _ in self._cut.pre_tokenize_str(section if tokens else " " + section):
                tokens += self._merges.spell(part, numbers)
        return tuple(tokens)

    @cached_property
    def _cut(self) -> pre_tokenizers.PreTokenizer:
        return pre_tokenizer(self._rules.kind, prefix=False, marks=True)

    @cached_property
    def _merges(self) -> "BPEMerges":
        model = json.loads(self._backend.to_str())["model"]
        return BPEMerges(model["vocab"], model["merges"], self.dropout)


def _without_space_ahead(parts: list[str | bytes]) -> list[str | bytes]:
    """The same parts without the sign of a space before the first word."""
    for place, part in enumerate(parts):
        parts[place] = part.lstrip(" ") if isinstance(part, str) else part.lstrip(b" ")
        if parts[place]:
            break
    return parts


def _without_space_behind(parts: list[str | bytes]) -> list[str | bytes]:
    """The same parts without signs of a space after the last word."""
    for place, part in reversed(list(enumerate(parts))):
        parts[place] = part.rstrip(" ") if isinstance(part, str) else part.rstrip(b" ")
        if parts[place]:
            break
    return parts


_REMEMBERED, _LONGEST = 1 << 16, 32
"""Words whose merges are cached: the words of a language come again and again, and looking for their
merges was two thirds of the time. What is longer is seldom seen twice, and would take much memory."""


class BPEMerges:
    """The merges of a BPE vocabulary, applied in their order; each may be dropped."""

    def __init__(self, vocabulary: Mapping[str, int], merges: Sequence[tuple[str, str]], rate: float) -> None:
        self._vocabulary = vocabulary
        self._merges = {
            (vocabulary[left], vocabulary[right]): (rank, vocabulary[left + right])
            for rank, (left, right) in enumerate(merges)
        }
        self._rate = rate
        self._letters = lru_cache(_REMEMBERED)(self._find_letters)
        self._next = lru_cache(_REMEMBERED)(self._find_next)

    def spell(self, part: str, draws: Iterator[float]) -> tuple[int, ...]:
        """The tokens of a part of a text that no token crosses.

        At each step every possible merge is dropped with probability `rate`, and the first of the others,
        by rank, then by position, is made; when all are dropped, the part is done.
        """
        tokens = self._letters(part) if len(part) <= _LONGEST else self._find_letters(part)
        while True:
            merges = self._next(tokens) if len(tokens) <= _LONGEST else self._find_next(tokens)
            for place, merged in merges:
                if next(draws) >= self._rate:  # those after it would lose anyway and need no draw
                    tokens = (*tokens[:place], merged, *tokens[place + 2 :])
                    break
            else:
                return tokens

    def _find_letters(self, part: str) -> tuple[int, ...]:
        return tuple(token for character in part for token in self._letter(character))

    def _letter(self, character: str) -> list[int]:
        known = self._vocabulary.get(character)
        return (
            [known] if known is not None else [self._vocabulary[BYTES[byte]] for byte in character.encode()]
        )

    def _find_next(self, tokens: tuple[int, ...]) -> tuple[tuple[int, int], ...]:
        """Every possible merge, the first to be made first: its position, and the token that it makes."""
        possible = sorted(
            (*self._merges[pair], place)
            for place, pair in enumerate(pairwise(tokens))
            if pair in self._merges
        )
        return tuple((place, merged) for _, merged, place in possible)


def draws(key: Sequence[int]) -> Iterator[float]:
    """Numbers from [0, 1), as many as are asked for, decided by the key alone."""
    generator = np.random.default_rng([*key, len(key)])  # or zeros at the end of a key would not count
    while True:
        yield from generator.random(128).tolist()
