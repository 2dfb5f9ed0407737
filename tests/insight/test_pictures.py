import importlib.util
import warnings
import xml.etree.ElementTree as ElementTree
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from rich.cells import cell_len
from tests.examples import cells

from regard.errors import RegardError
from regard.insight.display import visible
from regard.insight.draw import (
    draw_before_after,
    draw_heat_map,
    draw_lines,
    draw_overview,
    draw_text,
    draw_time_lapse,
)
from regard.insight.maps import AttentionMap
from regard.insight.picture import drawable
from regard.insight.terminal import heat_map


def make(rows: tuple[str, ...], columns: tuple[str, ...]) -> AttentionMap:
    random = np.random.default_rng(0)
    weights = random.dirichlet([0.3] * len(columns), len(rows)).astype(np.float32)
    return AttentionMap("attention", "cross", rows, columns, weights)


KOREAN = make(("I", "read", "books", "."), ("나는", "도서관에서", "책을", "읽었다", "."))


def test_numbers_stand_under_their_words() -> None:
    """In cells, not characters: a number ends where its word ends, though Hangul is twice as wide."""
    header, *lines = heat_map(KOREAN, colour=False).plain.split("\n")
    ends = [cell_len(header[: header.index(word) + len(word)]) for word in KOREAN.columns]
    for line, weights in zip(lines, KOREAN.weights, strict=True):
        assert cell_len(line) == cell_len(header)
        for end, weight in zip(ends, weights, strict=True):
            number = line_upto(line, end).split()[-1].strip(" ░▒▓█")
            assert number == ("·" if weight < 0.005 else f"{weight * 100:.0f}")


def line_upto(line: str, cells: int) -> str:
    for length in range(len(line) + 1):
        if cell_len(line[:length]) == cells:
            return line[:length]
    raise AssertionError(f"no sign ends at cell {cells} of {line!r}")


def test_a_wide_map_is_cut_into_panels_that_fit() -> None:
    wide = make(("one", "two"), tuple(f"단어{i}" for i in range(30)))
    text = heat_map(wide, width=60, colour=False).plain
    assert all(cell_len(line) <= 60 for line in text.split("\n"))
    assert [word for line in text.split("\n") for word in line.split() if "단어" in word] == list(
        wide.columns
    )


def test_colour_and_signs_show_the_same_numbers() -> None:
    coloured, plain = heat_map(KOREAN, colour=True).plain, heat_map(KOREAN, colour=False).plain
    assert coloured.split() == [part.strip("░▒▓█") for part in plain.split() if part.strip("░▒▓█")]


def test_what_is_invisible_is_shown() -> None:
    assert visible("a\u200bb\u202ec\x1b[31m") == "a<U+200B>b<U+202E>c<U+001B>[31m"
    assert visible("\u1112\u1161\u11a8") == "학"
    assert visible("👨\u200d👩\u200d👧 👨\u200d") == "👨\u200d👩\u200d👧 👨<U+200D>"
    assert visible("\u3164") == "<U+3164>"
    hostile = make(("\x1b[2J\u202e",), ("a", "b"))
    assert "\x1b" not in heat_map(hostile).plain


@pytest.mark.parametrize(
    ("text", "drawn"),
    [
        ("👨\u200d👩\u200d👧 가족", ":man-woman-girl: 가족"),
        ("🇰🇷🇺🇸", ":flag-kr::flag-us:"),
        ("👍🏽", ":thumbs-up-sign-skin-tone-4:"),
        ("❤\ufe0f 😀 ♂", "❤ 😀 ♂"),  # in a font
        ("a\u200db", "a<U+200D>b"),
    ],
)
def test_emoji_that_no_font_can_draw_have_their_names(text: str, drawn: str) -> None:
    assert drawable(text) == drawn


def draw(kind: str, attention: AttentionMap, path: Path) -> None:
    """A picture of a kind, with all that it needs made from one map."""
    other = AttentionMap("b", "cross", ("other", *attention.rows[1:]), attention.columns, attention.weights)
    match kind:
        case "heat":
            draw_heat_map(attention, path)
        case "lines":
            draw_lines(attention, path)
        case "overview":
            draw_overview([attention, other], path)
        case "text":
            draw_text(attention, path)
        case "before/after":
            draw_before_after(attention, other, path)
        case "time-lapse":
            draw_time_lapse([("step 1", attention), ("step 2", attention)], path)


KINDS = ["heat", "lines", "overview", "text", "before/after", "time-lapse"]
MAGIC = {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}
FORMS = [("png", 2), ("svg", 12), ("pdf", 12), ("png", 60)]


@cells(
    ("kind", "form"),
    product(KINDS, FORMS),
    quick=[*product(KINDS, FORMS[:1]), ("heat", FORMS[1]), ("lines", FORMS[2]), ("text", FORMS[3])],
    ids=lambda value: value if isinstance(value, str) else "-".join(map(str, value)),
)
def test_pictures_of_every_kind_and_size(tmp_path: Path, kind: str, form: tuple[str, int]) -> None:
    ending, size = form
    path = tmp_path / "new" / f"x.{ending}"
    draw(kind, make(("word",) * size, ("낱말",) * size), path)
    assert path.read_bytes().startswith(MAGIC[ending])


@pytest.mark.parametrize("kind", KINDS)
def test_hangul_has_its_glyphs(tmp_path: Path, kind: str) -> None:
    """Every syllable is in the font: matplotlib warns of a missing one, and no warning is swallowed here."""
    syllables = ("가힣뷁쀓", "ㄱㅏ", "한글")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(warnings, "filterwarnings", lambda *_, **__: None)
            draw(kind, make(("a", "나"), syllables), tmp_path / "x.png")
            if kind == "overview":  # its words are not written
                return
            with pytest.raises(UserWarning, match="missing"):  # the guard sees a sign that no font has
                draw(kind, make(("a", "b"), ("\U00012000",)), tmp_path / "y.png")


@pytest.mark.parametrize("kind", KINDS)
def test_svg_needs_no_font_and_holds_no_markup(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "x.svg"
    draw(kind, make(("<script>", "$\\frac$"), ("나는", "&")), path)
    tags = {element.tag.split("}")[-1] for element in ElementTree.parse(path).iter()}
    assert "path" in tags
    assert not tags & {"text", "script"}


def test_the_same_map_gives_the_same_file(tmp_path: Path) -> None:
    for name in ("a.svg", "b.svg"):
        draw_heat_map(KOREAN, tmp_path / name)
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()


@pytest.mark.parametrize("missing", ["matplotlib", "koreanize_matplotlib"])
def test_without_the_extra_it_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, missing: str
) -> None:
    real = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == missing else real(name))
    with pytest.raises(RegardError, match=r"needs the optional part 'plot': pip install 'regard\[plot\]'"):
        draw_heat_map(KOREAN, tmp_path / "x.png")
    assert list(tmp_path.iterdir()) == []


def test_an_unknown_format_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RegardError, match=r"x.bmp: a picture ends in .png, .svg, .pdf, found '.bmp'"):
        draw_heat_map(KOREAN, tmp_path / "x.bmp")
    (tmp_path / "taken.png").mkdir()
    with pytest.raises(RegardError, match=r"taken.png: cannot be written"):
        draw_heat_map(KOREAN, tmp_path / "taken.png")
