"""The floor: the matrix products that a training step cannot do without, and nothing else.

Each weight matrix meets its inputs three times: forward, for the gradient of the inputs, for the gradient of
the weights. What waits for the state before it is done step by step, with the rows whose sentence has not
ended; what does not wait, and every gradient of weights, is one product over all words. Padding is never
touched, results go to memory that is there already. The products of the Transformer's attention are counted,
too; causal ones whole, with the half that is masked. Not counted: everything else, also the weighted sums of
a recurrent network's attention, the cells, the softmax, Adam. The products are those of the network as regard
has it.
"""

import sys
from collections.abc import Callable

import torch
from bench.job import Job, Network, Transformer
from bench.padded import Padded, read_batches, tokens_of
from bench.products import Look, Product
from bench.worker import Facts, serve
from torch import Tensor


def products(
    network: Network | Transformer, batch: Padded, *, vocabulary: int, pad: int
) -> list[Product | Look]:
    """Every product of a step on this batch."""
    if isinstance(network, Transformer):
        return _of_transformer(network, batch, vocabulary, pad)
    return list(_of_recurrent(network, batch, vocabulary, pad))


def _of_transformer(network: Transformer, batch: Padded, vocabulary: int, pad: int) -> list[Product | Look]:
    read, written = batch.source_lengths(pad), batch.target_lengths(pad)
    source, target = [int(read.sum())], [int(written.sum())]
    width, inner, size = network.width, network.feed_forward, network.width // network.heads

    def layer(words: list[int], lengths: Tensor) -> list[Product | Look]:
        return [
            Product(words, width, 3 * width),
            Look(lengths, lengths, network.heads, size),
            Product(words, width, width),
            Product(words, width, inner),
            Product(words, inner, width),
        ]

    across: list[Product | Look] = [
        Product(target, width, width),
        Product(source, width, 2 * width),
        Look(written, read, network.heads, size),
        Product(target, width, width),
    ]
    return [
        *network.encoder_layers * layer(source, read),
        *network.decoder_layers * [*layer(target, written), *across],
        Product(target, width, vocabulary),
    ]


def _of_recurrent(network: Network, batch: Padded, vocabulary: int, pad: int) -> list[Product]:
    read, written = batch.source_lengths(pad), batch.target_lengths(pad)
    reading, writing = alive(read), alive(written)
    source, target = [sum(reading)], [sum(writing)]
    gates = 4 * network.decoder
    found = [
        Product(source, network.embedding, 8 * network.encoder),  # both directions of the encoder
        *[Product(reading, network.encoder, 4 * network.encoder) for _ in range(2)],
        Product(source, network.states, _key_size(network)),
        Product([len(read)], network.states, 2 * network.decoder),  # the decoder's first state
        Product(target, network.embedding, gates),
        Product(target, network.readout, vocabulary),
    ]
    if network.score == "additive":
        asking = writing if network.query == "previous" or network.input_feeding else target
        found.append(Product(asking, network.decoder, network.align))
    if network.query == "previous":
        seen = network.decoder + network.embedding + network.states
        found.append(Product(writing, network.decoder + network.states, gates))
        found.append(Product(target, seen, network.readout))
    else:
        fed = network.readout if network.input_feeding else 0
        found.append(Product(writing, network.decoder + fed, gates))
        shared = writing if network.input_feeding else target
        found.append(Product(shared, network.decoder + network.states, network.readout))
    return found


def alive(lengths: Tensor) -> list[int]:
    """How many sentences have a first word, a second, …"""
    return [int((lengths > step).sum()) for step in range(int(lengths.max()))]


def _key_size(network: Network) -> int:
    return network.align if network.score == "additive" else network.decoder


def main() -> None:
    job = Job.read(sys.argv[1])

    def prepare() -> tuple[Facts, Callable[[], Facts]]:
        batches = read_batches(job)
        needed = [products(job.network, batch, vocabulary=job.vocabulary, pad=job.pad) for batch in batches]
        made = {id(product): product.work() for step in needed for product in step}  # layers share memory
        steps = [made[id(product)] for step in needed for product in step]
        operations = sum(product.operations for step in needed for product in step)

        def work() -> Facts:
            for product in steps:
                product()
            return {}

        facts = {
            "version": f"torch {torch.__version__}",
            "torch": torch.__version__,
            "tokens": tokens_of(batches, job.pad),
            "operations": operations,
        }
        return facts, work

    serve(prepare, polite=job.polite)


if __name__ == "__main__":
    main()
