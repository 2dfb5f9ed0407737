"""Before and after an edit, on the page."""

from pathlib import Path

import numpy as np
from matplotlib import colormaps
from tests.browser.conftest import Open
from tests.browser.test_page import hover, pixels

from regard.insight.html import write_change
from regard.insight.maps import AttentionMap

BEFORE = np.array([[0.5, 0.5], [1.0, 0.0]], dtype=np.float32)
AFTER = np.array([[0.25, 0.75], [0.1, 0.9]], dtype=np.float32)


def write(path: Path) -> Path:
    columns = ("나는", "잔다")
    write_change(
        AttentionMap("a", "cross", ("I", "<b>"), columns, BEFORE),
        AttentionMap("a", "cross", ("I", "nap"), columns, AFTER),
        path,
        source="나는 잔다",
    )
    return path


def test_both_sides_and_the_difference_are_seen_at_once_and_chosen_by_the_keys(
    tmp_path: Path, open_page: Open
) -> None:
    page = open_page(write(tmp_path / "x.html"))
    small = ".regard-states canvas"
    assert page.locator(small).count() == 3
    blues = colormaps["Blues"].resampled(8192)
    for place, weights in enumerate((BEFORE, AFTER)):
        drawn = pixels(page, f".regard-states label:nth-of-type({place + 1}) canvas")
        assert np.abs(drawn[:, :, :3] - 255 * blues(weights)[:, :, :3]).max() <= 1
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowRight")
    assert page.get_by_label("after", exact=True).is_checked()
    assert (pixels(page) == pixels(page, ".regard-states label:nth-of-type(2) canvas")).all()
    page.keyboard.press("ArrowRight")
    assert page.get_by_label("after − before").is_checked()
    assert page.locator(".regard-states :focus").count() == 1
    assert "on one side only" in page.inner_text(".regard-scale")


def test_what_changed_is_signed_and_what_is_new_is_grey(tmp_path: Path, open_page: Open) -> None:
    page = open_page(write(tmp_path / "x.html"))
    assert page.locator(".regard-texts del").all_inner_texts() == ["<b>"]
    assert page.locator(".regard-texts ins").all_inner_texts() == ["nap"]
    page.get_by_label("after − before").check()
    drawn = pixels(page)
    change = np.array([-0.25, 0.25])
    expected = 255 * colormaps["RdBu"].resampled(8192)((change + 1) / 2)[:, :3]
    assert np.abs(drawn[0, :, :3] - expected).max() <= 1
    assert (drawn[1:, :, :3] == 221).all()
    hover(page, 0, 0, (3, 2))
    assert "input “나는”: -0.250000" in page.inner_text(".regard-status")
    assert page.locator(".regard-sums:not(.regard-sums-head) > span").first.inner_text() == "0.000"
    hover(page, 1, 0, (3, 2))
    assert "output “− <b>” ← input “나는”: –" in page.inner_text(".regard-status")
    assert page.locator(".regard-tab").count() == 1
    page.get_by_label("after", exact=True).check()
    assert page.locator(".regard-tab").count() == 3
