"""Tokenizers: one class a kind of vocabulary, each trained on the training text."""

import re
import unicodedata
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import AfterValidator, BeforeValidator, Field, model_validator

from regard.config.base import Config

Kind = Literal["word", "given", "char", "bpe", "unigram", "byte_bpe", "wordpiece"]
Split = Literal["none", "morphemes", "jamo"]

RESERVED = re.compile(r"<pad>|<unk>|</?s>|<0x[0-9A-F]{2}>")
"""Names of entries that are never taken for text."""

_TAGS = re.compile(
    "NN[GPB]|NR|NP|VV|VA|VX|VC[PN]|MM|MA[GJ]|IC|JK[SCGOBVQ]|JX|JC|EP|EF|EC|ET[NM]|XPN|XS[NVAM]|XR|"
    "S[FPSEOWLHNB]|SS[OC]|W_(URL|EMAIL|HASHTAG|MENTION|SERIAL|EMOJI)|USER[0-4]"
)


def split_user_word(written: str) -> tuple[str, str]:
    """`A/S/NNG` is the word A/S with the tag NNG; without a tag, a word is a name, NNP."""
    tagged = re.fullmatch(r"(.+)/([A-Z][A-Z_]+[0-9]?)", written)
    return (tagged[1], tagged[2]) if tagged else (written, "NNP")


def _user_word(written: str) -> str:
    written = unicodedata.normalize("NFC", written).strip()
    if not written:
        raise ValueError("expected a word, or word/TAG, found an empty text")
    _, tag = split_user_word(written)
    if not _TAGS.fullmatch(tag):
        raise ValueError(f"'{tag}' is no tag of Kiwi; if '{written}' is the whole word, write {written}/NNP")
    return written


def _symbol(written: str) -> str:
    symbol = unicodedata.normalize("NFC", written)
    if not symbol or symbol != symbol.strip() or "▁" in symbol:
        raise ValueError(f"expected a symbol without spaces at its ends and without ▁, found '{written}'")
    if RESERVED.fullmatch(symbol):
        raise ValueError(f"'{symbol}' cannot be kept: it names an entry of the vocabulary's own")
    return symbol


def _pattern(written: str) -> str:
    try:
        re.compile(written)
    except re.error as error:
        raise ValueError(f"'{written}' is no regular expression: {error}") from None
    return written


def _as_list(value: Any) -> Any:
    return [value] if isinstance(value, str) else value


class _Text(Config):
    vocabulary_size: int = Field(default=6000, ge=300, le=1_000_000)
    """Entries of one vocabulary, with its 4 special symbols, the kept symbols and, where it has them, the 256
    bytes."""
    joint: bool = False
    """One vocabulary for both languages, instead of one each."""
    min_frequency: int = Field(default=2, ge=1)
    """What is seen less often gets no entry: a word, a pair to merge, a match of `keep_patterns`."""
    split: Split = "none"
    """What Korean is cut into before subwords are learned: nothing, so that subwords run over whole eojeol;
    morphemes, as Kiwi finds them (extra `korean`), which no subword crosses; or jamo, the letters of each
    syllable."""
    user_words: Annotated[
        tuple[Annotated[str, AfterValidator(_user_word)], ...], BeforeValidator(_as_list)
    ] = ()
    """Words that Kiwi shall know, as `word` (a name, NNP) or `word/TAG`."""
    user_dictionary: str | None = None
    """A file of more such words in Kiwi's own format: word, tag and score, tab separated. What it holds is
    stored with the model. `$NAME` is replaced by the environment variable of that name."""
    keep: Annotated[tuple[Annotated[str, AfterValidator(_symbol)], ...], BeforeValidator(_as_list)] = ()
    """Symbols that are one token wherever they occur, such as `%s` or `<b>`."""
    keep_patterns: Annotated[
        tuple[Annotated[str, AfterValidator(_pattern)], ...], BeforeValidator(_as_list)
    ] = ()
    """Regular expressions; what they match in the training text, `min_frequency` times or more, is kept
    likewise, the most frequent first, up to half of the free entries."""

    _taken: ClassVar[int] = 4 + 256
    """Special symbols and bytes."""
    _pointless: ClassVar[dict[str, str]] = {}
    """Splits that would do nothing, and why."""

    @model_validator(mode="after")
    def settings_have_a_meaning(self) -> Self:
        """Refuse settings that would be ignored or leave no room."""
        if reason := self._pointless.get(self.split):
            raise ValueError(f"split: {self.split} has no use here: {reason}")
        if self.split != "morphemes" and (self.user_words or self.user_dictionary):
            raise ValueError("user_words and user_dictionary are for Kiwi; say split: morphemes")
        if len(self.keep) > self.room // 2:
            raise ValueError(
                f"keep has {len(self.keep)} symbols, more than half of the {self.room} free entries"
            )
        return self

    @property
    def room(self) -> int:
        """Entries that are not taken from the start."""
        return self.vocabulary_size - self._taken


