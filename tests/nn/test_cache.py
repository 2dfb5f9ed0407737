"""What a decoder keeps of the words it was fed, in beams that change places."""

import pytest
import torch
from torch import Tensor

from regard.nn.cache import Cache, Caches

HEADS, SIZE = 3, 4


def heads(seed: int, count: int = 1, rows: int = 2) -> Tensor:
    """Keys and values of `count` words of some rows."""
    return torch.randn(2, rows, HEADS, count, SIZE, generator=torch.Generator().manual_seed(seed))


def empty(rows: int = 2) -> Caches:
    return Caches.empty(torch.empty(0), 2, rows, HEADS, SIZE)


def fed(caches: Caches, seed: int) -> Caches:
    """One more word of each row, in both layers."""
    rows = caches.writers.shape[1]
    return caches.longer(
        tuple(layer.add(heads(1000 * n + seed, rows=rows)) for n, layer in enumerate(caches.layers))
    )


def held(caches: Caches) -> list[Tensor]:
    return [layer.heads.clone() for layer in caches.layers]


def test_a_cache_is_what_was_added() -> None:
    cache, added = Cache.empty(torch.empty(0), 2, HEADS, SIZE), [heads(n) for n in range(40)]
    for each in added:
        cache = cache.add(each)  # beyond its room, too
    assert torch.equal(cache.heads, torch.cat(added, dim=3))


def test_two_ways_on_from_one_cache_do_not_meet() -> None:
    before = Cache.empty(torch.empty(0), 2, HEADS, SIZE).add(heads(0))
    one, other = before.add(heads(1)), before.add(heads(2))
    assert torch.equal(one.heads, torch.cat([heads(0), heads(1)], dim=3))
    assert torch.equal(other.heads, torch.cat([heads(0), heads(2)], dim=3))
    assert torch.equal(before.heads, heads(0))


def test_rows_in_another_order() -> None:
    caches = fed(fed(empty(), 0), 1)
    rows, before = torch.tensor([1, 1, 0]), held(caches)
    chosen = caches.select(rows)
    fed(caches, 2)
    for layer, found in zip(before, chosen.layers, strict=True):
        assert torch.equal(found.heads, layer[:, rows])


def test_rows_that_are_taken_are_those_that_are_selected() -> None:
    """Through a search: rows change places, come twice and go; some leave with their sentence."""
    draw = torch.Generator().manual_seed(5)
    taken, selected = empty(1), empty(1)
    for step in range(90):  # beyond the room, more than once
        taken, selected = fed(taken, step), fed(selected, step)
        many = 8 if step < 60 else 4
        rows = torch.randint(taken.writers.shape[1], (many,), generator=draw)
        taken, selected = taken.take(rows), selected.select(rows)
        for one, other in zip(taken.layers, selected.layers, strict=True):
            assert torch.equal(one.heads, other.heads)


def test_a_step_that_broke_off_between_two_layers_does_no_harm() -> None:
    caches = empty()
    for step in range(3):
        caches = fed(caches, step)
    caches.layers[0].add(heads(99))  # the other layer was not reached
    again = fed(caches, 3)
    assert again.layers[0].tape.memory.shape != again.layers[1].tape.memory.shape
    rows, before = torch.tensor([1, 0]), held(again)
    for layer, found in zip(before, again.take(rows).layers, strict=True):
        assert torch.equal(found.heads, layer[:, rows])


def test_words_of_a_shared_past_are_not_moved() -> None:
    caches = fed(fed(empty(1), 0).select(torch.tensor([0, 0])), 1).take(torch.tensor([0, 0]))
    caches = fed(caches, 2)
    memory = caches.layers[0].tape.memory
    memory[0, :2] = 7  # of the first two words, the same in both rows: nobody comes to move them
    after = caches.take(torch.tensor([1, 1])).layers[0]
    assert after.tape.memory.data_ptr() == memory.data_ptr()
    assert (after.heads[:, 0, :, :2] == 7).all()
    assert (after.heads[:, 1, :, :2] != 7).all()
    assert torch.equal(after.heads[:, 0, :, 2], after.heads[:, 1, :, 2])


def test_who_was_taken_says_so() -> None:
    before = fed(empty(), 0)
    caches = fed(before, 1)
    caches.take(torch.tensor([1, 0]))
    for stale in (before, caches):
        with pytest.raises(RuntimeError, match="overwritten"):
            fed(stale, 2)
