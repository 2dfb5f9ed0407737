"""What may be written next: rules that every search obeys."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

from torch import Tensor

NEVER = float("-inf")


class Written:
    """What the rows of a batch have written so far. Read only by rules that need it."""

    def __init__(
        self, length: int, sentences: Callable[[], list[int]], tokens: Callable[[], list[list[int]]]
    ) -> None:
        self.length = length
        """Tokens of every row."""
        self._sentences = sentences
        self._tokens = tokens

    @cached_property
    def sentences(self) -> list[int]:
        """The sentence that each row belongs to."""
        return self._sentences()

    @cached_property
    def tokens(self) -> list[list[int]]:
        """The tokens of each row, without <s>."""
        return self._tokens()


class Rule(Protocol):
    """A rule forbids, it does not rescale: what is left keeps the probability that the model gives it."""

    def forbid(self, log_probabilities: Tensor, written: Written) -> None:
        """Put -inf, in place, where a row, of (n, v), may not go on."""
        ...


class Forced(Protocol):
    """A rule that leaves one token, whatever the others say."""

    def due(self, written: Written) -> tuple[list[int], list[int]]:
        """Rows that have no choice now, and the token of each."""
        ...


@dataclass(frozen=True, slots=True)
class Rules:
    """All rules of a search; those that are not asked for are not here, and cost nothing."""

    never: tuple[int, ...]
    """Tokens that are never written."""
    others: Sequence[Rule] = ()
    forced: Forced | None = None
    """Heeded last: it wins over every other rule."""

    def log_probabilities(self, logits: Tensor, written: Written) -> Tensor:
        """The model's own log-probabilities, (n, v), but -inf for what may not be written."""
        allowed = logits.log_softmax(dim=-1)
        rows, tokens = self.forced.due(written) if self.forced is not None else ([], [])
        own = allowed[rows, tokens] if rows else None
        allowed[:, list(self.never)] = NEVER
        for rule in self.others:
            rule.forbid(allowed, written)
        if own is not None:
            allowed[rows] = NEVER
            allowed[rows, tokens] = own
        return allowed
