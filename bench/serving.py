"""Serving: `regard serve` beside the same model called from Python, and beside a plain handler around it.

    python -m bench.serving MODEL [--clients 1 8 64] [--rounds 5] [--out results/bench-serving.json]

MODEL is a translator, whose sentences are those of its own test set; or a folder of sentence-transformers,
whose sentences are the English ones of Multi30k (`REGARD_DATA`) or of the built-in world. Every client has
one connection and sends one sentence a request, the next when it has the answer to the last; all clients are
in one process, which shares the cores with the server.

    direct:  no server: with one client each sentence alone, with more all of them as one batch
    regard:  `regard serve`
    plain:   FastAPI around the same Python call, in its thread pool, without batching
    sentence-transformers: the same around `SentenceTransformer.encode` (embeddings only)

What they give is compared: the same texts, or vectors within 1e-5.
"""

import argparse
import importlib.util
import json
import os
import sys
import tempfile
from pathlib import Path
from typing import Any

from bench.asked import machine, write_figures
from bench.prepare import english_sentences
from bench.rounds import Measured, in_turn, say
from bench.sides.aligning import pairs_of

CLIENTS = (1, 8, 64)
NEAR = 1e-5
EMBEDDING_FILES = ("modules.json",)


def asked_of(model: Path, count: int) -> tuple[dict[str, Any], str, list[str]]:
    """What is asked of the model, the corpus, and its sentences."""
    if any((model / name).exists() for name in EMBEDDING_FILES):
        corpus, texts = english_sentences(count)
        return {"task": "embed"}, corpus, texts
    import regard

    translator = regard.load(model, task="translation")
    data = translator.recipe.data
    texts = [source for source, _ in pairs_of(translator)[:count]]
    wanted = {"task": "translate", "source": data.source, "target": data.target}
    return wanted, "the test set of the model", texts


def differing(sides: dict[str, Measured], answers: dict[str, Any]) -> dict[str, int]:
    """How many answers of each side differ from the direct ones."""
    wanted = answers["direct"]
    return {
        name: sum(not _alike(one, other) for one, other in zip(answers[name], wanted, strict=True))
        for name in sides
    }


def _alike(one: str | list[float], other: Any) -> bool:
    if isinstance(one, str):
        return bool(one == other)
    return bool(max(abs(a - b) for a, b in zip(one, other, strict=True)) <= NEAR)


def compare(model: Path, asked: argparse.Namespace) -> dict[str, Any]:
    """Measure with each number of clients, print, and give the figures."""
    wanted, corpus, texts = asked_of(model, asked.sentences)
    sides = ["direct", "regard", "plain"]
    if wanted["task"] == "embed" and importlib.util.find_spec("sentence_transformers"):
        sides.append("sentence-transformers")
    figures: dict[str, Any] = {**wanted, "corpus": corpus, "sentences": len(texts), "clients": {}}
    with tempfile.TemporaryDirectory() as scratch:
        given = Path(scratch) / "texts.json"
        given.write_text(json.dumps(texts), encoding="utf-8")
        for clients in asked.clients:
            job = {**wanted, "model": str(model), "texts": str(given), "clients": clients}
            job |= {"threads": asked.threads, "polite": asked.polite}
            commands = {}
            for side in sides:
                own = {**job, "side": side, "answers": f"{scratch}/{side}.json"}
                commands[side] = [sys.executable, "-m", "bench.sides.serving", json.dumps(own)]
            measured = in_turn(commands, rounds=asked.rounds, threads=asked.threads)
            answers = {
                side: json.loads(Path(f"{scratch}/{side}.json").read_text(encoding="utf-8")) for side in sides
            }
            figures["clients"][str(clients)] = _told(
                measured, differing(measured, answers), clients, len(texts)
            )
    return figures


def _told(measured: dict[str, Measured], differ: dict[str, int], clients: int, count: int) -> dict[str, Any]:
    print(f"{clients} clients, {count} sentences, median of the rounds")
    found: dict[str, Any] = {}
    for name, side in measured.items():
        throughput, low, high = measured["direct"].times(side)
        p50, p99 = (
            sorted(told[which] for told in side.told)[len(side.told) // 2] for which in ("p50", "p99")
        )
        print(
            f"  {name:<24}{count / side.median:8.1f} sentences/s  {throughput:.2f} x direct "
            f"({low:.2f}-{high:.2f})   p50 {1000 * p50:7.1f} ms   p99 {1000 * p99:7.1f} ms"
            f"   {differ[name]} differ"
        )
        found[name] = {
            **side.to_json(),
            "throughput / direct": (throughput, low, high),
            "p50": p50,
            "p99": p99,
            "differ": differ[name],
        }
    return found


def main() -> None:
    parser = argparse.ArgumentParser(prog="bench.serving", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("model", type=Path)
    parser.add_argument("--clients", type=int, nargs="+", default=CLIENTS)
    parser.add_argument("--sentences", type=int, default=400)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--polite", action="store_true", help="do not raise the priority of the sides")
    parser.add_argument("--out", type=Path, help="a JSON file for all figures")
    asked = parser.parse_args()
    facts = machine(asked.threads)
    say(f"{asked.model}: {asked.threads} threads a side, load {facts['load before']} before the start")
    figures = compare(asked.model.absolute(), asked)
    write_figures(asked.out, {"machine": facts, "rounds": asked.rounds, **figures})


if __name__ == "__main__":
    main()
