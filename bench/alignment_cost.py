"""What word alignment costs: beside the scores of the same pairs, and beside translation without it.

    python -m bench.alignment_cost MODEL [--pairs 1000] [--rounds 5]

MODEL is a folder that `regard train` made; the pairs are the test set of its recipe. Text goes in and lines
come out. To align is at least 0.7 times as fast as to score; translation with links takes at most 1.3 times
as long as without.
"""

import argparse
import json
import os
import sys
from pathlib import Path

from bench.asked import machine, write_figures
from bench.rounds import Measured, in_turn, say

PAIRS = (("align", "score"), ("translate --alignment", "translate"))


def main() -> None:
    """Measure the four commands in turn, print their times and ratios, and write the figures."""
    parser = argparse.ArgumentParser(
        prog="bench.alignment_cost", description=(__doc__ or "").partition("\n")[0]
    )
    parser.add_argument("model", type=Path)
    parser.add_argument("--pairs", type=int, default=1000, help="only the first so many")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--polite", action="store_true", help="do not raise the priority of the sides")
    parser.add_argument("--out", type=Path, help="a JSON file for all figures")
    asked = parser.parse_args()
    facts = machine(asked.threads)
    say(f"{asked.model}: {asked.threads} threads a side, load {facts['load before']} before the start")
    job = {"model": str(asked.model.absolute()), "pairs": asked.pairs, "polite": asked.polite}
    works = [name for pair in PAIRS for name in pair]
    commands = {
        name: [sys.executable, "-m", "bench.sides.aligning", json.dumps({**job, "work": name})]
        for name in works
    }
    measured = in_turn(commands, rounds=asked.rounds, threads=asked.threads)
    count = measured["score"].facts["pairs"]
    print(f"{count:,} pairs, median of {asked.rounds} rounds")
    for name, side in measured.items():
        print(f"  {name:<22} {_seconds(side)} {count / side.median:9.1f} pairs/s")
    times = {f"{own} / {other}": measured[own].times(measured[other]) for own, other in PAIRS}
    for name, (median, low, high) in times.items():
        print(f"  {name}: {median:.2f} times as long ({low:.2f} to {high:.2f})")
    sides = {name: side.to_json() for name, side in measured.items()}
    write_figures(asked.out, {"machine": facts, "rounds": asked.rounds, "sides": sides, "times": times})


def _seconds(side: Measured) -> str:
    return f"{side.median:7.2f} s ({min(side.seconds):.2f}-{max(side.seconds):.2f})"


if __name__ == "__main__":
    main()
