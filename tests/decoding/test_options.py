"""Every option of the search, by brute force over all sentences of a small vocabulary."""

import itertools
import math
from collections.abc import Sequence
from typing import Any

import pytest
from tests.decoding.tables import (
    BOS,
    EOS,
    SOURCE_WORDS,
    WORDS,
    Table,
    every_sentence,
    holds,
    limits,
    source,
    sources,
)
from torch import ones

from regard.config.decoding import DecodingConfig
from regard.decoding.coverage import SourceAttention
from regard.decoding.hypothesis import Hypothesis
from regard.decoding.lexical_constraints import UNCONSTRAINED, TokenConstraints, TokenPhrase
from regard.decoding.search import search
from regard.errors import ConfigError
from regard.nn.trace import Trace

LONGEST = 5
EXHAUSTIVE = 256
"""A beam wider than there are hypotheses."""

A, B, C = WORDS


def must(*phrases: tuple[int, ...]) -> tuple[tuple[TokenPhrase, ...], ...]:
    return tuple((TokenPhrase(phrase),) for phrase in phrases)


def run(
    table: Table,
    sentences: Sequence[int],
    wishes: Sequence[TokenConstraints] | None = None,
    longest: int = LONGEST,
    n_best: int = 1,
    **settings: Any,
) -> list[list[Hypothesis]]:
    config = DecodingConfig(**settings)
    count = max(sentences) + 1
    numbers, lengths = sources(count)
    chosen = list(sentences)
    counted = ones(len(chosen), SOURCE_WORDS).bool()
    looking = SourceAttention(Trace(table), ("attention",), counted) if config.coverage_beta else None
    return search(
        table,
        numbers[chosen],
        lengths[chosen],
        limits(*[longest] * len(chosen)),
        config,
        constraints=wishes,
        numbers=chosen,
        n_best=n_best,
        looking=looking,
    )


def repeats(tokens: tuple[int, ...], n: int) -> bool:
    """Whether the last n tokens are also somewhere before."""
    return len(tokens) > n and holds(tokens[:-1], tokens[-n:])


def coverage(table: Table, sentence: int, tokens: Sequence[int]) -> float:
    return sum(math.log(min(float(a), 1.0)) for a in table.attended(sentence, tokens))


OPTIONS: dict[str, tuple[dict[str, Any], TokenConstraints]] = {
    "plain": ({}, UNCONSTRAINED),
    "sum": ({"length_alpha": 0.0}, UNCONSTRAINED),
    "gnmt": ({"length_penalty": "gnmt", "length_alpha": 0.6}, UNCONSTRAINED),
    "coverage": ({"coverage_beta": 0.7}, UNCONSTRAINED),
    "coverage and gnmt": ({"coverage_beta": 2.0, "length_penalty": "gnmt"}, UNCONSTRAINED),
    "min length": ({"min_length": 3}, UNCONSTRAINED),
    "no repeated unigram": ({"no_repeat_ngram": 1, "min_length": 2}, UNCONSTRAINED),
    "no repeated bigram": ({"no_repeat_ngram": 2, "min_length": 4}, UNCONSTRAINED),
    "prefix": ({}, TokenConstraints(prefix=(B, B))),
    "prefix against the rules": ({"no_repeat_ngram": 1}, TokenConstraints(prefix=(B, B), must_not=((B,),))),
    "must a word": ({}, TokenConstraints(must=must((A,)))),
    "must a phrase": ({}, TokenConstraints(must=must((C, A, C)))),
    "must two phrases": ({}, TokenConstraints(must=must((A, B), (C,)))),
    "must phrases that overlap": ({}, TokenConstraints(must=must((A, B), (B, C)))),
    "must one of two": ({}, TokenConstraints(must=((TokenPhrase((A, A)), TokenPhrase((C, B, C))),))),
    "must not a word": ({}, TokenConstraints(must_not=((B,),))),
    "must not phrases": ({"min_length": 2}, TokenConstraints(must_not=((A, B), (C, C), (A, A, A)))),
    "must not begin": ({"min_length": 1}, TokenConstraints(must_not=((BOS, A), (BOS, B)))),
    "all at once": (
        {"coverage_beta": 0.3, "length_penalty": "gnmt", "min_length": 3, "no_repeat_ngram": 2},
        TokenConstraints(prefix=(C,), must=must((A, B)), must_not=((B, B), (C, C))),
    ),
}


def is_allowed(tokens: tuple[int, ...], settings: dict[str, Any], wish: TokenConstraints) -> bool:
    first = len(wish.prefix) + 1  # what ends inside the prefix is not the search's doing
    n = settings.get("no_repeat_ngram", 0)
    repeated = n and any(repeats(tokens[:end], n) for end in range(first, len(tokens) + 1))
    return (
        len(tokens) >= settings.get("min_length", 0)
        and not repeated
        and tokens[: len(wish.prefix)] == wish.prefix
        and all(any(holds(tokens, spelling.tokens) for spelling in phrase) for phrase in wish.must)
        and not any(
            (BOS, *tokens)[: end + 1][-len(phrase) :] == phrase
            for phrase in wish.must_not
            for end in range(first, len(tokens) + 1)
        )
    )