class WordConfig(_Text):
    """Whole words and punctuation marks; what is not in the vocabulary is <unk>."""

    kind: Literal["word"] = "word"
    vocabulary_size: int = Field(default=30_000, ge=300, le=1_000_000)
    """Entries of one vocabulary, with its 4 special symbols and the kept symbols."""
    _taken: ClassVar = 4
    _pointless: ClassVar = {"jamo": "a word is looked up as a whole; use none or morphemes"}


class GivenConfig(_Text):
    """Words as a corpus gives them, or as they are between spaces, punctuation and all; what is not in the
    vocabulary is <unk>."""

    kind: Literal["given"] = "given"
    vocabulary_size: int = Field(default=100_000, ge=300, le=1_000_000)
    """Entries of one vocabulary, with its 4 special symbols."""
    min_frequency: int = Field(default=1, ge=1)
    """A word that is seen less often gets no entry."""
    lower: bool = False
    """Look words up in lower case."""
    _taken: ClassVar = 4
    _pointless: ClassVar = dict.fromkeys(["morphemes", "jamo"], "a word is looked up as a whole; use none")

    @model_validator(mode="after")
    def nothing_cuts_a_word(self) -> Self:
        """Refuse symbols that would be tokens inside of words."""
        if self.keep or self.keep_patterns:
            raise ValueError("keep and keep_patterns have no use here: a word is looked up as a whole")
        return self


class CharConfig(_Text):
    """Single characters; byte fallback for rare ones."""

    kind: Literal["char"] = "char"
    _pointless: ClassVar = {"morphemes": "a character never crosses a morpheme; use none or jamo"}


class BpeConfig(_Text):
    """Byte-pair encoding (Sennrich et al. 2016); byte fallback for rare characters."""

    kind: Literal["bpe"] = "bpe"
    dropout: float = Field(default=0.0, ge=0.0, le=1.0)
    """BPE-dropout (Provilkov et al. 2020): in training, each merge is dropped with this probability, anew
    in every epoch, so that the model sees many segmentations of a word. 0.1 is usual."""


class UnigramConfig(_Text):
    """The unigram language model (Kudo 2018); byte fallback for rare characters."""

    kind: Literal["unigram"] = "unigram"


class ByteBpeConfig(_Text):
    """Byte-pair encoding of UTF-8 bytes (Radford et al. 2019); every text is spelt with 256 letters."""

    kind: Literal["byte_bpe"] = "byte_bpe"
    dropout: float = Field(default=0.0, ge=0.0, le=1.0)
    """BPE-dropout, as for `bpe`."""
    _pointless: ClassVar = {"jamo": "bytes already go below the syllable; use none or morphemes"}


class WordPieceConfig(_Text):
    """WordPiece, as BERT has it: the longest piece first, ## before one that continues a word; a word with a
    character that is not in the vocabulary is <unk>."""

    kind: Literal["wordpiece"] = "wordpiece"
    _taken: ClassVar = 4


def _bpe_by_default(value: Any) -> Any:
    return {"kind": "bpe", **value} if isinstance(value, dict) else value


AnyTextConfig = (
    WordConfig | GivenConfig | CharConfig | BpeConfig | UnigramConfig | ByteBpeConfig | WordPieceConfig
)
TextConfig = Annotated[
    Annotated[AnyTextConfig, Field(discriminator="kind")],
    BeforeValidator(_bpe_by_default, json_schema_input_type=AnyTextConfig),
]
