import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.text.conftest import COMBINATIONS, LOSSLESS, LOSSLESS_COMBINATIONS, SYMBOLS, config, learned

from regard.config.text import Kind, Split
from regard.errors import DataError
from regard.text.symbols import Symbols
from regard.text.tokenizer import Tokenizer

PLACES = [
    "a %s b",
    "a%sb",
    "%s",
    "%s a",
    "a %s",
    "%s%s",
    "<b>굵게</b>",
    "{name}은",
    "학교{name}에서 %s를",
    "%%s s%",
    "【이름】씨",
]


@pytest.mark.parametrize(("kind", "split"), COMBINATIONS)
@pytest.mark.parametrize("text", PLACES)
def test_symbols_are_one_token_wherever_they_stand(kind: Kind, split: Split, text: str) -> None:
    encoding = learned(kind, split, keep=True).encode(text)
    found = [text[start:end] for start, end in Symbols(SYMBOLS).spans(text)]
    assert [piece for piece in encoding.pieces if piece in SYMBOLS] == found
    covered = [
        text[s:e] for (s, e), piece in zip(encoding.spans, encoding.pieces, strict=True) if piece in SYMBOLS
    ]
    assert covered == found
    if kind in LOSSLESS:
        assert learned(kind, split, keep=True).decode(encoding.ids).text.text == text


@pytest.mark.parametrize(("kind", "split"), LOSSLESS_COMBINATIONS)
@given(st.lists(st.sampled_from([*SYMBOLS, *"%sb<{a가각은 ", "학교에서", "\u11a8"])).map("".join))
def test_texts_of_symbols_and_their_parts_come_back(kind: Kind, split: Split, text: str) -> None:
    tokenizer = learned(kind, split, keep=True)
    encoding = tokenizer.encode(text)
    assert tokenizer.decode(encoding.ids).text.text == encoding.text.text.strip()
    kept = [piece for piece in encoding.pieces if piece in SYMBOLS]
    assert kept == [encoding.text.text[s:e] for s, e in Symbols(SYMBOLS).spans(encoding.text.text)]


@pytest.mark.parametrize(("kind", "split"), COMBINATIONS)
def test_nothing_is_learned_from_symbols(kind: Kind, split: Split) -> None:
    def pieces(*keep: str) -> set[str]:
        made = config(kind=kind, split=split, keep=keep, vocabulary_size=300, min_frequency=3)
        tokenizer = Tokenizer.learn(["x{zqj}y"] * 9, made)
        return {tokenizer.piece(token) for token in range(len(tokenizer))}

    with_letters = {piece for piece in pieces() if "z" in piece}
    assert with_letters or kind == "byte_bpe"
    assert {piece for piece in pieces("{zqj}") if "z" in piece} - {"z"} == {"{zqj}"}


def test_the_longest_symbol_wins() -> None:
    tokenizer = Tokenizer.learn(["a"], config(keep=("%1", "%10", "%10$s")))
    assert tokenizer.encode("%1%10%10$s%100").pieces == (
        "%1",
        "%10",
        "%10$s",
        "%10",
        *tokenizer.encode("a0").pieces[2:],
    )


def test_a_symbol_may_have_spaces_inside() -> None:
    tokenizer = Tokenizer.learn(["in New York city"] * 3, config(vocabulary_size=300, keep="New York"))
    encoding = tokenizer.encode("in New York city, New Yorks")
    assert encoding.pieces.count("New York") == 2
    assert tokenizer.decode(encoding.ids).text.text == "in New York city, New Yorks"


def test_patterns_find_symbols_in_the_text() -> None:
    texts = ["%s of %d and %2$s", "%s, <s>x</s> %2$s", "<s>%s</s> 100 %"]
    made = config(
        keep="{x}", keep_patterns=(r"%(\d+\$)?[sd]", r"</?\w+>", r" of ", r"z*"), vocabulary_size=300
    )
    tokenizer = Tokenizer.learn(texts, made)
    added = ["{x}", "%s", "%2$s"]  # most frequent first; %d is rare, <s> is not to be had, " of " has spaces
    assert [tokenizer.piece(token) for token in range(len(tokenizer))][-3:] == added
    assert tokenizer.encode("<s>%s").ids[0] >= 4


def test_patterns_take_at_most_half_of_the_room() -> None:
    texts = [f"#{number}" for number in range(1000)]
    tokenizer = Tokenizer.learn(texts, config(keep_patterns="#[0-9]+", vocabulary_size=400, min_frequency=1))
    kept = [
        token for token in range(len(tokenizer)) if tokenizer.piece(token).startswith("#") and token > 260
    ]
    assert len(kept) == (400 - 260) // 2
    assert len(tokenizer) <= 400


def test_a_symbol_that_is_a_learned_piece_too() -> None:
    tokenizer = Tokenizer.learn(["the thesis of the other"] * 9, config(vocabulary_size=400, keep="the"))
    for text in ("the thesis", "other", "▁the"):
        assert tokenizer.decode(tokenizer.encode(text).ids).text.text == text.replace("▁", " ").strip()


@pytest.mark.parametrize(("kind", "symbol"), [("byte_bpe", "é"), ("byte_bpe", "Ã©"), ("wordpiece", "##b")])
def test_a_symbol_that_would_be_read_as_other_text_is_refused(kind: Kind, symbol: str) -> None:
    with pytest.raises(DataError, match=f"{kind} has an entry '{symbol}' that stands for other text"):
        Tokenizer.learn(["aé bé ab"] * 9, config(kind=kind, vocabulary_size=300, keep=symbol))
