import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from regard.text.normalise import normalise


def test_nfd_hangul_is_composed_and_points_back() -> None:
    typed = unicodedata.normalize("NFD", "학교에")  # ㅎㅏㄱ ㄱㅛ ㅇㅔ: 3 + 2 + 2 characters
    result = normalise(typed)
    assert result.text == "학교에"
    assert [result.to_original((i, i + 1)) for i in range(3)] == [(0, 3), (3, 5), (5, 7)]
    assert result.to_original((0, 3)) == (0, 7)
    assert result.to_original((1, 1)) == (3, 3)


def test_nfc_is_left_alone() -> None:
    assert normalise("책을 읽다").to_original((1, 4)) == (1, 4)


def test_latin_marks_and_mixed_text() -> None:
    result = normalise("cafe\u0301 책")
    assert result.text == "café 책"
    assert result.to_original((3, 4)) == (3, 5)
    assert result.to_original((5, 6)) == (6, 7)


@given(st.text(alphabet=st.characters(codec="utf-8")))
def test_it_is_nfc_and_every_span_gives_its_own_text(text: str) -> None:
    for typed in (text, unicodedata.normalize("NFD", text)):
        result = normalise(typed)
        assert result.text == unicodedata.normalize("NFC", typed)
        if result.text:
            assert result.to_original((0, len(result.text))) == (0, len(typed))
        for i in range(len(result.text)):
            start, end = result.to_original((i, i + 1))
            assert 0 <= start < end <= len(typed)
            assert result.text[i] in unicodedata.normalize("NFC", typed[start:end])
