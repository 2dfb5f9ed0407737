"""The doctor on a large parallel corpus: seconds, and how much memory a line takes.

Rows are those of real sentence pairs (`$REGARD_DATA/koen`; without it, of the built-in world), repeated with
one word of each side exchanged, and a fault in every hundredth. Memory is the growth of anonymous memory
(RssAnon, of all processes that the doctor starts) from a tenth of the rows to all of them, per row; time is
the best of 3 runs of the real command.

    python bench/doctor.py [ROWS]
"""

import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from regard.config.load import corpus_from_short_form
from regard.data.readers import open_rows
from regard.data.rows import Row

ROWS = 1_000_000
FAULTS = ("\u200b", "&amp;", "\x07", "Ａ", "\xa0", "ㅋㅋ", "\ufffd", "가".encode().decode("latin-1"))
EVERY = 100


def originals() -> list[tuple[str, str]]:
    data = os.environ.get("REGARD_DATA")
    corpus = corpus_from_short_form(f"{data}/koen/train.tsv.gz" if data else "builtin:ko-en:train")
    rows = open_rows(corpus)
    ko, en = rows.columns.index("ko"), rows.columns.index("en")
    return [(str(row.cells[ko]), str(row.cells[en])) for row in rows if isinstance(row, Row)]


def write_corpus(path: Path, rows: int, pairs: list[tuple[str, str]]) -> None:
    dice = random.Random(1)
    words = [[word for text in side for word in text.split()] for side in zip(*pairs, strict=True)]
    with path.open("w", encoding="utf-8") as file:
        file.write("ko\ten\n")
        for number in range(rows):
            varied = [_vary(text, words[side], dice) for side, text in enumerate(pairs[number % len(pairs)])]
            if number % EVERY == 0:
                varied[number // EVERY % 2] += FAULTS[number // EVERY % len(FAULTS)]
            file.write("\t".join(varied) + "\n")


def _vary(text: str, words: list[str], dice: random.Random) -> str:
    own = text.split()
    own[dice.randrange(len(own))] = dice.choice(words)
    return " ".join(own)


def run(path: Path) -> tuple[float, int]:
    """Seconds, and the highest anonymous memory of the command and what it started, in bytes."""
    command = [sys.executable, "-m", "regard", "doctor", str(path), "--json", "--quiet"]
    begun = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    highest = 0
    while process.poll() is None:
        highest = max(highest, sum(map(_anonymous, _family(process.pid))))
        time.sleep(0.02)
    if process.returncode:
        raise SystemExit(f"{' '.join(command)}: exit code {process.returncode}")
    return time.perf_counter() - begun, highest


def _family(process: int) -> list[int]:
    try:
        children = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    except OSError:
        return [process]
    return [process, *(member for child in children for member in _family(int(child)))]


def _anonymous(process: int) -> int:
    try:
        lines = Path(f"/proc/{process}/status").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) * 1024 for line in lines if line.startswith("RssAnon")), 0)


def main() -> None:
    rows = int(sys.argv[1]) if len(sys.argv) > 1 else ROWS
    pairs = originals()
    with tempfile.TemporaryDirectory() as folder:
        small, large = Path(folder) / "small.tsv", Path(folder) / "large.tsv"
        write_corpus(small, rows // 10, pairs)
        write_corpus(large, rows, pairs)
        _, base = run(small)
        runs = [run(large) for _ in range(3)]
        seconds, highest = min(time for time, _ in runs), max(memory for _, memory in runs)
        size = large.stat().st_size
    growth = (highest - base) / (rows - rows // 10)
    print(f"{rows:,} rows, {size / 1e6:,.0f} MB: {seconds:.1f} s, {rows / seconds:,.0f} rows a second")
    print(f"{growth:.1f} bytes a row; {highest / 1e6:,.0f} MB at most")


if __name__ == "__main__":
    main()
