"""What is hidden: the shares are those of the paper, in expectation, and nothing else is touched."""

import math

import numpy as np
import pytest

from regard.config.masked_language_model import ObjectiveConfig
from regard.data.masking import MaskedTokens, MaskingVocabulary, mask_tokens, next_tokens

ENTRIES = MaskingVocabulary(size=1000, mask=500, special=4)
OBJECTIVE = ObjectiveConfig()


def sequence(size: int) -> np.ndarray:
    """Words of all kinds between the symbols of a frame."""
    rng = np.random.default_rng(3)
    words = ENTRIES.draw(rng, size)
    return np.concatenate([[2], words, [3]])


def masked(tokens: np.ndarray, seed: int, objective: ObjectiveConfig = OBJECTIVE) -> MaskedTokens:
    return mask_tokens(tokens, np.random.default_rng(seed), objective, ENTRIES)


def within(count: int, of: int, probability: float) -> bool:
    """Whether a binomial count is where chance puts it but once in 10^9.

    Bernstein's inequality: P(|x - np| >= t) <= 2 exp(-t² / (2 (np(1 - p) + t / 3))).
    """
    far = abs(count - of * probability)
    variance = of * probability * (1 - probability)
    return 2 * math.exp(-(far**2) / (2 * (variance + far / 3))) > 1e-9


def test_shares_of_the_paper() -> None:
    """15 % are chosen; of them 80 % become [MASK], 10 % a word by chance, 10 % stay.

    A word by chance is the right one once in 995 times, and is then taken for one that stayed.
    """
    size, times = 400, 500
    tokens = sequence(size)
    chosen = hidden = stayed = 0
    for seed in range(times):
        found = masked(tokens, seed)
        put = found.tokens[found.places]
        chosen += len(found.places)
        hidden += int((put == ENTRIES.mask).sum())
        stayed += int((put == found.right).sum())
    assert within(chosen, size * times, 0.15)
    assert within(hidden, chosen, 0.8)
    assert within(stayed, chosen, 0.1 + 0.1 / 995)


def test_one_of_a_short_sequence_is_chosen_in_any_case() -> None:
    """Of n words 0.15 n are chosen, and one more where none was: 0.85^n of the time."""
    size, times = 3, 4000
    counts = [len(masked(sequence(size), seed).places) for seed in range(times)]
    assert min(counts) == 1
    assert within(sum(count > 1 for count in counts), times, 1 - 0.85**3 - 3 * 0.15 * 0.85**2)


def test_only_what_is_chosen_changes_and_symbols_never_are() -> None:
    tokens = sequence(60)
    tokens[5], tokens[6], tokens[7] = 0, 1, ENTRIES.mask
    for seed in range(50):
        found = masked(tokens, seed)
        assert (found.right == tokens[found.places]).all()
        rest = np.delete(np.arange(len(tokens)), found.places)
        assert (found.tokens[rest] == tokens[rest]).all()
        assert not {0, 5, 6, 7, len(tokens) - 1} & set(found.places.tolist())


def test_words_by_chance_are_all_that_there_are() -> None:
    small = MaskingVocabulary(size=8, mask=6, special=4)
    drawn = small.draw(np.random.default_rng(0), 600)
    assert set(drawn.tolist()) == {4, 5, 7}
    assert all(within(int((drawn == word).sum()), 600, 1 / 3) for word in (4, 5, 7))


def test_whole_words_are_hidden_as_a_whole() -> None:
    heads = np.array([True, True, False, False, True, False, True])  # <s> a-b-c d-e </s>
    tokens = np.array([2, 10, 11, 12, 13, 14, 3])
    seen = set()
    for seed in range(200):
        found = mask_tokens(tokens, np.random.default_rng(seed), OBJECTIVE, ENTRIES, lambda _: heads)
        seen.add(tuple(found.places.tolist()))
    assert seen == {(1, 2, 3), (4, 5), (1, 2, 3, 4, 5)}


@pytest.mark.parametrize("share", [1.0, 0.0])
def test_other_shares(share: float) -> None:
    tokens = sequence(50)
    found = masked(tokens, 1, ObjectiveConfig(masked=share, random=0.0))
    put = found.tokens[found.places]
    assert (put == (ENTRIES.mask if share else found.right)).all()


def test_nothing_to_hide() -> None:
    assert len(masked(np.array([2, 1, 3]), 0).places) == 0


def test_left_to_right_every_word_is_told_by_those_before_it() -> None:
    tokens = np.array([2, 10, 1, 12, 3])
    found = next_tokens(tokens, ENTRIES)
    assert (found.tokens == tokens).all()
    assert found.places.tolist() == [0, 2]
    assert found.right.tolist() == [10, 12]
