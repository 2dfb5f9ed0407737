"""Laws of guided alignment, for every model with attention over the source."""

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch
from tests.contracts.models import MODELS
from tests.contracts.test_encoder_decoders import PAIRS, SYMBOLS, attentions, make
from torch.testing import assert_close

from regard.config.guided_alignment import GuidedAlignmentConfig
from regard.data.batching import make_batch
from regard.errors import ConfigError
from regard.nn.dropout import DropoutRng
from regard.nn.trace import Trace
from regard.training.guided_alignment import GuidedAttention
from regard.training.step import BatchLoss
from regard.training.teacher_forcing import loss_of_batch

LINKS = [(0, 0, 0, 1, 2, 4), (), (0, 2)]
"""Target and source token of each link: the first pair's token 0 has two."""
LINKED = [replace(pair, links=links) for pair, links in zip(PAIRS, LINKS, strict=True)]
ATTENTIVE = [name for name in MODELS if make(name).cross_attention]


def guided_loss(model: Any, rows: list[int], rng: DropoutRng | None = None, **settings: Any) -> BatchLoss:
    guided = GuidedAttention.of(model, GuidedAlignmentConfig(**settings))
    batch = make_batch(LINKED, rows, SYMBOLS)
    return loss_of_batch(model, batch, rng, smoothing=0.0, guided=guided)


def by_hand(model: Any) -> float:
    """-Σ g log α, from the weights that a trace recorded."""
    trace = Trace(model)
    batch = make_batch(PAIRS, [0, 1, 2], SYMBOLS)
    model.teacher_forced(batch.inputs, trace=trace)
    paths = model.cross_attention
    weights = attentions(trace)[paths[max(0, len(paths) - 2)]].detach().numpy()
    first = weights[:, 0] if weights.ndim == 4 else weights
    links = [(0, 0, 0, 0.5), (0, 0, 1, 0.5), (0, 2, 4, 1.0), (2, 0, 2, 1.0)]
    return -sum(share * math.log(max(first[row, t, s], 1e-30)) for row, t, s, share in links)


@pytest.mark.parametrize("name", ATTENTIVE)
def test_the_loss_is_that_computed_by_hand(name: str) -> None:
    model = make(name).double()
    found = guided_loss(model, [0, 1, 2], weight=0.7)
    assert found.auxiliary is not None
    assert found.auxiliary.count == 3, "target tokens that have links"
    assert float(found.auxiliary.loss.detach()) == pytest.approx(by_hand(model), rel=1e-6)
    plain = loss_of_batch(model, make_batch(PAIRS, [0, 1, 2], SYMBOLS), None, smoothing=0.0)
    assert_close(found.loss, plain.loss, rtol=1e-10, atol=0.0)
    assert_close(found.minimised, plain.loss + 0.7 * found.auxiliary.loss, rtol=1e-10, atol=0.0)


@pytest.mark.parametrize("name", ATTENTIVE)
def test_padding_and_company_change_nothing(name: str) -> None:
    """Each pair alone gives what it adds in a batch; the second has no links."""
    model = make(name).double()
    together = guided_loss(model, [0, 1, 2]).auxiliary
    alone = [guided_loss(model, [row]).auxiliary for row in range(3)]
    assert together is not None
    assert alone[1] is None
    parts = [one for one in alone if one is not None]
    assert_close(together.loss, parts[0].loss + parts[1].loss, rtol=1e-10, atol=1e-12)
    assert together.count == sum(one.count for one in parts)


@pytest.mark.parametrize("name", ATTENTIVE)
def test_its_gradient_is_that_of_finite_differences_and_reaches_no_output_layer(name: str) -> None:
    model = make(name).double()
    rng = DropoutRng(model, seed=1, step=1)
    found = guided_loss(model, [0, 1, 2], rng).auxiliary
    assert found is not None
    found.loss.backward()  # type: ignore[no-untyped-call]
    gradients = {path: own.grad for path, own in model.named_parameters()}
    assert gradients["output.bias"] is None, "the attention does not depend on it"
    path = model.cross_attention[max(0, len(model.cross_attention) - 2)]
    own = [grad for name, grad in gradients.items() if name.startswith(f"{path}.") and grad is not None]
    assert any(bool(grad.any()) for grad in own) or not own, "what makes the scores learns"
    embedded = model.source_embedding.weight
    place = (5, 1)  # the first source token of the first pair
    step, values = 1e-6, []
    for sign in (1, -1):
        with torch.no_grad():
            embedded[place] += sign * step
            again = guided_loss(model, [0, 1, 2], DropoutRng(model, seed=1, step=1)).auxiliary
            assert again is not None
            values.append(float(again.loss))
            embedded[place] -= sign * step
    if gradients["source_embedding.weight"] is not None:
        found_there = float(gradients["source_embedding.weight"][place])
        assert (values[0] - values[1]) / (2 * step) == pytest.approx(found_there, rel=1e-4, abs=1e-6)


def test_only_what_comes_before_the_guided_head_learns() -> None:
    """In a Transformer, neither the layers above, nor the other heads, nor the values."""
    model = make("transformer").double()
    found = guided_loss(model, [0, 1, 2], layer=0, head=1).auxiliary
    assert found is not None
    found.loss.backward()  # type: ignore[no-untyped-call]
    gradients = {path: own.grad for path, own in model.named_parameters()}
    assert not [path for path, grad in gradients.items() if path.startswith("decoder.1") and grad is not None]
    size = model.decoder[0].cross.head_size
    queries = np.abs(gradients["decoder.0.cross.query.weight"].numpy()).sum(axis=1).reshape(-1, size).sum(1)
    assert queries[1] > 0
    assert queries[0] == queries[2] == 0
    keys_and_values = np.abs(gradients["decoder.0.cross.memory.weight"].numpy()).sum(1).reshape(2, -1, size)
    assert keys_and_values[0, 1].sum() > 0
    assert keys_and_values[0, [0, 2]].sum() == keys_and_values[1].sum() == 0


@pytest.mark.parametrize(
    ("name", "settings", "told"),
    [
        ("plain", {}, "needs attention over the source, and this model has none"),
        ("transformer", {"layer": 2}, "layer: expected 0 to 1, for the model has attention in 2 decoder"),
        ("transformer", {"head": 3}, "head: expected 0 to 2, for the layer has 3 heads, found 3"),
        ("bahdanau-lstm", {"layer": 0}, "layer: the attention of this model has no layers"),
        ("bahdanau-lstm", {"head": 0}, "head: the attention of this model has no heads"),
    ],
)
def test_an_attention_that_is_not_there_is_refused(name: str, settings: dict[str, int], told: str) -> None:
    with pytest.raises(ConfigError, match=told):
        GuidedAttention.of(make(name), GuidedAlignmentConfig(**settings))


def test_the_usual_layer_is_the_last_but_one() -> None:
    assert GuidedAttention.of(make("transformer"), GuidedAlignmentConfig()).path == "decoder.0.cross"
