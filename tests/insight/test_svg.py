"""What a notebook shows: well-formed, escaped, every cell with its number."""

from xml.etree import ElementTree

import numpy as np
import pytest

from regard.inference.generation import Translation
from regard.insight.maps import AttentionMap
from regard.insight.record import AttentionRecord
from regard.insight.svg import heat_map_svg
from regard.tasks.translation.predictor import Translator

SVG = "{http://www.w3.org/2000/svg}"


def tree_of(svg: str) -> ElementTree.Element:
    return ElementTree.fromstring(svg)  # our own text


def test_every_word_and_every_weight_is_there() -> None:
    weights = np.array([[0.25, 0.75], [1.0, 0.0]], dtype=np.float32)
    tree = tree_of(heat_map_svg(AttentionMap("attention", "cross", ("I", "go"), ("나는", "간다"), weights)))
    assert [text.text for text in tree.iter(f"{SVG}text")] == ["나는", "간다", "I", "go"]
    cells = [(r.get("fill-opacity"), r[0].text) for r in tree.iter(f"{SVG}rect")]
    assert cells[:2] == [("0.250", "I ← 나는: 0.250"), ("0.750", "I ← 간다: 0.750")]
    assert cells[3] == ("0.030", "go ← 간다: 0.000")


@pytest.mark.parametrize(
    "word", ["<script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "&amp;", "a\u202eb"]
)
def test_nothing_is_injected(word: str) -> None:
    weights = np.ones((1, 1), dtype=np.float32)
    svg = heat_map_svg(AttentionMap(word, "cross", (word,), (word,), weights))
    tree = tree_of(svg)
    assert {element.tag for element in tree.iter()} == {
        f"{SVG}{tag}" for tag in ("svg", "title", "text", "rect")
    }
    assert "\u202e" not in "".join(text.text or "" for text in tree.iter(f"{SVG}text"))
    result = Translation(word, word, 0.0, 0.0, (), True, (), AttentionRecord(reason=word))
    assert "<script" not in result._repr_html_()
    assert "<img" not in result._repr_html_()


def test_a_translation_shows_its_attention(translator: Translator) -> None:
    html = translator.translate("저는 달을 봤어요.")._repr_html_()
    assert html.count("<svg") == 1
    assert "달을" in html
    assert translator.translate("저는 달을 봤어요.").attention.words()._repr_svg_() in html
    assert "the sentence has no words" in translator.translate("")._repr_html_()
