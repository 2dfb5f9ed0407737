from pathlib import Path
from typing import Any

import pytest

from regard.config.load import load_recipe, recipe_schema
from regard.config.text import BpeConfig, UnigramConfig, split_user_word
from regard.errors import ConfigError


def text_of(**settings: Any) -> Any:
    return load_recipe("demo", [("text", settings)]).text


def problem(**settings: Any) -> str:
    with pytest.raises(ConfigError) as caught:
        text_of(**settings)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_kinds_are_chosen_by_name() -> None:
    assert text_of(kind="unigram", vocabulary_size=8000) == UnigramConfig(vocabulary_size=8000)
    assert text_of(kind="bpe", vocabulary_size=6000) == BpeConfig()
    assert text_of(vocabulary_size=900) == BpeConfig(vocabulary_size=900)  # as recipes were written before
    assert "text: unknown value 'bpee'; did you mean 'bpe'?" in problem(kind="bpee")


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"kind": "byte_bpe", "split": "jamo"}, "text: split: jamo has no use here: bytes already go below"),
        (
            {"kind": "word", "split": "jamo"},
            "text: split: jamo has no use here: a word is looked up as a whole",
        ),
        ({"kind": "char", "split": "morphemes"}, "text: split: morphemes has no use here: a character never"),
        ({"split": "morpheme"}, "text.split: unknown value 'morpheme'; did you mean 'morphemes'?"),
        ({"user_words": ["라면"]}, "text: user_words and user_dictionary are for Kiwi; say split: morphemes"),
        ({"user_dictionary": "a.txt"}, "text: user_words and user_dictionary are for Kiwi"),
        (
            {"split": "morphemes", "user_words": "TCP/IP"},
            "'IP' is no tag of Kiwi; if 'TCP/IP' is the whole word, write TCP/IP/NNP",
        ),
        ({"split": "morphemes", "user_words": " "}, "expected a word, or word/TAG, found an empty text"),
        (
            {"keep": [" %s"]},
            "text.keep.0: expected a symbol without spaces at its ends and without ▁, found ' %s'",
        ),
        ({"keep": ["%s", ""]}, "text.keep.1: expected a symbol"),
        ({"keep": ["a▁b"]}, "text.keep.0: expected a symbol"),
        ({"keep": ["<s>"]}, "'<s>' cannot be kept: it names an entry of the vocabulary's own"),
        ({"keep": ["<0x0A>"]}, "'<0x0A>' cannot be kept"),
        (
            {"keep": [f"%{i}" for i in range(200)], "vocabulary_size": 300},
            "keep has 200 symbols, more than half of the 40 free",
        ),
        ({"keep_patterns": ["%[sd"]}, "text.keep_patterns.0: '%[sd' is no regular expression: unterminated"),
        ({"kind": "unigram", "dropout": 0.1}, "text.dropout: unknown setting"),
        ({"dropout": 1.5}, "text.dropout: expected 1.0 or less, found 1.5"),
        ({"vocabulary_size": 299}, "text.vocabulary_size: expected 300 or more"),
    ],
)
def test_settings_that_are_refused(settings: dict[str, Any], message: str) -> None:
    assert message in problem(**settings)


def test_symbols_and_words_are_in_nfc() -> None:
    made = text_of(split="morphemes", keep="caf\u0065\u0301", user_words="\u1100\u1161")
    assert (made.keep, made.user_words) == (("caf\u00e9",), ("가",))


def test_user_words_and_their_tags() -> None:
    assert split_user_word("라면") == ("라면", "NNP")
    assert split_user_word("라면/NNG") == ("라면", "NNG")
    assert split_user_word("A/S") == ("A/S", "NNP")
    assert split_user_word("A/S/NNG") == ("A/S", "NNG")


def test_a_recipe_file_with_every_setting(tmp_path: Path) -> None:
    path = tmp_path / "r.yaml"
    path.write_text(
        "text:\n  kind: bpe\n  vocabulary_size: 8000\n  joint: true\n  split: morphemes\n  dropout: 0.1\n"
        "  user_words: [뤼튼, 딥러닝/NNG]\n  keep: ['%s', '<b>']\n  keep_patterns: ['\\{[a-z]+\\}']\n",
        encoding="utf-8",
    )
    made = load_recipe(str(path)).text
    assert isinstance(made, BpeConfig)
    assert made.keep_patterns == (r"\{[a-z]+\}",)
    assert made.user_words == ("뤼튼", "딥러닝/NNG")


def test_the_schema_explains_every_setting() -> None:
    schema = recipe_schema()
    for kind in ("Word", "Char", "Bpe", "Unigram", "ByteBpe", "WordPiece"):
        assert f'"{kind}Config"' in schema
    assert "Provilkov" in schema
