"""Tables for the docs, made from the result files.

`python -m regard.experiments.tables results docs/results.md`
"""

import json
import sys
from pathlib import Path
from typing import Any

HEAD = """# Results

This page is made by `make results` from the files in `results/`, which `regard evaluate --out` writes.
Each file holds the recipe, the seed, the versions and the time of the whole training run. BLEU is
sacreBLEU's, cased, with 13a tokenisation.

| result | languages | test rows | BLEU | chrF | beam | training time | seed |
|---|---|---|---|---|---|---|---|
"""


def results_page(folder: Path) -> str:
    """The page for all result files of a folder, by name."""
    results = {
        path.stem: json.loads(path.read_text(encoding="utf-8")) for path in sorted(folder.glob("*.json"))
    }
    # Other files hold other figures, without a recipe.
    return HEAD + "".join(_row(name, result) for name, result in results.items() if "recipe" in result)


def _row(name: str, result: dict[str, Any]) -> str:
    data = result["recipe"]["data"]
    metrics = result["metrics"]
    cells = [
        f"[{name}](../results/{name}.json)",
        f"{data['source']}→{data['target']}",
        f"{result['rows']:,}",
        f"{metrics['bleu']:.2f}",
        f"{metrics['chrf']:.2f}",
        str(result["beam_size"]),
        f"{result['training']['run']['seconds'] / 60:.1f} min",
        str(result["seed"]),
    ]
    return f"| {' | '.join(cells)} |\n"


if __name__ == "__main__":
    Path(sys.argv[2]).write_text(results_page(Path(sys.argv[1])), encoding="utf-8")
