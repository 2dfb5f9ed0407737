"""Tables for the docs, made from the result files.

`python -m regard.experiments.tables results docs/results.md`
"""

import json
import sys
from pathlib import Path
from typing import Any

from regard.experiments.record import Reproduction, effect_text, interval_text, over_text, read_record
from regard.experiments.speed_tables import speed_sections
from regard.tasks.gold import LENGTH

HEAD = """# Results

This page is made by `make results` from the files in `results/`, which `regard evaluate --out`,
`regard reproduce` and `make bench` write. Each file of a model holds the recipe, the seed, the versions and
the time of the whole training run. BLEU is sacreBLEU's, cased, with 13a tokenisation.

| result | languages | test rows | BLEU | chrF | beam | training time | seed |
|---|---|---|---|---|---|---|---|
"""
SCORES = {"bleu": "BLEU", "chrf": "chrF"}
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
    # Other files hold other figures, without a recipe.
    translations = {
        name: result
        for name, result in results.items()
        if "recipe" in result and result.get("task", "translation") == "translation"
    }
    page = HEAD + "".join(_row(name, result) for name, result in translations.items())
    page += "".join(_by(name, result) for name, result in translations.items())
    page += speed_sections(results)
    records = {
        name: read_record(texts[name], f"{folder / name}.json")
        for name, result in results.items()
        if result.get("kind") == "reproduction"
    }
    if not records:
        return page
    return page + REPRODUCED + "".join(_section(name, record) for name, record in records.items())


def _row(name: str, result: dict[str, Any]) -> str:
    data = result["recipe"]["data"]
    metrics = result["metrics"]
    return _cells(
        f"[{name}](../results/{name}.json)",
        f"{data['source']}→{data['target']}",
        f"{result['rows']:,}",
        f"{metrics['bleu']:.2f}",
        f"{metrics['chrf']:.2f}",
        str(result["beam_size"]),
        f"{result['training']['run']['seconds'] / 60:.1f} min",
        str(result["seed"]),
    )


def _by(name: str, result: dict[str, Any]) -> str:
    """The scores of a result by each column that was asked for; that by length is in the file."""
    tables = []
    for column, groups in result.get("by", {}).items():
        if column == LENGTH:
            continue
        head = _cells(column, "rows", *SCORES.values()) + _cells(*["---"] * (2 + len(SCORES)))
        rows = [
            _cells(value, f"{group['rows']:,}", *(f"{group['metrics'][metric]:.2f}" for metric in SCORES))
            for value, group in groups.items()
        ]
        tables.append(f"\n### {name}, by {column}\n\n{head}{''.join(rows)}")
    return "".join(tables)


def _section(name: str, record: Reproduction) -> str:
    """One experiment: its verdicts, what was left out, and where it comes from."""
    quick = ", in its quick form" if record.quick else ""
    lines = [f"\n### {record.experiment}{quick}\n\n{record.paper}.\n{FINDINGS}"]
    lines += [
        _cells(
            f"**{each.verdict}**",
            each.name,
            each.world,
            effect_text(each),
            interval_text(each),
            over_text(each),
        )
        for each in record.findings
    ]
    lines += [f"\nLeft out: {each.world}: {each.why}.\n" for each in record.left_out]
    lines += [f"\nNote: {note}.\n" for note in record.notes]
    minutes, models = record.seconds / 60, len(record.parts)
    lines.append(f"\n[{name}.json](../results/{name}.json): {models} parts, {minutes:.0f} minutes in all.\n")
    return "".join(lines)


def _cells(*cells: str) -> str:
    return f"| {' | '.join(cells)} |\n"


if __name__ == "__main__":
    Path(sys.argv[2]).write_text(results_page(Path(sys.argv[1])), encoding="utf-8")
