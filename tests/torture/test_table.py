import json

from tests.controls.copies import ROOT
from tests.torture.table import PROMISES, table, with_table


def test_a_row_by_hand() -> None:
    versions = {"regard": "1", "torch": "2", "python": "3"}
    counts = {"R2": {"kills": 1000, "kills_in_a_save": 7, "unreadable": 0}}
    record = {
        "date": "2026-01-02", "versions": versions, "seconds": 90, "failed_tests": 0, "note": "x",
        "requirements": counts,
    }  # fmt: skip
    told = "2026-01-02, regard 1, torch 2, Python 3: 2 minutes, 0 failed tests (x)."
    assert table(record).splitlines()[0] == told
    row = "| killed with −9 at any moment | 1,000 kills, 7 kills in a save, 0 unreadable |"
    assert table(record).splitlines()[-1] == row


def test_the_table_in_the_docs_is_the_one_of_the_file() -> None:
    page = (ROOT / "docs" / "reliability.md").read_text(encoding="utf-8")
    record = json.loads((ROOT / "results" / "torture.json").read_text(encoding="utf-8"))
    assert with_table(page, record) == page
    assert record["requirements"].keys() == PROMISES.keys()
    assert record["failed_tests"] == 0
