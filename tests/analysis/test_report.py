"""Reports: sections side by side, everything escaped, nothing loaded."""

from dataclasses import dataclass
from typing import Any, ClassVar

import pytest

from regard.analysis.check import check_attention, chosen_sections
from regard.analysis.page import curve_svg, grid_svg, paragraph, table_html, table_lines
from regard.analysis.report import Absent, Report
from regard.errors import ConfigError

EVIL = '<script>alert("1")</script>'


@dataclass(frozen=True)
class Told:
    name: ClassVar[str] = "measures"
    title: ClassVar[str] = "Measures"
    verdict: str = "worth it"

    def to_dict(self) -> dict[str, Any]:
        return {"a": 1}

    def lines(self) -> list[str]:
        return ["a 1"]

    def html(self) -> str:
        parts = [paragraph(EVIL), table_html([EVIL], [[EVIL]]), grid_svg(EVIL, [(EVIL, [0.5])], most=1)]
        return "".join([*parts, curve_svg(EVIL, [(0, 1), (1, 2)], x=EVIL, y=EVIL)])


REPORT = Report(EVIL, EVIL, 2, (Told(), Absent("alarms", "Alarms", EVIL)))


def test_a_page_escapes_what_is_text_and_loads_nothing() -> None:
    page = REPORT.html()
    assert "<script" not in page
    assert "&lt;script&gt;" in page
    assert "default-src 'none'" in page
    assert "http://" not in page.replace("http-equiv", "")
    assert "prefers-color-scheme: dark" in page
    assert 'id="alarms"' in page


def test_a_report_has_its_sections_by_name() -> None:
    assert REPORT.to_dict() == {
        "model": EVIL,
        "data": EVIL,
        "rows": 2,
        "verdict": "worth it",
        "measures": {"a": 1},
        "alarms": {"not_applicable": EVIL},
    }
    assert REPORT.lines()[1:] == ["", "Measures", "a 1", "", "Alarms", EVIL]
    assert REPORT.section("alarms").title == "Alarms"


def test_columns_line_up_with_hangul() -> None:
    assert table_lines(["word", "n"], [["책", "1.5"], ["book", "12"]]) == [
        "word    n",
        "책    1.5",
        "book   12",
    ]


def test_unknown_sections_are_refused_by_the_nearest_name() -> None:
    assert chosen_sections(None)[:2] == ["measures", "explanation"]
    assert chosen_sections(["explanation", "measures"]) == ["measures", "explanation"]
    with pytest.raises(ConfigError, match="did you mean 'measures'"):
        chosen_sections(["measure"])
    with pytest.raises(ConfigError, match="found none"):
        chosen_sections([])


def test_a_model_without_attention_has_no_sections_of_attention() -> None:
    model: Any = object()
    with pytest.raises(ConfigError, match="no attention, and no measures or explanation; ask for --only"):
        check_attention(model, "runs/x", ["measures", "explanation"])
    check_attention(model, "runs/x", ["measures", "alarms"])  # outputs are judged without
