import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from regard.data.batching import EncodedPair, Symbols, length_batches, make_batch, plan_batches

SYMBOLS = Symbols(pad=0, bos=2, eos=3)
LENGTHS = st.lists(st.tuples(st.integers(1, 60), st.integers(1, 60)), min_size=1, max_size=200).map(np.array)


@given(LENGTHS, st.integers(1, 300), st.integers(0, 9), st.integers(0, 9))
def test_each_row_once_within_the_budget(lengths: np.ndarray, budget: int, seed: int, epoch: int) -> None:
    batches = plan_batches(lengths, budget=budget, seed=seed, epoch=epoch)
    assert sorted(row for batch in batches for row in batch) == list(range(len(lengths)))
    for batch in batches:
        assert len(batch) == 1 or len(batch) * lengths[batch].max() <= budget


def test_the_order_is_a_function_of_seed_and_epoch() -> None:
    lengths = np.random.default_rng(0).integers(1, 30, (500, 2))
    plan = plan_batches(lengths, budget=200, seed=1, epoch=0)
    np.random.seed(5)  # somebody else's random state does not matter
    assert plan == plan_batches(lengths, budget=200, seed=1, epoch=0)
    assert plan != plan_batches(lengths, budget=200, seed=1, epoch=1)
    assert plan != plan_batches(lengths, budget=200, seed=2, epoch=0)


def test_like_lengths_meet() -> None:
    """With lengths as in image captions, less than a tenth of a batch is padding."""
    random = np.random.default_rng(0)
    target = random.integers(6, 25, 5000)
    lengths = np.stack([np.clip(target + random.integers(-2, 3, 5000), 2, None), target], axis=1)
    batches = plan_batches(lengths, budget=2048, seed=1, epoch=0)
    used = sum(lengths[batch].sum() for batch in batches)
    padded = sum(len(batch) * lengths[batch].max(axis=0).sum() for batch in batches)
    assert 1 - used / padded < 0.10


def test_a_batch_by_hand() -> None:
    pairs = [EncodedPair((7,), (8, 9)), EncodedPair((4, 5), (6,))]
    batch = make_batch(pairs, [1, 0], SYMBOLS)
    assert batch.source.tolist() == [[4, 5, 3], [7, 3, 0]]
    assert batch.lengths.tolist() == [3, 2]
    assert batch.fed.tolist() == [[2, 6, 0], [2, 8, 9]]
    assert batch.wanted.tolist() == [[6, 3, 0], [8, 9, 3]]
    assert batch.real.tolist() == [[True, True, False], [True, True, True]]
    assert batch.rows == (1, 0)


@settings(max_examples=50)
@given(st.lists(st.integers(1, 40), max_size=100), st.integers(1, 100))
def test_length_batches_hold_each_row_once(lengths: list[int], budget: int) -> None:
    batches = list(length_batches(lengths, budget=budget))
    assert sorted(row for batch in batches for row in batch) == list(range(len(lengths)))
    for batch in batches:
        assert len(batch) == 1 or len(batch) * max(lengths[row] for row in batch) <= budget
