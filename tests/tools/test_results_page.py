from pathlib import Path

import pytest
from tests.experiments.toy import toy

from regard.experiments.reproduce import reproduce
from results_page.page import results_page

ROOT = Path(__file__).parents[2]


def test_files_of_other_kinds_are_passed_over(tmp_path: Path) -> None:
    (tmp_path / "y.json").write_text('{"kills": 1000}')
    page = results_page(tmp_path)
    assert page.startswith("# Results\n")
    assert "|" not in page


def test_findings_by_hand(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("REGARD_DATA", raising=False)
    reproduce(toy(), tmp_path / "x", quiet=True)
    (tmp_path / "x" / "toy.json").rename(tmp_path / "toy.json")
    page = results_page(tmp_path)
    assert "### toy\n\nNobody 1900.\n" in page
    assert "| **confirmed** | attention helps | here | +5.0 BLEU | +2.5 to +7.5 | 3 seeds |\n" in page
    assert "| **not resolved** | attention falls | here | +0.0 BLEU | +0.0 to +0.0 | 3 seeds |\n" in page
    assert "Left out: real text: no data folder is named" in page
    assert page.endswith("[toy.json](../results/toy.json): 6 parts, 0 minutes in all.\n")


def test_the_page_in_the_docs_is_the_one_of_the_files() -> None:
    assert (ROOT / "docs" / "results.md").read_text(encoding="utf-8") == results_page(ROOT / "results")
