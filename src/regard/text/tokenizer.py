"""Subword tokens that know their characters: learn, store, encode, decode.

A space becomes the sign ▁ at the head of the word after it, so decoding is joining; punctuation and other
white space stand apart, so no token crosses a word's end; a character that was never seen is spelt in bytes,
so every text can be encoded and comes back as it was (in NFC, without spaces at its ends; a ▁ of its own
becomes a space).
"""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from tokenizers import Regex, models, pre_tokenizers, trainers
from tokenizers import Tokenizer as Backend

from regard.config.text import BpeConfig
from regard.errors import DataError, StoreError
from regard.text.normalise import Normalised, Span, normalise

PAD, UNK, BOS, EOS = range(4)
SPECIAL = ("<pad>", "<unk>", "<s>", "</s>")
_BYTES = tuple(f"<0x{byte:02X}>" for byte in range(256))
_SPACE = "▁"


@dataclass(frozen=True, slots=True)
class Encoding:
    """One text as tokens: ids, the pieces, and the characters that each covers."""

    text: Normalised
    ids: tuple[int, ...]
    pieces: tuple[str, ...]
    spans: tuple[Span, ...]
    """Spans of the NFC text; `text.to_original` leads from there to what was typed."""


class Tokenizer:
    """A learned vocabulary: texts to ids and back."""

    def __init__(self, backend: Backend) -> None:
        self._backend = backend
        self._byte_values = {backend.token_to_id(name): value for value, name in enumerate(_BYTES)}

    @classmethod
    def learn(cls, texts: Iterable[str], config: BpeConfig) -> "Tokenizer":
        """Learn a vocabulary on texts."""
        backend = Backend(models.BPE(unk_token=SPECIAL[UNK], byte_fallback=True))
        backend.pre_tokenizer = pre_tokenizers.Sequence(
            [
                pre_tokenizers.Metaspace(replacement=_SPACE, prepend_scheme="always"),
                pre_tokenizers.Punctuation(behavior="isolated"),
                # White space other than the space
                pre_tokenizers.Split(Regex(r"[\s\x1c-\x1f\x85]"), behavior="isolated"),
            ]
        )
        lines = [normalise(text).text.strip() for text in _without_surrogates(texts)]
        alphabet = _alphabet(lines, (config.vocabulary_size - len(SPECIAL) - len(_BYTES)) // 2)
        trainer = trainers.BpeTrainer(
            vocab_size=config.vocabulary_size,
            min_frequency=config.min_frequency,
            special_tokens=[*SPECIAL, *_BYTES],
            show_progress=False,
            initial_alphabet=alphabet,
            limit_alphabet=len(alphabet),
        )
        backend.train_from_iterator(lines, trainer)
        state = json.loads(backend.to_str())
        # Text that reads "<s>" is text: without this, it would be taken for the symbol.
        state["added_tokens"] = []
        return cls._from_state(state)

    @classmethod
    def from_json(cls, text: str, where: str) -> "Tokenizer":
        """Read what `to_json` gave; `where` names the file in an error."""
        try:
            return cls._from_state(json.loads(text))
        except Exception as error:  # the Rust side raises bare Exception
            raise StoreError(f"{where}: not a tokenizer that regard wrote: {error}") from None

    @classmethod
    def _from_state(cls, state: dict[str, object]) -> "Tokenizer":
        backend = Backend.from_str(json.dumps(state))
        if [backend.token_to_id(name) for name in SPECIAL] != list(range(len(SPECIAL))):
            raise ValueError(f"its first entries are not {' '.join(SPECIAL)}")
        return cls(backend)

    def to_json(self) -> str:
        """The vocabulary and its rules as one JSON text."""
        return self._backend.to_str(pretty=False)

    def __len__(self) -> int:
        return self._backend.get_vocab_size()

    def encode(self, text: str) -> Encoding:
        """Turn a text into tokens."""
        return next(self.encode_many([text]))

    def encode_many(self, texts: Sequence[str]) -> Iterator[Encoding]:
        """Turn texts into tokens, on all cores."""
        normalised = [normalise(text) for text in _without_surrogates(texts)]
        stripped = [_Stripped(n.text) for n in normalised]
        encoded = self._backend.encode_batch([s.text for s in stripped], add_special_tokens=False)
        for source, strip, tokens in zip(normalised, stripped, encoded, strict=True):
            spans = tuple(strip.widen(span) for span in tokens.offsets)
            yield Encoding(source, tuple(tokens.ids), tuple(tokens.tokens), spans)

    def decode(self, ids: Sequence[int]) -> Encoding:
        """Turn tokens into a text, and say which of its characters each token wrote.

        Special symbols write nothing. Bytes that are not UTF-8 are written as �.
        """
        text, spans = "", []
        for run in self._runs(ids):
            start = len(text)
            if run[0] in self._byte_values:
                text += bytes(self._byte_values[token] for token in run).decode("utf-8", errors="replace")
            else:
                text += self._written(run[0], at_start=not text)
            spans.extend([(start, len(text))] * len(run))
        return Encoding(Normalised(text, text, None), tuple(ids), tuple(map(self.piece, ids)), tuple(spans))

    def _runs(self, ids: Sequence[int]) -> Iterator[list[int]]:
        """The bytes that write one character together, from its lead byte on; all else alone."""
        run: list[int] = []
        for token in ids:
            value = self._byte_values.get(token)
            goes_on = value is not None and value & 0xC0 == 0x80 and run and run[0] in self._byte_values
            if run and not goes_on:
                yield run
                run = []
            run.append(token)
        if run:
            yield run

    def _written(self, token: int, *, at_start: bool) -> str:
        text = "" if token < len(SPECIAL) else self.piece(token).replace(_SPACE, " ")
        return text.removeprefix(" ") if at_start else text

    def piece(self, token: int) -> str:
        """The token as it stands in the vocabulary."""
        return self._backend.id_to_token(token) or SPECIAL[UNK]


def _alphabet(lines: Sequence[str], most: int) -> list[str]:
    """The most frequent characters; the rest is left to the bytes, so that there is room for merged pieces.

    Ties are broken by the character: left to the trainer, they would be broken by chance, and two runs
    of one recipe would have two vocabularies.
    """
    counts: Counter[str] = Counter()
    for line in lines:
        counts.update(line.replace(" ", _SPACE))
    counts[_SPACE] += 1  # stands before every line
    return sorted(counts, key=lambda character: (-counts[character], character))[: max(1, most)]


def _without_surrogates(texts: Iterable[str]) -> Iterator[str]:
    """The same texts; one that holds half a character, as undecodable bytes do, is refused."""
    for text in texts:
        try:
            text.encode()
        except UnicodeEncodeError as error:
            raise DataError(
                f"U+{ord(text[error.start]):04X} at character {error.start + 1} is no character; "
                f"the text was not read as UTF-8"
            ) from None
        yield text


class _Stripped:
    """A text without the spaces at its ends, which no token carries, and the way back to its offsets."""

    def __init__(self, text: str) -> None:
        self.text = text.strip()
        self._shift = text.index(self.text) if self.text else 0

    def widen(self, span: Span) -> Span:
        return span[0] + self._shift, span[1] + self._shift
