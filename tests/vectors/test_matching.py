"""Entries of a vocabulary and the words they are looked for as, by hand."""

import pytest

from regard.config.text import BpeConfig, ByteBpeConfig, CharConfig, TextConfig, WordConfig, WordPieceConfig
from regard.text.tokenizer import Tokenizer
from regard.text.words import is_punctuation
from regard.training.initial_vectors import spellings

TEXT = ["학교는 크다, 학교에 갔다"] * 4


def looked_for(config: TextConfig, *, inside_words: bool) -> dict[str, tuple[str, ...]]:
    tokenizer = Tokenizer.learn(TEXT, config)
    return {tokenizer.piece(n): words for n, words in spellings(tokenizer, inside_words=inside_words)}


@pytest.mark.parametrize("config", [BpeConfig(vocabulary_size=400), ByteBpeConfig(vocabulary_size=400)])
def test_what_begins_a_word(config: TextConfig) -> None:
    found = looked_for(config, inside_words=False)
    assert found["▁학교"] == ("▁학교", "학교")
    assert found[","] == (",",)
    assert all(piece.startswith("▁") or all(map(is_punctuation, piece)) for piece in found)
    assert "▁" not in found, "a space alone is no word"


def test_what_is_inside_words_where_that_is_wanted() -> None:
    found = looked_for(BpeConfig(vocabulary_size=400), inside_words=True)
    assert found["는"] == ("는",)
    assert found["▁학교"] == ("▁학교", "학교")
    assert not [piece for piece in found if piece in ("<unk>", "</s>", "<0xEA>", "▁")]


def test_wordpieces() -> None:
    found = looked_for(WordPieceConfig(vocabulary_size=300), inside_words=True)
    assert found["##는"] == ("##는", "는")
    assert "##는" not in looked_for(WordPieceConfig(vocabulary_size=300), inside_words=False)


def test_whole_words_and_characters() -> None:
    assert set(looked_for(WordConfig(vocabulary_size=300), inside_words=False)) == {
        "▁학교는", "▁크다", ",", "▁학교에", "▁갔다",
    }  # fmt: skip
    characters = looked_for(CharConfig(vocabulary_size=300), inside_words=False)
    assert set(characters) == {","}, "no character begins a word: the space is one of its own"
