"""Causes as a user has them: rows, words about agreement, files, and what is refused."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.analysis.families import TEXT, family
from tests.conftest import Run

from regard.analysis.causes_picture import causes_html
from regard.analysis.result import Causes, Method
from regard.errors import DataError


def given(effects: list[float], weights: list[float]) -> Causes:
    """Causes with given numbers."""
    words = tuple("abcd"[: len(effects)])
    methods = (
        Method("removal", "measured", np.array(effects), tuple("other" for _ in words)),
        Method("attention", "weight", np.array(weights)),
    )
    places = tuple((0, n) for n in range(len(words)))
    special = tuple(False for _ in words)
    return Causes(("a b c d",), "good", "good", "log p", -0.1, words, places, special, methods)


def test_the_first_measured_method_ranks_by_size() -> None:
    found = given([0.5, -2.0, 1.0, 0.0], [0.1, 0.2, 0.3, 0.4])
    assert [row.word for row in found.rows] == ["b", "c", "a", "d"]
    assert repr(found) == "<Causes of 'good': 4 words, most by 'b' (removal -2.000)>"


@pytest.mark.parametrize("name", ["translation:transformer", "label:self-attentive"])
def test_of_one_word_the_method_that_ranks_tells_what_is_said_instead(name: str) -> None:
    """It cannot be removed, for nothing would be left to read."""
    own = family(name)
    found = own.model.causes("책은", by=("removal", "occlusion", "mask"))
    assert found.method("removal").reason == "all words are removed, and nothing is left to read"
    assert found.ranking is not None
    assert found.ranking.name == "occlusion"
    assert found.rows[0].instead["occlusion"] is not None
    assert found.method("mask").instead == (None,) * len(found.words)


def test_a_mask_alone_can_be_neither_removed_nor_occluded() -> None:
    found = family("fill:bert").model.causes("[MASK]", by=("removal", "occlusion", "mask"))
    for way in ("removal", "occlusion"):
        assert found.method(way).reason == "none of these words can be taken away"
    assert found.ranking is not None
    assert found.ranking.name == "mask"
    assert all(found.method("mask").instead)


@pytest.mark.parametrize(
    ("effects", "weights", "told"),
    [
        ([3.0, 2.0, 1.0, 0.5], [0.4, 0.3, 0.2, 0.1], []),
        ([-3.0, 2.0, 1.0, 0.5], [0.4, 0.3, 0.2, 0.1], []),  # a weight does not say which way
        (
            [0.5, 1.0, 2.0, 3.0],
            [0.4, 0.3, 0.2, 0.1],
            ["attention disagrees with removal: it puts 'a' first, the other 'd'; rank correlation -1.00"],
        ),
        (
            [3.0, 0.5, 1.0, 2.0],
            [0.4, 0.3, 0.2, 0.1],
            [
                "attention disagrees with removal on the other words: both put 'a' first; "
                "rank correlation 0.20"
            ],
        ),
    ],
)
def test_where_weight_and_effect_disagree_it_says_so(
    effects: list[float], weights: list[float], told: list[str]
) -> None:
    """Of ranks 4 1 2 3 and 4 3 2 1, Spearman's is 1 - 6 (0 + 4 + 0 + 4) / (4 · 15) = 0.2."""
    found = given(effects, weights)
    assert list(found.remarks()) == told
    for line in told:
        assert line in str(found)
        assert line in causes_html(found).replace("&#x27;", "'")


def test_a_page_runs_nothing_and_keeps_what_is_hostile_apart(tmp_path: Path) -> None:
    found = replace(given([1.0, -2.0], [0.5, 0.5]), said="<script>alert(1)</script>", words=("<b>", "책"))
    for name in ("x.html", "x.json", "x.svg"):
        found.save(tmp_path / name)
    page = (tmp_path / "x.html").read_text(encoding="utf-8")
    assert "<script" not in page
    assert "&lt;script" in page
    assert "color-scheme:light dark" in page
    assert "background:rgb(178,24,43);color:white" in page  # the largest effect, against it
    values = json.loads((tmp_path / "x.json").read_text(encoding="utf-8"))
    assert values["ranked_by"] == "removal"
    assert [word["values"]["removal"] for word in values["words"]] == [-2.0, 1.0]


SAME: dict[str, dict[str, Any]] = {
    "translation:transformer": {"word": "book", "instead": "book"},
    "language:lm-transformer": {"word": 3, "instead": "좋다"},
    "label:bert-first": {"target": "good", "instead": "good"},
    "tag:words-softmax": {"word": 2, "target": "a", "instead": "a"},
    "answer:always": {"target": "책은", "instead": "책은"},
    "fill:bert": {"target": "책은", "instead": "책은"},
}


@pytest.mark.parametrize("name", SAME)
def test_a_contrast_needs_something_else(name: str) -> None:
    own = family(name)
    with pytest.raises(DataError, match=r"^instead: '.+' is what is explained; name what might have been"):
        own.model.causes(own.text, **own.options | SAME[name])


@pytest.mark.parametrize("name", ["language:lm-transformer", "language:lm-lstm"])
def test_another_word_of_a_text_stands_behind_the_same_words(name: str) -> None:
    lm = family(name).model
    [this, that] = lm.score([TEXT, TEXT.replace("좋다", "길다")])
    found = lm.causes(TEXT, word=3, instead="길다", by="removal", alternatives=False)
    expected = this.log_probabilities[3] - that.log_probabilities[3]
    assert found.score == pytest.approx(expected, abs=1e-6)


def test_a_text_with_a_mask_is_shown_with_it() -> None:
    own = family("fill:bert")
    found = own.model.causes(own.text, by="removal", alternatives=False)
    assert found.texts == (own.text,)
    assert str(found).startswith(own.text)


@pytest.mark.parametrize("name", ["label:bert-first", "embedding:bert-mean", "fill:bert"])
def test_special_tokens_alone_are_no_words(name: str) -> None:
    own = family(name)
    options = {key: value for key, value in own.options.items() if key != "word"}
    with pytest.raises(DataError, match="has no words"):
        own.model.causes(" ", **options)
    if "second" in options:
        with pytest.raises(DataError, match="second text has no words"):
            own.model.causes(TEXT, second=" ")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ([""], "the sentence has no words"),
        (["책을", "--by", "nonsense"], "by: unknown method 'nonsense'; valid: removal, occlusion, mask"),
        (["책을", "--by", "remval"], "did you mean 'removal'?"),
        (["책을", "--by", ","], "by: expected one method or more of removal,"),
        (["책을", "--word", "zebra"], "'zebra' is not in the translation; its words are 0 "),
        (["책을", "--instead", "letter"], "instead: in place of which word? name one of: 0 "),
        (["책을", "--second", "a"], "second: this model reads one text"),
        (["책을", "--out", "x.gif"], "x.gif: expected a name that ends in .png, .svg, .pdf, .html or .json"),
        (["책을 " * 2000], "expected at most 1,024 tokens, found "),
    ],
)
def test_a_mistake_is_a_line(run: Run, trained: Path, arguments: list[str], told: str) -> None:
    found = run("causes", trained, *arguments)
    assert found.returncode == 2
    assert told in found.stderr
    assert found.stderr.count("\n") == 1
    assert not found.stdout
