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
import json
import os
import platform
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from bench.decoding import compare_decoding
from bench.job import NETWORKS
from bench.prepare import BATCH_TOKENS, corpus_name, make_job, recipe_of
from bench.rounds import ROOT, Measured, in_turn, say

PEERS = {"joeynmt": "bench.peers.joeynmt_training", "opennmt": "bench.peers.opennmt_training"}
NORMALLY = ["bahdanau", "luong", "luong-plain"]


def environments(folder: Path) -> dict[str, str]:
    """The interpreter of each peer that is installed."""
    found = {}
    for name in PEERS:
        python = folder / name / "bin" / "python"
        if python.is_file():
            found[name] = str(python.absolute())
        else:
            say(f"{name} is left out: there is no {python}; `make bench-peers` installs it")
    return found


def training_sides(network: str, job: Path, peers: Mapping[str, str]) -> dict[str, list[str]]:
    """The command of each side that can train this network."""
    own = {"floor": "bench.sides.floor", "regard": "bench.sides.regard_training"}
    if network == "bahdanau":
        own["plain torch"] = "bench.sides.plain"
    commands = {name: [sys.executable, "-m", module, str(job)] for name, module in own.items()}
    return commands | {name: [python, "-m", PEERS[name], str(job)] for name, python in peers.items()}


def training_table(measured: Mapping[str, Measured], batches: int) -> list[str]:
    """One line a side."""
    lines = []
    for name, side in measured.items():
        low, high = (bound(side.seconds) / batches for bound in (min, max))
        step = f"{side.median / batches:6.3f} s a step ({low:.3f}-{high:.3f})"
        rate = f"{side.facts['tokens'] / side.median:8,.0f} tokens/s"
        ratios = "".join(
            f"{side.times(measured[other])[0]:7.2f} x {other}"
            for other in ("floor", "regard")
            if other != name
        )
        parameters = f"{side.facts['parameters']:12,} parameters" if "parameters" in side.facts else ""
        loss = f"   loss {side.last['loss']:.2f}" if "loss" in side.last else ""
        lines.append(f"  {name:<12}{step}{rate}{ratios}{parameters}{loss}")
    return lines


def compare_training(
    name: str,
    peers: Mapping[str, str],
    *,
    rounds: int,
    batches: int,
    batch_tokens: int,
    threads: int,
    polite: bool,
) -> dict[str, Any]:
    """Measure one network on every side, print a table, and give the figures."""
    network = NETWORKS[name]
    recipe = recipe_of(network, batch_tokens=batch_tokens)
    with tempfile.TemporaryDirectory() as folder:
        job = Path(folder) / "job.json"
        make_job(recipe, network, Path(folder), batches=batches, polite=polite).write(job)
        measured = in_turn(training_sides(name, job, peers), rounds=rounds, threads=threads)
    print(f"training, {name}, {corpus_name(recipe)}, median of {rounds} rounds of {batches} steps")
    print("\n".join(training_table(measured, batches)), flush=True)
    return {
        "network": name,
        "corpus": corpus_name(recipe),
        "steps": batches,
        "sides": {side: found.to_json() for side, found in measured.items()},
        "times regard": {
            side: found.times(measured["regard"]) for side, found in measured.items() if side != "regard"
        },
        "times the floor": measured["regard"].times(measured["floor"]),
    }


def machine(threads: int) -> dict[str, Any]:
    """What the figures depend on besides the code."""
    return {
        "cores": os.cpu_count(),
        "threads": threads,
        "processor": platform.machine(),
        "python": platform.python_version(),
        "load before": round(os.getloadavg()[0], 2),
    }


def options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="bench.recurrent", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--networks", nargs="*", choices=list(NETWORKS), default=NORMALLY, help="to train")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--batches", type=int, default=3, help="training steps in a round")
    parser.add_argument("--batch-tokens", type=int, default=BATCH_TOKENS, help="padding included")
    parser.add_argument("--sentences", type=int, default=200, help="to translate in a round; 0 leaves it out")
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--peers", type=Path, default=ROOT / ".bench", help="where their environments are")
    parser.add_argument("--polite", action="store_true", help="do not raise the priority of the sides")
    parser.add_argument("--out", type=Path, help="a JSON file for all figures")
    return parser.parse_args()


def main() -> None:
    asked = options()
    facts = machine(asked.threads)
    say(f"{facts['cores']} cores, {asked.threads} threads a side, load {facts['load before']} before it")
    peers = environments(asked.peers)
    shared = {"rounds": asked.rounds, "threads": asked.threads, "polite": asked.polite}
    sizes = {"batches": asked.batches, "batch_tokens": asked.batch_tokens}
    training = [compare_training(name, peers, **sizes, **shared) for name in asked.networks]
    decoding = None
    if asked.sentences:
        decoding = compare_decoding(
            peers.get("joeynmt"), asked.peers / "twin", sentences=asked.sentences, **shared
        )
    if asked.out is not None:
        figures = {"machine": facts, "rounds": asked.rounds, "training": training, "decoding": decoding}
        asked.out.write_text(json.dumps(figures, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        say(f"written to {asked.out}")


if __name__ == "__main__":
    main()
