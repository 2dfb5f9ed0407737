import json
from pathlib import Path

import pytest
from tests.experiments.toy import toy

from regard.experiments.reproduce import reproduce
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
        "by": {
            "length": {"1-5": {"rows": 9, "metrics": {"bleu": 1.0, "chrf": 2.0}}},
            "source": {"news": {"rows": 1200, "metrics": {"bleu": 3.456, "chrf": 20.0}}},
        },
    }
    (tmp_path / "x.json").write_text(json.dumps(result))
    (tmp_path / "y.json").write_text('{"kills": 1000}')
    row, *rest = results_page(tmp_path).partition("| --- |")[0].splitlines()[-5:]
    assert row == "| [x](../results/x.json) | de→en | 1,000 | 33.33 | 55.00 | 5 | 2.5 min | 1 |"
    assert rest == ["", "### x, by source", "", "| source | rows | BLEU | chrF |"]
    assert results_page(tmp_path).endswith("| news | 1,200 | 3.46 | 20.00 |\n")


def test_findings_by_hand(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("REGARD_DATA", raising=False)
    reproduce(toy(), tmp_path / "x", quiet=True)
    (tmp_path / "x" / "toy.json").rename(tmp_path / "toy.json")
    page = results_page(tmp_path)
    assert "### toy\n\nNobody 1900.\n" in page
    assert "| **came out** | attention helps | here | +5.0 BLEU | +2.5 to +7.5 | 3 seeds |\n" in page
    assert "| **not resolved** | attention falls | here | +0.0 BLEU | +0.0 to +0.0 | 3 seeds |\n" in page
    assert "Left out: real text: no data folder is named" in page
    assert page.endswith("[toy.json](../results/toy.json): 6 parts, 0 minutes in all.\n")


def test_the_page_in_the_docs_is_the_one_of_the_files() -> None:
    assert (ROOT / "docs" / "results.md").read_text(encoding="utf-8") == results_page(ROOT / "results")
