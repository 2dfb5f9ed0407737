"""Rules of WCAG 2.2 A and AA that a machine can check, on every view, in both languages and themes."""

from itertools import product
from pathlib import Path

import pytest
from tests.browser.conftest import Open
from tests.browser.maps import heads, make, write
from tests.examples import cells

from regard.insight.html import write_change

RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]}


@cells(
    ("language", "scheme"),
    product(["en", "ko"], ["light", "dark"]),
    quick=[("en", "dark"), ("ko", "light")],
)
def test_no_rule_is_broken(tmp_path: Path, open_page: Open, language: str, scheme: str) -> None:
    from axe_playwright_python.sync_playwright import Axe

    page = open_page(write(tmp_path / "x.html", *heads(2, 2, 12, 12), language=language), scheme=scheme)
    page.locator(".regard-numbers summary").click()
    for view in ("heat", "lines", "overview", "text"):
        page.click(f".regard-tab-{view}")
        found = Axe().run(page, options=RULES).response["violations"]
        assert [(rule["id"], rule["nodes"][0]["target"]) for rule in found] == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_rule_is_broken_by_a_change(tmp_path: Path, open_page: Open, scheme: str) -> None:
    from axe_playwright_python.sync_playwright import Axe

    write_change(make(4, 5), make(6, 5, seed=1), tmp_path / "x.html", source="나는 책을 읽었다.")
    page = open_page(tmp_path / "x.html", scheme=scheme)
    for name in ("before", "after", "after − before"):
        page.get_by_label(name, exact=True).check()
        found = Axe().run(page, options=RULES).response["violations"]
        assert [(rule["id"], rule["nodes"][0]["target"]) for rule in found] == []
