"""Phrases in the tokens of every kind of vocabulary."""

import pytest

from regard.config.text import (
    BpeConfig,
    ByteBpeConfig,
    CharConfig,
    TextConfig,
    UnigramConfig,
    WordConfig,
    WordPieceConfig,
)
from regard.decoding.lexical_constraints import unmet_constraints
from regard.errors import DataError
from regard.inference.constraints import PhraseTokenizer
from regard.text.tokenizer import BOS, Tokenizer

LINES = [
    "the school is big.",
    'I went to school (the old school) and he said "school"',
    "book books bookshop preschool",
    "나는 학교에서 책을 읽었다.",
    "학교는 크다. 학교",
] * 40
KINDS: dict[str, TextConfig] = {
    "bpe": BpeConfig(vocabulary_size=400),
    "jamo": BpeConfig(vocabulary_size=400, split="jamo"),
    "unigram": UnigramConfig(vocabulary_size=400),
    "byte_bpe": ByteBpeConfig(vocabulary_size=400),
    "char": CharConfig(vocabulary_size=400),
    "word": WordConfig(vocabulary_size=400),
    "wordpiece": WordPieceConfig(vocabulary_size=400),
}


@pytest.fixture(scope="module", params=KINDS)
def tokenizer(request: pytest.FixtureRequest) -> Tokenizer:
    return Tokenizer.learn(LINES, KINDS[request.param])


def has(tokenizer: Tokenizer, phrase: str, text: str) -> bool:
    speller = PhraseTokenizer(tokenizer)
    return unmet_constraints([speller.must(phrase)], tokenizer.encode(text).ids, BOS, speller.borders) == []


def is_hit(tokenizer: Tokenizer, phrase: str, text: str) -> bool:
    """Whether a phrase that must not appear is somewhere in the tokens of a text."""
    tokens = (BOS, *tokenizer.encode(text).ids)
    return any(
        tokens[start : start + len(spelling)] == spelling
        for spelling in PhraseTokenizer(tokenizer).must_not(phrase)
        for start in range(len(tokens))
    )


def test_a_phrase_is_found_where_a_reader_finds_it(tokenizer: Tokenizer) -> None:
    for text in ("the school is big", "school", "to school.", "he went to school"):
        assert has(tokenizer, "school", text), text
    for text in ("preschool is big", "the book", "the schoo"):
        assert not has(tokenizer, "school", text), text
    assert has(tokenizer, "the school", "I saw the school.")
    assert not has(tokenizer, "the school", "the old school")


def test_a_word_that_goes_on_is_another_word(tokenizer: Tokenizer) -> None:
    assert has(tokenizer, "book", "the book is big")
    assert not has(tokenizer, "book", "the bookshop is big")
    assert not has(tokenizer, "book", "books")


def test_a_korean_word_may_have_a_particle(tokenizer: Tokenizer) -> None:
    """As a token of its own, or in one token with the word."""
    for text in ("나는 학교에서 책을", "학교는 크다", "학교"):
        if "<unk>" not in tokenizer.encode("학교").pieces + tokenizer.encode(text).pieces:
            assert has(tokenizer, "학교", text), text
            assert is_hit(tokenizer, "학교", text), text
    assert not is_hit(tokenizer, "학교", "나는 책을 읽었다.")
    assert not is_hit(tokenizer, "학교", "고등학교에서")


def test_a_forbidden_phrase_is_hit_after_spaces_marks_and_at_the_beginning(tokenizer: Tokenizer) -> None:
    for text in ("the school is big", "school", "(school", 'he said "school"'):
        assert is_hit(tokenizer, "school", text), text
    for text in ("preschool", "the book"):
        assert not is_hit(tokenizer, "school", text), text
    assert is_hit(tokenizer, "the school", "I saw the school.")
    assert not is_hit(tokenizer, "the school", "the old school")


def test_what_a_vocabulary_cannot_spell() -> None:
    words = PhraseTokenizer(Tokenizer.learn(LINES, KINDS["word"]))
    with pytest.raises(DataError, match="'zebra' must appear, but the vocabulary cannot encode it"):
        words.must("zebra")
    with pytest.raises(DataError, match="cannot encode the prefix 'A zebra'"):
        words.prefix("A zebra")
    assert words.must_not("zebra") == (), "it cannot be written anyway"
    for empty in ("", "  "):
        with pytest.raises(DataError, match="found an empty text"):
            words.must(empty)
