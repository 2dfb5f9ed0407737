from tests.controls.copies import ROOT

from regard.analysis.planted_damage import DAMAGES
from regard.experiments.alarms import NAMES
from regard.experiments.record import PartRecord, Reproduction, read_record
from results_page.alarms import tables, with_tables

MEASURES = ("auroc", "recall", "precision", "precision at 0.5 recall")


def record(**other: float) -> Reproduction:
    """Nothing is found but what is named, as alarm_damage with spaces as double underscores."""
    values: dict[str, float | None] = {
        f"{measure} {name} {damage}": 0.5 for measure in MEASURES for name in NAMES for damage in DAMAGES
    }
    values |= {name.replace("__", " "): value for name, value in other.items()}
    about = {"dev": {"bleu": 28.49}, "steps": 1234}
    part = PartRecord(world="multi30k", system="transformer", seed=1, seconds=768, about=about, values=values)
    return Reproduction(
        experiment="alarms", line="", paper="", quick=False, seeds=(1,), findings=(), left_out=(), notes=(),
        parts=(part,), recipes={}, seconds=768, versions={},
    )  # fmt: skip


def test_a_row_by_hand() -> None:
    found = {
        "auroc__dropped__phrase__dropped": 0.842,
        "precision__at__0.5__recall__dropped__phrase__dropped": 0.8,
        "recall__dropped__phrase__dropped": 0.25,
    }
    lines = tables(record(**found)).splitlines()
    assert lines[0] == "Multi30k, German to English: 1,234 steps of training in 13 minutes, dev BLEU 28.5:"
    assert "| dropped | **0.84, 0.80, 0.25** |" + " 0.50, 0.50, 0.50 |" * 4 in lines
    assert not any(line.startswith("| repeated |") for line in lines)
    assert lines[-1].startswith("AUROC is 0.50 for every damage of: `repeated`, ")


def test_the_tables_in_the_docs_are_those_of_the_file() -> None:
    path = ROOT / "results" / "alarms.json"
    page = (ROOT / "docs" / "alarms.md").read_text(encoding="utf-8")
    assert with_tables(page, read_record(path.read_text(encoding="utf-8"), str(path))) == page
