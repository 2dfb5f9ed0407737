import os
import subprocess
import sys
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from regard.config.data import DataConfig, TsvCorpus
from regard.config.text import BpeConfig
from regard.data.pairs import read_pairs
from regard.errors import DataError, StoreError
from regard.text.tokenizer import EOS, SPECIAL, Tokenizer
from regard.text.words import word_spans

TEXTS = ["나는 학교에서 책을 읽었다.", "나는 책을 샀다.", "학교에 갔다.", "Two books, please!"] * 5


@pytest.fixture(scope="module")
def tokenizer() -> Tokenizer:
    return Tokenizer.learn(TEXTS, BpeConfig(vocabulary_size=400))


def test_merges_are_learned(tokenizer: Tokenizer) -> None:
    assert tokenizer.encode("나는 책을").pieces == ("▁나는", "▁책을")
    assert len(tokenizer) <= 400


def test_tokens_know_their_characters(tokenizer: Tokenizer) -> None:
    encoding = tokenizer.encode("  나는 책을 샀다.")
    covered = ["".join("  나는 책을 샀다."[s:e].split()) for s, e in encoding.spans]
    assert covered == [piece.replace("▁", "") for piece in encoding.pieces]


def test_nfd_gives_the_same_tokens_and_points_to_the_typed_characters(tokenizer: Tokenizer) -> None:
    typed = unicodedata.normalize("NFD", "나는 책을")
    encoding = tokenizer.encode(typed)
    assert encoding.ids == tokenizer.encode("나는 책을").ids
    start, end = encoding.text.to_original(encoding.spans[1])
    assert unicodedata.normalize("NFC", typed[start:end]).strip() == "책을"


def test_text_that_looks_like_a_symbol_is_text(tokenizer: Tokenizer) -> None:
    encoding = tokenizer.encode("<s> </s> <pad> <0x41>")
    assert min(encoding.ids) >= len(SPECIAL)
    assert tokenizer.decode(encoding.ids).text.text == "<s> </s> <pad> <0x41>"


def test_unseen_characters_are_spelt_in_bytes(tokenizer: Tokenizer) -> None:
    encoding = tokenizer.encode("뷁")
    assert encoding.pieces == ("▁", "<0xEB>", "<0xB7>", "<0x81>")
    assert tokenizer.decode(encoding.ids).text.text == "뷁"


def test_decoding_says_which_token_wrote_what(tokenizer: Tokenizer) -> None:
    ids = (*tokenizer.encode("나는 뷁 책을.").ids, EOS)
    decoded = tokenizer.decode(ids)
    assert decoded.text.text == "나는 뷁 책을."
    written = [decoded.text.text[s:e] for s, e in decoded.spans]
    assert written == ["나는", " ", "뷁", "뷁", "뷁", " 책을", ".", ""]
    two = tokenizer.decode(tokenizer.encode("뷁쀓").ids)
    assert [two.text.text[s:e] for s, e in two.spans] == ["", *"뷁뷁뷁", *"쀓쀓쀓"]


def test_no_token_crosses_the_end_of_a_word(tokenizer: Tokenizer) -> None:
    """Whatever stands between the words, and whatever marks stand at their ends."""
    for between in (" ", "\t", "\u00a0", "\u3000", "\u2028", ", ", "。", "”"):
        text = f"학교에서{between}책을"
        learned = Tokenizer.learn([text] * 9, BpeConfig(vocabulary_size=400))
        for one in (tokenizer, learned):
            for start, end in one.encode(text).spans:
                touched = [word for word in word_spans(text) if word[0] < end and start < word[1]]
                assert len(touched) <= 1, (between, one.encode(text).pieces)


def test_broken_bytes_do_not_break_decoding(tokenizer: Tokenizer) -> None:
    ids = tokenizer.encode("뷁").ids
    assert tokenizer.decode(ids[:-1]).text.text == "�"


@given(st.text(alphabet=st.characters(codec="utf-8", exclude_characters="▁")))
def test_encode_then_decode_is_the_identity(text: str) -> None:
    """Up to NFC, spaces at the ends, and other kinds of white space."""
    tokenizer = _SHARED
    encoding = tokenizer.encode(text)
    assert tokenizer.decode(encoding.ids).text.text == unicodedata.normalize("NFC", text).strip()
    assert len(encoding.spans) == len(encoding.ids) == len(encoding.pieces)


_SHARED = Tokenizer.learn(TEXTS, BpeConfig(vocabulary_size=400))


def test_a_vocabulary_is_a_function_of_its_text() -> None:
    """Three processes learn the same, though more characters tie than there is room for."""
    code = (
        "from regard.text.tokenizer import Tokenizer; from regard.config.text import BpeConfig\n"
        "texts = [chr(0xAC00 + i) + chr(0xAC01 + i) for i in range(0, 3000, 2)]\n"
        "print(Tokenizer.learn(texts, BpeConfig(vocabulary_size=1000)).to_json())"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2", "3")
    }
    assert len(outputs) == 1


def test_half_a_character_is_refused(tokenizer: Tokenizer) -> None:
    with pytest.raises(DataError, match=r"U\+DCFF at character 3 is no character"):
        tokenizer.encode("가나\udcff")


def test_it_is_stored_as_json_without_loss(tokenizer: Tokenizer) -> None:
    again = Tokenizer.from_json(tokenizer.to_json(), "x")
    assert again.to_json() == tokenizer.to_json()
    assert again.encode("나는 뷁 <s>") == tokenizer.encode("나는 뷁 <s>")


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"model": 3}', "not json"])
def test_a_foreign_file_is_refused(text: str) -> None:
    with pytest.raises(StoreError, match=r"here/tokenizer.json: not a tokenizer that regard wrote"):
        Tokenizer.from_json(text, "here/tokenizer.json")


def test_a_vocabulary_with_other_symbols_is_refused(tokenizer: Tokenizer) -> None:
    with pytest.raises(StoreError, match="its first entries are not <pad> <unk> <s> </s>"):
        Tokenizer.from_json(tokenizer.to_json().replace('"<pad>"', '"<x>"'), "x")


@pytest.mark.skipif("REGARD_DATA" not in os.environ, reason="REGARD_DATA names no data folder")
def test_every_line_of_real_corpora_comes_back() -> None:
    folder = Path(os.environ["REGARD_DATA"])
    for name, source, target in (("multi30k", "de", "en"), ("koen", "ko", "en")):
        corpus, data = (
            TsvCorpus(path=str(folder / name / "train.tsv.gz")),
            DataConfig(source=source, target=target),
        )
        pairs = list(read_pairs(corpus, data, split="train"))
        for side in ("source", "target"):
            texts = [getattr(pair, side) for pair in pairs]
            tokenizer = Tokenizer.learn(texts, BpeConfig(vocabulary_size=4000))
            for text, encoding in zip(texts, tokenizer.encode_many(texts), strict=True):
                assert tokenizer.decode(encoding.ids).text.text == text
