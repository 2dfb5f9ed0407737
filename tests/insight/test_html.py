"""The page as a text: what is in it can be read back, and cannot break out."""

import base64
import hashlib
import json
import re
import zlib
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.examples import cells

from regard.errors import RegardError
from regard.insight.html import STEP, attention_page, json_block, packed, write_models
from regard.insight.maps import AttentionMap

HOSTILE = ["</script>", "<!--", "]]>", "&lt;", "\u2028\u2029", '"', "\\", "\ud83d\ude00"]


class Elements(HTMLParser):
    """Every element of a page with its attributes and the text in it."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None], str]] = []
        self.inside = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs), ""))
        self.inside = True

    def handle_endtag(self, tag: str) -> None:
        self.inside = False

    def handle_data(self, data: str) -> None:
        if self.inside:
            tag, attributes, text = self.found[-1]
            self.found[-1] = (tag, attributes, text + data)


def elements_of(page: str) -> list[tuple[str, dict[str, str | None], str]]:
    parser = Elements()
    parser.feed(page)
    return parser.found


def page_of(*words: str) -> str:
    weights = np.full((len(words), len(words)), 1 / len(words), dtype=np.float32)
    attention = AttentionMap("a", "cross", words, words, weights)
    return attention_page({"words": [attention]}, source=" ".join(words), target=" ".join(words))


@given(st.text())
def test_json_in_a_script_says_the_same_and_cannot_end_it(text: str) -> None:
    block = json_block({"word": text})
    assert not set(block) & set("<>&\u2028\u2029")
    assert json.loads(block) == {"word": text}


def test_words_add_no_element() -> None:
    plain, hostile = elements_of(page_of("a")), elements_of(page_of(*HOSTILE))
    assert [(tag, attributes) for tag, attributes, _ in hostile] == [(tag, attrs) for tag, attrs, _ in plain]
    data = json.loads(next(text for tag, attributes, text in hostile if attributes.get("id") == "data"))
    assert data["packed"]["labels"] == [HOSTILE]


def test_the_policy_names_exactly_what_is_there() -> None:
    found = elements_of(page_of("a"))
    policy = next(str(a["content"]) for tag, a, _ in found if "http-equiv" in a)
    for tag, attribute, rule in (("script", "module", "script-src"), ("style", None, "style-src")):
        (text,) = [text for name, a, text in found if name == tag and a.get("type") == attribute]
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"{rule} 'sha256-{digest}'" in policy
    assert policy.startswith("default-src 'none';")
    assert "unsafe" not in policy
    assert not re.search(r"https?:", policy)


def test_weights_come_back_within_half_a_step() -> None:
    random = np.random.default_rng(0)
    weights = random.dirichlet([0.2] * 9, 7).astype(np.float32)
    one = AttentionMap("a", "cross", tuple("abcdefg"), tuple("123456789"), weights)
    values = packed({"words": [one], "tokens": [one, one]})
    planes = np.frombuffer(zlib.decompress(base64.b64decode(values["packed"]["deflated"])), dtype=np.uint8)
    fixed = np.ascontiguousarray(planes.reshape(4, -1).T).view("<i4").reshape(3, 7, 9)
    assert np.abs(fixed * values["packed"]["unit"] - weights).max() <= STEP / 2
    assert STEP / 2 + 0.5e-6 <= 1e-6  # with the rounding to six decimals
    assert [len(level["maps"]) for level in values["levels"]] == [1, 2]


@cells("sharp", [0.02, 1.0, 100.0], quick=[1.0])  # which deflates worst
def test_the_size_of_twelve_by_twelve_heads(sharp: float) -> None:
    random = np.random.default_rng(0)
    words = tuple(f"낱말{n}" for n in range(64))
    weights = random.dirichlet([sharp] * 64, (144, 64)).astype(np.float32)
    maps = [AttentionMap("encoder.layers.11.attention", "cross", words, words, each) for each in weights]
    page = attention_page({"tokens": maps}, source=" ".join(words), target=" ".join(words))
    assert len(page.encode()) < 2_000_000


def test_a_page_of_nothing_is_refused() -> None:
    with pytest.raises(RegardError, match="there is no attention to show: no maps were given"):
        attention_page({"words": []}, source="", target="")


def test_a_unit_that_is_none_is_refused() -> None:
    one = AttentionMap("a", "cross", ("a",), ("b",), np.ones((1, 1), dtype=np.float32))
    with pytest.raises(RegardError, match="unknown unit 'word'; did you mean 'words'"):
        attention_page({"word": [one]}, source="", target="")
    with pytest.raises(RegardError, match="no models were given"):
        write_models([], Path("x.html"), source="")
