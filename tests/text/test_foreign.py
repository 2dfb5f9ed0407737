"""Tokenizers from elsewhere, by hand."""

import json
import unicodedata
from pathlib import Path
from typing import Any

import pytest
from tokenizers import Tokenizer as Backend
from tokenizers import models, pre_tokenizers, processors
from transformers import AutoTokenizer

from regard.errors import DataError, StoreError
from regard.text.engine import is_plain
from regard.text.foreign import ForeignTokenizer

NA, NUN = (unicodedata.normalize("NFD", text) for text in ("나", "##는"))
"""To leave out accents, BERT takes characters apart, and leaves syllables so."""
ENTRIES = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "un", "##able", "cafe", "café", NA, NUN, ".", "中"]
VOCABULARY = "\n".join(ENTRIES).encode() + b"\n"


def tokenizer(longest: int | None = None, **settings: Any) -> ForeignTokenizer:
    files = {"vocab.txt": VOCABULARY, "tokenizer_config.json": json.dumps(settings).encode()}
    return ForeignTokenizer.of(files, where="model", size=999, longest=longest)


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
    (found,) = ForeignTokenizer.of(files, where="model", size=999).encode(["나 나 나 나"])
    assert found.pieces == ("[CLS]", NA, NA, NA, NA, "[SEP]")


def stored(path: Path, kind: str, backend: Backend, **settings: Any) -> Path:
    """Both files of a tokenizer, as a model's folder has them."""
    path.mkdir()
    (path / "config.json").write_text('{"model_type": "bert"}')
    (path / "tokenizer.json").write_text(backend.to_str())
    special = {f"{name}_token": f"[{name.upper()}]" for name in ("unk", "sep", "pad", "cls", "mask")}
    told = {"tokenizer_class": kind, **(special if kind != "RobertaTokenizer" else {}), **settings}
    (path / "tokenizer_config.json").write_text(json.dumps(told))
    return path


def of(path: Path, longest: int | None = None) -> ForeignTokenizer:
    files = {name: (path / name).read_bytes() for name in ("tokenizer.json", "tokenizer_config.json")}
    return ForeignTokenizer.of(files, where="model", size=999, longest=longest)


@pytest.mark.parametrize("lower", [True, False])
@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"do_lower_case": False},
        {"do_lower_case": True},
        {"strip_accents": False},
        {"tokenize_chinese_chars": False},
        {"model_input_names": ["input_ids", "attention_mask"]},
    ],
)
def test_settings_count_more_than_the_rules_of_the_whole(
    settings: dict[str, Any], lower: bool, tmp_path: Path
) -> None:
    """tokenizer.json says one thing, tokenizer_config.json another, or nothing: as in transformers."""
    path = stored(tmp_path / "m", "BertTokenizer", tokenizer(do_lower_case=lower).backend, **settings)
    theirs, ours = AutoTokenizer.from_pretrained(path), of(path)
    for text in ("Café 中中 나는", "Unable"):
        assert list(ours.encode([text])[0].ids) == theirs(text)["input_ids"]
    pair = theirs("un", "Café")
    (found,) = ours.encode([("un", "Café")])
    assert list(found.ids) == pair["input_ids"]
    assert list(found.segments) == pair.get("token_type_ids", [0] * len(found.ids))


def test_who_tells_two_texts_apart(tmp_path: Path) -> None:
    """The classes of transformers differ in what they tell a model, where model_input_names says nothing."""
    for kind in ("BertTokenizer", "DistilBertTokenizer", "PreTrainedTokenizerFast"):
        path = stored(tmp_path / kind, kind, tokenizer().backend)
        told = AutoTokenizer.from_pretrained(path)("un", "un").get("token_type_ids")
        (found,) = of(path).encode([("un", "un")])
        assert list(found.segments) == (told or [0] * 5)
        assert of(path).uncut().encode([("un", "un")])[0].segments == found.segments


def test_bytes_with_a_space_before_them(tmp_path: Path) -> None:
    special = [(name, number) for number, name in enumerate(("<s>", "<pad>", "</s>", "<unk>", "<mask>"))]
    letters = [*sorted(pre_tokenizers.ByteLevel.alphabet())]
    words = {**dict(special), **{letter: 5 + number for number, letter in enumerate(letters)}}
    backend = Backend(models.BPE(words, [], unk_token="<unk>"))
    backend.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    backend.post_processor = processors.RobertaProcessing(("</s>", 2), ("<s>", 0))
    for settings in ({}, {"add_prefix_space": True}):
        path = stored(tmp_path / f"m{len(settings)}", "RobertaTokenizer", backend, **settings)
        found = list(of(path).encode(["ab c"])[0].ids)
        assert found == AutoTokenizer.from_pretrained(path)("ab c")["input_ids"]
        assert len(found) == 6 + len(settings)


