"""A tokenizer of another library behind the interface of regard's own: without special tokens."""

import json
from collections.abc import Iterator, Sequence
from functools import cached_property

from regard.errors import StoreError
from regard.text.foreign import ForeignTokenizer, opened_engine
from regard.text.normalise import NormalisedText
from regard.text.rules import Rules
from regard.text.scripts import KnownScripts
from regard.text.tokenizer import Encoding, Tokenizer

_KEY = "foreign"
_SYMBOLS = {
    "pad_token": ("[PAD]", "<pad>"),
    "unk_token": ("[UNK]", "<unk>"),
    "mask_token": ("[MASK]", "<mask>"),
}
"""What BERT's family and RoBERTa's call them."""


class ForeignVocabulary(Tokenizer):
    """It reads a text as it was typed, by its own rules; regard's normalisation is not made before."""

    def __init__(self, tokenizer: ForeignTokenizer, size: int, where: str) -> None:
        """size: rows that the model has for entries; some may have no entry"""
        self._foreign, self._size = tokenizer, size
        self._backend = backend = tokenizer.backend
        backend.no_truncation()  # a text that is too long is skipped, or refused, as everywhere
        self._rules = Rules(kind="wordpiece")
        self._kept = {token.content: number for number, token in backend.get_added_tokens_decoder().items()}
        (empty,) = self._foreign.encode([""])
        if len(empty.ids) != 2:
            raise StoreError(
                f"{where}: its tokenizer puts {len(empty.ids)} tokens around a text, expected one before and "
                f"one behind"
            )
        self.frame = empty.ids[0], empty.ids[1]
        first, last = self.frame
        (pair,) = self._foreign.encode([("", "")])
        found = {(first, *[last] * (1 + count)): count for count in (1, 2)}
        self.separators = found.get(pair.ids)
        """How often the second stands between two texts: RoBERTa has it twice. None = it is otherwise."""
        self.told_apart = any(pair.segments)
        """Whether the texts of a pair have different segment ids."""
        model = json.loads(backend.to_str())["model"]
        named = model.get("unk_token")  # of a unigram model, its number is said
        self._unknown: int | None = model.get("unk_id") if named is None else backend.token_to_id(named)

    @classmethod
    def stored(cls, text: str, where: str) -> "ForeignVocabulary":
        """Read what `to_json` gave; `where` names the file in an error."""
        told = f"{where}: not a tokenizer that regard wrote"
        try:
            state = json.loads(text)
            content, size = json.dumps(state[_KEY]), int(state["size"])
        except (ValueError, TypeError, KeyError, RecursionError) as error:
            raise StoreError(f"{told}: {type(error).__name__}: {error!s:.60}") from None
        backend = opened_engine(content, where, size)
        return cls(ForeignTokenizer(backend, longest=None, where=where), size, where)

    def to_json(self) -> str:
        """The vocabulary as one JSON text, which says that it is none of regard's own."""
        state = json.loads(self._backend.to_str())
        return json.dumps({_KEY: state, "size": self._size}, ensure_ascii=False)

    def portable_files(self, *, longest: int, where: str) -> tuple[dict[str, bytes], dict[str, int]]:
        """The files of a tokenizer that `transformers` opens; and the entries that a model is told of."""
        names = {"cls_token": self.piece(self.frame[0]), "sep_token": self.piece(self.frame[1])}
        for role, known in _SYMBOLS.items():
            found = next((name for name in known if self._backend.token_to_id(name) is not None), None)
            if found is not None:
                names[role] = found
        if "pad_token" not in names:
            raise StoreError(
                f"{where}: its vocabulary has no {' or '.join(_SYMBOLS['pad_token'])} to pad with"
            )
        told = {"tokenizer_class": "PreTrainedTokenizerFast", "model_max_length": longest, **names}
        files = {
            "tokenizer.json": self._backend.to_str().encode(),
            "tokenizer_config.json": json.dumps(told, indent=2, ensure_ascii=False).encode(),
        }
        return files, {"pad_token_id": int(self._backend.token_to_id(names["pad_token"]) or 0)}

    def __len__(self) -> int:
        return self._size

    @property
    def unknown(self) -> int | None:
        """The entry for what the vocabulary does not have; None where it has all."""
        return self._unknown

    @cached_property
    def scripts(self) -> KnownScripts:
        """What its entries can spell."""
        return self._foreign.scripts

    def encode_many(self, texts: Sequence[str]) -> Iterator[Encoding]:
        """Turn texts into tokens, on all cores."""
        for text, found in zip(texts, self._foreign.encode(list(texts)), strict=True):
            inner = slice(1, -1)
            text_of = NormalisedText(text, text, None)
            yield Encoding(text_of, found.ids[inner], found.pieces[inner], found.spans[inner])

    def encode_ids(self, texts: Sequence[str]) -> list[list[int]]:
        """Only the ids that `encode` gives."""
        return [list(found.ids[1:-1]) for found in self._foreign.encode(list(texts))]

    def decode(self, ids: Sequence[int], *, unknown: Sequence[str] = (), whole: bool = False) -> Encoding:
        """Turn tokens into a text; which characters each wrote is not known."""
        del unknown, whole
        text = self._foreign.decode(ids)
        spans = tuple((0, 0) for _ in ids)
        return Encoding(NormalisedText(text, text, None), tuple(ids), tuple(map(self.piece, ids)), spans)

    def piece(self, token: int) -> str:
        """The token as the vocabulary has it."""
        return self._foreign.piece(token)


def vocabulary_from_json(text: str, where: str) -> Tokenizer:
    """A vocabulary that a model folder holds: regard's own, or one of another library."""
    foreign = text.startswith(f'{{"{_KEY}"')
    return ForeignVocabulary.stored(text, where) if foreign else Tokenizer.from_json(text, where)
