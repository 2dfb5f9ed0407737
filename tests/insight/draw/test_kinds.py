"""Each kind of picture shows the weights it was given, and says what it leaves out."""

import io
import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from matplotlib import colormaps
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from PIL import Image
from tests.examples import cells

from regard.errors import RegardError
from regard.insight.draw import (
    draw_before_after,
    draw_heat_map,
    draw_lines,
    draw_models,
    draw_overview,
    draw_text,
    draw_time_lapse,
)
from regard.insight.draw.heat import add_scale, ink_on, paint
from regard.insight.draw.lines import hidden_mass
from regard.insight.draw.overview import axis_labels, layers_and_heads
from regard.insight.draw.side_by_side import _models_figure
from regard.insight.draw.text import _figure as _text_figure
from regard.insight.draw.text import row_name, row_of, row_weights
from regard.insight.maps import AttentionMap
from regard.insight.picture import DPI

WEIGHTS = np.array([[0.5, 0.25, 0.25], [0.04, 0.06, 0.9]], dtype=np.float32)
SMALL = AttentionMap("attention", "cross", ("I", "sleep"), ("나는", "잘", "잔다"), WEIGHTS)


def placed(layer: int, head: int, kind: str = "cross") -> AttentionMap:
    one = AttentionMap(f"{kind}.{layer}", kind, ("a",), ("b",), np.ones((1, 1), dtype=np.float32))  # type: ignore[arg-type]
    object.__setattr__(one, "layer", layer)
    object.__setattr__(one, "head", head)
    return one


def size_of(picture: Path) -> tuple[int, int]:
    with Image.open(picture) as opened:
        return opened.size


def test_cells_have_the_colours_of_their_weights() -> None:
    figure = Figure()
    axes: Axes = figure.add_subplot()
    image = paint(axes, WEIGHTS, SMALL.rows, SMALL.columns)
    assert np.allclose(image.cmap(image.norm(image.get_array())), colormaps["Blues"](WEIGHTS))
    assert [text.get_text() for text in axes.texts] == [".50", ".25", ".25", ".04", ".06", ".90"]


def test_a_signed_map_has_its_zero_in_the_middle() -> None:
    axes: Any = Figure().add_subplot()
    image = paint(
        axes, np.array([[-0.5, 0.0, np.nan]], dtype=np.float32), ["a"], ["b", "c", "d"], signed=True
    )
    colours = image.cmap(image.norm(image.get_array()))[0, :, :3]
    red, _, blue = colours[0]
    assert red > blue
    assert colours[1].min() > 0.9
    assert [text.get_text() for text in axes.texts] == ["−.50"]


def test_what_rows_lack_is_told_below_their_map(tmp_path: Path) -> None:
    picture = tmp_path / "x.svg"
    weights = WEIGHTS * np.array([[0.5], [1.0]], dtype=np.float32)
    lacking = AttentionMap("attention", "cross", SMALL.rows, SMALL.columns, weights)
    told = "rows sum to 50% to 100%; the rest is outside"  # an SVG names what it draws
    draw_heat_map(lacking, picture)
    assert picture.read_text(encoding="utf-8").count(told) == 1
    draw_before_after(SMALL, lacking, picture)
    assert picture.read_text(encoding="utf-8").count(told) == 1
    draw_before_after(SMALL, SMALL, picture)
    assert "rows sum to" not in picture.read_text(encoding="utf-8")


@pytest.mark.parametrize("side", [4.0, 30.0])
def test_the_scale_does_not_grow_with_the_picture(side: float) -> None:
    figure = Figure(figsize=(side, side))
    axes: Axes = figure.add_subplot()
    add_scale(figure, paint(axes, WEIGHTS, SMALL.rows, SMALL.columns), [axes])
    bar = figure.axes[-1]
    bar.apply_aspect()
    width, height = side * np.array(bar.get_position().size)
    assert 0.1 < width < 0.2
    assert 1.5 < height < 3
    assert bar.get_ylabel() == "weight"


def test_ink_is_what_can_be_read() -> None:
    assert ink_on((1, 1, 1, 1)) == "black"
    assert ink_on((0.03, 0.19, 0.42)) == "white"


@pytest.mark.parametrize(("threshold", "curves"), [(0.0, 6), (0.05, 5), (0.25, 4), (1.0, 0)])
def test_a_line_for_each_weight_from_the_threshold_on(tmp_path: Path, threshold: float, curves: int) -> None:
    draw_lines(SMALL, tmp_path / "x.svg", threshold=threshold)
    groups = [
        g.get("id", "") for g in ElementTree.parse(tmp_path / "x.svg").iter("{http://www.w3.org/2000/svg}g")
    ]
    assert sum(name.startswith("patch_") for name in groups) == curves + 1  # and the ground


