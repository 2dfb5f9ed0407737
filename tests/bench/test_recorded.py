"""The products that are written down are those that a step does."""

import pytest
import torch
from bench.recorded import Recording
from bench.sentence import NETWORKS, recipe_of
from bench.sides.sentence import training_of
from torch import nn

from regard.training.step import forward_backward


def test_a_layer_meets_its_inputs_three_times() -> None:
    layer, words = nn.Linear(3, 5), torch.randn(4, 3, requires_grad=True)
    with Recording() as seen:
        layer(words).sum().backward()
    assert [(sorted(left), sorted(right)) for left, right in seen.single] == [
        ([3, 4], [3, 5]),  # forward
        ([4, 5], [3, 5]),  # to the inputs
        ([4, 5], [3, 4]),  # to the weights
    ]
    assert seen.operations == 3 * 2 * 4 * 3 * 5
    for product in seen.work():
        product()


def test_a_fused_recurrent_layer_is_counted_by_its_steps() -> None:
    layer, words = nn.LSTM(3, 7), torch.randn(5, 2, 3)
    with Recording() as seen:
        states, _ = layer(words)
        states.sum().backward()
    inputs, recurrent = seen.layers
    assert (inputs.groups, inputs.inputs, inputs.outputs) == ([10], 3, 28)
    assert (recurrent.groups, recurrent.inputs, recurrent.outputs) == ([2] * 5, 7, 28)
    for product in seen.work():
        product()


@pytest.mark.parametrize("network", NETWORKS)
def test_the_products_of_every_network_can_be_done_alone(
    network: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("REGARD_DATA", raising=False)
    recipe = recipe_of(network, 256)
    recipe["data"]["train"]["rows"], recipe["data"]["dev"]["rows"] = 40, 5
    task, (rows, _) = training_of(recipe, 2)
    with Recording() as seen:
        forward_backward(task, task.recipe.training, [rows], 1)
    for product in seen.work():
        product()
    matrices = sum(
        weight.numel()
        for name, weight in task.model.named_parameters()
        if weight.dim() == 2 and "embedding" not in name
    )
    assert seen.operations > 6 * matrices, "each meets several words, forward and for both gradients"
