"""Words that a corpus gives are looked up whole; their characters stand beside them."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from regard.config.text import BpeConfig, CharConfig, GivenConfig
from regard.text.labels import Labels
from regard.text.pretokenized import PhraseTokenizer, TagIds, join_words
from regard.text.symbols import PAD, UNK
from regard.text.tokenizer import Tokenizer

TEXTS = ["U.S. don't , 학교에서 .", "US Don't 학교에서 ( a_b )"]


@pytest.fixture(scope="module")
def words() -> Tokenizer:
    return Tokenizer.learn(TEXTS, GivenConfig())


def test_punctuation_stays_where_it_is(words: Tokenizer) -> None:
    encoded = words.encode("학교에서\tU.S. don't.")
    assert encoded.pieces == ("▁학교에서", "▁U.S.", "<unk>")
    assert [encoded.text.text[a:b].strip() for a, b in encoded.spans] == ["학교에서", "U.S.", "don't."]
    assert words.decode(encoded.ids[:2]).text.text == "학교에서 U.S."
    ids = words.encode_ids(["U.S. US don't Don't don't. ,"])[0]
    assert [token == UNK for token in ids] == [False, False, False, False, True, False]
    assert len(set(ids)) == 6


def test_what_was_stored_is_read_again(words: Tokenizer) -> None:
    again = Tokenizer.from_json(words.to_json(), "x")
    assert again.encode_ids(TEXTS) == words.encode_ids(TEXTS)


def test_case_is_looked_over_where_that_is_wanted() -> None:
    lower = Tokenizer.learn(["Don't İSTANBUL don't"], GivenConfig(lower=True))
    again = Tokenizer.from_json(lower.to_json(), "x")
    first, second, third = again.encode_ids(["DON'T don't ISTANBUL"])[0]
    assert first == second != UNK
    assert third == UNK
    assert again.encode_ids(["İstanbul"])[0] != [UNK]


def test_vocabularies_without_the_rule_are_stored_as_before() -> None:
    stored = json.loads(Tokenizer.learn(TEXTS, BpeConfig(vocabulary_size=300)).to_json())
    assert "lower" not in stored["pre_tokenizer"]["regard"]


def test_a_line_has_as_many_words_as_were_given() -> None:
    assert join_words(["1 000", "a\u00a0b", "▁", " x ", "\t"]) == "1_000 a_b _ x _"


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=4), min_size=1))
def test_every_word_has_one_number_and_one_spelling(given_words: list[str]) -> None:
    """Whatever stands in a word: spaces of every kind, marks, signs that the tokenizer uses itself."""
    line = join_words(given_words)
    assert len(line.split(" ")) == len(line.split()) == len(given_words)
    assert len(_WORDS.encode_ids([line])[0]) == len(given_words)
    spelt = _SPELLER.encode_ids([line])[0]
    ends = [place for place, token in enumerate(spelt) if token == PAD]
    assert len(ends) == len(given_words)
    assert all(b - a > 1 for a, b in zip([-1, *ends], ends, strict=False))


_WORDS = Tokenizer.learn(TEXTS, GivenConfig())
_SPELLER = PhraseTokenizer(Tokenizer.learn(TEXTS, CharConfig(split="jamo")), longest=6)


def test_the_middle_of_a_long_word_is_left_out() -> None:
    characters = Tokenizer.learn(["abcdefgh"], CharConfig(min_frequency=1))
    whole = PhraseTokenizer(characters, longest=8).encode_ids(["abcdefgh a"])[0]
    cut = PhraseTokenizer(characters, longest=5).encode_ids(["abcdefgh a"])[0]
    assert whole[-1] == cut[-1] == PAD
    assert cut == [*whole[:2], *whole[5:]]


def test_labels_of_a_line() -> None:
    labels = TagIds(Labels(["N", "V"]))
    assert labels.encode_ids(["N V V", "V"]) == [[0, 1, 1], [1]]
    assert (len(labels), labels.to_json()) == (2, Labels(["N", "V"]).to_json())
