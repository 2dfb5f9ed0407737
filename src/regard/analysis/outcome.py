"""An outcome: one output of a model for one input, whose causes are asked for."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from torch import Tensor, nn

from regard.errors import DataError
from regard.inference.interventions import SentenceEdits, resolve_edits
from regard.inference.token_lookup import find_words
from regard.insight.edits import Edit, Word
from regard.insight.token_axis import TokenAxis
from regard.metrics.statistics import Floats
from regard.nn.attention_kinds import AttentionSpec
from regard.nn.trace import Trace
from regard.text.foreign import ForeignTokenizer
from regard.text.symbols import HIDDEN, SPECIAL, UNK
from regard.text.tokenizer import Tokenizer

Objective = Callable[[Any, int, Trace], Tensor]
"""A model, how many copies of the input it reads as one batch, and a trace -> the score of each, (copies,);
it can be differentiated."""


NO_EDITS = SentenceEdits()


@dataclass(frozen=True)
class Variant:
    """An input as it is read under a change, and what is changed in the attention over it."""

    read: Any
    edits: SentenceEdits = NO_EDITS


class SourceWord(NamedTuple):
    """A word that can be a cause."""

    side: int
    """Which text it is in, counted from 0; texts that are read as one count as one."""
    number: int
    """Its number among the words of that text, special tokens counted."""


CONTRAST = "log p(this) − log p(that)"
"""What is measured where something else might have been said."""


class Occluder(NamedTuple):
    """The token that stands for a word that is occluded."""

    symbol: str
    token: int


class Outcome(ABC):
    """What is explained, and how a model is asked about it again under changes of its input."""

    model: Any
    network: nn.Module
    """What has the attentions, and the word embeddings."""
    sides: Sequence[TokenAxis]
    """What was read; of two texts that are read apart, each."""
    sites: Mapping[str, AttentionSpec]
    said: str
    """The output, in words."""
    measure: str = "log p"
    """What an effect is a difference of."""
    texts: tuple[str, ...]
    """What was read, as it was given."""
    notes: tuple[str, ...] = ()
    no_attention: str
    """Why there is no attention, where there is none."""
    occluder: Occluder | str
    """What takes the place of a word; or why nothing can."""
    objectives: Sequence[tuple[float, Objective]]
    """The score of the outcome is the sum of these, each times its factor."""

    @property
    @abstractmethod
    def plain(self) -> Variant:
        """The input as it is."""

    @abstractmethod
    def without(self, edits: Sequence[SentenceEdits]) -> Variant:
        """The input without what is removed from each side, and with the changes of its attention."""

    @abstractmethod
    def occluded(self, side: int, places: Sequence[int], token: int) -> Variant:
        """The input with another token at some places of a side, counted without special tokens."""

    @abstractmethod
    def measured(self, variants: Sequence[Variant], told: Sequence[int]) -> tuple[Floats, dict[int, str]]:
        """The scores of variants, (n, units), NaN where a variant does not have a unit of the output; and
        what is said under some of them, by their numbers."""

    @abstractmethod
    def forward(self, trace: Trace) -> None:
        """One pass over the input as it is."""

    @abstractmethod
    def rows(self, site: AttentionSpec, count: int) -> list[int]:
        """The rows, of `count`, of an attention that lead to the outcome; none if its rows do not."""

    @property
    def main(self) -> Sequence[str]:
        """Kinds of attention that lead to the outcome straight away, nearest first."""
        return "hops", "encoder-self", "memory"

    @cached_property
    def words(self) -> list[SourceWord]:
        """Every word of the input that has a token, special tokens among them."""
        return [
            SourceWord(number, int(word))
            for number, side in enumerate(self.sides)
            for word in np.flatnonzero(side.shares().any(axis=0))
        ]

    @cached_property
    def _labels(self) -> list[tuple[str, ...]]:
        return [side.words() for side in self.sides]

    def label(self, word: SourceWord) -> str:
        """A word as it was typed."""
        return self._labels[word.side][word.number]

    def is_special(self, word: SourceWord) -> bool:
        """Whether it is a special token, around a text or between two, which cannot be taken out."""
        side = self.sides[word.side]
        return bool(side.special[side.members(word.number)].all())

    def is_fixed(self, word: SourceWord) -> bool:
        """Whether it can be neither removed nor occluded."""
        return self.is_special(word)

    def edited(self, side: int, edits: Sequence[Edit]) -> Variant:
        """The input under edits of one side."""
        found = []
        for number, axis in enumerate(self.sides):
            sites = self.sites
            if len(self.sides) > 1:
                sites = {path: site for path, site in sites.items() if site.text == number}
            found.append(resolve_edits(edits if number == side else (), axis, sites))
        return self.without(found)


def one_word(word: Word, side: TokenAxis, what: str) -> tuple[int, tuple[str, ...]]:
    """The number of the one word that is meant, and notes; several are refused."""
    numbers, note = find_words(word, side, what)
    if len(numbers) > 1:
        told = ", ".join(map(str, numbers))
        raise DataError(f"'{word}' is in {what} {len(numbers)} times, as word {told}; choose one by number")
    return numbers[0], (note,) if note else ()


def occluder_of(tokenizer: Tokenizer | ForeignTokenizer) -> Occluder | str:
    """[MASK] where a vocabulary has it, else <unk>."""
    if isinstance(tokenizer, ForeignTokenizer):
        hidden = tokenizer.hidden
        return Occluder(*hidden) if hidden else "its vocabulary has no mask token"
    mask = tokenizer.kept(HIDDEN)
    return Occluder(SPECIAL[UNK], UNK) if mask is None else Occluder(HIDDEN, mask)


def differs(this: object, that: object, instead: str) -> None:
    """Refuse a contrast of something with itself."""
    if this == that:
        raise DataError(f"instead: '{instead}' is what is explained; name what might have been in its place")


def refuse(given: Mapping[str, object], why: str) -> None:
    """Refuse what is given though this outcome has no use for it."""
    for name, value in given.items():
        if value is not None:
            raise DataError(f"{name}: {why}")
