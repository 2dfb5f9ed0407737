"""Where words begin, in every kind of vocabulary."""

import numpy as np
import pytest
from pydantic import TypeAdapter

from regard.config.text import TextConfig
from regard.data.masking import WordStarts
from regard.text.symbols import HIDDEN
from regard.text.tokenizer import Tokenizer

TEXTS = ["나는 학교에 갔다.", "학교에서 (그는) 책을 읽었다!", "read books, often"] * 3


def learned(kind: str) -> Tokenizer:
    config: TextConfig = TypeAdapter(TextConfig).validate_python(
        {"kind": kind, "vocabulary_size": 330, "keep": [HIDDEN]}
    )
    return Tokenizer.learn(TEXTS, config)


@pytest.mark.parametrize("kind", ["wordpiece", "bpe", "unigram", "byte_bpe", "word"])
def test_words_and_punctuation(kind: str) -> None:
    tokenizer = learned(kind)
    heads = WordStarts(tokenizer)
    for text in TEXTS[:3]:
        encoding = tokenizer.encode(text)
        begun = [
            text[start:end].strip()[:1]
            for (start, end), head in zip(encoding.spans, heads(np.array(encoding.ids)), strict=True)
            if head and text[start:end].strip()
        ]
        expected = {
            TEXTS[0]: "나학갔.", TEXTS[1]: "학(그)책읽!", TEXTS[2]: "rb,o"
        }[text]  # fmt: skip
        assert "".join(begun) == expected


@pytest.mark.parametrize("kind", ["wordpiece", "bpe"])
def test_a_hidden_word_takes_its_space_along(kind: str) -> None:
    """As the head of a word does; so that a text with [MASK] is what a model has seen in training."""
    tokenizer = learned(kind)
    encoding = tokenizer.encode(f"나는 {HIDDEN}에 갔다.")
    assert "▁" not in encoding.pieces
    place = encoding.ids.index(tokenizer.kept(HIDDEN) or -1)
    assert "".join(encoding.pieces[:place]).replace("##", "") == "▁나는"


def test_letters_behind_a_hidden_word_go_on_with_it() -> None:
    tokenizer = learned("wordpiece")
    (token,) = tokenizer.encode(f"{HIDDEN}에").ids[1:]
    assert tokenizer.piece(token) == "에"
    assert tokenizer.piece(tokenizer.goes_on(token)) == "##에"
    (other,) = learned("bpe").encode(f"{HIDDEN}에").ids[1:]
    assert learned("bpe").goes_on(other) == other
