"""The module by itself, as a page or a notebook mounts it."""

import json
from collections.abc import Iterator
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import pytest

from regard.insight.display import visible

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

PLACE = "http://regard.test/"
DATA: dict[str, Any] = {
    "source": "가 나",
    "target": "a",
    "levels": [
        {
            "name": "words",
            "maps": [
                {
                    "path": "attention",
                    "kind": "cross",
                    "layer": None,
                    "head": None,
                    "rows": ["a"],
                    "columns": ["가", "나"],
                    "weights": [[0.25, 0.75]],
                }
            ],
        }
    ],
}


@pytest.fixture
def page(browser: "Browser") -> "Iterator[Page]":
    context = browser.new_context()
    page = context.new_page()
    module = (files("regard.insight") / "page" / "attention.js").read_text(encoding="utf-8")
    page.route(
        PLACE, lambda route: route.fulfill(body="<div id=a></div><div id=b></div>", content_type="text/html")
    )
    page.route(
        PLACE + "attention.js", lambda route: route.fulfill(body=module, content_type="text/javascript")
    )
    page.goto(PLACE)
    yield page
    context.close()


def run(page: "Page", script: str) -> object:
    return page.evaluate(f"async () => {{ const m = await import('/attention.js'); {script} }}")


def test_plain_lists_are_drawn_and_two_do_not_clash(page: "Page") -> None:
    run(
        page,
        f"""const data = {json.dumps(DATA)};
        m.mount(document.getElementById("a"), data, {{language: "ko"}});
        window.second = m.mount(document.getElementById("b"), data, {{language: "en", theme: "dark"}});""",
    )
    page.locator("#b .regard-cursor").focus()
    page.keyboard.press("ArrowRight")
    assert "output “a” ← input “나”: 0.750000" in page.inner_text("#b .regard-status")
    assert "“가”: 0.250000" in page.inner_text("#a .regard-status")
    assert page.evaluate("new Set([...document.querySelectorAll('[id]')].map(e => e.id)).size") == (
        page.locator("[id]").count()
    )
    page.evaluate("second.destroy()")
    assert page.locator("#b > *").count() == 0
    assert page.locator("#a .regard-heat").count() == 1


def test_no_string_is_missing_in_a_language(page: "Page") -> None:
    catalogues = run(page, "return m.STRINGS")
    assert isinstance(catalogues, dict)
    assert catalogues["en"].keys() == catalogues["ko"].keys()
    for key, text in catalogues["en"].items():
        holes = [f"{{{n}}}" for n in range(3) if f"{{{n}}}" in text]
        assert all(hole in catalogues["ko"][key] for hole in holes), key


@pytest.mark.parametrize(
    "text",
    [
        "a\u200bb\u202ec\x1b[31m",
        "\u1112\u1161\u11a8",
        "\u3164",
        "가<b>",
        "\u2028",
        "😀",
        "👨\u200d👩\u200d👧 a\u200db",
        "🤷🏽\u200d♀\ufe0f",
        "🙂\u200d↔",
        "👨\u200d",
    ],
)
def test_what_is_invisible_is_shown_as_in_python(page: "Page", text: str) -> None:
    assert run(page, f"return m.visible({json.dumps(text)})") == visible(text)


def test_ink_can_be_read_on_every_shade(page: "Page") -> None:
    """At least 4.5 : 1, for every weight in both themes."""
    worst = run(
        page,
        """const light = ([r, g, b]) => { const [x, y, z] = [r, g, b].map(v => v / 255)
            .map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
            return 0.2126 * x + 0.7152 * y + 0.0722 * z; };
        let worst = 21;
        for (const theme of ["light", "dark"]) for (let i = 0; i <= 1000; i++) {
            const colour = m.colourOf(i / 1000, theme);
            const ink = m.inkOn(colour) === "#000000" ? 0 : 1;
            const [low, high] = [light(colour), ink].sort((a, b) => a - b);
            worst = Math.min(worst, (high + 0.05) / (low + 0.05));
        }
        return worst;""",
    )
    assert isinstance(worst, float)
    assert worst >= 4.5


def test_the_module_only_sets_text() -> None:
    source = (files("regard.insight") / "page" / "attention.js").read_text(encoding="utf-8")
    for way in (
        "innerHTML",
        "outerHTML",
        "insertAdjacentHTML",
        "document.write",
        "eval(",
        "Function(",
        "import(",
        "fetch(",
    ):
        assert way not in source
    assert "</script" not in source
    assert "<!--" not in source


def test_kinds_are_told_apart_and_the_look_at_the_source_comes_first(page: "Page") -> None:
    own = {
        "path": "encoder",
        "kind": "encoder-self",
        "layer": 0,
        "head": 0,
        "rows": ["가"],
        "columns": ["가"],
    }
    (level,) = DATA["levels"]
    both = {**DATA, "levels": [{**level, "maps": [{**own, "weights": [[1.0]]}, *level["maps"]]}]}
    run(page, f'm.mount(document.getElementById("a"), {json.dumps(both)}, {{language: "en"}});')
    assert "output “a” ← input “가”: 0.250000" in page.inner_text(".regard-status")
    page.select_option(".regard-choice-kind select", label="encoder self-attention")
    assert "input “가” ← input “가”: 1.000000" in page.inner_text(".regard-status")
