"""Tags go where the attention says, each once, nested as they were."""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from regard.insight.record import AttentionRecord, LayerAttention
from regard.insight.tags import put_tags
from regard.insight.token_axis import TokenAxis
from regard.text.markup import without_tags
from regard.text.words import word_spans


def record(source: str, target: str, links: dict[int, int]) -> AttentionRecord:
    """Each target word looks at one source word (0.9), and a little at the others."""
    columns, rows = word_spans(source), word_spans(target)
    weights = np.full((len(rows), len(columns)), 0.1 / max(1, len(columns) - 1), dtype=np.float32)
    for row in range(len(rows)):
        weights[row, links.get(row, 0)] = 0.9
    sides = [
        TokenAxis(text, tuple(text[start:end] for start, end in spans), tuple(spans), ())
        for text, spans in ((source, columns), (target, rows))
    ]
    return AttentionRecord(sides[0], sides[1], (LayerAttention("attention", "cross", weights),))


LINKS = {0: 0, 1: 2, 2: 1, 3: 1, 4: 3}  # I read the book .  ←  나는 책을 읽었다 .


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("나는 <b>책을</b> 읽었다.", "I read <b>the book</b>."),
        ("나는 <b>책</b>을 읽었다.", "I read <b>the book</b>."),
        ("<p>나는 <i>책을</i> 읽었다.</p>", "<p>I read <i>the book</i>.</p>"),
        ("나는 <br/>책을 읽었다.", "I read <br/>the book."),
        ("나는 책을 <b>읽었다.</b>", "I <b>read</b> the book."),
        ("나는 책을 읽었다.<br/>", "I read the book.<br/>"),
        ("<b>나는</b> 책을 <i>읽었다</i>.", "<b>I</b> <i>read</i> the book."),
        ("<b><i>책을</i></b> 나는", "<b><i>the book</i></b>"),
        ("나는 책을</b> 읽었다.", "I </b>read the book."),
        ("나는 <b>책을 읽었다.", "I read <b>the book."),
        ("<b></b>나는 책을 읽었다.", "<b></b>I read the book."),
    ],
)
def test_places(source: str, expected: str) -> None:
    plain, tags = without_tags(source)
    target = "I read the book." if "읽" in source else "the book"
    links = LINKS if "읽" in source else {0: 0, 1: 0}
    written = put_tags(target, tags, record(plain, target, links))
    assert written == expected


def test_without_attention_or_words_nothing_is_lost() -> None:
    _, tags = without_tags("<p><b>책</b></p>")
    assert put_tags("book", tags, AttentionRecord(reason="none")) == "<p><b>book</b></p>"
    assert put_tags("", tags, record("책", "", {})) == "<p><b></b></p>"


WORDS = st.sampled_from(["책을 ", "읽었다 ", "나는 ", "<br/>", ""])
MARKUP = st.recursive(
    WORDS,
    lambda inner: st.builds(
        lambda name, parts: f"<{name}>{''.join(parts)}</{name}>",
        st.sampled_from(["b", "i", "span"]),
        st.lists(inner, max_size=4),
    ),
    max_leaves=12,
)


@given(st.lists(MARKUP, max_size=5), st.lists(st.integers(0, 5), min_size=5, max_size=5))
def test_every_tag_is_there_once_and_nested(parts: list[str], links: list[int]) -> None:
    plain, tags = without_tags("".join(parts) + "끝")
    count = len(word_spans(plain))
    target = "I read the book today"
    written = put_tags(target, tags, record(plain, target, {n: link % count for n, link in enumerate(links)}))
    assert re.sub(r"<[^>]*>", "", written) == target
    found = re.findall(r"<[^>]*>", written)
    assert sorted(found) == sorted(tag.written for tag in tags)
    assert unmatched(found) == 0


def unmatched(tags: list[str]) -> int:
    """Closing tags that do not close the innermost open one."""
    open_: list[str] = []
    wrong = 0
    for tag in tags:
        if tag.startswith("</"):
            if open_ and open_[-1] == tag.replace("/", ""):
                open_.pop()
            else:
                wrong += 1
        elif not tag.endswith("/>"):
            open_.append(tag)
    return wrong + len(open_)


def test_a_full_stop_that_looked_at_the_last_word_stays_outside() -> None:
    plain, tags = without_tags("나는 <b>책을</b> 읽었다.")
    assert put_tags("I read the book.", tags, record(plain, "I read the book.", {**LINKS, 4: 1})) == (
        "I read <b>the book</b>."
    )
