"""Anonymous memory a row while epochs are planned and batches made, on 100,000, 1,000,000 and 5,000,000 rows.

The corpus is real pairs, numbered so that all differ. One process encodes it; a second opens it from the
cache, as a training run does, plans an epoch and makes its batches, and watches its own RssAnon meanwhile.

    python bench/memory.py CORPUS.tsv.gz SOURCE TARGET [rows …]
"""

import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

BATCHES = 2000
WATCH_SECONDS = 0.002


def anonymous() -> int:
    """Bytes of memory of this process that no file stands behind."""
    status = Path("/proc/self/status").read_text()
    return int(status.split("RssAnon:")[1].split()[0]) * 1024


class Peak:
    """The most that `anonymous` gave while it was watched."""

    def __enter__(self) -> "Peak":
        self.most = anonymous()
        self._end = threading.Event()
        self._thread = threading.Thread(target=self._watch)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._end.set()
        self._thread.join()

    def _watch(self) -> None:
        while not self._end.wait(WATCH_SECONDS):
            self.most = max(self.most, anonymous())


def prepare(path: str, source: str, target: str) -> None:
    """Open the corpus; encode it if the cache has it not; then plan and make batches."""
    from regard.config.data import DataConfig, TsvCorpus
    from regard.config.text import BpeConfig
    from regard.data.batching import SYMBOLS, make_batch
    from regard.tasks.translation.examples import pair_corpus

    data = DataConfig(source=source, target=target, train=TsvCorpus(path=path))
    begun = time.monotonic()
    _, _, pairs = pair_corpus(data, BpeConfig(), quiet=True)
    opened = time.monotonic() - begun
    before = anonymous()
    with Peak() as peak:
        begun = time.monotonic()
        plan = pairs.plan(budget=4096, seed=1, epoch=0)
        planned = time.monotonic() - begun
        for place in range(min(BATCHES, len(plan))):
            make_batch(pairs, plan[place], SYMBOLS)
    grown = peak.most - before
    print(
        json.dumps({"rows": len(pairs), "opened": opened, "planned": planned, "base": before, "grown": grown})
    )


def write_corpus(out: Path, given: str, source: str, target: str, rows: int) -> None:
    """Real pairs again and again, each time with another number behind them."""
    from regard.config.data import TsvCorpus
    from regard.data.readers import open_rows
    from regard.data.rows import Row

    wanted = open_rows(TsvCorpus(path=given), {source: "text", target: "text"})
    pairs = [row.cells for row in wanted if isinstance(row, Row)]
    with out.open("w", encoding="utf-8") as file:
        file.write(f"{source}\t{target}\n")
        for number in range(rows):
            first, second = pairs[number % len(pairs)]
            file.write(f"{first} {number}\t{second} {number}\n")


def main() -> None:
    given, source, target, *sizes = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        os.environ["REGARD_CACHE"] = f"{folder}/cache"
        smallest: dict[str, float] = {}
        for rows in map(int, sizes or ["100000", "1000000", "5000000"]):
            path = Path(folder) / f"{rows}.tsv"
            write_corpus(path, given, source, target, rows)
            command = [sys.executable, __file__, "--child", str(path), source, target]
            first, second = (
                json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
                for _ in range(2)
            )
            smallest = smallest or second
            print(
                f"{rows:>9,} rows: encoded in {first['opened']:.0f} s, opened in {second['opened']:.1f} s, "
                f"an epoch planned in {second['planned']:.2f} s; anonymous memory: "
                f"{second['base'] / 1e6:.0f} MB, then {second['grown'] / second['rows']:.1f} bytes a row"
            )
            path.unlink()
        extra = second["base"] + second["grown"] - smallest["base"] - smallest["grown"]
        print(
            f"from the smallest to the largest: {extra / (second['rows'] - smallest['rows']):.1f} bytes a row"
        )


if __name__ == "__main__":
    if sys.argv[1] == "--child":
        prepare(*sys.argv[2:])
    else:
        main()
