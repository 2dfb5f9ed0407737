"""Beam search: regard and JoeyNMT with the very same weights, on the same sentences.

The weights are of a model of regard that was trained for a few minutes (`bench/joeynmt_twin.py`), loaded into
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
from bench.joeynmt_twin import joeynmt_weights, make_joeynmt_twin
from bench.rounds import Measured, in_turn, say
from bench.sentences import BEAM
from bench.twin import Twin

TOGETHER = 64
"""Sentences that regard searches together; about what `decoding.batch_tokens` makes of captions."""


def compare_decoding(
    joeynmt: str | None, folder: Path, *, sentences: int, rounds: int, threads: int, polite: bool
) -> dict[str, Any] | None:
    """Measure, print, and give the figures; nothing without JoeyNMT's interpreter."""
    if joeynmt is None:
        say("decoding is left out: it is compared with JoeyNMT")
        return None
    twin = make_joeynmt_twin(folder, polite=polite)
    with tempfile.TemporaryDirectory() as scratch:
        given = Path(scratch) / "sentences.npz"
        write_sentences(given, twin, sentences)
        what = [str(twin.job), str(given)]
        theirs = [joeynmt, "-m", "bench.peers.joeynmt_decoding", *what, str(joeynmt_weights(folder))]
        commands = {"regard": searching("regard", twin, given, TOGETHER), "joeynmt": theirs}
        measured = in_turn(commands, rounds=rounds, threads=threads)
    greedy = share_alike(*(side.facts.pop("greedy") for side in measured.values()))
    beam = share_alike(*(side.last["outputs"] for side in measured.values()))
    print(f"decoding, additive, beam {BEAM}, {sentences} test sentences, median of {rounds} rounds")
    for name, side in measured.items():
        print(f"  {name:<12}{rate_line(side, sentences)}{side.times(measured['regard'])[0]:7.2f} x regard")
    print(f"  outputs that are the same: greedy {greedy:.0%}, beam {beam:.0%}", flush=True)
    return {
        "beam": BEAM,
        "sentences": sentences,
        "same outputs": {"greedy": greedy, "beam": beam},
        "sides": {name: figures_of(side) for name, side in measured.items()},
        "times regard": {"joeynmt": measured["joeynmt"].times(measured["regard"])},
    }


def searching(name: str, twin: Twin, sentences: Path, together: int) -> list[str]:
    """The command of a side that runs in this environment and reads regard's weights."""
    module = f"bench.sides.{name}_decoding"
    return [sys.executable, "-m", module, str(twin.job), str(sentences), str(twin.weights), str(together)]


def write_sentences(path: Path, twin: Twin, number: int) -> list[str]:
    """The first test sentences in ids, each with its </s>, longest first; shorter ones are padded.

    returns: what they should become, in that order
    """
    from regard.data.batching import SYMBOLS, pad_sources

    source, _ = twin.vocabularies()
    pairs = twin.test_pairs()[:number]
    encoded = source.encode_ids([pair.source for pair in pairs])
    order = sorted(range(len(pairs)), key=lambda place: -len(encoded[place]))
    ids, lengths = pad_sources([encoded[place] for place in order], SYMBOLS)
    np.savez(path, ids=ids.numpy(), lengths=lengths.numpy())
    return [pairs[place].target for place in order]


def share_alike(one: list[list[int]], other: list[list[int]]) -> float:
    """How many outputs are the same."""
    return sum(a == b for a, b in zip(one, other, strict=True)) / len(one)


def figures_of(side: Measured) -> dict[str, Any]:
    """What a result file keeps of a search: not what was written."""
    return {
        name: value for name, value in side.to_json().items() if name not in ("outputs", "each", "greedy")
    }


def rate_line(side: Measured, sentences: int) -> str:
    """Sentences and tokens a second."""
    low, high = (sentences / bound(side.seconds) for bound in (max, min))
    rate = f"{sentences / side.median:7.1f} sentences/s ({low:.1f}-{high:.1f})"
    return f"{rate}{side.last['tokens'] / side.median:8,.0f} tokens/s"
