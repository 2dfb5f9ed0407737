"""Attention in heads, against torch's own."""

import pytest
import torch
from torch import Tensor, nn
from torch.testing import assert_close

from regard.nn.layout import Layout
from regard.nn.masks import padding_mask
from regard.nn.multihead import FUSED_FROM, FUSED_TO_READ, CrossAttention, Keys, SelfAttention
from regard.nn.trace import Trace

WIDTH, HEADS = 12, 3
LENGTHS = torch.tensor([4, 2, 5])


def self_attention() -> SelfAttention:
    torch.manual_seed(0)
    return SelfAttention(width=WIDTH, heads=HEADS, head_size=4, dropout=0.0, rotary=False).double()


def torchs_own(ours: SelfAttention | CrossAttention) -> nn.MultiheadAttention:
    theirs = nn.MultiheadAttention(WIDTH, HEADS, batch_first=True).double()
    projections = [ours.input] if isinstance(ours, SelfAttention) else [ours.query, ours.memory]
    with torch.no_grad():
        theirs.in_proj_weight.copy_(torch.cat([part.weight for part in projections]))
        theirs.in_proj_bias.copy_(torch.cat([part.bias for part in projections]))
        theirs.out_proj.load_state_dict(ours.output.state_dict())
    return theirs


def run(part: SelfAttention, words: Tensor, trace: Trace | None = None) -> Tensor:
    layout = Layout.of(padding_mask(LENGTHS, words.shape[1]))
    query, keys, values = part.heads_of(layout.pack(words), layout)
    memory = Keys(keys, values, layout.real[:, None, None])
    return layout.unpack(part.look(query, memory, layout, rng=None, trace=trace))


def test_self_attention_is_torchs() -> None:
    ours = self_attention()
    words = torch.randn(3, 5, WIDTH, dtype=torch.double)
    trace = Trace(ours)
    found = run(ours, words, trace)
    real = padding_mask(LENGTHS, 5)
    wanted, weights = torchs_own(ours)(
        words, words, words, key_padding_mask=~real, average_attn_weights=False
    )
    assert_close(found[real], wanted[real])
    (sight,) = trace.kept[""]
    for row, length in enumerate(LENGTHS):
        assert_close(sight.weights[row, :, :length], weights[row, :, :length])


def test_cross_attention_is_torchs() -> None:
    torch.manual_seed(1)
    ours = CrossAttention(width=WIDTH, heads=HEADS, head_size=4, dropout=0.0).double()
    words, source = (torch.randn(3, size, WIDTH, dtype=torch.double) for size in (2, 5))
    layout = Layout.of(padding_mask(LENGTHS, 5))
    asking = Layout.of(torch.ones(3, 2, dtype=torch.bool))
    memory = ours.remember(layout.pack(source), layout)
    found = asking.unpack(ours(asking.pack(words), memory, asking, rng=None, trace=None))
    wanted, _ = torchs_own(ours)(words, source, source, key_padding_mask=~layout.real)
    assert_close(found, wanted)


def test_the_fused_kernel_gives_what_looking_sees() -> None:
    """With many keys and nobody looking, another kernel is used."""
    ours = self_attention().float()
    words = torch.randn(1, FUSED_FROM, WIDTH)
    layout = Layout.of(torch.ones(1, FUSED_FROM, dtype=torch.bool))
    query, keys, values = ours.heads_of(layout.pack(words), layout)
    causal = torch.ones(FUSED_FROM, FUSED_FROM, dtype=torch.bool).tril()
    memory = Keys(keys, values, causal)
    fused = ours.look(query, memory, layout, rng=None, trace=None)
    assert_close(fused, ours.look(query, memory, layout, rng=None, trace=Trace(ours)), atol=1e-5, rtol=0)


@pytest.mark.parametrize("count", [1, FUSED_TO_READ - 1, FUSED_TO_READ])
def test_where_nothing_is_trained_any_number_of_keys_gives_what_looking_sees(count: int) -> None:
    """Few keys and many go through other kernels; one sentence is shorter, so that something is hidden."""
    ours = self_attention().float()
    real = torch.arange(count) < torch.tensor([[count], [max(1, count - 3)]])
    words, layout = torch.randn(2, count, WIDTH), Layout.of(real)
    with torch.inference_mode():
        query, keys, values = ours.heads_of(layout.pack(words), layout)
        memory = Keys(keys, values, layout.real[:, None, None], layout.places is not None)
        found = ours.look(query, memory, layout, rng=None, trace=None)
        seen = ours.look(query, memory, layout, rng=None, trace=Trace(ours))
        assert_close(found, seen, atol=1e-5, rtol=0)
        packed = layout.pack(words)
        onto = ours.look(query, memory, layout, rng=None, trace=None, onto=packed)
        assert_close(onto, packed + found, atol=1e-5, rtol=0)