def test_hidden_mass_by_hand() -> None:
    assert hidden_mass(SMALL, 0.05) == pytest.approx(0.04 / 2)
    assert hidden_mass(SMALL, 0.0) == 0.0
    assert hidden_mass(SMALL, 1.0) == pytest.approx(1.0)


def test_layers_are_lines_and_heads_are_in_order() -> None:
    maps = [placed(layer, head) for head in (2, 0, 1) for layer in range(2)]
    grid = layers_and_heads(maps)
    assert list(grid) == ["layer 0", "layer 1"]
    order = [[getattr(one, "head", None) for one in heads] for heads in grid.values()]
    assert order == [[0, 1, 2]] * 2
    assert list(layers_and_heads([placed(0, 0), placed(0, 0, "encoder-self")])) == [
        "cross layer 0",
        "encoder-self layer 0",
    ]
    assert list(layers_and_heads([SMALL])) == ["attention"]


def test_an_overview_of_nothing_or_of_too_much_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RegardError, match="no maps were given"):
        draw_overview([], tmp_path / "x.png")
    with pytest.raises(RegardError, match="at most 24 × 24 maps, found 1 × 25; choose some"):
        draw_overview([placed(0, head) for head in range(25)], tmp_path / "x.png")


def test_maps_without_labels_say_what_their_sides_are() -> None:
    told = "cross-attention; rows: 2 output words, top to bottom; columns: 3 input words, left to right"
    assert axis_labels([SMALL, SMALL]) == told
    own = placed(0, 0, "encoder-self")
    assert axis_labels([own, SMALL]).splitlines() == [
        "encoder self-attention; rows: 1 input words, top to bottom; columns: 1 input words, left to right",
        told,
    ]
    assert axis_labels([SMALL, placed(0, 0)]) == told.replace("2 ", "").replace("3 ", "")


def test_text_is_shaded_for_a_row_or_the_mean() -> None:
    assert row_weights(SMALL, 1).tolist() == WEIGHTS[1].tolist()
    assert row_weights(SMALL, None) == pytest.approx([0.27, 0.155, 0.575])
    assert row_of(SMALL, "sleep") == 1
    assert (row_name(SMALL, 1), row_name(SMALL, None)) == ("sleep", "mean of all output words")
    with pytest.raises(
        RegardError, match="--word dog: is not one of the output words; choose one of: I, sleep"
    ):
        row_of(SMALL, "dog")


def test_shaded_words_stay_in_the_picture(tmp_path: Path) -> None:
    """Sixty words are broken into lines; at the right edge there is only ground."""
    columns = ("도서관에서",) * 60
    wide = AttentionMap("a", "cross", ("x",), columns, np.full((1, 60), 1 / 60, dtype=np.float32))
    draw_text(wide, tmp_path / "x.png")
    picture = np.asarray(Image.open(tmp_path / "x.png").convert("L"))
    assert picture.shape[0] > 400
    assert (picture[:, -3:] > 240).all()
    draw_text(SMALL, tmp_path / "few.png")
    assert size_of(tmp_path / "few.png")[0] < picture.shape[1] / 2, "no wider than its words"


def test_an_animation_has_a_frame_for_each_time(tmp_path: Path) -> None:
    even = AttentionMap("a", "cross", SMALL.rows, SMALL.columns, np.full((2, 3), 1 / 3, dtype=np.float32))
    draw_time_lapse([("step 1", even), ("step 2", even), ("step 3", SMALL)], tmp_path / "x.gif")
    film = Image.open(io.BytesIO((tmp_path / "x.gif").read_bytes()))
    frames, times = [], []
    for number in range(film.n_frames):  # type: ignore[attr-defined]
        film.seek(number)
        frames.append(np.asarray(film.convert("RGB")))
        times.append(film.info["duration"])
    assert times == [600, 600, 1800]
    assert len({frame.shape for frame in frames}) == 1
    assert (frames[1] != frames[2]).any()
    darkest = 255 * np.array(colormaps["Blues"](0.9)[:3])
    assert np.abs(frames[2].astype(float) - darkest).max(axis=-1).min() <= 3  # the cell of 0.9 is there
    assert np.abs(frames[1].astype(float) - darkest).max(axis=-1).min() <= 3  # on the scale only
    assert (np.abs(frames[2] - darkest).max(axis=-1) <= 3).sum() > 10 * (
        np.abs(frames[1] - darkest).max(axis=-1) <= 3
    ).sum()


