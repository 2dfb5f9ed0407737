"""Training of models that read sentences, against the time of their matrix products alone.

    python -m bench.sentence [--networks self-attentive tagger …] [--rounds 5] [--out FIGURES.json]

The floor does the very products of the steps of regard (`bench/recorded.py`), padding included, and nothing
else: no dropout, no softmax, no cells, no CRF, no Adam. There is no peer that trains these models.

What is not a product grows with the width of an LSTM, products with its square: so the same networks are
measured 128 and 256 wide. With 128, torch's kernel for LSTMs, 80 % of a step, takes 1.3 times its products.
"""

import argparse
import json
import os
import sys
import tempfile
from pathlib import Path
from typing import Any

from bench.asked import begin, shared_options, write_figures
from bench.rounds import in_turn
from bench.training import training_table

from regard.config.load import load_recipe

NSMC, KO_GSD, RAW = "nsmc/train.tsv.gz", "pos/ko_gsd/train.conllu.gz", "raw/ko.tsv.gz"
_FEW = "{kind: %s, path: %s, part: [0, 0.01]}"
VOCABULARY = "text.vocabulary_size=12000"
BILSTM = ["model.embedding_size=128", "model.encoder.hidden_size=128", VOCABULARY]
WIDE = ["model.embedding_size=256", "model.encoder.hidden_size=256", VOCABULARY]
TAGGER = ["model.embedding_size=128", "model.encoder.hidden_size=200"]
WRITER = ["model.embedding_size=256", "model.hidden_size=256", "text.vocabulary_size=8000"]
NETWORKS: dict[str, tuple[str, str, list[str]]] = {
    "self-attentive": ("self-attentive", NSMC, [*BILSTM, "model.pooling.hops=5"]),
    "bilstm-max": ("bilstm-max", NSMC, BILSTM),
    "self-attentive, 256": ("self-attentive", NSMC, [*WIDE, "model.pooling.hops=5"]),
    "bilstm-max, 256": ("bilstm-max", NSMC, WIDE),
    "tagger": ("tagger", KO_GSD, TAGGER),
    "lm-lstm": ("lm-lstm", RAW, [*WRITER, "data.text=text"]),
    "lm-lstmn": ("lm-lstmn", RAW, [*WRITER, "data.text=text"]),
}
"""The recipe, its corpus in the data folder, and its settings; without a data folder, the built-in world."""


def recipe_of(network: str, batch_tokens: int) -> dict[str, Any]:
    """What is trained."""
    name, corpus, settings = NETWORKS[network]
    folder = os.environ.get("REGARD_DATA")
    if folder is None:
        settings = [setting for setting in settings if not setting.startswith("data.")]
    else:
        path = f"{folder}/{corpus}"
        few = _FEW % (corpus.split(".")[1], path)
        settings = [*settings, f"data.train={path}", f"data.dev={few}"]
    recipe = load_recipe(name, [*settings, f"training.batch_tokens={batch_tokens}"])
    return recipe.model_dump(mode="json")


def compare(network: str, asked: argparse.Namespace) -> dict[str, Any]:
    """Measure one network, print a table, and give the figures."""
    recipe = recipe_of(network, asked.batch_tokens)
    job = {"recipe": recipe, "batches": asked.batches, "polite": asked.polite}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "job.json"
        path.write_text(json.dumps(job), encoding="utf-8")
        commands = {
            side: [sys.executable, "-m", "bench.sides.sentence", str(path), side]
            for side in ("floor", "regard")
        }
        measured = in_turn(commands, rounds=asked.rounds, threads=asked.threads)
    corpus = NETWORKS[network][1] if "REGARD_DATA" in os.environ else "the built-in world"
    print(f"training, {network}, {corpus}, median of {asked.rounds} rounds of {asked.batches} steps")
    print("\n".join(training_table(measured, asked.batches)), flush=True)
    return {
        "network": network,
        "corpus": corpus,
        "steps": asked.batches,
        "sides": {side: found.to_json() for side, found in measured.items()},
        "times the floor": measured["regard"].times(measured["floor"]),
    }


def options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="bench.sentence", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--networks", nargs="*", choices=list(NETWORKS), default=list(NETWORKS))
    parser.add_argument("--batches", type=int, default=4, help="training steps in a round")
    shared_options(parser)
    parser.set_defaults(batch_tokens=2048)
    return parser.parse_args()


def main() -> None:
    asked = options()
    facts, _ = begin(asked)
    training = [compare(network, asked) for network in asked.networks]
    figures = {"machine": facts, "rounds": asked.rounds, "training": training, "decoding": None}
    write_figures(asked.out, figures)


if __name__ == "__main__":
    main()
