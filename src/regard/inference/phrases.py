"""Words and phrases that a user names, in the tokens of a vocabulary."""

import unicodedata
from functools import cached_property

from regard.decoding.must import Alternatives, Phrase, Spelling
from regard.errors import DataError
from regard.text.symbols import REPLACEMENT
from regard.text.tokenizer import BOS, EOS, SPECIAL, UNK, Tokenizer

_ATTACHING = ("HANGUL", "CJK", "HIRAGANA", "KATAKANA")
"""Scripts where particles, or other words, are written onto a word without a space."""


def is_open(text: str) -> bool:
    """Whether more may be written onto the end of a word and it still is that word: 학교 in 학교에서."""
    return unicodedata.name(text[-1], "").startswith(_ATTACHING) or is_mark(text[-1])


class Speller:
    """How phrases are spelt inside an output."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        self._tokenizer = tokenizer

    def prefix(self, text: str) -> Phrase:
        """The tokens that an output begins with."""
        tokens = self._tokenizer.encode(text).ids
        if UNK in tokens:
            raise DataError(f"the vocabulary cannot spell the prefix '{text}'; begin with other words")
        return tokens

    def must(self, text: str) -> Alternatives:
        """A phrase that must appear: at the beginning of a word."""
        clean = self._clean(text)
        after_space, first = self._after_space(clean), self._tokenizer.encode(clean).ids
        if UNK in after_space:
            raise DataError(
                f"'{text}' must appear, but the vocabulary cannot spell it; leave it out, or name other words"
            )
        closed = not is_open(clean)
        spellings = self._with_more([after_space], clean)
        if first != after_space and len(first) + 1 >= len(after_space):
            spellings += self._with_more([(BOS, *first)], clean)
        return tuple(Spelling(tokens, closed) for tokens in spellings)

    def must_not(self, text: str) -> tuple[Phrase, ...]:
        """A phrase that must not appear: after a space, at the beginning, or after a punctuation mark."""
        clean = self._clean(text)
        after_space, first = self._after_space(clean), self._tokenizer.encode(clean).ids
        after_mark = _from(self._tokenizer, "(" + clean, 1)
        spellings = [after_space, *([(BOS, *first)] if first != after_space else [])]
        spellings += [(mark, *after_mark) for mark in self._marks]
        spellings = self._with_more([s for s in dict.fromkeys(spellings) if UNK not in s], clean)
        return tuple(dict.fromkeys(spellings))

    def _with_more(self, spellings: list[Phrase], text: str) -> list[Phrase]:
        """Also the spellings whose last token goes on: ▁학교에서 for 학교, where a word may go on."""
        if not is_open(text) or is_mark(text[-1]):
            return spellings
        longer: list[Phrase] = []
        for tokens in spellings:
            for start in range(1 if tokens[0] == BOS else 0, len(tokens)):
                end = "".join(self._texts[token] for token in tokens[start:])
                longer += [(*tokens[:start], token) for token in self._beginning_with(end)]
        return [*spellings, *longer]

    def _beginning_with(self, text: str) -> list[int]:
        """Tokens that write a text and more."""
        return [t for t, own in enumerate(self._texts) if own.startswith(text) and own != text]

    @cached_property
    def borders(self) -> frozenset[int]:
        """Tokens that begin a new word, and </s>."""
        starts = (t for t, text in enumerate(self._texts) if text[:1].isspace() or is_mark(text[:1]))
        return frozenset({*starts, EOS})

    @cached_property
    def _marks(self) -> list[int]:
        """Tokens after which a word may begin without a space."""
        return [token for token, text in enumerate(self._texts) if is_mark(text[-1:])]

    @cached_property
    def _texts(self) -> list[str]:
        """What each token writes after another one; nothing for special symbols."""
        decode, own = self._tokenizer.decode, range(len(SPECIAL), len(self._tokenizer))
        another = next((token for token in own if decode([token]).text.text), UNK)
        begun = len(decode([another]).text.text)
        return ["" if t not in own else decode([another, t]).text.text[begun:] for t in range(own.stop)]

    def _after_space(self, text: str) -> Phrase:
        return _from(self._tokenizer, "( " + text, 1)

    def _clean(self, text: str) -> str:
        clean = " ".join(unicodedata.normalize("NFC", text).split())
        if not clean:
            raise DataError("expected a word or a phrase that must or must not appear, found an empty text")
        return clean


def _from(tokenizer: Tokenizer, text: str, start: int) -> Phrase:
    """The tokens of a text that write the characters from `start` on."""
    encoded = tokenizer.encode(text)
    return tuple(t for t, span in zip(encoded.ids, encoded.spans, strict=True) if span[1] > start)


def is_mark(char: str) -> bool:
    """Whether a character is punctuation or a symbol; but � stands for a part of a character."""
    return char not in ("", REPLACEMENT) and unicodedata.category(char)[0] in "PS"
