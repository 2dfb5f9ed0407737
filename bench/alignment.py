"""Word alignment of real text: eflomal, IBM model 1, and the attention of trained models.

    python -m bench.alignment [MODEL …] [--eflomal COMMAND] [--out results/bench-alignment.json]

The text is English and French: the captions of Multi30k and the 447 aligned sentences of the Canadian
Hansards (`REGARD_DATA` with multi30k/ and alignments/ in it). The aligners read the same words, in lower
case; nobody sees an alignment. MODEL is a folder of a translator from English to French, such as one that the
experiment `alignment` trains; its best head is chosen on three in ten of the aligned sentences, and all are
scored on the other seven. eflomal (Östling and Tiedemann 2016) is under the GPL: it runs as a command in an
environment of its own. Where it is not installed it is left out, and that is said.
"""

import argparse
import subprocess
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from bench.asked import machine, write_figures
from bench.rounds import ROOT, say

import regard
from regard.config.data import DataConfig
from regard.data.alignments import GoldLinks
from regard.data.pairs import Pair, pair_links, read_pairs
from regard.experiments.head_choices import BEST, MEAN, NEXT, choice_errors, head_choices
from regard.experiments.statistical_alignment import (
    BOTH,
    FORWARD,
    REVERSE,
    StatisticalAligner,
    aligner_errors,
)
from regard.metrics.alignment import AER, alignment_statistics
from regard.text.words import Links

GOLD = {
    "kind": "tsv",
    "path": "$REGARD_DATA/alignments/en-fr.tsv.gz",
    "names": {"en": "source", "fr": "target"},
}
CHOSEN, SCORED = (0.0, 0.3), (0.3, 1.0)


def english_french(corpus: object) -> list[Pair]:
    """The pairs of a corpus, with their gold alignments if it has some."""
    data = DataConfig.model_validate({"source": "en", "target": "fr", "train": corpus})
    return list(read_pairs(data.train, data, split="train"))


def parse_links(lines: Sequence[str]) -> list[Links]:
    """Pharaoh lines as links."""
    pairs = ([link.split("-") for link in line.split()] for line in lines)
    return [frozenset((int(source), int(target)) for source, target in own) for own in pairs]


def run_eflomal(
    command: Path, texts: Sequence[tuple[list[str], list[str]]], seconds: dict[str, float]
) -> dict[str, list[Links]]:
    """The links of every pair of texts, as words: from each direction, and those that both have."""
    with tempfile.TemporaryDirectory() as scratch:
        place = Path(scratch)
        for side, name in enumerate(("source", "target")):
            lines = "".join(" ".join(own[side]) + "\n" for own in texts)
            (place / name).write_text(lines, encoding="utf-8")
        begun = time.monotonic()
        options = ["-s", "source", "-t", "target", "-f", "forward", "-r", "reverse", "--overwrite"]
        path = {"PATH": f"{command.parent.resolve()}:/usr/bin:/bin"}
        subprocess.run([str(command.resolve()), *options], cwd=place, check=True, env=path)
        seconds["eflomal"] = time.monotonic() - begun
        forward, reverse = (
            parse_links((place / name).read_text(encoding="utf-8").splitlines())
            for name in ("forward", "reverse")
        )
    both = [one & other for one, other in zip(forward, reverse, strict=True)]
    return {FORWARD: forward, REVERSE: reverse, BOTH: both}


def error(found: Sequence[Links], gold: Sequence[GoldLinks | None]) -> float:
    """The alignment error rate."""
    return alignment_statistics(
        [
            None if own is None else (links, own.sure, own.possible)
            for links, own in zip(found, gold, strict=True)
        ]
    )[AER].value()


def main() -> None:
    """Align, score, print, and write the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("models", nargs="*", type=Path, metavar="MODEL")
    parser.add_argument("--eflomal", type=Path, default=ROOT / ".bench/eflomal/bin/eflomal-align")
    parser.add_argument("--out", type=Path, help="a JSON file for all figures")
    asked = parser.parse_args()
    captions = english_french({"kind": "tsv", "path": "$REGARD_DATA/multi30k/train.tsv.gz"})
    chosen, scored = (english_french({**GOLD, "part": part}) for part in (CHOSEN, SCORED))
    texts, gold = [*scored, *chosen, *captions], pair_links(scored)
    seconds: dict[str, float] = {}
    begun = time.monotonic()
    aligner = StatisticalAligner(texts)
    seconds["IBM model 1"] = time.monotonic() - begun
    found = aligner_errors(aligner, scored)
    errors = {f"IBM model 1, {name}": own.value() for name, own in found.items()}
    if asked.eflomal.exists():
        words = [aligner.words(pair) for pair in texts]
        links = run_eflomal(asked.eflomal, words, seconds)
        errors |= {f"eflomal, {name}": error(own[: len(scored)], gold) for name, own in links.items()}
    else:
        say(f"eflomal is left out: {asked.eflomal} is not there; make .bench/eflomal/.installed")
    for folder in asked.models:
        translator = regard.load(folder)
        choices = head_choices(translator, chosen)
        read = choice_errors(translator, scored, choices)
        names = {BEST: str(choices[BEST]), MEAN: "mean of all heads", NEXT: "the mean, a step later"}
        for choice, name in names.items():
            errors[f"{folder.name}: {name}"] = read[choice].value()
    for name, value in errors.items():
        print(f"{name:40} AER {value:.3f}")
    figures = {"sentences": len(scored), "texts": len(texts), "aer": errors, "seconds": seconds}
    write_figures(asked.out, {"machine": machine(1), **figures})


if __name__ == "__main__":
    main()
