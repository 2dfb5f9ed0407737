"""The floor does every product of a network, and no others."""

import pytest
import torch
from bench.job import NETWORKS, Network, Transformer
from bench.padded import Padded
from bench.prepare import recipe_of
from bench.products import Look, Product
from bench.sides.floor import alive, products

from regard.models.catalogue import build_model

VOCABULARY = 11
TRANSFORMER = Transformer(width=8, heads=2, feed_forward=6, encoder_layers=2, decoder_layers=1)


def batch() -> Padded:
    source = torch.tensor([[4, 5, 3], [4, 3, 0]])
    target = torch.tensor([[2, 4, 3], [2, 3, 0]])
    return Padded(source, target, [0, 1])


def matrices_and_looks(network: Network | Transformer) -> tuple[list[Product], list[Look]]:
    found = products(network, batch(), vocabulary=VOCABULARY, pad=0)
    matrices = [product for product in found if isinstance(product, Product)]
    return matrices, [product for product in found if isinstance(product, Look)]


@pytest.mark.parametrize("network", [*NETWORKS.values(), TRANSFORMER], ids=[*NETWORKS, "transformer"])
def test_every_weight_matrix_is_met_once(network: Network | Transformer) -> None:
    model = build_model(recipe_of(network).model, source_size=VOCABULARY, target_size=VOCABULARY)
    looked_up = ("embedding", "energy")  # rows of a table, and a vector: no matrix products
    matrices = sum(
        weight.numel()
        for path, weight in model.named_parameters(remove_duplicate=False)
        if weight.dim() == 2 and not any(name in path for name in looked_up)
    )

    found, looks = matrices_and_looks(network)

    for work in [product.work() for product in found] + [look.work() for look in looks]:
        work()  # its shapes fit
    assert sum(product.inputs * product.outputs for product in found) == matrices


def test_padding_is_left_out_and_steps_shrink() -> None:
    assert alive(torch.tensor([3, 1, 2])) == [3, 2, 1]
    network = Network("general", "current", input_feeding=True)
    found, looks = matrices_and_looks(network)
    recurrent = next(product for product in found if product.inputs == network.decoder + network.readout)
    assert recurrent.groups == [2, 1]  # of the two targets, one has ended after its first word
    output = next(product for product in found if product.outputs == VOCABULARY)
    assert output.groups == [3]
    assert looks == []


def test_an_attention_compares_real_words_alone() -> None:
    _, looks = matrices_and_looks(TRANSFORMER)
    width, both_and_their_gradients = 8, 2 * 6
    pairs = [3 * 3 + 2 * 2, 3 * 3 + 2 * 2, 2 * 2 + 1 * 1, 2 * 3 + 1 * 2]  # two layers read, one writes
    assert [look.operations for look in looks] == [both_and_their_gradients * width * n for n in pairs]