def score(table: Table, sentence: int, tokens: tuple[int, ...], settings: dict[str, Any]) -> float:
    length, alpha = len(tokens) + 1, settings.get("length_alpha", 1.0)
    penalty = ((5 + length) / 6 if settings.get("length_penalty") == "gnmt" else length) ** alpha
    total: float = table.log_probability(sentence, tokens) / penalty
    beta: float = settings.get("coverage_beta", 0.0)
    return total + beta * coverage(table, sentence, tokens) if beta else total


@pytest.mark.parametrize("name", OPTIONS)
def test_a_wide_beam_finds_the_best_sentence_that_is_allowed(name: str) -> None:
    settings, wish = OPTIONS[name]
    for seed in range(8):
        table = Table(2, LONGEST, seed)
        found = run(table, [0, 1], [wish, wish], beam_size=EXHAUSTIVE, **settings)
        for sentence in (0, 1):
            allowed = [s for s in every_sentence(LONGEST) if is_allowed(s, settings, wish)]
            best = max(allowed, key=lambda s: score(table, sentence, s, settings))
            hypothesis = found[sentence][0]
            assert hypothesis.tokens == best
            assert (hypothesis.ended, hypothesis.met) == (True, True)
            assert hypothesis.log_probability == pytest.approx(table.log_probability(sentence, best))
            assert hypothesis.score == pytest.approx(score(table, sentence, best, settings))


@pytest.mark.parametrize("name", OPTIONS)
@pytest.mark.parametrize("width", [1, 2, 5])
def test_every_hypothesis_obeys_and_has_the_models_own_probability(name: str, width: int) -> None:
    settings, wish = OPTIONS[name]
    for seed in range(6):
        table = Table(3, LONGEST, seed)
        for sentence, hypotheses in enumerate(run(table, [0, 1, 2], [wish] * 3, beam_size=width, **settings)):
            assert 1 <= len(hypotheses) <= width
            for h in hypotheses:
                true = table.log_probability(sentence, h.tokens, ended=h.ended)
                assert h.log_probability == pytest.approx(true, abs=1e-9)
                if h.ended:
                    assert is_allowed(h.tokens, settings, wish)
                    assert h.score == pytest.approx(score(table, sentence, h.tokens, settings))
                else:
                    loose = {**settings, "min_length": 0}
                    assert is_allowed(h.tokens, loose, TokenConstraints(wish.prefix, (), wish.must_not))


@pytest.mark.parametrize("name", OPTIONS)
@pytest.mark.parametrize("width", [1, 3])
def test_a_sentence_is_searched_as_if_alone(name: str, width: int) -> None:
    """Among sentences with other wishes, whatever is asked of it."""
    settings, wish = OPTIONS[name]
    others = [UNCONSTRAINED, TokenConstraints(prefix=(A,)), TokenConstraints(must=must((B, A))), wish, wish]
    for seed in range(4):
        table = Table(5, LONGEST, seed)
        together = run(table, range(5), others, beam_size=width, **settings)
        for sentence, own in enumerate(others):
            assert run(table, [sentence], [own], beam_size=width, **settings) == [together[sentence]]


@pytest.mark.parametrize("width", [1, 2, 3, 5])
def test_a_phrase_appears_that_the_model_would_never_write(width: int) -> None:
    """C has a probability of about e^-40 everywhere; yet `C C B` is there, and the sentence ends."""
    phrase = (C, C, B)
    for seed in range(10):
        table = Table(1, 9, seed)
        table.logits[..., C] -= 40.0
        table.logits[..., EOS] += 4.0  # a model that likes to end
        ((best, *_),) = run(table, [0], [TokenConstraints(must=must(phrase))], longest=8, beam_size=width)
        assert holds(best.tokens, phrase)
        assert (best.ended, best.met) == (True, True)


def test_phrases_that_begin_alike_both_appear() -> None:
    for seed in range(10):
        table = Table(1, 9, seed)
        table.logits[..., A] -= 20.0
        wish = TokenConstraints(must=must((A, B), (A, C), (A, A)))
        ((best, *_),) = run(table, [0], [wish], longest=8, beam_size=4)
        assert all(holds(best.tokens, phrase) for phrase in ((A, B), (A, C), (A, A)))


def test_a_phrase_that_other_rules_forbid_is_reported() -> None:
    """Every bigram once, yet `A B` twice: as `A B A B`. The search says so and does not hang."""
    ((best, *_),) = run(
        Table(1, 9, 0), [0], [TokenConstraints(must=must((A, B, A, B)))], longest=8, no_repeat_ngram=2
    )
    assert not best.met
    assert not best.ended


