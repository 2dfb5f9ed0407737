"""Training and decoding of the Transformer: regard, real peers, and the floor.

    python -m bench.transformer [--rounds 5] [--sentences 1000] [--out results/bench-transformer.json]

Every side gets the same batches (`bench/prepare.py`) and has the same sizes: 3 + 3 layers of width 256, 4
heads, 1,024 inside the position-wise layers; one vocabulary of 8,000 for both languages, and one table of
vectors for source, target and output; dropout 0.1, also of attention weights and inside the position-wise
layers; label smoothing 0.1, Adam, gradients clipped to norm 1. JoeyNMT and OpenNMT-py run from their own
environments (`make bench-peers`), Hugging Face's Marian from that of the tests. All products are in float32;
the side `bfloat16` is regard with `training.precision: bfloat16`, for CPUs that have such products.

What still differs:
- Marian normalises after each part, the others before it, with one more normalisation at the end.
- regard has a bias for each word of the output; of Marian it is no parameter; the others have none.
- Dropout: regard draws eight values at a time, the others one.
- Marian comes without a loop: what surrounds it is plain torch (its attention is torch's fused kernel).
- regard makes a batch from ids within the timed step; the others find theirs padded.
- Start values and random numbers: losses are alike, not equal. JoeyNMT's is a divergence, no cross-entropy:
  with this smoothing 1.22 less.

Memory is the most that was resident at any time, above what the imports had needed. In that of regard is its
whole corpus reader; the others have the batches alone.
"""

import argparse
from importlib.util import find_spec

from bench.asked import begin, shared_options, write_figures
from bench.job import Transformer
from bench.rounds import say
from bench.training import compare_training, environments
from bench.transformer_decoding import STEPS, compare_searches, make_marian_twin

from regard.training.step import cpu_has_bfloat16

SIDES = {
    "floor": "bench.sides.floor",
    "regard": "bench.sides.regard_training",
    "bfloat16": "bench.sides.regard_training bfloat16",
    "huggingface": "bench.sides.huggingface_training",
}
SMALLEST = Transformer(width=16, heads=2, feed_forward=32, encoder_layers=1, decoder_layers=1)


def options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="bench.transformer", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--batches", type=int, default=5, help="training steps in a round; 0 leaves it out")
    parser.add_argument("--sentences", type=int, default=1000, help="to translate in a round; 0: none")
    parser.add_argument("--smoke", action="store_true", help="a tiny network, to see that all sides run")
    shared_options(parser)
    return parser.parse_args()


def main() -> None:
    asked = options()
    facts, shared = begin(asked)
    network = SMALLEST if asked.smoke else Transformer()
    sides = dict(SIDES)
    if not cpu_has_bfloat16():
        say("bfloat16 is left out: this CPU has no products in it")
        del sides["bfloat16"]
    if find_spec("transformers") is None:
        say("huggingface is left out: transformers is not installed; `pip install 'regard[dev]'`")
        del sides["huggingface"]
    training, decoding = [], None
    if asked.batches:
        peers = environments(asked.peers, ("joeynmt", "opennmt"))
        sizes = {"batches": asked.batches, "batch_tokens": asked.batch_tokens}
        training.append(compare_training("transformer", network, sides, peers, **sizes, **shared))
    if asked.sentences and "huggingface" in sides:
        folder = asked.peers / ("marian-smoke" if asked.smoke else "marian")
        steps = 3 if asked.smoke else STEPS
        twin = make_marian_twin(folder, network, polite=asked.polite, steps=steps)
        decoding = compare_searches(
            twin, sentences=asked.sentences, rounds=asked.rounds, threads=asked.threads
        )
    figures = {"machine": facts, "rounds": asked.rounds, "training": training, "decoding": decoding}
    write_figures(asked.out, figures)


if __name__ == "__main__":
    main()
