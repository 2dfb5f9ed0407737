"""Edits by hand: one row of weights, 0.5 0.3 0.2 over ▁ab ▁cd </s>, and what becomes of it."""

import numpy as np
import pytest
import torch
from torch import Tensor
from torch.testing import assert_close

from regard.errors import DataError
from regard.inference.interventions import resolve_edits, trace_edits
from regard.insight.edits import (
    Edit,
    as_edits,
    force_row,
    mask,
    mask_head,
    mask_layer,
    mask_window,
    remove,
    reweight,
    transplant,
)
from regard.insight.record import AttentionRecord, LayerAttention
from regard.insight.token_axis import TokenAxis
from regard.nn.attention_kinds import AttentionSpec
from regard.nn.trace import AttentionWeights

SIDE = TokenAxis("ab cd", ("▁ab", "▁cd"), ((0, 2), (2, 5)))
PIECES = TokenAxis("ab cd", ("▁a", "b", "▁cd"), ((0, 1), (1, 2), (2, 5)))
SITES = {"cross": AttentionSpec("cross", 0), "own": AttentionSpec("encoder-self", 0)}
ROW = torch.tensor([[0.5, 0.3, 0.2]], dtype=torch.float64)


def after(
    edits: list[Edit], weights: Tensor = ROW, *, side: TokenAxis = SIDE, path: str = "cross", step: int = 0
) -> Tensor:
    changes = trace_edits([resolve_edits(edits, side, SITES)])
    if path not in changes:
        return weights
    return changes[path](AttentionWeights(path, weights[None], (0,), step))[0]


def by_hand(*weights: float) -> Tensor:
    return torch.tensor([weights], dtype=torch.float64)


def test_a_mask_renormalises_by_default() -> None:
    assert_close(after([mask("ab")]), by_hand(0, 0.6, 0.4))
    assert_close(after([mask("ab", renormalise=False)]), by_hand(0, 0.3, 0.2))
    assert_close(after([mask(2)]), by_hand(0.625, 0.375, 0))
    assert_close(after([mask_window(0, 1)]), by_hand(0, 0, 1))


def test_a_row_keeps_the_sum_that_it_had() -> None:
    """0.8, say, where a window had cut mass away; and 0 where all that it looked at is masked."""
    assert_close(after([mask("ab")], ROW * 0.8), by_hand(0, 0.48, 0.32))
    assert_close(after([mask("ab")], by_hand(1, 0, 0)), by_hand(0, 0, 0))


def test_reweighting() -> None:
    assert_close(after([reweight("ab", 2)]), by_hand(1, 0.3, 0.2) / 1.5)
    assert_close(after([reweight("ab", 2, renormalise=False)]), by_hand(1, 0.3, 0.2))
    assert torch.equal(after([reweight("ab", 1)]), ROW), "by no bit"


def test_where() -> None:
    assert_close(after([mask("ab")], path="own"), ROW)
    assert_close(after([mask("ab", where="all")], path="own"), by_hand(0, 0.6, 0.4))


def test_a_word_is_all_its_tokens() -> None:
    weights = by_hand(0.4, 0.2, 0.2, 0.2)
    assert_close(after([mask("ab")], weights, side=PIECES), by_hand(0, 0, 0.5, 0.5))
    assert_close(after([force_row(0, "ab")], weights, side=PIECES), by_hand(0.5, 0.5, 0, 0))


def test_a_forced_row_is_found_by_its_step() -> None:
    rows = torch.cat([ROW, ROW, ROW])
    forced = by_hand(0, 1, 0)
    assert_close(after([force_row(1, "cd")], rows), torch.cat([ROW, forced, ROW]))
    assert_close(after([force_row(5, "cd")], rows, step=4), torch.cat([ROW, forced, ROW]))
    assert_close(after([force_row(1, "cd")], rows, step=4), rows)


def test_heads_and_layers() -> None:
    heads = torch.stack([ROW, ROW * 0.5])
    assert_close(after([mask_head("cross", 1)], heads), torch.stack([ROW, ROW * 0]))
    assert_close(after([mask_layer("cross")], heads), heads * 0)
    assert_close(after([mask_head("cross", 0)]), ROW * 0)
    assert_close(after([mask_head("own", 1)], heads), heads)
    with pytest.raises(DataError, match="cross has the heads 0 to 1, found head 2"):
        after([mask_head("cross", 2)], heads)
    with pytest.raises(DataError, match="no attention of this model is called 'cros'; did you mean 'cross'"):
        after([mask_head("cros", 2)], heads)


