"""Searches against exhaustive enumeration, on a decoder whose every probability is known."""

import math

import pytest
import torch
from tests.decoding.tables import (
    BOS,
    EOS,
    PAD,
    SOURCE_WORDS,
    WORDS,
    Table,
    TableState,
    every_sentence,
    limits,
    source,
    sources,
)
from torch import Tensor

from regard.decoding.beam import beam_search
from regard.decoding.hypothesis import Ranking
from regard.decoding.stepwise import greedy_search
from regard.nn.trace import Trace


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("alpha", [0.0, 1.0])
def test_a_wide_beam_finds_the_best_sentence_there_is(seed: int, alpha: float) -> None:
    """A beam as wide as there are hypotheses is exhaustive search."""
    table, longest = Table(2, 5, seed), 4
    found = beam_search(
        table, *sources(2), limits(longest, longest), beam_size=120, ranking=Ranking(alpha=alpha)
    )
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
    table = Table(3, 9, seed, memory=1.0)
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
        alone = source(sentence)
        assert beam_search(table, *alone, limits(longest), beam_size=3) == [together[sentence]]
        assert greedy_search(table, *alone, limits(longest)) == [greedy[sentence]]


def test_greedy_takes_the_best_token_at_each_step() -> None:
    table = Table(1, 9, 4)
    (found,) = greedy_search(table, *sources(1), limits(8))
    last = BOS
    for step, token in enumerate((*found.tokens, EOS) if found.ended else found.tokens):
        logits = table.logits[0, step, last].clone()
        logits[[PAD, BOS]] = float("-inf")
        assert int(logits.argmax()) == token
        last = token
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


class ReadsWithAttention(Table):
    """Looks at the source already while it reads it, as a Transformer does."""

    def start(self, source: Tensor, lengths: Tensor, *, trace: Trace | None = None) -> TableState:
        if trace is not None:
            trace.capture(self.attention, torch.ones(len(source), 1, SOURCE_WORDS))
        return super().start(source, lengths, trace=trace)


@pytest.mark.parametrize("width", [1, 3])
def test_a_trace_that_is_used_again_begins_anew(width: int) -> None:
    """The rows of a reader are the sentences, whatever the rows of the search before it were."""
    table = ReadsWithAttention(3, 9, 0)
    trace = Trace(table)
    for _ in range(2):
        trace.kept.clear()
        if width == 1:
            greedy_search(table, *sources(3), limits(8, 3, 5), trace=trace)
        else:
            beam_search(table, *sources(3), limits(8, 3, 5), beam_size=width, trace=trace)
        first = trace.kept["attention"][0]
        assert (first.examples, first.step) == ((0, 1, 2), 0)
