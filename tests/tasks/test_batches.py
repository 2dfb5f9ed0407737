"""Batching changes nothing: a thousand random mixes with a trained model."""

import random
from collections.abc import Iterator

import numpy as np
import pytest
from numpy.testing import assert_allclose
from tests.examples import cells

from regard.config.data import BuiltinCorpus
from regard.data.batching import EncodedPair
from regard.data.pairs import read_pairs
from regard.inference.generation import Translation
from regard.inference.teacher_forcing import teacher_force
from regard.tasks.translation.predictor import Translator

MIXES = cells("mixes", [100, 500], quick=[100])
"""How many batches are put together at random."""


@pytest.fixture(scope="module")
def pool(translator: Translator) -> list[str]:
    """Korean and English, from one word to as long as the world makes them, and some noise."""
    pairs = list(read_pairs(BuiltinCorpus(rows=300), translator.recipe.data, split="test"))
    chooser = random.Random(0)
    texts = [chooser.choice((pair.source, pair.target)) for pair in pairs[:24]]
    texts += [chooser.choice(pair.source.split()) for pair in pairs[24:34]]
    longest = max(pairs, key=lambda pair: len(pair.source))
    return [*texts, longest.source, longest.target, "😀", "뷁 ㅋㅋㅋ", "a"]


def mixed(pool: list[str], mixes: int, seed: int) -> Iterator[tuple[list[int], int]]:
    """Rows of the pool, some twice, and the width of the search."""
    chooser = random.Random(seed)
    for _ in range(mixes):
        yield chooser.choices(range(len(pool)), k=chooser.randint(2, 6)), chooser.choice((1, 3))


def alone(translator: Translator, pool: list[str], *, attention: bool) -> dict[int, list[Translation]]:
    return {w: [translator.translate(t, beam_size=w, attention=attention) for t in pool] for w in (1, 3)}


@MIXES
def test_in_float64_tokens_are_identical(exact: Translator, pool: list[str], mixes: int) -> None:
    expected = alone(exact, pool, attention=False)
    for rows, width in mixed(pool, mixes, 1):
        found = exact.translate([pool[row] for row in rows], beam_size=width, attention=False)
        assert [f.tokens for f in found] == [expected[width][row].tokens for row in rows]
        assert_allclose([f.score for f in found], [expected[width][row].score for row in rows], atol=1e-10)


@MIXES
def test_in_float32_scores_and_attention_are_close(
    translator: Translator, pool: list[str], mixes: int
) -> None:
    """Tokens differ only where two candidates are closer than 1e-3: there, both are found nearly as good."""
    expected = alone(translator, pool, attention=True)
    same = 0
    for number, (rows, width) in enumerate(mixed(pool, mixes, 2)):
        looked = number % 10 == 0
        for row, found in zip(
            rows,
            translator.translate([pool[row] for row in rows], beam_size=width, attention=looked),
            strict=True,
        ):
            own = expected[width][row]
            if found.tokens != own.tokens:
                assert found.score == pytest.approx(own.score, abs=1e-3)
                continue
            same += 1
            assert found.score == pytest.approx(own.score, abs=1e-4)
            if looked:
                assert_allclose(
                    found.attention.tokens().weights, own.attention.tokens().weights, atol=1e-5, rtol=0
                )
    assert same > 2 * mixes


def test_padding_is_never_looked_at(translator: Translator, pool: list[str]) -> None:
    sources = [translator.source_tokenizer.encode(text).ids for text in pool]
    pairs = [EncodedPair(source, (5, 6, 7)) for source in sources]
    padded = 0
    for row, _, seen in teacher_force(
        translator.module, pairs, budget=4096, device=translator.device, look=True
    ):
        assert seen is not None
        (weights,) = seen.weights.values()
        beyond = weights[:, len(sources[row]) + 1 :]
        padded += beyond.size
        assert np.abs(beyond).max(initial=0.0) <= 1e-9
    assert padded > 100