def test_edits_are_made_in_their_order() -> None:
    assert_close(after([force_row(0, "ab"), mask("ab")]), by_hand(0, 0, 0))
    assert_close(after([mask("ab"), force_row(0, "ab")]), by_hand(1, 0, 0))


def record(weights: list[list[float]], path: str = "cross") -> AttentionRecord:
    other = TokenAxis("xx yy", ("▁xx", "▁yy"), ((0, 2), (2, 5)))
    return AttentionRecord(other, SIDE, (LayerAttention(path, "cross", np.array(weights, dtype=np.float32)),))


def test_a_transplant_puts_in_the_rows_that_there_are() -> None:
    rows = torch.cat([ROW, ROW, ROW])
    given = record([[1, 0, 0], [0, 1, 0]])
    assert_close(after([transplant(given)], rows), torch.cat([by_hand(1, 0, 0), by_hand(0, 1, 0), ROW]))
    assert_close(after([transplant(given)], rows, step=1), torch.cat([by_hand(0, 1, 0), ROW, ROW]))
    padded = torch.cat([ROW, ROW * 0 + 0.1], dim=-1)
    assert_close(after([transplant(given)], padded), by_hand(1, 0, 0, 0, 0, 0))


def test_transplants_that_do_not_fit() -> None:
    for given, told in (
        (record([[1, 0]]), "attention over 2 source tokens cannot be put into a sentence with 3"),
        (record([[1, 0, 0]], "other"), "no attention of this model is called 'other'"),
        (AttentionRecord(reason="not asked for"), "there is no attention to put in: not asked for"),
    ):
        with pytest.raises(DataError, match=told):
            after([transplant(given)])
    with pytest.raises(DataError, match="the record has no attention of the kind hops"):
        after([transplant(record([[1, 0, 0]]), kind="hops")])


def test_a_row_of_what_was_written_is_not_made_to_look_at_the_source() -> None:
    sites = {**SITES, "decoder.0.self": AttentionSpec("decoder-self", 0)}
    with pytest.raises(
        DataError, match=r"decoder.0.self attends to the output so far, and 'ab' is a word of the"
    ):
        resolve_edits([force_row(0, "ab", path="decoder.0.self")], SIDE, sites)


def test_removing() -> None:
    edited = resolve_edits([remove("ab")], PIECES, SITES)
    assert edited.removed == {0, 1}
    assert_close(after([remove("ab"), mask("cd")], by_hand(0.5, 0.5), side=PIECES), by_hand(0, 1))
    refused: list[tuple[list[Edit], str]] = [
        ([remove("ab"), remove("cd")], "all words are removed"),
        ([remove("</s>")], "</s> ends every sentence and cannot be removed"),
        ([remove("ab"), mask("ab")], "'ab' is removed from the input; it cannot be attended to"),
    ]
    for edits, told in refused:
        with pytest.raises(DataError, match=told):
            resolve_edits(edits, PIECES, SITES)


def test_edits_that_make_no_sense() -> None:
    for make in (
        lambda: reweight("ab", -1.0),
        lambda: reweight("ab", float("nan")),
        lambda: mask("ab", where="here"),  # type: ignore[arg-type]
        lambda: force_row(-1, "ab"),
        lambda: mask_window(2, 1),
        lambda: as_edits("ab"),  # type: ignore[arg-type]
    ):
        with pytest.raises(DataError, match=r"found"):
            make()
    with pytest.raises(DataError, match="this model has no attention, so there is nothing to change"):
        resolve_edits([mask("ab")], SIDE, {})


def test_the_edit_of_one_sentence_leaves_the_others() -> None:
    changes = trace_edits([resolve_edits(edits, SIDE, SITES) for edits in ([], [mask("ab")], [])])
    seen = changes["cross"](AttentionWeights("cross", torch.stack([ROW] * 4), (2, 1, 1, 0), 0))
    assert torch.equal(seen[0], ROW)
    assert torch.equal(seen[3], ROW)
    assert_close(seen[1:3], torch.stack([by_hand(0, 0.6, 0.4)] * 2))
