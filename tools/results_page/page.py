"""Tables for the docs, made from the result files.

`PYTHONPATH=tools python -m results_page.page results docs/results.md`
"""

import json
import sys
from pathlib import Path

from regard.experiments.record import Reproduction, effect_text, interval_text, over_text, read_record
from regard.progress import counted
from results_page.benches import alignment_cost_section, alignment_section, serving_section
from results_page.over_time import time_section
from results_page.speed import speed_sections
from results_page.tasks import cells, similarity_section, task_sections

HEAD = """# Results

This page is made by `make results` from the files in `results/`, which `regard evaluate --out`,
`regard baseline --out`, `regard reproduce` and `make bench` write. Each file of a model holds the recipe, the
seed, the versions and the time of the whole training run. In brackets are 95 % intervals, of resampled test
sets. BLEU is sacreBLEU's, cased, with 13a tokenisation. A *linear* model is TF-IDF of words and characters
with logistic regression, of numbers ridge regression. Training is the time of the run, without that of a
model that it started from.
"""
REPRODUCED = """
## Papers' findings, run again

What `regard reproduce` says of each finding; [experiments.md](experiments.md) has what is run and how a
verdict is made.
"""
FINDINGS = """
| verdict | finding | where | effect | 95 % interval | over |
|---|---|---|---|---|---|
"""


def results_page(folder: Path) -> str:
    """The page for all result files of a folder, by name."""
    texts = {path.stem: path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.json"))}
    results = {name: json.loads(text) for name, text in texts.items()}
    page = HEAD + task_sections(results)
    page += time_section(results) + similarity_section(results)
    page += alignment_section(results) + speed_sections(results)
    page += alignment_cost_section(results) + serving_section(results)
    records = {
        name: read_record(texts[name], f"{folder / name}.json")
        for name, result in results.items()
        if result.get("kind") == "reproduction"
    }
    if not records:
        return page
    return page + REPRODUCED + "".join(_section(name, record) for name, record in records.items())


def _section(name: str, record: Reproduction) -> str:
    """One experiment: its verdicts, what was left out, and where it comes from."""
    quick = ", in its quick form" if record.quick else ""
    lines = [f"\n### {record.experiment}{quick}\n\n{record.paper}.\n{FINDINGS}"]
    lines += [
        cells(
            [
                f"**{each.verdict}**",
                each.name,
                each.world,
                effect_text(each),
                interval_text(each),
                over_text(each),
            ]
        )
        for each in record.findings
    ]
    lines += [f"\nLeft out: {each.world}: {each.why}.\n" for each in record.left_out]
    lines += [f"\nNote: {note.removesuffix('.')}.\n" for note in record.notes]
    parts, minutes = counted(len(record.parts), "part"), counted(round(record.seconds / 60), "minute")
    lines.append(f"\n[{name}.json](../results/{name}.json): {parts}, {minutes} in all.\n")
    return "".join(lines)


if __name__ == "__main__":
    Path(sys.argv[2]).write_text(results_page(Path(sys.argv[1])), encoding="utf-8")
