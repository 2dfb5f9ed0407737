from itertools import repeat

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.text.conftest import COMBINATIONS, SYMBOLS, TEXTS, config, learned

from regard.config.text import Kind, Split
from regard.text.tokenizer import BPEMerges, Tokenizer, draws

WITH_DROPOUT = [(kind, split) for kind, split in COMBINATIONS if kind in ("bpe", "byte_bpe")]
ENTRIES = {
    "a": 0,
    "b": 1,
    "c": 2,
    "ab": 3,
    "bc": 4,
    "abc": 5,
    **{f"<0x{byte:02X}>": 6 + byte for byte in range(256)},
}
ORDER = [("a", "b"), ("b", "c"), ("ab", "c")]


def made(kind: Kind, split: Split, rate: float) -> Tokenizer:
    return Tokenizer.learn(
        TEXTS, config(kind=kind, split=split, vocabulary_size=420, keep=SYMBOLS, dropout=rate)
    )


def test_merges_by_hand() -> None:
    merges = BPEMerges(ENTRIES, ORDER, 0.5)
    assert merges.spell("abc", repeat(0.9)) == (5,)
    assert merges.spell("abc", repeat(0.1)) == (0, 1, 2)
    assert merges.spell("abc", iter([0.1, 0.9])) == (0, 4)  # ab is left out, bc is made; a bc is none
    assert merges.spell("abc", iter([0.9, 0.1])) == (3, 2)  # ab is made, bc needs no draw; abc is left out
    assert merges.spell("abab", iter([0.1, 0.9, 0.1])) == (0, 1, 3)  # the second; the first is left out again
    assert merges.spell("", repeat(0.9)) == ()
    assert merges.spell("é", repeat(0.9)) == (6 + 0xC3, 6 + 0xA9)


def test_a_merge_is_left_out_as_often_as_asked() -> None:
    merges = BPEMerges(ENTRIES, ORDER, 0.3)
    left_out = sum(merges.spell("ab", draws((1, row))) == (0, 1) for row in range(4000))
    assert left_out == pytest.approx(1200, abs=120)  # four standard deviations


@pytest.mark.parametrize(("kind", "split"), WITH_DROPOUT)
def test_nothing_left_out_is_the_normal_way_and_everything_is_letters(kind: Kind, split: Split) -> None:
    hardly, all_of_them = made(kind, split, 1e-12), made(kind, split, 1.0)
    letters = learned("char", "jamo" if split == "jamo" else "none", keep=True)
    for text in TEXTS[:5]:
        ids = hardly.encode(text).ids
        assert hardly.resample(ids, key=(1,)) == ids
        spelt = [all_of_them.piece(token) for token in all_of_them.resample(ids, key=(1,))]
        if kind == "bpe":
            start = [] if text.startswith(SYMBOLS) else ["▁"]
            assert spelt == [*start, *letters.encode(text).pieces]
        else:
            assert len(spelt) >= len(hardly.encode(text).text.text.encode()) - 30


@pytest.mark.parametrize(("kind", "split"), WITH_DROPOUT)
def test_the_text_stays_the_same(kind: Kind, split: Split) -> None:
    tokenizer = made(kind, split, 0.4)

    @given(
        st.text(alphabet=st.one_of(st.characters(codec="utf-8"), st.sampled_from("나는학교갔다 %s."))),
        st.integers(0),
    )
    def law(text: str, key: int) -> None:
        ids = tokenizer.encode(text).ids
        other = tokenizer.resample(ids, key=(key, 1))
        assert tokenizer.decode(other).text == tokenizer.decode(ids).text
        assert other == tokenizer.resample(ids, key=(key, 1))

    law()


def test_the_key_decides() -> None:
    tokenizer = made("bpe", "none", 0.5)
    ids = tokenizer.encode(TEXTS[0]).ids
    many = {tokenizer.resample(ids, key=(1, epoch, 2, 0)) for epoch in range(20)}
    assert len(many) > 5
    assert tokenizer.dropout == 0.5


def test_every_number_of_a_key_counts() -> None:
    keys = [(1,), (1, 0), (0, 1), (1, 1), (1, 0, 0), (0, 0, 1)]
    assert len({next(draws(key)) for key in keys}) == len(keys)


@pytest.mark.parametrize("kind", ["bpe", "unigram", "word"])
def test_without_dropout_tokens_stay(kind: Kind) -> None:
    ids = learned(kind).encode(TEXTS[0]).ids
    assert learned(kind).resample(ids, key=(1,)) == ids
    assert learned(kind).dropout == 0.0
