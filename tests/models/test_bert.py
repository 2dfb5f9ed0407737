"""BERT: what does not need another library to be seen."""

from typing import Any

import pytest
import torch
from torch import Tensor
from torch.testing import assert_close

from regard.config.bert import BertConfig
from regard.errors import DataError
from regard.models.bert import Bert
from regard.nn.dropout import DropoutRng
from regard.nn.trace import AttentionWeights, Trace

TOKENS = torch.tensor([[5, 7, 3, 9, 4], [6, 4, 8, 0, 0]])
LENGTHS = torch.tensor([5, 3])


def make(**changes: Any) -> Bert:
    torch.manual_seed(0)
    config = BertConfig(width=12, heads=3, feed_forward=20, layers=2, places=8, dropout=0.5, **changes)
    model = Bert(config, vocabulary_size=11).double()
    for parameter in model.parameters():  # no bias, no gain that nothing depends on
        parameter.data += 0.1 * torch.randn_like(parameter)
    return model


@torch.no_grad()
@pytest.mark.parametrize("uncounted", [None, 1])
def test_a_text_alone_is_as_in_a_batch(uncounted: int | None) -> None:
    model = make(uncounted=uncounted)
    together = model(TOKENS, LENGTHS)
    assert_close(together[1, :3], model(TOKENS[1:, :3], LENGTHS[1:])[0])
    assert (together[1, 3:] == 0).all()


@torch.no_grad()
def test_both_directions_are_read() -> None:
    model = make()
    other = TOKENS.clone()
    other[0, 4] = 2
    first, changed = model(TOKENS, LENGTHS)[:, 0], model(other, LENGTHS)[:, 0]
    assert not torch.allclose(first[0], changed[0])
    assert_close(first[1], changed[1])


@torch.no_grad()
def test_an_edit_goes_on() -> None:
    """A head that is made to look at one word gives what that word says."""
    model = make()

    def only_the_first(sight: AttentionWeights) -> Tensor:
        weights = torch.zeros_like(sight.weights)
        weights[..., 0] = 1.0
        return weights

    trace = Trace(model, {"encoder.1.self": only_the_first})
    states = model(TOKENS, LENGTHS, trace=trace)
    assert list(trace.kept) == list(model.attentions) == ["encoder.0.self", "encoder.1.self"]
    assert (trace.kept["encoder.1.self"][0].weights[..., 0] == 1).all()
    assert not torch.allclose(states, model(TOKENS, LENGTHS))


def test_every_parameter_has_a_gradient() -> None:
    model = make()
    states = model(TOKENS, LENGTHS, torch.tensor([[0, 0, 1, 1, 1]] * 2))
    assert model.masked_words is not None
    loss = model.masked_words(states).square().sum() + model.pooled(states).sum()
    loss.backward()
    assert all(p.grad is not None and p.grad.abs().sum() > 0 for p in model.parameters())


@torch.no_grad()
def test_noise_is_a_function_of_its_step() -> None:
    model = make()
    first, again, other = (
        model(TOKENS, LENGTHS, rng=DropoutRng(model, seed=1, step=step)) for step in (1, 1, 2)
    )
    assert torch.equal(first, again)
    assert not torch.allclose(first, other)
    assert not torch.allclose(first, model(TOKENS, LENGTHS))


def test_words_are_scored_with_their_own_vectors() -> None:
    model = make()
    assert model.masked_words is not None
    assert model.masked_words.output.weight is model.word_embedding.weight


@pytest.mark.parametrize(("uncounted", "longest"), [(None, 8), (1, 6)])
def test_a_longer_text_is_refused(uncounted: int | None, longest: int) -> None:
    model = make(uncounted=uncounted)
    tokens = torch.full((1, longest + 1), 5)
    model(tokens[:, :longest], torch.tensor([longest]))
    with pytest.raises(DataError, match=f"has {longest} positions, found a text of {longest + 1} tokens"):
        model(tokens, torch.tensor([longest + 1]))


def test_no_pooler_is_said() -> None:
    model = make(pooler=False)
    with pytest.raises(DataError, match="this model has no pooler"):
        model.pooled(torch.zeros(1, 2, 12))


@torch.no_grad()
def test_left_to_right_no_later_word_is_seen() -> None:
    model = make(reads="left")
    other = TOKENS.clone()
    other[0, 3] = 2
    before, after = model(TOKENS, LENGTHS), model(other, LENGTHS)
    assert_close(before[0, :3], after[0, :3])
    assert not torch.allclose(before[0, 3:], after[0, 3:])
    assert_close(before[1, :3], model(TOKENS[1:, :3], LENGTHS[1:])[0])
    trace = Trace(model)
    model(TOKENS, LENGTHS, trace=trace)
    for (sight,) in trace.kept.values():
        assert (sight.weights.triu(1) == 0).all()
