import json
import sys
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.text.conftest import COMBINATIONS, TEXTS, config, learned

from regard.config.text import Kind
from regard.errors import DataError, MissingExtraError
from regard.text import korean
from regard.text.korean import (
    NO_DICTIONARY,
    Dictionary,
    Morpheme,
    compose,
    jamo,
    morpheme_borders,
    morpheme_spans,
    morphemes,
)
from regard.text.tokenizer import Tokenizer
from regard.text.words import word_spans

WITH_MORPHEMES = [kind for kind, split in COMBINATIONS if split == "morphemes"]


def cut(text: str, dictionary: Dictionary = NO_DICTIONARY) -> list[str]:
    return [text[start:end] for start, end in morpheme_spans(text, dictionary)]


def test_morphemes_by_example() -> None:
    assert morphemes("학교에 갔다") == [
        Morpheme("학교", "NNG", (0, 2)),
        Morpheme("에", "JKB", (2, 3)),
        Morpheme("가", "VV", (4, 5)),
        Morpheme("었", "EP", (4, 5)),
        Morpheme("다", "EF", (5, 6)),
    ]


def test_words_are_cut_where_no_character_is_shared() -> None:
    assert cut("나는 학교에서 책을 읽었다.") == [
        "나",
        "는",
        "학교",
        "에서",
        "책",
        "을",
        "읽",
        "었",
        "다",
        ".",
    ]
    assert cut("갔다 예뻤다") == ["갔", "다", "예뻤", "다"]  # 가 and 었, 예쁘 and 었 share a syllable
    assert cut("Python은 don't 3.5%래") == ["Python", "은", "don't", "3.5%", "래"]  # only beside Hangul
    assert cut("🙂학교에서") == ["🙂", "학교", "에서"]  # a character outside the basic plane counts as one
    assert cut("") == []


def test_spans_point_to_what_was_typed() -> None:
    typed = unicodedata.normalize("NFD", "책을 샀다")
    assert [unicodedata.normalize("NFC", part) for part in cut(typed)] == ["책", "을", "샀", "다"]
    assert morphemes(typed)[0] == Morpheme("책", "NNG", (0, 3))


@given(
    st.text(alphabet=st.one_of(st.characters(codec="utf-8"), st.sampled_from("가각\u1100\u1161\u11a8\u0301")))
)
def test_jamo_compose_to_what_they_were(text: str) -> None:
    nfc = unicodedata.normalize("NFC", text)
    letters = "".join(map(jamo, nfc))
    assert not any("가" <= letter <= "힣" for letter in letters)
    composed = compose(letters)
    assert composed.text == nfc
    for place, character in enumerate(nfc):
        start, end = composed.to_original((place, place + 1))
        assert letters[start:end] == jamo(character)
        assert composed.from_original((start, end)) == (place, place + 1)


@given(
    st.text(alphabet=st.one_of(st.characters(codec="utf-8"), st.sampled_from("나는학교에갔다었 ᄒㅋa1.\n")))
)
def test_morphemes_are_words_cut_further(text: str) -> None:
    parts = morpheme_spans(text)
    words = word_spans(text)
    assert [place for start, end in parts for place in range(start, end)] == [
        place for start, end in words for place in range(start, end)
    ]
    assert {start for start, _ in words} <= {start for start, _ in parts}
    assert all(0 <= m.span[0] <= m.span[1] <= len(text) for m in morphemes(text))


@pytest.mark.parametrize("kind", WITH_MORPHEMES)
def test_no_token_crosses_the_border_of_a_morpheme(kind: Kind) -> None:
    tokenizer = learned(kind, "morphemes")
    for text in TEXTS[:4]:
        borders = morpheme_borders([text], NO_DICTIONARY)[0]
        assert borders
        for start, end in tokenizer.encode(text).spans:
            assert not any(start < border < end for border in borders), text


def test_the_surface_is_what_is_cut() -> None:
    assert learned("word", "morphemes").encode("나는 학교에 갔다.").pieces == (
        "▁나",
        "는",
        "▁학교",
        "에",
        "▁갔",
        "다",
        ".",
    )
    assert learned("wordpiece", "morphemes").encode("학교에서").pieces == (
        "▁학교",
        "에서",
    )  # 에서 begins anew
    whole = Tokenizer.learn(["학교에서"] * 9, config(vocabulary_size=300))
    assert whole.encode("학교에서").pieces == ("▁학교에서",)


def test_user_words() -> None:
    text = "팔도라면은 뤼튼테크 A/S를 쓴다"
    assert cut(text)[:3] == ["팔도", "라면", "은"]
    assert cut(text, Dictionary(("팔도라면", "A/S/NNG"))) == ["팔도라면", "은", *cut(text)[3:]]
    tagged = morphemes("A/S를", Dictionary(("팔도라면", "A/S/NNG")))
    assert tagged[0] == Morpheme("A/S", "NNG", (0, 3))


def test_a_user_dictionary_is_stored_with_the_tokenizer(tmp_path: Path) -> None:
    path = tmp_path / "words.txt"
    path.write_bytes("\ufeff# 라면\r\n팔도라면\tNNP\t0.0\r\n".encode())  # as a Windows editor writes it
    texts = ["팔도라면은 맛있다", "팔도 라면 은"] * 9
    made = config(kind="word", split="morphemes", user_dictionary=str(path), user_words="맛있다/NNG")
    tokenizer = Tokenizer.learn(texts, made)
    path.unlink()
    again = Tokenizer.from_json(tokenizer.to_json(), "x")
    assert again.encode("팔도라면은 맛있다").pieces == ("▁팔도라면", "은", "▁맛있다")
    assert again.dictionary == tokenizer.dictionary
    assert again.dictionary.words == ("맛있다/NNG",)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"\xc6\xc8\n", "words.txt: the user dictionary is not UTF-8 text at byte 0"),
        ("라면\n".encode(), "not in Kiwi's format: Wrong dictionary format at line 1 : 라면"),
        ("라면\tXYZ\n".encode(), "not in Kiwi's format: Unknown Tag 'XYZ' at line 1"),
        (None, "words.txt: the user dictionary cannot be read: No such file"),
    ],
)
def test_a_user_dictionary_that_cannot_be_used(tmp_path: Path, content: bytes | None, reason: str) -> None:
    path = tmp_path / "words.txt"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(DataError) as caught:
        Tokenizer.learn(["라면"], config(split="morphemes", user_dictionary=str(path)))
    assert reason in str(caught.value)
    assert "\n" not in str(caught.value)


def test_without_kiwi(monkeypatch: pytest.MonkeyPatch) -> None:
    stored = learned("bpe", "morphemes").to_json()
    monkeypatch.setitem(sys.modules, "kiwipiepy", None)
    monkeypatch.setattr(korean, "_kiwi", korean._kiwi.__wrapped__)
    tokenizer = Tokenizer.from_json(stored, "x")
    assert tokenizer.encode("a man").ids  # only Korean needs it
    with pytest.raises(MissingExtraError, match=r"morphemes needs the optional part 'korean': pip install"):
        tokenizer.encode("학교에서")


def test_another_kiwi_is_warned_of() -> None:
    state = json.loads(learned("bpe", "morphemes").to_json())
    assert state["pre_tokenizer"]["regard"]["kiwi"] == korean.kiwi_version()
    state["pre_tokenizer"]["regard"]["kiwi"] = "0.1.0 0.1.0"
    with pytest.warns(UserWarning, match=r"found by Kiwi 0\.1\.0 0\.1\.0, but here is .*kiwipiepy==0\.1\.0"):
        Tokenizer.from_json(json.dumps(state), "x")
