"""How long a user waits before anything happens, and how long for the first answer of a stored model.

    python bench/startup.py [MODEL]

Ten rounds, each case once a round, so that a busy moment of the machine meets all of them. A sentence through
`regard translate` is told as a multiple of `import torch`. Without a MODEL, a tiny one is trained first.
"""

import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROUNDS = 10
SENTENCE = "나는 어제 학교에서 책을 읽었다.\n"
TORCH, TRANSLATE = "import torch", "regard translate"
TINY = ("data.train.rows=240", "data.dev.rows=16", "training.epochs=1", "text.vocabulary_size=400")


def main() -> None:
    """Measure every case, and print the table."""
    with tempfile.TemporaryDirectory() as folder:
        model = Path(sys.argv[1]) if len(sys.argv) > 1 else tiny_model(Path(folder) / "run")
        cases = {
            "python -c pass": ["-c", "pass"],
            "import regard": ["-c", "import regard"],
            "regard --help": ["-m", "regard", "--help"],
            TORCH: ["-c", "import torch"],
            TRANSLATE: ["-m", "regard", "translate", str(model)],
        }
        rounds = [{name: seconds(arguments) for name, arguments in cases.items()} for _ in range(ROUNDS)]
    print(f"{'':<18}{'median':>9}{'least':>9}{'CPU':>9}   of {ROUNDS} rounds, in ms")
    for name in cases:
        waited, computed = zip(*(each[name] for each in rounds), strict=True)
        figures = (statistics.median(waited), min(waited), statistics.median(computed))
        print(f"{name:<18}" + "".join(f"{figure * 1000:9.0f}" for figure in figures))
    for what, column in (("time", 0), ("CPU time", 1)):
        ratios = [each[TRANSLATE][column] / each[TORCH][column] for each in rounds]
        print(f"{TRANSLATE} takes {statistics.median(ratios):.2f} x the {what} of {TORCH}")


def tiny_model(run: Path) -> Path:
    """The demo, trained on a handful of sentences: what it says does not matter here."""
    settings = [word for setting in TINY for word in ("--set", setting)]
    command = ["-m", "regard", "train", "demo", "--out", str(run), "--quiet", *settings]
    environment = {**os.environ, "REGARD_CACHE": str(run.parent / "cache")}
    subprocess.run([sys.executable, *command], check=True, capture_output=True, env=environment)
    return run


def seconds(arguments: list[str]) -> tuple[float, float]:
    """What a run of Python takes by the clock, and of the processor."""
    begun, used = time.perf_counter(), _computed()
    subprocess.run([sys.executable, *arguments], check=True, capture_output=True, input=SENTENCE.encode())
    return time.perf_counter() - begun, _computed() - used


def _computed() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


if __name__ == "__main__":
    main()
