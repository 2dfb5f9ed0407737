"""What tokenizer_config.json says of a tokenizer, beside tokenizer.json: `transformers` applies both.

The class that it names makes its rules anew from the flags here, or from the defaults of that class, whatever
tokenizer.json has. So a vocabulary is read as it is there, and these rules as they are here.
"""

import json
from collections.abc import Mapping
from typing import Any, Literal

from tokenizers import Tokenizer as Backend
from tokenizers import normalizers, pre_tokenizers

from regard.errors import StoreError

SETTINGS, ADDED = "tokenizer_config.json", "added_tokens.json"
WORD_PIECE_CLASSES = ("BertTokenizer", "DistilBertTokenizer", "ElectraTokenizer")
_TELL_APART = ("BertTokenizer", "ElectraTokenizer")
"""Classes that say which text of a pair a token is of, where model_input_names does not say otherwise."""
_OTHER_WORDS = ("word_tokenizer_type", "subword_tokenizer_type")
"""Of a vocabulary that is not spelt as BERT spells."""


def read_settings(files: Mapping[str, bytes], where: str) -> dict[str, Any]:
    """The settings among files of a model's folder; none if there is no such file."""
    try:
        settings = json.loads(files.get(SETTINGS, b"{}"))
    except (ValueError, RecursionError):
        settings = None
    if not isinstance(settings, dict):
        raise StoreError(f"{where}/{SETTINGS}: not the settings of a tokenizer")
    return settings


def apply_settings(backend: Backend, settings: Mapping[str, Any], where: str) -> None:
    """Give a tokenizer that was read from tokenizer.json the rules that the settings say."""
    kind, normalizer, cutter = _kind(settings), backend.normalizer, backend.pre_tokenizer
    if kind in WORD_PIECE_CLASSES and isinstance(normalizer, normalizers.BertNormalizer):
        backend.normalizer = bert_rules(settings, where)
    if kind == "RobertaTokenizer" and isinstance(cutter, pre_tokenizers.ByteLevel):
        backend.pre_tokenizer = pre_tokenizers.ByteLevel(
            add_prefix_space=flag(settings, "add_prefix_space", False, where)
        )
    missing = added_tokens({}, settings, where) - backend.get_vocab(with_added_tokens=True).keys()
    if missing:
        raise StoreError(f"{where}: {SETTINGS} adds {min(missing)!r}, which tokenizer.json does not have")


def bert_rules(settings: Mapping[str, Any], where: str) -> normalizers.BertNormalizer:
    """How BERT's own class cleans a text."""
    return normalizers.BertNormalizer(
        clean_text=True,
        handle_chinese_chars=flag(settings, "tokenize_chinese_chars", True, where),
        strip_accents=flag(settings, "strip_accents", None, where),
        lowercase=flag(settings, "do_lower_case", True, where),
    )


def check_word_pieces(settings: Mapping[str, Any], where: str) -> None:
    """Refuse a list of words that is not spelt as BERT spells."""
    kind = _kind(settings)
    if kind is not None and kind not in WORD_PIECE_CLASSES:
        raise StoreError(
            f"{where}/{SETTINGS}: tokenizer_class: a vocab.txt alone is read as that of a BertTokenizer, "
            f"found {kind[:60]}; where transformers is installed, AutoTokenizer.from_pretrained(…)"
            ".save_pretrained(…) writes a tokenizer.json, if it can"
        )
    for name in _OTHER_WORDS:
        if (found := settings.get(name)) not in (None, "basic", "wordpiece"):
            raise StoreError(f"{where}/{SETTINGS}: {name}: regard reads as BERT does, found {found!r:.60}")


def has_segments(settings: Mapping[str, Any]) -> bool:
    """Whether the texts of a pair have different segment ids."""
    names = settings.get("model_input_names")
    if isinstance(names, list):
        return "token_type_ids" in names
    kind = _kind(settings)
    return kind is None or kind in _TELL_APART


def cut_side(settings: Mapping[str, Any], where: str) -> Literal["left", "right"]:
    """The truncation side."""
    side = settings.get("truncation_side", "right")
    if side not in ("left", "right"):
        raise StoreError(f"{where}/{SETTINGS}: truncation_side: expected left or right, found {side!r:.60}")
    return side  # type: ignore[no-any-return]  # one of the two


def added_tokens(files: Mapping[str, bytes], settings: Mapping[str, Any], where: str) -> set[str]:
    """What was added to a vocabulary."""
    try:
        decoder = settings.get("added_tokens_decoder") or {}
        return {*json.loads(files.get(ADDED, b"{}")), *(token["content"] for token in decoder.values())}
    except (ValueError, RecursionError, AttributeError, TypeError, KeyError):
        raise StoreError(f"{where}/{SETTINGS}: not the settings of a tokenizer") from None


def flag(settings: Mapping[str, Any], name: str, default: bool | None, where: str) -> Any:
    """A setting that is true or false; null is the default."""
    value = settings.get(name, default)
    if value is not None and not isinstance(value, bool):
        raise StoreError(f"{where}/{SETTINGS}: {name}: expected true or false, found {value!r:.60}")
    return default if value is None else value


def _kind(settings: Mapping[str, Any]) -> str | None:
    """The class, whose fast form has another name; None if nothing is said."""
    kind = settings.get("tokenizer_class")
    return kind.removesuffix("Fast") if isinstance(kind, str) else None
