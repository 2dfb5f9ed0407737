"""Before and after an edit, on the page."""

from pathlib import Path

import numpy as np
from matplotlib import colormaps
from tests.browser.conftest import Open
from tests.browser.test_page import choose, hover, pixels, set_threshold

from regard.insight.html import write_change
from regard.insight.maps import AttentionMap


def test_what_changed_is_signed_and_what_is_new_is_grey(tmp_path: Path, open_page: Open) -> None:
    columns = ("나는", "잔다")
    before = np.array([[0.5, 0.5], [1.0, 0.0]], dtype=np.float32)
    after = np.array([[0.25, 0.75], [0.1, 0.9]], dtype=np.float32)
    write_change(
        AttentionMap("a", "cross", ("I", "<b>"), columns, before),
        AttentionMap("a", "cross", ("I", "nap"), columns, after),
        tmp_path / "x.html",
        source="나는 잔다",
    )
    page = open_page(tmp_path / "x.html")
    assert page.locator(".regard-texts del").all_inner_texts() == ["<b>"]
    assert page.locator(".regard-texts ins").all_inner_texts() == ["nap"]
    choose(page, "state", "change")
    set_threshold(page, 0)
    drawn = pixels(page)
    change = np.array([-0.25, 0.25])
    expected = 255 * colormaps["RdBu"].resampled(8192)((change + 1) / 2)[:, :3]
    assert np.abs(drawn[0, :, :3] - expected).max() <= 1
    assert (drawn[1:, :, :3] == 221).all()
    hover(page, 0, 0, (3, 2))
    assert "read “나는”: -0.250000" in page.inner_text(".regard-status")
    assert page.locator(".regard-sums:not(.regard-sums-head) > span").first.inner_text() == "0.000"
    hover(page, 1, 0, (3, 2))
    assert "written “− <b>” ← read “나는”: –" in page.inner_text(".regard-status")
    assert page.locator(".regard-tab").count() == 1
    choose(page, "state", "after")
    assert page.locator(".regard-tab").count() == 3
