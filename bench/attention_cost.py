"""What looking costs: sentences translated with the attention of every one of them, and without.

    python -m bench.attention_cost MODEL [SOURCE] [--rounds 5]

MODEL is a folder that `regard train` made; SOURCE a file with one sentence a line, by default the test set of
the model's recipe. Text goes in and results come out, in full precision, with the search of the recipe.
"""

import argparse
import json
import os
import sys
from pathlib import Path

from bench.rounds import in_turn, say


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="bench.attention_cost", description=(__doc__ or "").partition("\n")[0]
    )
    parser.add_argument("model", type=Path)
    parser.add_argument("source", type=Path, nargs="?")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--sentences", type=int, help="only the first so many")
    parser.add_argument("--polite", action="store_true", help="do not raise the priority of the sides")
    parser.add_argument("--out", type=Path, help="a JSON file for all figures")
    asked = parser.parse_args()
    job = {
        "model": str(asked.model.absolute()),
        "source": str(asked.source.absolute()) if asked.source else None,
        "sentences": asked.sentences,
        "polite": asked.polite,
    }
    commands = {
        name: [sys.executable, "-m", "bench.sides.translating", json.dumps({**job, "attention": attention})]
        for name, attention in (("without", False), ("with attention", True))
    }
    say(f"{asked.model}: {asked.threads} threads a side, load {os.getloadavg()[0]:.2f} before the start")
    measured = in_turn(commands, rounds=asked.rounds, threads=asked.threads)
    facts = measured["without"].facts
    print(
        f"translating {facts['sentences']:,} sentences, beam {facts['beam']}, median of {asked.rounds} rounds"
    )
    for name, side in measured.items():
        rate = facts["sentences"] / side.median
        print(f"  {name:<16}{side.median:7.2f} s ({min(side.seconds):.2f}-{max(side.seconds):.2f})", end="")
        print(f"{rate:8.1f} sentences/s")
    median, low, high = measured["with attention"].times(measured["without"])
    print(f"  attention costs {median - 1:+.1%} ({low - 1:+.1%} to {high - 1:+.1%})")
    if asked.out is not None:
        sides = {name: side.to_json() for name, side in measured.items()}
        figures = {
            "rounds": asked.rounds,
            "threads": asked.threads,
            "sides": sides,
            "times": [median, low, high],
        }
        asked.out.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
