"""Decoders whose every probability is known, and every sentence that they can write."""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from regard.decoding.hypothesis import SearchLimits
from regard.nn.trace import Trace

PAD, BOS, EOS, WORDS = 0, 1, 2, (3, 4, 5)
SIZE = 6
SOURCE_WORDS = 3


@dataclass(frozen=True)
class TableState:
    sentence: Tensor
    before: Tensor
    """The token that was fed before."""
    step: int

    def select(self, rows: Tensor) -> "TableState":
        return TableState(self.sentence[rows], self.before[rows], self.step)


class Table(nn.Module):
    """P(next | sentence, last token, the one before it, step), and attention, from tables of random numbers.

    The last token is fed; the one before it is in the state, and counts with `memory`: then a row with the
    state of another is seen.
    """

    def __init__(self, sentences: int, steps: int, seed: int, *, memory: float = 0.0) -> None:
        super().__init__()
        random = torch.Generator().manual_seed(seed)
        self.logits = 2 * torch.randn(sentences, steps, SIZE, SIZE, generator=random, dtype=torch.float64)
        looks = 3 * torch.randn(sentences, steps, SIZE, SOURCE_WORDS, generator=random, dtype=torch.float64)
        self.weights = looks.softmax(-1)
        self.before = memory * torch.randn(SIZE, SIZE, generator=random, dtype=torch.float64)
        self.attention = nn.Identity()
        self.steps_taken: list[int] = []

    def start(self, source: Tensor, lengths: Tensor, *, trace: Trace | None = None) -> TableState:
        return TableState(source[:, 0], torch.full_like(source[:, 0], BOS), 0)

    def step(
        self, tokens: Tensor, state: TableState, *, trace: Trace | None = None
    ) -> tuple[Tensor, TableState]:
        self.steps_taken.append(len(tokens))
        if trace is not None:
            trace.capture(self.attention, self.weights[state.sentence, state.step, tokens][:, None])
        logits = self.logits[state.sentence, state.step, tokens] + self.before[state.before]
        return logits, TableState(state.sentence, tokens, state.step + 1)

    def path(self, tokens: Sequence[int], *, ended: bool) -> list[tuple[int, int, int]]:
        """(step, token fed, token written) of a sentence."""
        written = (*tokens, EOS) if ended else tokens
        return [
            (step, fed, new) for step, (fed, new) in enumerate(zip((BOS, *tokens), written, strict=False))
        ]

    def log_probability(self, sentence: int, tokens: Sequence[int], *, ended: bool = True) -> float:
        befores = (BOS, BOS, *tokens)
        return sum(
            float((self.logits[sentence, step, fed] + self.before[befores[step]]).log_softmax(-1)[new])
            for step, fed, new in self.path(tokens, ended=ended)
        )

    def attended(self, sentence: int, tokens: Sequence[int], *, ended: bool = True) -> Tensor:
        """(source words,): the attention that each got, summed over the steps."""
        return torch.stack(
            [self.weights[sentence, step, fed] for step, fed, _ in self.path(tokens, ended=ended)]
        ).sum(0)


def limits(*longest: int) -> SearchLimits:
    return SearchLimits(bos=BOS, eos=EOS, never=(PAD, BOS), max_lengths=longest)


def sources(count: int) -> tuple[Tensor, Tensor]:
    """Sentence i is the number i."""
    numbers = torch.arange(count)[:, None].expand(count, SOURCE_WORDS)
    return numbers, torch.full((count,), SOURCE_WORDS)


def source(sentence: int) -> tuple[Tensor, Tensor]:
    numbers, lengths = sources(sentence + 1)
    return numbers[sentence:], lengths[sentence:]


def every_sentence(longest: int) -> list[tuple[int, ...]]:
    """All that can be ended within `longest` tokens, </s> counted."""
    return [s for n in range(longest) for s in itertools.product(WORDS, repeat=n)]


def holds(tokens: Sequence[int], part: Sequence[int]) -> bool:
    size = len(part)
    return any(tuple(tokens[start : start + size]) == tuple(part) for start in range(len(tokens) - size + 1))
