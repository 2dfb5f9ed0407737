import sys
import time
import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from regard.text.normalise import NormalisedText, joins_the_one_before, normalise


def test_nfd_hangul_is_composed_and_points_back() -> None:
    typed = unicodedata.normalize("NFD", "학교에")  # ㅎㅏㄱ ㄱㅛ ㅇㅔ: 3 + 2 + 2 characters
    result = normalise(typed)
    assert result.text == "학교에"
    assert [result.to_original((i, i + 1)) for i in range(3)] == [(0, 3), (3, 5), (5, 7)]
    assert result.to_original((0, 3)) == (0, 7)
    assert result.to_original((1, 1)) == (3, 3)


def test_the_way_forth_is_the_way_back() -> None:
    result = normalise(unicodedata.normalize("NFD", "학교에"))
    assert [result.from_original(span) for span in ((0, 3), (0, 1), (2, 4), (3, 7), (5, 5))] == [
        (0, 1),
        (0, 1),
        (0, 2),
        (1, 3),
        (2, 2),
    ]


def test_nfc_is_left_alone() -> None:
    assert normalise("책을 읽다").to_original((1, 4)) == (1, 4)
    assert normalise("책을 읽다").from_original((1, 4)) == (1, 4)


def test_latin_marks_and_mixed_text() -> None:
    result = normalise("cafe\u0301 책")
    assert result.text == "café 책"
    assert result.to_original((3, 4)) == (3, 5)
    assert result.to_original((5, 6)) == (6, 7)


def test_compatibility_forms_stay() -> None:
    """NFC is not NFKC: full-width letters, ligatures and compatibility jamo are the user's own."""
    for text in ("ＡＢＣ", "ﬁ", "ㅋㅋ", "㎏", "①"):
        assert normalise(text).text == text


def test_hangul_of_every_kind() -> None:
    assert normalise("가\u11a8").text == "각"  # a syllable takes a final consonant
    assert normalise("\u113c\u1161").text == "\u113c\u1161"  # old consonants compose with nothing
    assert normalise("각\u11a8").text == "각\u11a8"  # no room for a second one
    assert normalise("\u1100\u1161\u11a8\u1100").to_original((0, 1)) == (0, 3)


def test_every_character_that_can_join_the_one_before_is_known() -> None:
    """A cluster may begin only where the first character of the full decomposition is a starter that is not
    the second of any composition: otherwise NFC of the parts is not NFC of the whole."""
    characters = [chr(code) for code in range(sys.maxunicode + 1) if not 0xD800 <= code <= 0xDFFF]
    seconds = {chr(code) for code in (*range(0x1161, 0x1176), *range(0x11A8, 0x11C3))}
    for character in characters:
        parts = unicodedata.decomposition(character).split()
        if len(parts) == 2 and not parts[0].startswith("<"):
            seconds.add(chr(int(parts[1], 16)))
    for character in characters:
        first = unicodedata.normalize("NFD", character)[0]
        if unicodedata.combining(first) or first in seconds:
            assert joins_the_one_before(character), f"U+{ord(character):04X}"


@given(st.text(alphabet=st.characters(codec="utf-8")))
def test_it_is_nfc_and_every_span_gives_its_own_text(text: str) -> None:
    for typed in (text, unicodedata.normalize("NFD", text)):
        result = normalise(typed)
        assert result.text == unicodedata.normalize("NFC", typed)
        position = 0
        for i in range(len(result.text)):
            start, end = result.to_original((i, i + 1))
            assert start <= position < end or (start == position - (end - start) and end == position)
            position = end
            assert result.text[i] in unicodedata.normalize("NFC", typed[start:end])
            first, last = result.from_original((start, end))
            assert first <= i < last
        assert position == len(typed)


@given(st.text(alphabet=st.sampled_from("a e\u0301\u0323각가\u1100\u1161\u11a8\u0b47\u0b3e")))
def test_pieces_that_compose_in_every_order(text: str) -> None:
    assert normalise(text).text == unicodedata.normalize("NFC", text)


def test_a_long_text_is_not_slow() -> None:
    """100,000 decomposed characters, asked for each span: minutes if each looked at all the others."""
    result = normalise(unicodedata.normalize("NFD", "각" * 33_333))
    began = time.perf_counter()
    for i in range(len(result.text)):
        result.from_original(result.to_original((i, i + 1)))
    assert time.perf_counter() - began < 3.0


def test_marks_that_stand_for_nothing_have_no_characters() -> None:
    """A character put in between, as a mark, begins where the next one does."""
    marked = NormalisedText("가나", "가|나", (0, 1, 1, 2))
    assert marked.to_original((0, 1)) == (0, 1)
    assert marked.to_original((2, 3)) == (1, 2)
