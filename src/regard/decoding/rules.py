"""Constraints on the next token, as logits processors: minimum length, n-grams, phrases, a prefix."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

from torch import Tensor

NEVER = float("-inf")


class OutputSoFar:
    """The output so far of the rows of a batch, computed only for rules that need it."""

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
    """A rule forbids tokens, it does not rescale: the others keep the model's probability."""

    def forbid(self, log_probabilities: Tensor, written: OutputSoFar) -> None:
        """Set forbidden tokens to -inf, in place, (n, v)."""
        ...


class TeacherForced(Protocol):
    """A rule that forces one token, whatever the others say."""

    def due(self, written: OutputSoFar) -> tuple[list[int], list[int]]:
        """Rows with a forced token now, and the token of each."""
        ...


@dataclass(frozen=True, slots=True)
class Rules:
    """All rules of a search."""

    never: tuple[int, ...]
    """Tokens that are never generated."""
    others: Sequence[Rule] = ()
    forced: TeacherForced | None = None
    """Applied last: it wins over every other rule."""

    def log_probabilities(self, logits: Tensor, written: OutputSoFar) -> Tensor:
        """The model's own log-probabilities, (n, v), but -inf for forbidden tokens."""
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


class ForcedPrefix:
    """A forced prefix: while a sentence is still in it, its next token is the only one."""

    def __init__(self, prefixes: Sequence[Sequence[int]]) -> None:
        self._prefixes = prefixes

    def due(self, written: OutputSoFar) -> tuple[list[int], list[int]]:
        """Rows that are still in their prefix, and the next token of each."""
        rows, tokens = [], []
        for row, (sentence, done) in enumerate(zip(written.sentences, written.tokens, strict=True)):
            if len(done) < len(self._prefixes[sentence]):
                rows.append(row)
                tokens.append(self._prefixes[sentence][len(done)])
        return rows, tokens


class MinLength:
    """No sentence ends before it has so many tokens."""

    def __init__(self, tokens: int, eos: int) -> None:
        self._least = tokens
        self._eos = eos

    def forbid(self, log_probabilities: Tensor, written: OutputSoFar) -> None:
        """Forbid </s> while the rows, which are all equally long, are too short."""
        if written.length < self._least:
            log_probabilities[:, self._eos] = NEVER


class NoRepeatNgram:
    """No n-gram twice in a sentence (Paulus et al. 2018)."""

    def __init__(self, n: int) -> None:
        self._n = n

    def forbid(self, log_probabilities: Tensor, written: OutputSoFar) -> None:
        """Forbid what followed the last n - 1 tokens before."""
        rows, tokens = [], []
        before = self._n - 1
        for row, done in enumerate(written.tokens):
            last = done[len(done) - before :]
            for end in range(before, len(done)):
                if done[end - before : end] == last:
                    rows.append(row)
                    tokens.append(done[end])
        if rows:
            log_probabilities[rows, tokens] = NEVER


Phrase = tuple[int, ...]


class ForbiddenPhrases:
    """The last token of a phrase is forbidden where the others stand before it; <s> may be one of them."""

    def __init__(self, phrases: Sequence[Sequence[Phrase]], bos: int) -> None:
        self._bos = bos
        made: dict[tuple[Phrase, ...], _Endings] = {}  # sentences mostly share their phrases
        self._endings = [made.setdefault(tuple(own), _Endings(own)) for own in phrases]

    def forbid(self, log_probabilities: Tensor, written: OutputSoFar) -> None:
        """Forbid every token that would complete a phrase."""
        rows, tokens = [], []
        for row, (sentence, done) in enumerate(zip(written.sentences, written.tokens, strict=True)):
            found = self._endings[sentence].after([self._bos, *done])
            rows += [row] * len(found)
            tokens += found
        if rows:
            log_probabilities[rows, tokens] = NEVER


class _Endings:
    """The last token of each phrase, by the tokens before it."""

    def __init__(self, phrases: Sequence[Phrase]) -> None:
        self._last: defaultdict[Phrase, list[int]] = defaultdict(list)
        for phrase in dict.fromkeys(phrases):
            self._last[phrase[:-1]].append(phrase[-1])
        self._lengths = sorted({len(head) for head in self._last})

    def after(self, done: Sequence[int]) -> list[int]:
        found: list[int] = []
        for length in self._lengths:
            if length <= len(done):
                found += self._last.get(tuple(done[len(done) - length :]), [])
        return found
