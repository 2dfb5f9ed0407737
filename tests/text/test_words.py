import itertools

from hypothesis import given
from hypothesis import strategies as st

from regard.text.words import split_words, word_spans


def test_words_by_example() -> None:
    assert split_words("나는 책을 읽었다.") == ["나는", "책을", "읽었다", "."]
    assert split_words("3.5 kg, don't!") == ["3.5", "kg", ",", "don't", "!"]
    assert split_words("“Yes?!” (he)") == ["“", "Yes", "?", "!", "”", "(", "he", ")"]
    assert split_words("  a \t b\n") == ["a", "b"]
    assert split_words("... -") == [".", ".", ".", "-"]
    assert split_words("") == []


@given(st.text())
def test_words_hold_every_sign_that_is_not_a_space(text: str) -> None:
    spans = word_spans(text)
    assert all(a[1] <= b[0] for a, b in itertools.pairwise(spans))
    assert "".join(text[s:e] for s, e in spans) == "".join(text.split())
