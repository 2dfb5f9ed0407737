"""What a caller gives: texts, or a refusal in words that name the item; and the same in tokens."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol, Self

from torch import nn

from regard.data.batching import EncodedPair, Ids
from regard.errors import DataError
from regard.inference.attention import token_axis
from regard.inference.interventions import SentenceEdits, without_removed
from regard.insight.token_axis import TokenAxis, joined
from regard.nn.decoder import EncoderDecoder
from regard.text.tokenizer import Encoding, Tokenizer

if TYPE_CHECKING:  # a model that writes has no frame
    from regard.nn.sequence_classifier import SpecialTokens

MAX_SOURCE_TOKENS = 1024
Texts = Sequence[str]
"""Several texts; a str is one to the type checker, but never meant as one."""


def given_texts(given: Any, what: str = "text") -> list[str]:
    """One text, or several, as a list.

    what: how one of them is called, with its number, in an error
    """
    if isinstance(given, str):
        return [given]
    texts = list(several(given, f"a {what} or a list of {what}s"))
    for number, text in enumerate(texts, start=1):
        if not isinstance(text, str):
            raise DataError(f"{what} {number}: expected a text, found {described(text)}")
    return texts


def several(given: Any, expected: str) -> Iterable[Any]:
    """Something with items in it, whatever they are; a text, a dict and bytes are none."""
    if isinstance(given, str | bytes | Mapping) or not isinstance(given, Iterable):
        raise DataError(f"expected {expected}, found {described(given)}")
    return given


def given_text(given: Any, what: str = "text") -> str:
    """One text alone."""
    if not isinstance(given, str):
        raise DataError(f"expected one {what}, found {described(given)}")
    return given


def given_tuple(given: Any, what: str, *, sizes: tuple[int, ...]) -> tuple[str, ...]:
    """Several texts that belong together, such as a source and its target."""
    expected = f"{' or '.join(map(str, sizes))} texts"
    if isinstance(given, str | bytes | Mapping) or not isinstance(given, Iterable):
        raise DataError(f"{what}: expected {expected}, found {described(given)}")
    texts = tuple(given)
    if len(texts) not in sizes:
        raise DataError(f"{what}: expected {expected}, found {len(texts)}")
    for text in texts:
        if not isinstance(text, str):
            raise DataError(f"{what}: expected {expected}, found {described(text)} among them")
    return texts


def described(value: object) -> str:
    """What was found instead of a text."""
    return "nothing (None)" if value is None else f"{type(value).__name__} {value!r:.40}"


def check_length(ids: Ids, text: str, where: str, most: int = MAX_SOURCE_TOKENS) -> None:
    """Refuse a text of too many tokens, naming its place."""
    if len(ids) > most:
        raise DataError(
            f"{where}: expected at most {most:,} tokens, found {len(ids):,} in "
            f"'{text[:30]}…'; split it into sentences"
        )


def check_pair(source: str, target: str, where: str, encoded: EncodedPair) -> None:
    """Refuse a pair with an empty or a too long side, naming its place."""
    if not len(encoded.source) or not len(encoded.target):
        raise DataError(f"{where}: both the sentence and its translation need words, found an empty text")
    check_length(encoded.source, source, where)
    check_length(encoded.target, target, where)


def check_text(ids: Ids, text: str, where: str, module: nn.Module) -> None:
    """Refuse a text that a language model cannot be shown, naming its place; an empty one ends at once."""
    check_length(ids, text, where)
    network: EncoderDecoder[Any] = module  # type: ignore[assignment]
    if network.longest is not None and len(ids) >= network.longest:
        raise DataError(
            f"{where}: expected at most {network.longest - 1:,} tokens, which is the most that this model "
            f"has positions for, found {len(ids):,} in '{text[:30]}…'; split it into sentences"
        )


class EncodedInput(Protocol):
    """One input of a model, in tokens."""

    @property
    def texts(self) -> Sequence[str]:
        """As they were given."""
        ...

    @property
    def sides(self) -> Sequence[TokenAxis]:
        """What rows and columns of its attention stand for; of two texts that are read apart, of each."""
        ...

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to read."""
        ...

    def without(self, edited: Sequence[SentenceEdits]) -> Self:
        """The input without what is removed from each side."""
        ...


@dataclass(frozen=True)
class EncodedTexts:
    """Texts that are read together."""

    encodings: tuple[Encoding, ...]
    tokenizer: Tokenizer
    frame: "SpecialTokens | None"
    """What the model puts around them; None where it reads each text as it is."""

    @property
    def texts(self) -> tuple[str, ...]:
        """As they were given."""
        return tuple(one.text.original for one in self.encodings)

    @property
    def ids(self) -> list[Ids]:
        """Without symbols around them."""
        return [one.ids for one in self.encodings]

    @property
    def is_empty(self) -> bool:
        """Whether a text has no words."""
        return not all(one.ids for one in self.encodings)

    @cached_property
    def sides(self) -> tuple[TokenAxis, ...]:
        """Of each text; of a model that reads a pair as one, of both together."""
        sides = [token_axis(one, self.tokenizer.dictionary, ended=False) for one in self.encodings]
        if self.frame is None:
            return tuple(sides)
        before, after = map(self.tokenizer.piece, (self.frame.first, self.frame.last))
        whole = sides[0] if len(sides) == 1 else joined(sides[0], sides[1], after, self.frame.separators)
        return (replace(whole, before=(before,), specials=(after,)),)

    def without(self, edited: Sequence[SentenceEdits]) -> Self:
        """The texts without what is removed from them."""
        between = 1 if self.frame is None else self.frame.separators
        return replace(self, encodings=without_removed(edited, self.encodings, between))
