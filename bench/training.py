"""Training of one network: every side takes the same steps, in turn."""

import sys
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from bench.job import Network, Transformer
from bench.prepare import corpus_name, make_job, recipe_of
from bench.rounds import Measured, in_turn, say


def environments(folder: Path, names: Iterable[str]) -> dict[str, str]:
    """The interpreter of each of these peers that is installed."""
    found = {}
    for name in names:
        python = folder / name / "bin" / "python"
        if python.is_file():
            found[name] = str(python.absolute())
        else:
            say(f"{name} is left out: there is no {python}; `make bench-peers` installs it")
    return found


def training_sides(job: Path, own: Mapping[str, str], peers: Mapping[str, str]) -> dict[str, list[str]]:
    """The command of each side.

    own:   modules that run in this environment, by the name of the side; after the module may stand what it
           is told
    peers: interpreters, by the name of the peer
    """
    commands = {}
    for name, started in own.items():
        module, *told = started.split()
        commands[name] = [sys.executable, "-m", module, str(job), *told]
    theirs = {
        name: [python, "-m", f"bench.peers.{name}_training", str(job)] for name, python in peers.items()
    }
    return commands | theirs


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
        memory = f"{side.last['memory'] / 1e6:8,.0f} MB"
        parameters = f"{side.facts['parameters']:12,} parameters" if "parameters" in side.facts else ""
        loss = f"   loss {side.last['loss']:.2f}" if "loss" in side.last else ""
        lines.append(f"  {name:<12}{step}{rate}{ratios}{memory}{parameters}{loss}")
    return lines


def compare_training(
    name: str,
    network: Network | Transformer,
    own: Mapping[str, str],
    peers: Mapping[str, str],
    *,
    rounds: int,
    batches: int,
    batch_tokens: int,
    threads: int,
    polite: bool,
) -> dict[str, Any]:
    """Measure one network on every side, print a table, and give the figures."""
    recipe = recipe_of(network, batch_tokens=batch_tokens)
    with tempfile.TemporaryDirectory() as folder:
        job = Path(folder) / "job.json"
        make_job(recipe, network, Path(folder), batches=batches, polite=polite).write(job)
        measured = in_turn(training_sides(job, own, peers), rounds=rounds, threads=threads)
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
