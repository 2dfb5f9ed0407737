"""The table of docs/reliability.md, made from what `make torture` counted.

`python -m tests.torture.table results/torture.json docs/reliability.md`
"""

import json
import sys
from pathlib import Path
from typing import Any

BEGIN, END = "<!-- made by make torture -->\n", "<!-- end -->\n"
PROMISES = {
    "R1": "a stopped run resumes to the same bits",
    "R2": "killed with −9 at any moment",
    "R3": "every row once per epoch, in the same order",
    "R5": "a checkpoint is written whole or not at all",
    "R6": "a full disk",
    "R7": "damage is found, named, and skipped",
    "R8": "signals",
    "R9": "NaN and infinity",
    "R10": "bad rows",
    "R13": "old formats are read",
    "R14": "one trainer per folder",
    "R15": "served together or alone: the same result",
    "R16": "more requests than a service can answer",
    "R17": "clients that leave",
    "R19": "long requests beside a look at the health",
    "R20": "requests that nobody would write",
    "R21": "nasty texts through every protocol",
    "R26": "clients that are slow",
}


def table(record: dict[str, Any]) -> str:
    """The figures as Markdown, with what they depend on."""
    versions = record["versions"]
    head = (
        f"{record['date']}, regard {versions['regard']}, torch {versions['torch']}, "
        f"Python {versions['python']}: {record['seconds'] / 60:.0f} minutes, "
        f"{record['failed_tests']} failed tests"
    )
    note = f" ({record['note']})" if record["note"] else ""
    rows = [
        f"| {PROMISES[name]} | {', '.join(f'{count:,} {_words(what)}' for what, count in counts.items())} |\n"
        for name, counts in record["requirements"].items()
    ]
    return f"{head}{note}.\n\n| promise | counted |\n|---|---|\n{''.join(rows)}"


def with_table(page: str, record: dict[str, Any]) -> str:
    """The page with its table made anew."""
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}{table(record)}{END}{after}"


def _words(name: str) -> str:
    return name.replace("_", " ")


def main() -> None:
    figures, page = map(Path, sys.argv[1:3])
    record = json.loads(figures.read_text(encoding="utf-8"))
    page.write_text(with_table(page.read_text(encoding="utf-8"), record), encoding="utf-8")


if __name__ == "__main__":
    main()
