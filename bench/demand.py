"""What the work on a point demands: multiplications and additions, and bytes to read."""

import torch
from bench.padded import Padded
from bench.sides.floor import products
from bench.sides.growing import Point


def step_operations(point: Point) -> int:
    """Of a training step: every product of the floor."""
    source = torch.ones(point.batch, point.length + 1, dtype=torch.long)  # with </s>
    target = torch.ones(point.batch, point.length + 2, dtype=torch.long)  # and <s>
    batch = Padded(source, target, [])
    found = products(point.network, batch, vocabulary=point.vocabulary, pad=0)
    return sum(product.operations for product in found)


def search_operations(point: Point) -> int:
    """Of a search: the source is read once; each step asks all words before it and all of the source."""
    network, length = point.network, point.length
    width, inner = network.width, network.feed_forward
    reading = network.encoder_layers * (length * (4 * width**2 + 2 * width * inner) + 2 * width * length**2)
    reading += network.decoder_layers * length * 2 * width**2  # keys and values for the decoder
    word = network.decoder_layers * (6 * width**2 + 2 * width * inner) + width * point.vocabulary
    looks = network.decoder_layers * 2 * width * sum(step + length for step in range(1, length + 1))
    return 2 * point.batch * (reading + point.beam * (length * word + looks))


def search_reads(point: Point) -> int:
    """Of a search, bytes: each step reads the decoder's weights, and the keys and values of all words so far.

    One word looks at those of its hypothesis, so each number serves one multiplication: where they no longer
    fit into the processor's cache, reading them is what takes the time. Those of the source are read once for
    all hypotheses of a sentence.
    """
    network, length = point.network, point.length
    width, layers = network.width, network.decoder_layers
    weights = layers * (6 * width**2 + 2 * width * network.feed_forward) + width * point.vocabulary
    own = sum(range(1, length + 1)) * point.beam
    return 4 * (length * weights + layers * 2 * width * point.batch * (own + length**2))
