"""Training and decoding of recurrent networks with attention: regard, real peers, and the floor.

    python -m bench.recurrent [--networks bahdanau luong …] [--rounds 5] [--out results/bench-recurrent.json]

Every side gets the same batches (`bench/prepare.py`) and has the same sizes: a BiLSTM of 256 a direction, an
LSTM of 512, word vectors of 256, 512 before the vocabulary; one vocabulary of 8,000 for both languages, no
weights shared; dropout 0.2, label smoothing 0.1, Adam, gradients clipped to norm 1. Peers run from their own
environments (`make bench-peers`); a peer without one is left out, and that is said.

What still differs:
- `bahdanau`: in regard the previous state asks, the decoder reads the context, and the readout sees the word
  too. The peers know additive attention only in Luong's order: the current state asks, the last attentional
  vector is fed. `additive` is that network in regard, so there all sides are the same.
- The decoder's first state: regard one dense layer for h and one for C; JoeyNMT one for both; OpenNMT-py one
  for each, which the two directions share. Some biases are there or not. The parameters are counted.
- Dropout: regard draws eight values at a time, of word vectors, encoder states and readout; JoeyNMT of the
  decoder's inputs and of what its readout sees; OpenNMT-py of word vectors and readout.
- regard makes a batch from ids within the timed step; the others find theirs padded.
- Start values and random numbers: losses are alike, not equal. JoeyNMT's is a divergence, no cross-entropy:
  with this smoothing 1.22 less.
"""

import argparse

from bench.asked import begin, shared_options, write_figures
from bench.decoding import compare_decoding
from bench.job import NETWORKS
from bench.training import compare_training, environments

NORMALLY = ["bahdanau", "luong", "luong-plain"]


def sides_of(network: str) -> dict[str, str]:
    """The modules that train this network in regard's own environment."""
    plain = {"plain torch": "bench.sides.plain"} if network == "bahdanau" else {}
    return {"floor": "bench.sides.floor", "regard": "bench.sides.regard_training", **plain}


def options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="bench.recurrent", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--networks", nargs="*", choices=list(NETWORKS), default=NORMALLY, help="to train")
    parser.add_argument("--batches", type=int, default=3, help="training steps in a round")
    parser.add_argument("--sentences", type=int, default=200, help="to translate in a round; 0 leaves it out")
    shared_options(parser)
    return parser.parse_args()


def main() -> None:
    asked = options()
    facts, shared = begin(asked)
    peers = environments(asked.peers, ("joeynmt", "opennmt"))
    sizes = {"batches": asked.batches, "batch_tokens": asked.batch_tokens}
    training = [
        compare_training(name, NETWORKS[name], sides_of(name), peers, **sizes, **shared)
        for name in asked.networks
    ]
    decoding = None
    if asked.sentences:
        decoding = compare_decoding(
            peers.get("joeynmt"), asked.peers / "twin", sentences=asked.sentences, **shared
        )
    figures = {"machine": facts, "rounds": asked.rounds, "training": training, "decoding": decoding}
    write_figures(asked.out, figures)


if __name__ == "__main__":
    main()
