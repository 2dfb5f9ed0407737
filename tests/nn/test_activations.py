"""f(x) of every value, by torch's own; written over where nothing is to be learned."""

import pytest
import torch
from torch.nn import functional

from regard.nn.blocks import Activation, FeedForward, activated

VALUES = torch.linspace(-6, 6, 101)
WANTED = {
    "relu": functional.relu(VALUES),
    "silu": functional.silu(VALUES),
    "gelu": VALUES * torch.special.ndtr(VALUES),
    "gelu_tanh": functional.gelu(VALUES, approximate="tanh"),
}


@pytest.mark.parametrize("kind", WANTED)
def test_in_place_it_is_the_same(kind: Activation) -> None:
    kept, written = VALUES.clone(), VALUES.clone()
    found, there = activated(kept, kind), activated(written, kind, in_place=True)
    assert torch.equal(kept, VALUES)
    assert there.data_ptr() == written.data_ptr()
    assert torch.equal(found, there)
    torch.testing.assert_close(found, WANTED[kind], atol=1e-6, rtol=0)


@pytest.mark.parametrize("kind", [*WANTED, "swiglu"])
def test_what_is_read_is_what_is_trained(kind: Activation) -> None:
    layer = FeedForward(8, 16, activation=kind, dropout=0.0)
    words = torch.randn(5, 8)
    trained = layer(words, None)
    with torch.inference_mode():
        torch.testing.assert_close(layer(words, None), trained)
