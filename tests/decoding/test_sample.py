"""Sampling: what is drawn from, by hand; how often, by chi-square; and by what the draws are decided."""

import math
from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest
import torch
from tests.decoding.tables import BOS, EOS, WORDS, Table, limits, source, sources
from torch import Tensor
from torch.testing import assert_close

from regard.config.decoding import DecodingConfig
from regard.decoding.hypothesis import Hypothesis
from regard.decoding.lexical_constraints import TokenConstraints
from regard.decoding.rules import NEVER
from regard.decoding.search import search
from regard.decoding.stepwise import Sampling

P = torch.tensor([[0.4, 0.1, 0.3, 0.2]]).double()


def drawn_from(**settings: Any) -> Tensor:
    return Sampling(**settings).distribution(P.log())


def test_distributions_by_hand() -> None:
    assert_close(drawn_from(), P)
    squares = P**2
    assert_close(drawn_from(temperature=0.5), squares / squares.sum())
    assert_close(drawn_from(top_k=2), torch.tensor([[4 / 7, 0, 3 / 7, 0]]).double())
    assert_close(drawn_from(top_k=99), P)
    for nearly_nothing in (1e-9, 1e-310):
        assert_close(drawn_from(temperature=nearly_nothing), torch.tensor([[1.0, 0, 0, 0]]).double())


@pytest.mark.parametrize(
    ("top_p", "kept"),
    [
        (0.3, [0]),  # the most probable is always kept
        (0.39, [0]),
        (0.41, [0, 2]),  # the fewest that reach p
        (0.69, [0, 2]),
        (0.71, [0, 2, 3]),
        (0.95, [0, 2, 3, 1]),
    ],
)
def test_top_p_keeps_the_fewest_tokens_that_reach_p(top_p: float, kept: list[int]) -> None:
    expected = torch.zeros_like(P)
    expected[0, kept] = P[0, kept]
    assert_close(drawn_from(top_p=top_p), expected / expected.sum())


def test_temperature_then_top_k_then_top_p() -> None:
    """At temperature 0.5 the odds are 16 : 9 : 4 : 1; of the first three, 16/29 is over a half."""
    assert_close(drawn_from(temperature=0.5, top_k=3, top_p=0.5), torch.tensor([[1.0, 0, 0, 0]]).double())
    expected = torch.tensor([[16 / 25, 0, 9 / 25, 0]]).double()
    assert_close(drawn_from(temperature=0.5, top_k=3, top_p=0.6), expected)


def test_what_is_forbidden_is_not_drawn_from() -> None:
    forbidden = P.log().clone()
    forbidden[0, [0, 1]] = NEVER
    assert_close(Sampling().distribution(forbidden), torch.tensor([[0, 0, 0.6, 0.4]]).double())
    assert Sampling(top_p=0.5).distribution(torch.full((1, 3), NEVER)).sum() == 0


def run(table: Table, sentences: list[int], *, n_best: int = 1, longest: int = 6, **s: Any) -> Any:
    numbers, lengths = sources(max(sentences) + 1)
    config = DecodingConfig(sample=True, **s)
    return search(
        table,
        numbers[sentences],
        lengths[sentences],
        limits(*[longest] * len(sentences)),
        config,
        numbers=sentences,
        n_best=n_best,
    )


def chi_square(observed: Sequence[float], expected: list[float]) -> float:
    """The p-value of Pearson's test."""
    statistic = sum((o - e) ** 2 / e for o, e in zip(observed, expected, strict=True))
    degrees = torch.tensor((len(expected) - 1) / 2, dtype=torch.float64)
    return float(torch.special.gammaincc(degrees, torch.tensor(statistic / 2, dtype=torch.float64)))


def test_the_measure_knows_a_loaded_die() -> None:
    """Tables of the chi-square distribution: 11.07 with 5 degrees of freedom is 5 %."""
    assert chi_square([40, 0], [20.0, 20.0]) < 1e-6
    assert chi_square([100] * 5 + [100], [100.0] * 6) == 1.0
    step = (11.07 * 100 / 2) ** 0.5
    observed = [100.0 + step, 100.0 - step, 100.0, 100.0, 100.0, 100.0]
    assert chi_square(observed, [100.0] * 6) == pytest.approx(0.05, abs=1e-3)