def test_a_sentence_with_nowhere_to_go_is_cut_off() -> None:
    """Three words, none twice, at least five of them: after three there is nothing."""
    for width in (1, 3):
        ((best, *_),) = run(Table(1, 9, 0), [0], beam_size=width, no_repeat_ngram=1, min_length=5, longest=8)
        assert (len(set(best.tokens)), len(best.tokens), best.ended) == (3, 3, False)


def test_the_longest_length_wins_over_the_least() -> None:
    ((best, *_),) = run(Table(1, 9, 0), [0], min_length=9, longest=3)
    assert (len(best.tokens), best.ended) == (3, False)


@pytest.mark.parametrize("changes", [{"sample": True}, {"beam_size": 4, "beam_groups": 2}])
def test_what_cannot_promise_a_phrase_says_so(changes: dict[str, Any]) -> None:
    with pytest.raises(ConfigError, match="cannot guarantee words that must appear"):
        run(Table(1, 5, 0), [0], [TokenConstraints(must=must((A,)))], **changes)


def test_coverage_needs_attention() -> None:
    with pytest.raises(ConfigError, match="needs attention over the source, and this model has none"):
        SourceAttention(Trace(Table(1, 5, 0)), (), ones(1, 3).bool())


# Diverse beams


def diverse(table: Table, sentence: int, *, groups: int, width: int, diversity: float) -> list[set[Any]]:
    """Diverse beam search written down from the paper, a group at a time, without ends: what each keeps."""
    beams: list[list[tuple[float, tuple[int, ...]]]] = [[(0.0, ())] for _ in range(groups)]
    for step in range(LONGEST):
        taken: dict[int, int] = {}
        for group in range(groups):
            candidates = []
            for total, tokens in beams[group]:
                last = tokens[-1] if tokens else BOS
                own = table.logits[sentence, step, last].log_softmax(-1)
                candidates += [
                    (total + float(own[t]) - diversity * taken.get(t, 0), total + float(own[t]), (*tokens, t))
                    for t in WORDS
                ]
            best = sorted(candidates, reverse=True)[:width]
            beams[group] = [(total, tokens) for _, total, tokens in best]
            for _, tokens in beams[group]:
                taken[tokens[-1]] = taken.get(tokens[-1], 0) + 1
    return [{(tokens, round(total, 9)) for total, tokens in beam} for beam in beams]


@pytest.mark.parametrize(("groups", "width"), [(1, 3), (2, 1), (3, 2), (4, 1)])
def test_diverse_beams_are_those_of_the_paper(groups: int, width: int) -> None:
    for seed in range(6):
        table = Table(2, LONGEST, seed)
        table.logits[..., EOS] = -1000.0  # so that all are compared at one length
        found = run(table, [0, 1], beam_size=groups * width, beam_groups=groups, diversity=0.8)
        for sentence in (0, 1):
            expected = set.union(*diverse(table, sentence, groups=groups, width=width, diversity=0.8))
            assert {(h.tokens, round(h.log_probability, 9)) for h in found[sentence]} == expected


def test_groups_are_searched_alone_end_apart_and_give_nothing_twice() -> None:
    for seed in range(10):
        table = Table(3, 8, seed)
        settings: dict[str, Any] = {"beam_size": 6, "beam_groups": 3, "diversity": 1.5}
        together = run(table, [0, 1, 2], longest=7, **settings)
        for sentence, hypotheses in enumerate(together):
            assert run(table, [sentence], longest=7, **settings) == [hypotheses]
            assert len({h.tokens for h in hypotheses}) == len(hypotheses)
            assert [h.rank for h in hypotheses] == sorted((h.rank for h in hypotheses), reverse=True)
            for h in hypotheses:
                true = table.log_probability(sentence, h.tokens, ended=h.ended)
                assert h.log_probability == pytest.approx(true, abs=1e-9)


def test_groups_differ_more_than_a_beam() -> None:
    """First tokens: a strength that outweighs every difference gives each group another one."""
    table = Table(1, LONGEST, 3)
    table.logits[..., EOS] = -1000.0
    ((*found,),) = run(table, [0], beam_size=3, beam_groups=3, diversity=100.0)
    assert {h.tokens[0] for h in found} == set(WORDS)


def test_one_group_is_the_plain_beam() -> None:
    table = Table(2, LONGEST, 1)
    assert run(table, [0, 1], beam_size=4) == run(table, [0, 1], beam_size=4, beam_groups=1, diversity=9.0)


def test_a_source_is_one_sentence() -> None:
    numbers, _ = source(2)
    assert set(itertools.chain(*numbers.tolist())) == {2}