@cells("words", [2, 12, 60], quick=[2, 12])
def test_small_maps_stay_on_a_page(tmp_path: Path, words: int) -> None:
    even = np.full((words, words), 1 / words, dtype=np.float32)
    shown = AttentionMap("a", "cross", ("word",) * words, ("낱말",) * words, even)
    draw_time_lapse([(f"step {n}", shown) for n in range(6)], tmp_path / "x.png")
    width, height = (side / DPI for side in size_of(tmp_path / "x.png"))
    assert width < 18.5
    assert height < 12


def test_frames_with_other_words_are_refused(tmp_path: Path) -> None:
    other = AttentionMap("a", "cross", ("We", "sleep"), SMALL.columns, WEIGHTS)
    with pytest.raises(RegardError, match="step 2: has other words than step 1; force one translation"):
        draw_time_lapse([("step 1", SMALL), ("step 2", other)], tmp_path / "x.gif")
    with pytest.raises(RegardError, match="no frames"):
        draw_time_lapse([], tmp_path / "x.gif")


def test_an_overview_names_rows_at_its_left_and_columns_below_each_kind(tmp_path: Path) -> None:
    """Two layers of two heads: the rows once a layer, the columns once a head."""
    picture = tmp_path / "x.svg"
    maps = []
    for layer, head in ((0, 0), (0, 1), (1, 0), (1, 1)):
        one = AttentionMap("cross", "cross", ("I", "sleep"), ("나는", "잘", "잔다"), WEIGHTS, layer, head)
        maps.append(one)
    draw_overview(maps, picture)
    written = picture.read_text(encoding="utf-8")
    assert [written.count(f"<!-- {word} -->") for word in ("sleep", "잔다")] == [2, 2]


def test_an_overview_leaves_out_words_that_have_no_room(tmp_path: Path) -> None:
    picture = tmp_path / "x.svg"
    many = tuple(f"w{number}" for number in range(60))
    weights = np.full((2, 60), 1 / 60, dtype=np.float32)
    draw_overview([AttentionMap("cross", "cross", ("I", "sleep"), many, weights, 0, 0)], picture)
    written = picture.read_text(encoding="utf-8")
    assert "<!-- sleep -->" in written
    assert "<!-- w7 -->" not in written


def test_shaded_words_have_the_same_room_in_their_boxes_as_they_are_drawn() -> None:
    """To the last sign, at the dots of a picture; letters are of other widths for other dots."""
    columns = ("plays", "man", "illi", "guitar", ".")
    weights = np.full((1, len(columns)), 0.2, dtype=np.float32)
    figure = _text_figure(AttentionMap("attention", "cross", ("a",), columns, weights), 0)
    figure.set_dpi(DPI)
    canvas = FigureCanvasAgg(figure)
    canvas.draw()  # type: ignore[no-untyped-call]
    (axes,), renderer = figure.axes, canvas.get_renderer()  # type: ignore[no-untyped-call]
    for word, box in zip(axes.texts, axes.patches, strict=False):  # the last text is the heading
        inner, outer = word.get_window_extent(renderer), box.get_window_extent(renderer)
        assert outer.x1 - inner.x1 == pytest.approx(0.04 * DPI, abs=0.1)
        assert not box.get_clip_on()


def test_models_side_by_side_have_their_names_their_words_and_cells_of_one_size(tmp_path: Path) -> None:
    picture = tmp_path / "x.svg"
    longer = AttentionMap("b", "cross", ("We", "sleep", "well"), SMALL.columns, np.eye(3, dtype=np.float32))
    draw_models([("runs/a\nI sleep", SMALL), ("runs/b", longer)], picture, title="나는 잘 잔다")
    drawn = picture.read_text(encoding="utf-8")
    for told, count in (("runs/a", 1), ("I sleep", 1), ("runs/b", 1), ("well", 1), ("잔다", 3)):
        assert len(re.findall(rf"<!-- ([^<]*\b)?{told}( |$)", drawn)) == count, told
    first, second = _models_figure([("a", SMALL), ("b", longer)], "").axes[:2]
    assert first.get_ylim() == second.get_ylim() == (2.5, -0.5)
    assert [len(axes.get_images()[0].get_array()) for axes in (first, second)] == [2, 3]  # type: ignore[arg-type]
    with pytest.raises(RegardError, match="no models were given"):
        draw_models([], picture)


@cells("words", [2, 12, 60], quick=[2, 12])
def test_many_models_stay_on_a_page(tmp_path: Path, words: int) -> None:
    even = np.full((words, words), 1 / words, dtype=np.float32)
    shown = AttentionMap("a", "cross", ("word",) * words, ("낱말",) * words, even)
    draw_models([(f"runs/model-{n}", shown) for n in range(4)], tmp_path / "x.png")
    assert size_of(tmp_path / "x.png")[0] / DPI < 38
