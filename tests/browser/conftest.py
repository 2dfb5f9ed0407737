"""A real browser, Debian's Chromium, driven by Playwright."""

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

HOW = "`pip install playwright` and `apt-get install chromium fonts-nanum` give one"
NAMES = ("chromium", "chromium-browser", "google-chrome")

Open = Callable[..., "Page"]


def missing(what: str) -> NoReturn:
    """Without a browser nothing is tested: fine on a laptop, not where it is the point."""
    told = f"{what}; {HOW}"
    if os.environ.get("CI") == "true":
        pytest.fail(told)
    pytest.skip(told)


@pytest.fixture(scope="session")
def browser() -> "Iterator[Browser]":
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        missing("Playwright is not installed")
    found = next(filter(None, map(shutil.which, NAMES)), None)
    if found is None:
        missing("no browser was found")
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=found, args=["--no-sandbox"])
        yield started
        started.close()


@pytest.fixture
def open_page(browser: "Browser") -> Iterator[Open]:
    """Open a file from the disk, offline; whatever it asks for, says or does wrong fails the test."""
    opened: list[tuple[Any, list[str]]] = []

    def open_file(path: Path, *, width: int = 1000, height: int = 800, scheme: str = "light") -> "Page":
        context = browser.new_context(
            viewport={"width": width, "height": height},
            color_scheme=scheme,  # type: ignore[arg-type]
            locale="en-GB",
            offline=True,
        )
        page = context.new_page()
        wrong: list[str] = []
        page.on(
            "request", lambda request: wrong.append(request.url) if request.url != path.as_uri() else None
        )
        page.on("console", lambda message: wrong.append(message.text))
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("dialog", lambda dialog: wrong.append(dialog.message))
        page.on("dialog", lambda dialog: dialog.dismiss())
        page.goto(path.as_uri())
        page.wait_for_selector(".regard-panel > *")
        opened.append((context, wrong))
        return page

    yield open_file
    for context, wrong in opened:
        context.close()
        assert wrong == []
