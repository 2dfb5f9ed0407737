import json
from pathlib import Path

from regard.experiments.tables import results_page

ROOT = Path(__file__).parents[2]


def test_a_row_by_hand(tmp_path: Path) -> None:
    result = {
        "rows": 1000,
        "metrics": {"bleu": 33.333, "chrf": 55.0},
        "beam_size": 5,
        "seed": 1,
        "training": {"run": {"seconds": 150.0}},
        "recipe": {"data": {"source": "de", "target": "en"}},
    }
    (tmp_path / "x.json").write_text(json.dumps(result))
    (tmp_path / "y.json").write_text('{"kills": 1000}')
    row = results_page(tmp_path).splitlines()[-1]
    assert row == "| [x](../results/x.json) | de→en | 1,000 | 33.33 | 55.00 | 5 | 2.5 min | 1 |"


def test_the_page_in_the_docs_is_the_one_of_the_files() -> None:
    assert (ROOT / "docs" / "results.md").read_text(encoding="utf-8") == results_page(ROOT / "results")
