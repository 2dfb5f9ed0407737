"""SentencePiece tokenizers of other libraries behind the interface of regard's own.

A model may number the pieces in its own way, and have others besides: it comes with a list of its entries.
Texts are given to SentencePiece as they were typed, since its own rules normalise them.
"""

import base64
import binascii
import json
from collections.abc import Iterator, Sequence
from typing import Any

from regard.config.text import UnigramConfig
from regard.errors import DataError, MissingExtraError, StoreError
from regard.text.engine import charsmap_problem
from regard.text.normalise import NormalisedText, Span
from regard.text.pieces import shown, written
from regard.text.rules import Rules
from regard.text.symbols import SPECIAL, UNK, Symbols
from regard.text.tokenizer import Encoding, Tokenizer

_TEXTS_AT_ONCE = 4096
_CODE = (">>", "<<")
"""Around the name of a language, at the beginning of a text, which says what to translate into."""
_PIECES, _NORMALISER, _CHARSMAP = 1, 3, 2
"""Numbers of fields in a model of SentencePiece; the last is one of the normaliser's own."""


class SentencePieceTokenizer(Tokenizer):
    """A model of SentencePiece, and the id of each of its pieces."""

    def __init__(self, model: bytes, names: Sequence[str], numbers: Sequence[int], where: str) -> None:
        """From a model file and its entries.

        names:   every entry, the special ones of regard first
        numbers: the row that each has elsewhere
        """
        if tuple(names[: len(SPECIAL)]) != SPECIAL or len(names) != len(numbers):
            raise StoreError(f"{where}: not a list of entries that regard wrote")
        self.model, self.names, self.numbers = model, tuple(names), tuple(numbers)
        self._names = self.names
        self._processor = _opened(model, where)
        self._ids = {name: number for number, name in enumerate(names) if number >= len(SPECIAL)}
        codes = [name for name in names if name.startswith(_CODE[0]) and name.endswith(_CODE[1])]
        self._rules = Rules.of(UnigramConfig())
        self._kept = {name: self._ids[name] for name in codes}
        self._symbols = Symbols(())
        self._pieces = [name if name in self._kept else shown(name, "unigram") for name in names]
        self._written = ["" if name in self._kept else written(name, "unigram") for name in names]
        self._pieces[: len(SPECIAL)] = SPECIAL
        self._written[: len(SPECIAL)] = [""] * len(SPECIAL)

    @classmethod
    def of_state(cls, state: dict[str, Any], where: str) -> "SentencePieceTokenizer":
        """Read what `to_json` gave."""
        try:
            own = state["sentencepiece"]
            model = base64.b64decode(own["model"], validate=True)
            names, numbers = [str(name) for name in own["names"]], [int(n) for n in own["numbers"]]
        except (KeyError, TypeError, ValueError, binascii.Error):
            raise StoreError(f"{where}: not a tokenizer that regard wrote") from None
        return cls(model, names, numbers, where)

    def to_json(self) -> str:
        """The model and its entries as one JSON text."""
        model = base64.b64encode(self.model).decode()
        own = {"model": model, "names": self.names, "numbers": self.numbers}
        return json.dumps({"sentencepiece": own}, ensure_ascii=False)

    def encode_many(self, texts: Sequence[str]) -> Iterator[Encoding]:
        """Turn texts into tokens, on all cores."""
        for first in range(0, len(texts), _TEXTS_AT_ONCE):
            some = texts[first : first + _TEXTS_AT_ONCE]
            codes = [_code(text) for text in some]
            try:
                found = self._processor.encode(
                    [text[code:] for text, code in zip(some, codes, strict=True)],
                    return_type="offset_mapping",
                )
            except (TypeError, UnicodeEncodeError):
                raise DataError("expected texts of Unicode characters, found something else") from None
            for text, code, tokens in zip(some, codes, found, strict=True):
                names, spans = list(tokens["pieces"]), [_moved(s, code, text) for s in tokens["offsets"]]
                if code:
                    names, spans = [text[:code], *names], [(0, code), *spans]
                ids = tuple(self._ids.get(name, UNK) for name in names)
                yield Encoding(
                    NormalisedText(text, text, None), ids, tuple(map(self.piece, ids)), tuple(spans)
                )

    def encode_ids(self, texts: Sequence[str]) -> list[list[int]]:
        """Only the ids that `encode` gives."""
        return [list(encoding.ids) for encoding in self.encode_many(texts)]


def _opened(model: bytes, where: str) -> Any:
    try:
        import sentencepiece
    except ImportError:
        raise MissingExtraError("a vocabulary of SentencePiece", "marian") from None
    told = f"{where}: not a model of SentencePiece"
    try:
        parts = list(_fields(model))
        rules = [field for number, part in parts if number == _NORMALISER for field in _fields(part)]
    except ValueError:
        raise StoreError(told) from None
    if not any(number == _PIECES for number, _ in parts):
        raise StoreError(f"{told}: {'it has no pieces' if model else 'it is empty'}")
    for number, table in rules:
        if number == _CHARSMAP and table and (problem := charsmap_problem(table)):
            raise StoreError(f"{where}: normalizer_spec.precompiled_charsmap: {problem}")
    try:
        return sentencepiece.SentencePieceProcessor(model_proto=model)
    except (RuntimeError, OSError, ValueError, TypeError):
        raise StoreError(told) from None


def _fields(message: bytes) -> Iterator[tuple[int, bytes]]:
    """The fields of a protocol buffer that hold bytes: number and content. ValueError if it is none."""
    place = 0
    while place < len(message):
        key, place = _varint(message, place)
        number, kind = key >> 3, key & 7
        if kind == 0:
            _, place = _varint(message, place)
        elif kind == 2:
            size, place = _varint(message, place)
            yield number, message[place : place + size]
            place += size
        elif kind in (1, 5):
            place += 8 if kind == 1 else 4
        else:
            raise ValueError("no such kind of field")
    if place > len(message):
        raise ValueError("a field is cut off")


def _varint(message: bytes, place: int) -> tuple[int, int]:
    """A number of seven bits a byte, and the place behind it."""
    value = 0
    for shift in range(0, 70, 7):
        if place >= len(message):
            break
        value |= (message[place] & 0x7F) << shift
        place += 1
        if message[place - 1] < 0x80:
            return value, place
    raise ValueError("a number without an end")


def _code(text: str) -> int:
    """How many characters at the beginning name a language."""
    before, after = _CODE
    end = text.find(after) if text.startswith(before) else -1
    return end + len(after) if end >= 0 else 0


def _moved(span: Span, by: int, text: str) -> Span:
    """The characters of a piece in the whole text, without the space before a word."""
    start, end = span[0] + by, span[1] + by
    while start < end and text[start].isspace():
        start += 1
    return start, end
