import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from tests.examples import examples

from regard.data.batching import (
    LONGEST,
    EncodedPair,
    Plan,
    Symbols,
    even_batches,
    length_batches,
    make_batch,
    plan_batches,
)
from regard.data.mixing import epoch_rows

SYMBOLS = Symbols(pad=0, bos=2, eos=3)
Lengths = NDArray[np.uint32]
LENGTHS = st.lists(st.tuples(st.integers(1, 60), st.integers(1, 60)), min_size=1, max_size=200).map(
    lambda rows: np.array(rows, np.uint32)
)


def plan(lengths: Lengths, *, budget: int, seed: int = 1, epoch: int = 0, cut: int = 0) -> Plan:
    """The plan of one corpus, or of the same in two parts."""
    parts = [lengths[:cut], lengths[cut:]] if cut else [lengths]
    rows = epoch_rows([len(part) for part in parts], None, seed=seed, epoch=epoch)
    return plan_batches(parts, rows, budget=budget, seed=seed, epoch=epoch)


@given(LENGTHS, st.integers(1, 300), st.integers(0, 9), st.integers(0, 9), st.integers(0, 9))
def test_each_row_once_within_the_budget(
    lengths: Lengths, budget: int, seed: int, epoch: int, cut: int
) -> None:
    batches = list(plan(lengths, budget=budget, seed=seed, epoch=epoch, cut=min(cut, len(lengths) - 1)))
    assert sorted(row for batch in batches for row in batch) == list(range(len(lengths)))
    for batch in batches:
        assert len(batch) == 1 or len(batch) * (lengths[batch].max() + 1) <= budget


@given(LENGTHS, st.integers(1, 300))
def test_batches_are_as_full_as_a_row_by_row_count_makes_them(lengths: Lengths, budget: int) -> None:
    """The plan counts by lengths; counting row by row gives the same sizes."""
    sizes: list[int] = []
    for longest in sorted((lengths.max(axis=1) + 1).tolist()):
        if not sizes or (sizes[-1] + 1) * longest > budget:
            sizes.append(0)
        sizes[-1] += 1
    assert sorted(len(batch) for batch in plan(lengths, budget=budget)) == sorted(sizes)


def test_the_order_is_a_function_of_seed_and_epoch() -> None:
    lengths = np.random.default_rng(0).integers(1, 30, (500, 2)).astype(np.uint32)
    first = list(plan(lengths, budget=200))
    np.random.seed(5)  # somebody else's random state does not matter
    assert first == list(plan(lengths, budget=200))
    assert first != list(plan(lengths, budget=200, epoch=1))
    assert first != list(plan(lengths, budget=200, seed=2))


def test_companies_change_from_epoch_to_epoch() -> None:
    lengths = np.full((100, 2), 9, np.uint32)
    batches = [{frozenset(batch) for batch in plan(lengths, budget=100, epoch=epoch)} for epoch in (0, 1)]
    assert not batches[0] & batches[1]


def test_very_long_rows_are_batches_of_their_own() -> None:
    lengths = np.array([[LONGEST + 5, 1], [3, LONGEST + 900], [2, 2], [2, 2]], np.uint32)
    assert sorted(map(sorted, plan(lengths, budget=10**6))) == [[0], [1], [2, 3]]


def test_like_lengths_meet() -> None:
    """With lengths as in image captions, less than a tenth of a batch is padding."""
    random = np.random.default_rng(0)
    target = random.integers(6, 25, 5000)
    lengths = np.stack([np.clip(target + random.integers(-2, 3, 5000), 2, None), target], axis=1)
    batches = plan(lengths.astype(np.uint32), budget=2048)
    used = sum(lengths[batch].sum() for batch in batches)
    padded = sum(len(batch) * lengths[batch].max(axis=0).sum() for batch in batches)
    assert 1 - used / padded < 0.10


def test_a_plan_is_a_sequence() -> None:
    batches = plan(np.array([[1, 1], [2, 2], [3, 3]], np.uint32), budget=1)
    assert len(batches) == 3
    assert batches[-1] == list(batches)[2]
    assert batches[1:] == list(batches)[1:]


def test_a_batch_by_hand() -> None:
    pairs = [EncodedPair((7,), (8, 9)), EncodedPair((4, 5), (6,))]
    batch = make_batch(pairs, [1, 0], SYMBOLS)
    assert batch.source.tolist() == [[4, 5, 3], [7, 3, 0]]
    assert batch.lengths.tolist() == [3, 2]
    assert batch.fed.tolist() == [[2, 6, 0], [2, 8, 9]]
    assert batch.wanted.tolist() == [[6, 3, 0], [8, 9, 3]]
    assert batch.real.tolist() == [[True, True, False], [True, True, True]]


@settings(max_examples=examples(50))
@given(st.lists(st.integers(1, 40), max_size=100), st.integers(1, 100))
def test_length_batches_hold_each_row_once(lengths: list[int], budget: int) -> None:
    batches = list(length_batches(lengths, budget=budget))
    assert sorted(row for batch in batches for row in batch) == list(range(len(lengths)))
    for batch in batches:
        assert len(batch) == 1 or len(batch) * max(lengths[row] for row in batch) <= budget


@given(st.lists(st.integers(1, 12), max_size=120), st.integers(1, 40))
def test_even_batches_hold_each_row_once(lengths: list[int], most: int) -> None:
    batches = list(even_batches(range(len(lengths)), lengths, most=most))
    assert sorted(row for batch in batches for row in batch) == list(range(len(lengths)))
    assert all(1 <= len(batch) <= most for batch in batches)
    longest = [lengths[row] for batch in batches for row in batch]
    assert longest == sorted(longest, reverse=True)


def test_rows_of_one_length_stand_together() -> None:
    """Five of length 3 are shared out, not as 4 and 1; 7 and 6 have too few for batches of their own."""
    lengths = [3, 7, 3, 3, 6, 3, 3]
    assert list(even_batches(range(7), lengths, most=4)) == [[1, 4], [0, 2], [3, 5, 6]]