def test_a_text_can_be_cut_at_its_beginning(tmp_path: Path) -> None:
    path = stored(tmp_path / "m", "BertTokenizer", tokenizer().backend, truncation_side="left")
    theirs = AutoTokenizer.from_pretrained(path)("un 나 unable 나", truncation=True, max_length=5)
    (found,) = of(path, longest=5).encode(["un 나 unable 나"])
    assert list(found.ids) == theirs["input_ids"]
    assert found.was_cut


def test_a_tokenizer_that_panics_is_refused() -> None:
    whole = json.loads(tokenizer().backend.to_str())
    whole["normalizer"] = {"type": "Replace", "pattern": {"Regex": "\\p{None}"}, "content": ""}
    with pytest.raises(StoreError, match=r"^model/tokenizer.json: not a file of the tokenizers library: "):
        ForeignTokenizer.of({"tokenizer.json": json.dumps(whole).encode()}, where="model", size=999)
    unknown = Backend(models.WordPiece({"a": 0}, unk_token="[UNK]")).to_str().encode()
    with pytest.raises(DataError, match=r"^the tokenizer of this model cannot read a text: "):
        ForeignTokenizer.of({"tokenizer.json": unknown}, where="model", size=999).encode(["b"])


@pytest.mark.parametrize(
    "regex",
    [r" {2,}", r"\s+$", r"^\s+", "^##", r"[^\S ]|[\x1c-\x1f\x85]", r"[\s\x1c-\x1f\x85]", r"\p{N}{1,3}",
     r"(?i:'s|'t)", r"'s|'t|'re| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+",
     r" ?[^\s\p{L}]+[\r\n]*|\s*[\r\n]+", r"[^\r\n\p{L}]?[\p{Lu}\p{M}]*[\p{Ll}\p{M}]+(?i:'s|'t)?"],
)  # fmt: skip
def test_regular_expressions_that_are_taken(regex: str) -> None:
    assert is_plain(regex)


@pytest.mark.parametrize(
    "regex",
    ["(a+)+$", "(?:a+)+", "(a|a)*b", "(a*)*", "(?:ab)*", "(a?){50}a{50}", "a*a*a*b", "a{2,}+", "a**",
     r"(a)\1", "(?<=a)b", "(?=a+)b", "((a))", r"\k<n>", r"\g<0>", "(?~a)", "a{1,99999}", "(", "x" * 1001,
     "[ab]*[ab]*[cd][ef]", "[ab]?" * 25 + "[cd]", "[ab]{0,99}[ab]{0,99}c", r"\s+\s+(?!a)"],
)  # fmt: skip
def test_regular_expressions_that_try_again_and_again_are_not(regex: str) -> None:
    assert not is_plain(regex)


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
            {
                "vocab.txt": VOCABULARY,
                "tokenizer_config.json": b'{"tokenizer_class": "BertJapaneseTokenizer"}',
            },
            "model/tokenizer_config.json: tokenizer_class: a vocab.txt alone is read as that of a",
        ),
        (
            {"vocab.txt": VOCABULARY, "tokenizer_config.json": b'{"subword_tokenizer_type": "character"}'},
            "model/tokenizer_config.json: subword_tokenizer_type: regard reads as BERT does, found 'char",
        ),
        (
            {
                "tokenizer.json": tokenizer().backend.to_str().encode(),
                "tokenizer_config.json": b'{"added_tokens_decoder": {"20": {"content": "<new>"}}}',
            },
            "model: tokenizer_config.json adds '<new>', which tokenizer.json does not have",
        ),
        (
            {"vocab.txt": VOCABULARY, "tokenizer_config.json": b'{"truncation_side": "top"}'},
            "model/tokenizer_config.json: truncation_side: expected left or right, found 'top'",
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
        ForeignTokenizer.of(files, where="model", size=999)
    assert str(caught.value).startswith(message)


def test_what_is_no_text() -> None:
    for odd in (["\ud800"], [None]):
        with pytest.raises(DataError, match="expected texts"):
            tokenizer().encode(odd)  # type: ignore[arg-type]
    with pytest.raises(StoreError, match="3 tokens are no room for a text"):
        tokenizer(longest=3)
