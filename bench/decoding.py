"""Beam search: regard and JoeyNMT with the very same weights, on the same sentences.

The weights are of a model of regard that was trained for a few minutes (`bench/twin.py`), loaded into
JoeyNMT's network; that greedy search writes the same in both is checked first. Ids go in and ids come out:
only the search is timed, in batches of a size that suits each side. Both rank by Wu et al.'s length penalty
with exponent 1, write neither <unk> nor an empty sentence, and stop at the same length; when a sentence is
done, each decides for itself.
"""

import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from bench.rounds import Measured, in_turn, say
from bench.sentences import BEAM
from bench.twin import Twin, make_twin


def compare_decoding(
    joeynmt: str | None, folder: Path, *, sentences: int, rounds: int, threads: int, polite: bool
) -> dict[str, Any] | None:
    """Measure, print, and give the figures; nothing without JoeyNMT's interpreter."""
    if joeynmt is None:
        say("decoding is left out: it is compared with JoeyNMT")
        return None
    twin = make_twin(folder, polite=polite)
    with tempfile.TemporaryDirectory() as scratch:
        given = Path(scratch) / "sentences.npz"
        write_sentences(given, twin, sentences)
        what = [str(twin.job), str(given)]
        commands = {
            "regard": [sys.executable, "-m", "bench.sides.regard_decoding", *what, str(twin.regard)],
            "joeynmt": [joeynmt, "-m", "bench.peers.joeynmt_decoding", *what, str(twin.joeynmt)],
        }
        measured = in_turn(commands, rounds=rounds, threads=threads)
    greedy = _alike(*(side.facts.pop("greedy") for side in measured.values()))
    beam = _alike(*(side.last.pop("outputs") for side in measured.values()))
    print(f"decoding, additive, beam {BEAM}, {sentences} test sentences, median of {rounds} rounds")
    for name, side in measured.items():
        print(f"  {name:<12}{_line(side, sentences)}{side.times(measured['regard'])[0]:7.2f} x regard")
    print(f"  outputs that are the same: greedy {greedy:.0%}, beam {beam:.0%}", flush=True)
    return {
        "beam": BEAM,
        "sentences": sentences,
        "same outputs": {"greedy": greedy, "beam": beam},
        "sides": {name: side.to_json() for name, side in measured.items()},
        "times regard": {"joeynmt": measured["joeynmt"].times(measured["regard"])},
    }


def write_sentences(path: Path, twin: Twin, number: int) -> None:
    """The first test sentences in ids, each with its </s>, longest first; shorter ones are padded."""
    from regard.data.batching import pad_sources
    from regard.tasks.translation import SYMBOLS

    chosen = sorted(twin.test_sources()[:number], key=len, reverse=True)
    ids, lengths = pad_sources(chosen, SYMBOLS)
    np.savez(path, ids=ids.numpy(), lengths=lengths.numpy())


def _alike(one: list[list[int]], other: list[list[int]]) -> float:
    return sum(a == b for a, b in zip(one, other, strict=True)) / len(one)


def _line(side: Measured, sentences: int) -> str:
    low, high = (sentences / bound(side.seconds) for bound in (max, min))
    rate = f"{sentences / side.median:7.1f} sentences/s ({low:.1f}-{high:.1f})"
    return f"{rate}{side.last['tokens'] / side.median:8,.0f} tokens/s"
