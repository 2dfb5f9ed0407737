import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from rich.cells import cell_len

from regard.training.runs.history import Point
from regard.training.runs.panels import Curve, Panel
from regard.training.runs.terminal import line_plot, ticks

DIAGONAL: list[Point] = [(0.0, 0.0), (10.0, 10.0)]


def panel(*lines: list[Point], dev: list[Point] | None = None) -> Panel:
    end = max(x for line in lines for x, _ in line)
    return Panel("title", "step", end or 1.0, [Curve(line, dev or [], None) for line in lines])


def drawn(text: str) -> list[str]:
    """What stands right of the axis, line by line."""
    _, *lines, _, _ = text.split("\n")
    return [line.replace("┤", "│").split("│", 1)[1] for line in lines]


def test_a_diagonal_in_letters() -> None:
    """Without colour: five columns and five rows, each run in its own letter, the end in capitals."""
    plot = line_plot(panel(DIAGONAL, DIAGONAL[::-1]), width=5 + 4, height=5, colour=False)
    assert drawn(plot.plain) == ["    A", "   b", "  b", " b", "B"]


def test_dots_of_braille() -> None:
    """A diagonal through two cells of two by four dots, from the lower left to the upper right."""
    plot = line_plot(panel([(0.0, 0.0), (1.0, 1.0)], dev=[(0.0, 0.0)]), width=2 + 3, height=1, colour=False)
    (line,) = drawn(plot.plain)
    assert line == "●⠊"  # the mark, then the upper half of the line: dots 2 and 4


def test_marks_stand_at_validations() -> None:
    plot = line_plot(panel(DIAGONAL, DIAGONAL, dev=[(5.0, 0.0)]), width=11 + 4, height=3, colour=False)
    assert drawn(plot.plain)[-1][5] == "B"


@pytest.mark.parametrize("colour", [True, False])
def test_colour_changes_signs_not_places(colour: bool) -> None:
    plot = line_plot(panel(DIAGONAL, [(0.0, 5.0), (10.0, 5.0)]), width=40, height=7, colour=colour)
    lines = drawn(plot.plain)
    assert [line.rstrip()[-1] for line in (lines[0], lines[3])] == ["A", "B"]
    assert bool(plot.spans) == colour
    assert any(0x2800 < ord(sign) < 0x2900 for sign in plot.plain) == colour


@example([(0.0, 5e-324)], 80, True)
@example([(5e-324, 0.0), (5e-324, 5e-324)], 80, False)
@given(
    st.lists(st.tuples(st.floats(0, 1e7), st.floats(-1e12, 1e12)), min_size=1, max_size=20),
    st.integers(24, 130),
    st.booleans(),
)
def test_any_numbers_fit(points: list[Point], width: int, colour: bool) -> None:
    text = line_plot(panel(sorted(points)), width=width, height=6, colour=colour).plain
    assert all(cell_len(line) <= width for line in text.split("\n")[1:])
    assert len(text.split("\n")) == 6 + 3


@given(st.floats(-1e9, 1e9), st.floats(1e-6, 1e9), st.integers(2, 12))
def test_ticks_are_few_round_and_inside(low: float, size: float, most: int) -> None:
    assume(size > 1e-6 * abs(low))
    found = ticks(low, low + size, most)
    assert 1 <= len(found) <= most
    slack = 1e-6 * size
    assert all(low - slack <= tick <= low + size + slack for tick in found)
    if len(found) > 1:
        assert f"{found[1] - found[0]:.2e}"[:4] in ("1.00", "2.00", "5.00")


def test_ticks_by_hand() -> None:
    assert ticks(0, 303, 8) == [0, 50, 100, 150, 200, 250, 300]
    assert ticks(-1.2, 1.3, 6) == [-1, -0.5, 0, 0.5, 1]
