"""regard's translation of sentences, with or without their attention."""

import json
import sys
from collections.abc import Callable
from pathlib import Path

import torch
from bench.worker import Facts, serve

import regard
from regard.data.pairs import read_pairs
from regard.tasks.translation.predictor import Translator
from regard.version import __version__


def sentences_of(model: Translator, path: str | None) -> list[str]:
    """The lines of a file; without one, the source side of the model's own test set."""
    if path is not None:
        return Path(path).read_text(encoding="utf-8").splitlines()
    data = model.recipe.data
    if data.test is None:
        raise SystemExit("the model's recipe names no test set; give a file of source sentences")
    return [pair.source for pair in read_pairs(data.test, data, split="test")]


def main() -> None:
    job = json.loads(sys.argv[1])

    def prepare() -> tuple[Facts, Callable[[], Facts]]:
        model = regard.load(job["model"])
        sources = sentences_of(model, job["source"])[: job["sentences"]]

        def work() -> Facts:
            found = model.translate(sources, attention=job["attention"])
            return {"characters": sum(len(translation.text) for translation in found)}

        facts = {
            "version": f"regard {__version__}",
            "torch": torch.__version__,
            "sentences": len(sources),
            "beam": model.recipe.decoding.beam_size,
        }
        return facts, work

    serve(prepare, polite=job["polite"])


if __name__ == "__main__":
    main()
