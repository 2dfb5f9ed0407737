"""Pre-trained tokenizers of other libraries, read from the files of their model.

They see a text as it was typed: their own rules normalise it, so that tokens are those that the model was
trained with. What the files say of padding and of the longest text is how they were last used, not what they
are: the caller says how long a text may be.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

from tokenizers import AddedToken, models, normalizers, pre_tokenizers, processors
from tokenizers import Tokenizer as Backend

from regard.errors import DataError, StoreError
from regard.text.engine import check_ids, engine, read_state
from regard.text.foreign_settings import (
    SETTINGS,
    added_tokens,
    apply_settings,
    bert_rules,
    check_word_pieces,
    cut_side,
    has_segments,
    read_settings,
)
from regard.text.normalise import Span
from regard.text.pieces import learned
from regard.text.scripts import KnownScripts

WHOLE, WORDS = "tokenizer.json", "vocab.txt"
_SPECIAL = ("unk_token", "sep_token", "pad_token", "cls_token", "mask_token")
_HIDDEN = ("[MASK]", "<mask>")
"""The mask token of BERT's family, and of RoBERTa's."""
Texts = Sequence[str] | Sequence[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class ForeignEncoding:
    """One text, or a pair, as tokens with special tokens."""

    ids: tuple[int, ...]
    pieces: tuple[str, ...]
    spans: tuple[Span, ...]
    """Characters of the text as it was typed; empty for special tokens."""
    texts: tuple[int | None, ...]
    """Which text of a pair each token is of, 0 or 1; None = of neither: a special token."""
    segments: tuple[int, ...]
    """Segment ids (token type ids)."""
    was_cut: bool
    """Whether the text was truncated."""


class ForeignTokenizer:
    """A tokenizer of another library: texts to ids."""

    def __init__(
        self,
        backend: Backend,
        *,
        longest: int | None,
        where: str,
        lower: bool = False,
        told_apart: bool = True,
        cut: Literal["left", "right"] = "right",
    ) -> None:
        """told_apart: whether the texts of a pair have different segment ids; cut: the truncation side"""
        self._told_apart = told_apart
        backend.no_padding()
        backend.no_truncation()
        if lower:
            kept = [] if backend.normalizer is None else [backend.normalizer]
            backend.normalizer = normalizers.Sequence([normalizers.Lowercase(), *kept])
        if longest is not None:
            added = backend.num_special_tokens_to_add(is_pair=True)
            if longest <= added:
                raise StoreError(
                    f"{where}: {longest} tokens are no room for a text, {added} are special ones"
                )
            backend.enable_truncation(longest, direction=cut)
        self._backend = backend

    @classmethod
    def of(
        cls,
        files: Mapping[str, bytes],
        *,
        where: str,
        size: int,
        longest: int | None = None,
        lower: bool = False,
    ) -> "ForeignTokenizer":
        """From files of a model's folder: tokenizer.json, or a WordPiece vocabulary alone.

        size:    rows that the model has for entries
        longest: maximum length, special tokens included
        lower:   write all texts in small letters first
        """
        settings = read_settings(files, where)
        if WHOLE in files:
            backend = opened_engine(files[WHOLE], f"{where}/{WHOLE}", size)
            apply_settings(backend, settings, where)
        elif WORDS in files:
            backend = _word_pieces(files, settings, where, size)
        else:
            raise StoreError(
                f"{where}: expected {WHOLE} or {WORDS}, found neither; where transformers is installed, "
                "AutoTokenizer.from_pretrained(…).save_pretrained(…) writes the first"
            )
        told_apart, cut = has_segments(settings), cut_side(settings, where)
        return cls(backend, longest=longest, where=where, lower=lower, told_apart=told_apart, cut=cut)

    def uncut(self) -> "ForeignTokenizer":
        """The same, without truncation."""
        backend = Backend.from_str(self._backend.to_str())
        return ForeignTokenizer(backend, longest=None, where="", told_apart=self._told_apart)

    @property
    def backend(self) -> Backend:
        """The engine."""
        return self._backend

    @property
    def size(self) -> int:
        """Rows that a table of its entries needs: one more than the largest id."""
        return max(self._backend.get_vocab(with_added_tokens=True).values(), default=-1) + 1

    @cached_property
    def scripts(self) -> KnownScripts:
        """What its entries can spell."""
        bytes_named = '"ByteLevel"' in json.dumps(json.loads(self._backend.to_str())["decoder"])
        kind: Literal["byte_bpe", "wordpiece"] = "byte_bpe" if bytes_named else "wordpiece"
        names = self._backend.get_vocab(with_added_tokens=False)
        return KnownScripts(learned(name, kind) for name in names)

    @property
    def last_segment(self) -> int:
        """The largest segment id of a single text."""
        rules = self._backend.post_processor
        single = b"" if rules is None else b"".join(re.findall(rb'"single":\[.*?\]', rules.__getstate__()))
        told = map(int, re.findall(rb'"type_id":(\d+)', single))  # of a text, not of special tokens alone
        return max([0, *told, *self.encode([""])[0].segments]) if self._told_apart else 0

    @property
    def hidden(self) -> tuple[str, int] | None:
        """The mask token, in a text and as an id; None if there is none."""
        found = ((name, self._backend.token_to_id(name)) for name in _HIDDEN)
        return next(((name, number) for name, number in found if number is not None), None)

    def piece(self, token: int) -> str:
        """A token as the vocabulary has it; nothing if it has no such."""
        return self._backend.id_to_token(token) or ""

    def decode(self, ids: Sequence[int]) -> str:
        """The text of tokens; special ones write nothing."""
        text: str = self._backend.decode(list(ids), skip_special_tokens=True)
        return text

    def encode(self, texts: Texts) -> list[ForeignEncoding]:
        """Turn texts, or pairs, into tokens, on all cores."""
        try:
            with engine(DataError, "the tokenizer of this model cannot read a text"):
                found = self._backend.encode_batch(list(texts))
        except (TypeError, UnicodeEncodeError):
            raise DataError(
                "expected texts, or pairs of them, of Unicode characters, found something else"
            ) from None
        return [
            ForeignEncoding(
                tuple(tokens.ids),
                tuple(tokens.tokens),
                tuple(tokens.offsets),
                tuple(tokens.sequence_ids),
                tuple(tokens.type_ids) if self._told_apart else (0,) * len(tokens),
                bool(tokens.overflowing),
            )
            for tokens in found
        ]


def opened_engine(content: str | bytes, where: str, size: int) -> Backend:
    """The engine that a tokenizer.json describes, for a model with so many rows."""
    state = read_state(content, where)
    check_ids(state, size, where)
    with engine(StoreError, f"{where}: not a file of the tokenizers library"):
        return Backend.from_str(json.dumps(state, ensure_ascii=False))  # of a name that is there twice, one


def _word_pieces(files: Mapping[str, bytes], settings: Mapping[str, Any], where: str, size: int) -> Backend:
    """BERT's tokenizer: clean, split at spaces and punctuation, then WordPiece."""
    check_word_pieces(settings, where)
    count = files[WORDS].removesuffix(b"\n").count(b"\n") + 1
    if count > size:
        raise StoreError(
            f"{where}/{WORDS}: expected at most {size:,} lines, as the weights have rows, found {count:,}"
        )
    try:
        lines = files[WORDS].decode().split("\n")
    except UnicodeDecodeError as error:
        raise StoreError(f"{where}/{WORDS}: not UTF-8 at byte {error.start}") from None
    entries = {
        line.rstrip("\r"): number for number, line in enumerate(lines) if line or number + 1 < len(lines)
    }
    special = {name: _special(settings, name, where) for name in _SPECIAL}
    added = added_tokens(files, settings, where) - {*special.values()}
    if added:
        raise StoreError(
            f"{where}: {min(added)!r} was added to {WORDS}; regard reads that from {WHOLE} alone, "
            "which AutoTokenizer.from_pretrained(…).save_pretrained(…) of transformers writes"
        )
    for name, token in special.items():
        if token not in entries:
            raise StoreError(f"{where}/{WORDS}: the {name} {token} is missing")
    backend = Backend(models.WordPiece(entries, unk_token=special["unk_token"]))
    backend.normalizer = bert_rules(settings, where)
    backend.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    backend.add_special_tokens(
        [AddedToken(token, normalized=False, special=True) for token in special.values()]
    )
    first, last = special["cls_token"], special["sep_token"]
    backend.post_processor = processors.TemplateProcessing(
        single=[f"{first}:0", "$A:0", f"{last}:0"],
        pair=[f"{first}:0", "$A:0", f"{last}:0", "$B:1", f"{last}:1"],
        special_tokens=[(first, entries[first]), (last, entries[last])],
    )
    return backend


def _special(settings: Mapping[str, Any], name: str, where: str) -> str:
    token = settings.get(name, f"[{name.removesuffix('_token').upper()}]")
    token = token.get("content") if isinstance(token, dict) else token
    if not isinstance(token, str) or not token:
        raise StoreError(f"{where}/{SETTINGS}: {name}: expected a token, found {token!r}")
    return token
