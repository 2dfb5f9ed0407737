"""Tokenizers from elsewhere, by hand."""

import json
import unicodedata
from typing import Any

import pytest

from regard.errors import DataError, StoreError
from regard.text.foreign import ForeignTokenizer

NA, NUN = (unicodedata.normalize("NFD", text) for text in ("나", "##는"))
"""To leave out accents, BERT takes characters apart, and leaves syllables so."""
ENTRIES = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "un", "##able", "cafe", "café", NA, NUN, ".", "中"]
VOCABULARY = "\n".join(ENTRIES).encode() + b"\n"


def tokenizer(longest: int | None = None, **settings: Any) -> ForeignTokenizer:
    files = {"vocab.txt": VOCABULARY, "tokenizer_config.json": json.dumps(settings).encode()}
    return ForeignTokenizer.of(files, where="model", longest=longest)


def test_pieces_know_their_characters() -> None:
    (found,) = tokenizer().encode([" Unable 나는中."])
    assert found.pieces == ("[CLS]", "un", "##able", NA, NUN, "中", ".", "[SEP]")
    assert found.spans == ((0, 0), (1, 3), (3, 7), (8, 9), (9, 10), (10, 11), (11, 12), (0, 0))
    assert found.texts == (None, 0, 0, 0, 0, 0, 0, None)
    assert found.ids == tuple(ENTRIES.index(piece) for piece in found.pieces)


def test_a_pair_has_two_segments() -> None:
    (found,) = tokenizer().encode([("나", "unable")])
    assert found.pieces == ("[CLS]", NA, "[SEP]", "un", "##able", "[SEP]")
    assert found.segments == (0, 0, 0, 1, 1, 1)
    assert found.texts == (None, 0, None, 1, 1, None)


@pytest.mark.parametrize(
    ("settings", "pieces"),
    [
        ({}, ["cafe", "中", "中"]),
        ({"do_lower_case": False}, ["[UNK]", "中", "中"]),
        ({"strip_accents": False}, ["café", "中", "中"]),
        ({"tokenize_chinese_chars": False}, ["cafe", "[UNK]"]),
        ({"cls_token": {"content": "un"}}, ["cafe", "中", "中"]),
    ],
)
def test_settings_of_a_vocabulary(settings: dict[str, Any], pieces: list[str]) -> None:
    (found,) = tokenizer(**settings).encode(["Café 中中"])
    assert found.pieces[0] == ("un" if settings.get("cls_token") else "[CLS]")
    assert list(found.pieces[1:-1]) == pieces


def test_a_long_text_is_cut_and_keeps_its_end() -> None:
    cut, whole = tokenizer(longest=5).encode(["나 나 나 나", "나 나 나"])
    assert cut.pieces == whole.pieces == ("[CLS]", NA, NA, NA, "[SEP]")
    assert (cut.was_cut, whole.was_cut) == (True, False)


def test_stored_padding_and_truncation_are_of_no_account() -> None:
    whole = tokenizer(longest=4)._backend
    whole.enable_padding(length=9)
    files = {"tokenizer.json": whole.to_str().encode()}
    (found,) = ForeignTokenizer.of(files, where="model").encode(["나 나 나 나"])
    assert found.pieces == ("[CLS]", NA, NA, NA, NA, "[SEP]")


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({}, "model: expected tokenizer.json or vocab.txt, found neither"),
        ({"tokenizer.json": b"{"}, "model/tokenizer.json: not a file of the tokenizers library"),
        ({"vocab.txt": b"\xff\n"}, "model/vocab.txt: not UTF-8 at byte 0"),
        ({"vocab.txt": b"a\nb\n"}, "model/vocab.txt: the unk_token [UNK] is missing"),
        (
            {"vocab.txt": VOCABULARY, "tokenizer_config.json": b"[]"},
            "model/tokenizer_config.json: not the set",
        ),
        (
            {"vocab.txt": VOCABULARY, "tokenizer_config.json": b'{"do_lower_case": "yes"}'},
            "model/tokenizer_config.json: do_lower_case: expected true or false, found 'yes'",
        ),
        (
            {"vocab.txt": VOCABULARY, "added_tokens.json": b'{"<x>": 13}'},
            "model: '<x>' was added to vocab.txt",
        ),
    ],
)
def test_files_that_are_none(files: dict[str, bytes], message: str) -> None:
    with pytest.raises(StoreError) as caught:
        ForeignTokenizer.of(files, where="model")
    assert str(caught.value).startswith(message)


def test_what_is_no_text() -> None:
    for odd in (["\ud800"], [None]):
        with pytest.raises(DataError, match="expected texts"):
            tokenizer().encode(odd)  # type: ignore[arg-type]
    with pytest.raises(StoreError, match="3 tokens are no room for a text"):
        tokenizer(longest=3)