@pytest.mark.parametrize(
    "settings", [{}, {"temperature": 0.7}, {"top_k": 2}, {"top_p": 0.8}, {"temperature": 2.0, "top_p": 0.9}]
)
def test_sentences_come_as_often_as_they_should(settings: dict[str, Any]) -> None:
    """Chi-square over all sentences of up to two words, 4,000 draws; the seed decides the outcome."""
    draws, table = 4000, Table(1, 3, 5)
    sampling = Sampling(**settings)

    def chance(tokens: tuple[int, ...]) -> float:
        total = 1.0
        for step, (fed, new) in enumerate(zip((BOS, *tokens), (*tokens, EOS), strict=True)):
            allowed = table.logits[0, step, fed].log_softmax(-1).clone()
            allowed[[0, BOS]] = NEVER
            total *= float(sampling.distribution(allowed[None])[0, new])
        return total

    numbers, lengths = source(0)
    found = search(
        table,
        numbers.expand(draws, -1),
        lengths.expand(draws),
        limits(*[3] * draws),
        DecodingConfig(sample=True, **settings),
        numbers=range(draws),
    )
    seen = Counter(h.tokens if h.ended else (-1,) for (h,) in found)
    sentences: list[tuple[int, ...]] = [(), *((w,) for w in WORDS), *((v, w) for v in WORDS for w in WORDS)]
    expected = {tokens: draws * chance(tokens) for tokens in sentences}
    expected[-1,] = draws - sum(expected.values())  # cut off
    assert all(expected[tokens] > 0 for tokens in seen), "nothing is drawn that has no probability"
    often = {tokens: count for tokens, count in expected.items() if count >= 5}
    rare = draws - sum(often.values())
    observed = [seen[tokens] for tokens in often]
    wanted = list(often.values())
    if rare > 1:
        observed, wanted = [*observed, draws - sum(observed)], [*wanted, rare]
    else:
        wanted = [count * sum(observed) / sum(wanted) for count in wanted]
    assert chi_square(observed, wanted) > 0.001


def test_a_sample_is_decided_by_the_seed_and_the_place_of_its_sentence() -> None:
    table = Table(5, 7, 2)
    together: list[list[Hypothesis]] = run(table, [0, 1, 2, 3, 4], n_best=3, seed=9)
    assert run(table, [0, 1, 2, 3, 4], n_best=3, seed=9) == together, "there is no state that moves on"
    for sentence in range(5):
        assert run(table, [sentence], n_best=3, seed=9) == [together[sentence]], "nor does company matter"
    assert run(table, [4, 0], n_best=3, seed=9) == [together[4], together[0]], "nor order"
    assert run(table, [0, 1, 2, 3, 4], n_best=2, seed=9) == [own[:2] for own in together]
    assert run(table, [0, 1, 2, 3, 4], n_best=3, seed=10) != together
    assert len({h.tokens for h in run(table, [0], n_best=20)[0]}) > 5


def test_scores_are_the_models_own_whatever_was_drawn_from() -> None:
    table = Table(3, 7, 2)
    for sentence, found in enumerate(run(table, [0, 1, 2], n_best=5, temperature=3.0, top_k=4, top_p=0.9)):
        for h in found:
            true = table.log_probability(sentence, h.tokens, ended=h.ended)
            assert h.log_probability == pytest.approx(true, abs=1e-9)
            assert h.score == pytest.approx(true / (len(h.tokens) + h.ended))


def test_a_low_temperature_is_greedy_search() -> None:
    table = Table(3, 7, 2)
    greedy = search(table, *sources(3), limits(6, 6, 6), DecodingConfig(beam_size=1))
    assert run(table, [0, 1, 2], temperature=0.001) == greedy
    assert run(table, [0, 1, 2], top_k=1) == greedy


def test_rules_hold_for_samples() -> None:
    table = Table(1, 7, 2)
    wish = TokenConstraints(prefix=(5, 5), must_not=((3, 4),))
    numbers, lengths = source(0)
    config = DecodingConfig(sample=True, min_length=4, no_repeat_ngram=2)
    (found,) = search(table, numbers, lengths, limits(6), config, constraints=[wish], n_best=50)
    for h in found:
        assert h.tokens[:2] == (5, 5)
        assert len(h.tokens) >= 4
        assert (3, 4) not in zip(h.tokens, h.tokens[1:], strict=False)
        assert math.isfinite(h.log_probability)
