"""The tables of docs/alarms.md, made from what `regard reproduce alarms` measured.

`PYTHONPATH=tools python -m results_page.alarms results/alarms.json docs/alarms.md`
"""

import sys
from pathlib import Path

from regard.analysis.planted_damage import DAMAGES
from regard.experiments.alarms import NAMES, WEAK
from regard.experiments.record import PartRecord, Reproduction, read_record
from results_page.tasks import cells

BEGIN, END = "<!-- made by make results -->\n", "<!-- end -->\n"
TITLES = {
    "multi30k": "Multi30k, German to English",
    "koen": "Korean to English (`koen`: Tatoeba, Bible, STS-B)",
}
MIDDLE = 0.5
"""The AUROC of an alarm that says nothing."""


def tables(record: Reproduction) -> str:
    """A table for each corpus: AUROC, precision at half of the recall, and recall, of alarm and damage."""
    return "\n".join(_table(part) for part in record.parts)


def _table(part: PartRecord) -> str:
    dev = part.about["dev"]
    head = (
        f"{TITLES[part.world]}: {part.about['steps']:,} steps of training in {part.seconds / 60:.0f} "
        f"minutes, dev BLEU {dev['bleu']:.1f}:\n\n"
    )
    damages = list(DAMAGES)
    rows = [cells(["alarm", *damages]), cells(["---"] * (1 + len(damages)))]
    rows += [
        cells([name, *(_cell(part, name, damage) for damage in damages)])
        for name in NAMES
        if any(part.values[f"auroc {name} {damage}"] != MIDDLE for damage in damages)
    ]
    silent = [name for name in NAMES if all(part.values[f"auroc {name} {d}"] == MIDDLE for d in damages)]
    note = (
        f"\nAUROC is 0.50 for every damage of: {', '.join(f'`{name}`' for name in silent)}.\n"
        if silent
        else ""
    )
    return head + "".join(rows) + note


def _cell(part: PartRecord, name: str, damage: str) -> str:
    values = [
        part.values[f"{measure} {name} {damage}"]
        for measure in ("auroc", "precision at 0.5 recall", "recall")
    ]
    told = ", ".join("–" if value is None else f"{value:.2f}" for value in values)
    precision = values[1]
    return f"**{told}**" if precision is not None and precision >= WEAK else told


def with_tables(page: str, record: Reproduction) -> str:
    """The page with its tables made anew."""
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}{tables(record)}{END}{after}"


def main() -> None:
    """Write the page."""
    figures, page = map(Path, sys.argv[1:3])
    record = read_record(figures.read_text(encoding="utf-8"), str(figures))
    page.write_text(with_tables(page.read_text(encoding="utf-8"), record), encoding="utf-8")


if __name__ == "__main__":
    main()
