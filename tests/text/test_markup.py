import re

import pytest

from regard.text.markup import Tag, placeholders, without_tags


def test_tags_are_taken_out_with_their_places() -> None:
    text, tags = without_tags('<p>나는 <a href="x>y">책</a>을<br/> 읽었다</p>')
    assert text == '나는 <a href="x>y">책을 읽었다'  # an attribute with > in it is no tag that we take
    text, tags = without_tags("<p>나는 <a href='x'>책</a>을<br/> 읽었다</p>")
    assert text == "나는 책을 읽었다"
    assert tags == (
        Tag("<p>", 0),
        Tag("<a href='x'>", 3),
        Tag("</a>", 4),
        Tag("<br/>", 5),
        Tag("</p>", 9),
    )
    assert [tag.name for tag in tags] == ["p", "a", "a", "br", "p"]
    assert [tag.opens for tag in tags] == [True, True, False, False, False]


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("갔다.<br/>왔다.", "갔다. 왔다."),
        ("갔다.<br>왔다.", "갔다. 왔다."),
        ("<p>갔다.</p><p>왔다.</p>", "갔다. 왔다."),
        ("<b>책</b>을", "책을"),
        ("<option selected>하나</option>", "하나"),
        ("앞<!-- 말 -->뒤", "앞뒤"),
    ],
)
def test_tags_between_words(text: str, plain: str) -> None:
    found, tags = without_tags(text)
    assert found == plain
    assert "".join(tag.written for tag in tags) == "".join(re.findall(r"<.*?>", text))


@pytest.mark.parametrize("text", ["a < b > c", "x<y and y>z", "I <3 you", "1 <2> 3", "<>", "a <- b"])
def test_what_is_no_tag_stays(text: str) -> None:
    assert without_tags(text) == (text, ())


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("{0}개의 파일을 %s에 저장", ("{0}", "%s")),
        ("%(name)s님, {{ count }}개", ("%(name)s", "{{ count }}")),
        ("%1$s of %2$d (%.2f%%)", ("%1$s", "%2$d", "%.2f")),
        ("50% discount, 50 % of it, 100%", ()),
        (
            "see https://example.org/a?b=1. or me@example.org!",
            ("https://example.org/a?b=1", "me@example.org"),
        ),
        ("{a} and {a}", ("{a}", "{a}")),
        ("kim@example.com으로 보냈다", ("kim@example.com",)),
        ("https://example.com에서 샀다", ("https://example.com",)),
        ("a set {x, y} and {}", ("{}",)),
    ],
)
def test_placeholders(text: str, found: tuple[str, ...]) -> None:
    assert placeholders(text) == found
