"""Beam search with the Transformer: regard and Hugging Face's `generate` with the very same weights.

The weights are of a network that regard trains once for some minutes (`bench/twin.py`), normalised after each
part, so that Marian can have it. Ids go in and ids come out: only the search is timed. Both rank by the mean
log-probability of the tokens, </s> counted, write neither padding nor <s> nor <unk>, stop a sentence by the
same rule, and cut it off at the same length. What they wrote is scored.

Sentences are searched together in several numbers, and of each side the best is compared; then one by one.

    python -m bench.transformer_decoding FOLDER

trains the network, and measures nothing.
"""

import statistics
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from bench.decoding import figures_of, rate_line, searching, share_alike, write_sentences
from bench.job import Transformer
from bench.prepare import recipe_of
from bench.rounds import Measured, in_turn
from bench.sentences import BEAM
from bench.twin import Twin, make_twin

from regard.metrics.bleu import bleu

STEPS, BATCH_TOKENS, LEARNING_RATE, WARM_UP = 1500, 1024, 0.0007, 500
TOGETHER = {"regard": (64, 128, 256), "huggingface": (48, 96)}
"""Sentences at a time."""
ONE_BY_ONE = 60
"""Sentences whose waiting time is measured."""


def make_marian_twin(folder: Path, network: Transformer, *, polite: bool = False, steps: int = STEPS) -> Twin:
    """A network that Marian can have, in this folder."""
    post = replace(network, order="post")
    recipe = recipe_of(
        post,
        batch_tokens=BATCH_TOKENS,
        more=[
            ("training.optimizer.learning_rate", LEARNING_RATE),
            ("training.schedule", {"kind": "inverse_sqrt", "warmup_steps": WARM_UP}),
        ],
    )
    return make_twin(folder, recipe, post, steps=steps, polite=polite)


def compare_searches(twin: Twin, *, sentences: int, rounds: int, threads: int) -> dict[str, Any]:
    """Measure, print, and give the figures."""
    with tempfile.TemporaryDirectory() as scratch:
        given = Path(scratch) / "sentences.npz"
        wanted = write_sentences(given, twin, sentences)
        commands = {
            f"{name} {together}": searching(name, twin, given, together)
            for name, numbers in TOGETHER.items()
            for together in numbers
        }
        measured = in_turn(commands, rounds=rounds, threads=threads)
        few = Path(scratch) / "few.npz"
        write_sentences(few, twin, min(ONE_BY_ONE, sentences))
        alone = {name: searching(name, twin, few, 1) for name in TOGETHER}
        waiting = {number: in_turn(alone, rounds=rounds, threads=number) for number in sorted({1, threads})}
    _, target = twin.vocabularies()
    scores = {
        name: bleu([target.decode(ids).text.text for ids in side.last["outputs"]], wanted).value
        for name, side in measured.items()
    }
    best = {name: _best(name, measured) for name in TOGETHER}
    print(f"decoding, beam {BEAM}, {len(wanted)} test sentences, median of {rounds} rounds")
    for name, side in measured.items():
        chosen = "  best" if name in best.values() else ""
        print(f"  {name:<16}{rate_line(side, len(wanted))}   BLEU {scores[name]:.2f}{chosen}")
    one, other = (measured[name] for name in best.values())
    times = other.times(one)
    alike = {
        "greedy": share_alike(one.facts["greedy"], other.facts["greedy"]),
        "beam": share_alike(one.last["outputs"], other.last["outputs"]),
    }
    same = f"greedy {alike['greedy']:.0%}, beam {alike['beam']:.0%}"
    print(f"  huggingface takes {times[0]:.2f} x as long as regard; outputs that are the same: {same}")
    latency = {
        str(number): {name: _latency(side) for name, side in sides.items()}
        for number, sides in waiting.items()
    }
    for number, found in latency.items():
        for name, times_of in found.items():
            median, late = (1000 * times_of[kind] for kind in ("median", "p95"))
            print(f"  one by one, threads: {number}, {name:<12}{median:8.1f} ms, p95 {late:.1f} ms")
    return {
        "beam": BEAM,
        "sentences": len(wanted),
        "same outputs": alike,
        "sides": {name: {**figures_of(side), "bleu": scores[name]} for name, side in measured.items()},
        "best": best,
        "times regard": {"huggingface": times},
        "one by one": {"sentences": min(ONE_BY_ONE, len(wanted)), "threads": latency},
    }


def _best(name: str, measured: Mapping[str, Measured]) -> str:
    """Of the numbers of sentences that a side was tried with, the fastest."""
    return min((side for side in measured if side.startswith(name)), key=lambda side: measured[side].median)


def _latency(side: Measured) -> dict[str, float]:
    """Seconds of a sentence, over all rounds."""
    every = sorted(seconds for told in side.told for seconds in told["each"])
    return {"median": statistics.median(every), "p95": every[int(0.95 * len(every))]}


def main() -> None:
    make_marian_twin(Path(sys.argv[1]), Transformer())


if __name__ == "__main__":
    main()
