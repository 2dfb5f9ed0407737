import struct
import warnings
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from regard.errors import RegardError
from regard.training.runs.figure import draw_panels
from regard.training.runs.history import Point
from regard.training.runs.panels import Curve, Panel


def panels(runs: int) -> list[Panel]:
    curves = []
    for run in range(runs):
        dev: list[Point] = [(step, run + 1 / step) for step in (10, 20, 30)]
        train: list[Point] = [(step, run + 1.1 / step) for step in range(1, 31)]
        curves.append(Curve(train, dev, dev[1]))
    return [
        Panel("loss", "step", 30.0, curves),
        Panel("bleu", "step", 30.0, [*curves[:-1], Curve([], [], None)]),
    ]


@pytest.mark.parametrize("runs", [1, 3, 12])
def test_every_format(tmp_path: Path, runs: int) -> None:
    names = [f"실험/run $x_{run}$" for run in range(runs)]
    for ending, magic in ((".png", b"\x89PNG"), (".svg", b"<?xml"), (".pdf", b"%PDF")):
        draw_panels(panels(runs), names, tmp_path / f"x{ending}")
        assert (tmp_path / f"x{ending}").read_bytes().startswith(magic)
    width, height = struct.unpack(">II", (tmp_path / "x.png").read_bytes()[16:24])
    assert 1500 < width < 2000
    assert 500 < height < 1100
    first = (tmp_path / "x.svg").read_bytes()
    ElementTree.fromstring(first)
    draw_panels(panels(runs), names, tmp_path / "x.svg")
    assert (tmp_path / "x.svg").read_bytes() == first


@pytest.mark.parametrize("names", [["뷁 실험"], ["a", "한국어/기본"]], ids=["title", "legend"])
def test_hangul_has_its_glyphs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, names: list[str]) -> None:
    """matplotlib warns of a missing one, and no warning is swallowed here."""
    monkeypatch.setattr(warnings, "filterwarnings", lambda *_, **__: None)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        draw_panels(panels(len(names)), names, tmp_path / "x.png")


def test_the_format_is_checked(tmp_path: Path) -> None:
    with pytest.raises(RegardError, match=r"a picture ends in \.png, \.svg, \.pdf, found '\.gif'"):
        draw_panels(panels(1), ["a"], tmp_path / "x.gif")
