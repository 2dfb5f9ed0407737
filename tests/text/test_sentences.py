import pytest
from hypothesis import given
from hypothesis import strategies as st

from regard.text.sentences import clause_spans, sentence_spans


def cut(text: str) -> list[str]:
    return [text[start:end] for start, end in sentence_spans(text)]


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("나는 학교에 갔다. 책을 읽었다.", ["나는 학교에 갔다.", "책을 읽었다."]),
        ("정말요? 네! 좋아요…", ["정말요?", "네!", "좋아요…"]),
        ('그는 "가자." 라고 했다.', ['그는 "가자."', "라고 했다."]),
        ("He said “Go.” Then he left.", ["He said “Go.”", "Then he left."]),
        ("Mr. Kim met Dr. J. Smith. They talked.", ["Mr. Kim met Dr. J. Smith.", "They talked."]),
        ("It costs 3.5 dollars, e.g. here. Yes.", ["It costs 3.5 dollars, e.g. here.", "Yes."]),
        ("1. Read it. 2. Write it.", ["1. Read it.", "2. Write it."]),
        ("We met at 3 p.m. and left.", ["We met at 3 p.m. and left."]),
        ("今日は晴れ。明日は雨！", ["今日は晴れ。", "明日は雨！"]),
        ("one line\nanother", ["one line", "another"]),
        ("Wait... What?! No.", ["Wait...", "What?!", "No."]),
        ("", []),
        ("   ", []),
        ("끝이 없는 글", ["끝이 없는 글"]),
    ],
)
def test_sentences(text: str, sentences: list[str]) -> None:
    assert cut(text) == sentences


@given(st.text(alphabet="가나 aA1.,!?\"'”\n", max_size=60))
def test_nothing_but_white_space_is_between_sentences(text: str) -> None:
    for spans in (sentence_spans(text), clause_spans(text)):
        ends = [0, *(end for _, end in spans)]
        starts = [*(start for start, _ in spans), len(text)]
        for end, start in zip(ends, starts, strict=True):
            assert end <= start
            assert not text[end:start].strip()


def test_clauses() -> None:
    text = "비가 와서, 나는 1,000원을 냈다; 끝"
    assert [text[start:end] for start, end in clause_spans(text)] == [
        "비가 와서,",
        "나는 1,000원을 냈다;",
        "끝",
    ]
