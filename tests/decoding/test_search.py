"""Searches against exhaustive enumeration, on a decoder whose every probability is known."""

import itertools
import math
from dataclasses import dataclass

import pytest
import torch
from torch import Tensor

from regard.decoding.beam import beam_search
from regard.decoding.greedy import greedy_search
from regard.decoding.limits import Limits
from regard.nn.trace import Trace

PAD, BOS, EOS, WORDS = 0, 1, 2, (3, 4, 5)
SIZE = 6


@dataclass(frozen=True)
class TableState:
    sentence: Tensor
    last: Tensor
    step: int

    def select(self, rows: Tensor) -> "TableState":
        return TableState(self.sentence[rows], self.last[rows], self.step)


class Table:
    """P(next | sentence, step, last token, the one before it) from tables of random numbers.

    The last token is fed, the one before it is in the state: a row with the state of another is seen.
    """

    def __init__(self, sentences: int, steps: int, seed: int) -> None:
        random = torch.Generator().manual_seed(seed)
        self.logits = 2 * torch.randn(sentences, steps, SIZE, SIZE, generator=random, dtype=torch.float64)
        self.before = torch.randn(SIZE, SIZE, generator=random, dtype=torch.float64)
        self.steps_taken: list[int] = []

    def start(self, source: Tensor, lengths: Tensor, *, trace: Trace | None = None) -> TableState:
        return TableState(source[:, 0], torch.full_like(source[:, 0], BOS), 0)

    def step(
        self, tokens: Tensor, state: TableState, *, trace: Trace | None = None
    ) -> tuple[Tensor, TableState]:
        self.steps_taken.append(len(tokens))
        logits = self.logits[state.sentence, state.step, tokens] + self.before[state.last]
        return logits, TableState(state.sentence, tokens, state.step + 1)

    def log_probability(self, sentence: int, tokens: tuple[int, ...], *, ended: bool) -> float:
        total, before, last = 0.0, BOS, BOS
        for step, token in enumerate((*tokens, EOS) if ended else tokens):
            logits = self.logits[sentence, step, last] + self.before[before]
            total += float(logits.log_softmax(-1)[token])
            before, last = last, token
        return total


def limits(*longest: int) -> Limits:
    return Limits(bos=BOS, eos=EOS, never=(PAD, BOS), max_lengths=longest)


def sources(count: int) -> tuple[Tensor, Tensor]:
    return torch.arange(count)[:, None], torch.ones(count, dtype=torch.long)


def every_sentence(longest: int) -> list[tuple[int, ...]]:
    return [s for n in range(longest) for s in itertools.product(WORDS, repeat=n)]


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("alpha", [0.0, 1.0])
def test_a_wide_beam_finds_the_best_sentence_there_is(seed: int, alpha: float) -> None:
    """A beam as wide as there are hypotheses is exhaustive search."""
    table, longest = Table(2, 5, seed), 4
    found = beam_search(table, *sources(2), limits(longest, longest), beam_size=120, alpha=alpha)
    for sentence in range(2):

        def score(tokens: tuple[int, ...], sentence: int = sentence) -> float:
            total = table.log_probability(sentence, tokens, ended=True)
            return total / math.pow(len(tokens) + 1, alpha)

        best = max(every_sentence(longest), key=score)
        assert found[sentence][0].tokens == best
        assert found[sentence][0].score == pytest.approx(score(best))
        assert found[sentence][0].log_probability == pytest.approx(
            table.log_probability(sentence, best, ended=True)
        )


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("beam_size", [2, 3, 5])
def test_beams_are_ranked_and_their_scores_are_true(seed: int, beam_size: int) -> None:
    table = Table(3, 9, seed)
    for sentence, hypotheses in enumerate(
        beam_search(table, *sources(3), limits(8, 3, 5), beam_size=beam_size)
    ):
        assert 1 <= len(hypotheses) <= beam_size
        assert len({(h.tokens, h.ended) for h in hypotheses}) == len(hypotheses)
        ranks = [(h.ended, h.score) for h in hypotheses]
        assert ranks == sorted(ranks, reverse=True)
        for h in hypotheses:
            assert set(h.tokens) <= set(WORDS)
            assert len(h.tokens) <= (8, 3, 5)[sentence]
            true = table.log_probability(sentence, h.tokens, ended=h.ended)
            assert h.log_probability == pytest.approx(true)
            assert h.score == pytest.approx(true / (len(h.tokens) + h.ended))


@pytest.mark.parametrize("seed", range(10))
def test_a_sentence_is_searched_as_if_alone(seed: int) -> None:
    table = Table(4, 9, seed)
    together = beam_search(table, *sources(4), limits(8, 2, 5, 8), beam_size=3)
    greedy = greedy_search(table, *sources(4), limits(8, 2, 5, 8))
    for sentence, longest in enumerate((8, 2, 5, 8)):
        alone = torch.tensor([[sentence]]), torch.ones(1, dtype=torch.long)
        assert beam_search(table, *alone, limits(longest), beam_size=3) == [together[sentence]]
        assert greedy_search(table, *alone, limits(longest)) == [greedy[sentence]]


def test_greedy_takes_the_best_token_at_each_step() -> None:
    table = Table(1, 9, 4)
    (found,) = greedy_search(table, *sources(1), limits(8))
    before = last = BOS
    for step, token in enumerate((*found.tokens, EOS) if found.ended else found.tokens):
        logits = table.logits[0, step, last] + table.before[before]
        logits[[PAD, BOS]] = float("-inf")
        assert int(logits.argmax()) == token
        before, last = last, token
    assert found.log_probability == pytest.approx(table.log_probability(0, found.tokens, ended=found.ended))


def test_finished_sentences_leave_the_batch() -> None:
    table = Table(2, 9, 0)
    table.logits[0, 0, :, EOS] = 100.0  # sentence 0 ends at once
    table.logits[1, :, :, EOS] = -100.0  # sentence 1 never does
    short, long = greedy_search(table, *sources(2), limits(8, 8))
    assert (short.tokens, short.ended) == ((), True)
    assert (len(long.tokens), long.ended) == (8, False)
    assert table.steps_taken == [2] + [1] * 7


def test_a_sure_model_is_let_finish() -> None:
    """One path of six words is nearly certain; wherever it could end, a poor hypothesis does end.

    Those fill a list of three long before the good one ends; it must be found all the same.
    """
    table = Table(1, 9, 0)
    table.logits[:] = -8.0
    table.before[:] = 0.0
    path = (3, 4, 5, 3, 4, 5)
    for step, (last, token) in enumerate(zip((BOS, *path), (*path, EOS), strict=True)):
        table.logits[0, step, last, token] = 0.0
        table.logits[0, step, last, EOS] = max(-4.0, float(table.logits[0, step, last, EOS]))
    (found,) = beam_search(table, *sources(1), limits(8), beam_size=3)
    assert found[0].tokens == path


def test_an_output_that_is_cut_off_says_so() -> None:
    table = Table(1, 9, 0)
    table.logits[..., EOS] = -math.inf
    ((best, *_),) = beam_search(table, *sources(1), limits(3), beam_size=2)
    assert (len(best.tokens), best.ended) == (3, False)
