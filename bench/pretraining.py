"""Pre-training of BERT: regard against Hugging Face's BertForMaskedLM, same sizes and same batches.

    python -m bench.pretraining [--rounds 5] [--batches 4] [--text FILE] [--out FIGURES.json]

Both have the sizes of `bert-mini` (4 layers of width 256, 4 heads, 1,024 inside), dropout 0.1 also of
attention weights, AdamW, gradients clipped to norm 1; both begin with the same weights, and read the same
tokens with the same ones hidden. Both sides work in float32.

What differs:
- regard draws what is hidden and pads the batch within the timed step; the peer finds its batches ready.
- regard compares hidden words alone with the vocabulary; the peer scores every place, as its model does.
- Dropout: regard draws eight values at a time, the peer one; so losses are alike, not equal.
"""

import argparse
import json
import sys
import tempfile
from pathlib import Path
from typing import Any

from bench.asked import begin, shared_options, write_figures
from bench.rounds import Measured, in_turn

from regard.config.load import load_recipe

SIDES = ("regard", "huggingface")
_SMALLEST = [
    "model={kind: bert, width: 16, heads: 2, feed_forward: 32, layers: 1, places: 128, pooler: false}"
]


def options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="bench.pretraining", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--batches", type=int, default=4, help="training steps in a round")
    parser.add_argument("--text", help="plain text, a sentence a line; by default the built-in world")
    parser.add_argument("--smoke", action="store_true", help="a tiny network, to see that both sides run")
    shared_options(parser)
    return parser.parse_args()


def recipe_of(text: str | None, batch_tokens: int, *, smoke: bool) -> dict[str, Any]:
    """bert-mini on a text, or on the Korean of the built-in world, packed."""
    world = "{kind: builtin, world: ko-en, rows: 5000}"
    corpus = [f"data.train={text}"] if text else ["data.text=ko", f"data.train={world}"]
    dev = [f"data.dev={text}"] if text else ["data.dev={kind: builtin, world: ko-en, rows: 20}"]
    sizes = ["text.vocabulary_size=8000", f"training.batch_tokens={batch_tokens}"]
    settings = [*corpus, *dev, *sizes, *(_SMALLEST if smoke else [])]
    return load_recipe("bert-mini", settings).model_dump(mode="json")


def table(measured: dict[str, Measured], batches: int) -> list[str]:
    """One line a side."""
    lines = []
    for name, side in measured.items():
        low, high = (bound(side.seconds) / batches for bound in (min, max))
        ratio = side.times(measured["regard"])
        lines.append(
            f"  {name:<12}{side.median / batches:6.3f} s a step ({low:.3f}-{high:.3f})"
            f"{side.facts['tokens'] / side.median:9,.0f} tokens/s{ratio[0]:7.2f} x regard"
            f"{side.last['memory'] / 1e6:8,.0f} MB{side.facts['parameters']:12,} parameters"
            f"   loss {side.last['loss']:.2f}"
        )
    return lines


def main() -> None:
    asked = options()
    facts, _ = begin(asked)
    recipe = recipe_of(asked.text, asked.batch_tokens, smoke=asked.smoke)
    job = {"recipe": recipe, "batches": asked.batches, "polite": asked.polite}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "job.json"
        path.write_text(json.dumps(job), encoding="utf-8")
        commands = {
            side: [sys.executable, "-m", "bench.sides.pretraining", str(path), side] for side in SIDES
        }
        measured = in_turn(commands, rounds=asked.rounds, threads=asked.threads)
    corpus = asked.text or "the built-in world"
    print(f"pre-training, bert-mini, {corpus}, median of {asked.rounds} rounds of {asked.batches} steps")
    print("\n".join(table(measured, asked.batches)), flush=True)
    figures = {
        "machine": facts,
        "rounds": asked.rounds,
        "corpus": corpus,
        "steps": asked.batches,
        "sides": {side: found.to_json() for side, found in measured.items()},
        "times regard": measured["huggingface"].times(measured["regard"]),
    }
    write_figures(asked.out, figures)


if __name__ == "__main__":
    main()
