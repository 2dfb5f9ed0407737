"""The floor does every product of a network, and no others."""

import pytest
import torch
from bench.job import NETWORKS, Network
from bench.padded import Padded
from bench.prepare import recipe_of
from bench.sides.floor import alive, products

from regard.models.catalogue import build_model

VOCABULARY = 11


def batch() -> Padded:
    source = torch.tensor([[4, 5, 3], [4, 3, 0]])
    target = torch.tensor([[2, 4, 3], [2, 3, 0]])
    return Padded(source, target, [0, 1])


@pytest.mark.parametrize("name", NETWORKS)
def test_every_weight_matrix_is_met_once(name: str) -> None:
    network = NETWORKS[name]
    model = build_model(recipe_of(network).model, source_size=VOCABULARY, target_size=VOCABULARY)
    looked_up = ("embedding", "energy")  # rows of a table, and a vector: no matrix products
    matrices = sum(
        weight.numel()
        for path, weight in model.named_parameters()
        if weight.dim() == 2 and not any(name in path for name in looked_up)
    )

    found = products(network, batch(), vocabulary=VOCABULARY, pad=0)

    assert sum(product.inputs * product.outputs for product in found) == matrices


def test_padding_is_left_out_and_steps_shrink() -> None:
    assert alive(torch.tensor([3, 1, 2])) == [3, 2, 1]
    network = Network("general", "current", input_feeding=True)
    found = products(network, batch(), vocabulary=VOCABULARY, pad=0)
    recurrent = next(product for product in found if product.inputs == network.decoder + network.readout)
    assert recurrent.groups == [2, 1]  # of the two targets, one has ended after its first word
    output = next(product for product in found if product.outputs == VOCABULARY)
    assert output.groups == [3]
