"""regard's scores, word alignments and translations of sentence pairs, text in and lines out."""

import json
import sys
from collections.abc import Callable, Sequence

import torch
from bench.worker import Facts, serve

import regard
from regard.analysis.alignment import Aligner, AlignmentOptions, line_alignment
from regard.data.pairs import read_pairs
from regard.tasks.translation.document import translate_lines
from regard.tasks.translation.predictor import Translator
from regard.version import __version__

OPTIONS = AlignmentOptions()


def pairs_of(model: Translator) -> list[tuple[str, str]]:
    """The model's own test set."""
    data = model.recipe.data
    if data.test is None:
        raise SystemExit("the model's recipe names no test set; choose another model")
    return [(pair.source, pair.target) for pair in read_pairs(data.test, data, split="test")]


def score(model: Translator, pairs: Sequence[tuple[str, str]]) -> list[str]:
    """As `regard score` does."""
    return [f"{own.log_probability:.4f}\t{own.average:.4f}" for own in model.score(pairs)]


def align(model: Translator, pairs: Sequence[tuple[str, str]]) -> list[str]:
    """As `regard align` does."""
    placed = ((f"pair {number}", pair) for number, pair in enumerate(pairs, start=1))
    return [own.to_pharaoh() for own in Aligner(model, OPTIONS).stream(placed)]


def translate(model: Translator, pairs: Sequence[tuple[str, str]]) -> list[str]:
    """As `regard translate` does."""
    lines = ((f"line {number}", source) for number, (source, _) in enumerate(pairs, start=1))
    return [own.text for own in translate_lines(model, lines)]


def translate_aligned(model: Translator, pairs: Sequence[tuple[str, str]]) -> list[str]:
    """As `regard translate --alignment` does."""
    lines = ((f"line {number}", source) for number, (source, _) in enumerate(pairs, start=1))
    found = translate_lines(model, lines, attention="alignment")
    return [f"{own.text} ||| {line_alignment(own, OPTIONS).to_pharaoh()}" for own in found]


WORKS = {"score": score, "align": align, "translate": translate, "translate --alignment": translate_aligned}


def main() -> None:
    job = json.loads(sys.argv[1])

    def prepare() -> tuple[Facts, Callable[[], Facts]]:
        model = regard.load(job["model"])
        pairs = pairs_of(model)[: job["pairs"]]
        work = WORKS[job["work"]]
        facts = {"version": f"regard {__version__}", "torch": torch.__version__, "pairs": len(pairs)}
        return facts, lambda: {"characters": sum(map(len, work(model, pairs)))}

    serve(prepare, polite=job["polite"])


if __name__ == "__main__":
    main()
