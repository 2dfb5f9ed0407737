"""What a `tokenizer.json` may ask of the engine: rules of known kinds, whose work grows with the text alone.

The engine does what a file says. A regular expression that tries again and again, or a rule that multiplies a
text, would take a machine's hours or memory for one sentence; an id beyond the vocabulary would end in a
lookup that fails. So the file is read as JSON first, and each rule is known before the engine sees it.
"""

import base64
import binascii
import json
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from regard.errors import RegardError, StoreError

_DEEPEST = 4
_LONGEST_REGEX = 1000
_MOST_WAYS = 128
"""In which the parts of a regular expression that may be left out, or repeated to an end, can be taken."""
_MOST_PIECES = 16
"""That are put around a text."""
_LONGEST_WORD = 1000
"""Characters of a word that WordPiece spells; BERT has 100."""
_MOST_GROWTH = 16
"""How many times as long a text may become: NFKC writes one character as up to 18, seldom."""
_LONGEST_ENTRY = 64
"""Bytes that a table of characters may write for one; NFKC has 33."""
_LISTS = {"normalizer": "normalizers", "pre_tokenizer": "pretokenizers", "post_processor": "processors"}
"""What the parts of a sequence are called; of a decoder, decoders."""
_KINDS = {
    "normalizer": (
        "BertNormalizer", "ByteLevel", "Lowercase", "NFC", "NFD", "NFKC", "NFKD", "Nmt", "Precompiled",
        "Prepend", "Replace", "Strip", "StripAccents",
    ),
    "pre_tokenizer": (
        "BertPreTokenizer", "ByteLevel", "CharDelimiterSplit", "Digits", "Metaspace", "Punctuation", "Split",
        "UnicodeScripts", "Whitespace", "WhitespaceSplit",
    ),
    "post_processor": ("BertProcessing", "ByteLevel", "RobertaProcessing", "TemplateProcessing"),
    "decoder": (
        "BPEDecoder", "ByteFallback", "ByteLevel", "Fuse", "Metaspace", "Replace", "Strip", "WordPiece",
    ),
    "model": ("BPE", "Unigram", "WordLevel", "WordPiece"),
}  # fmt: skip
_ATOM = (
    r"(?:\\[pP]\{\^?\w+\}|\\x[0-9a-fA-F]{2}|\\x\{[0-9a-fA-F]+\}|\\u[0-9a-fA-F]{4}|\\[^1-9kgGpPxu]"
    r"|\[(?:\\.|[^\\\]])+\]|[^\\\[\](){}|?*+^$])"
)
_REPEAT = r"(?:(?P<open>[*+][?+]?|\{\d+,\})|(?P<maybe>\?)[?+]?|\{(?P<least>\d{1,3})(?:,(?P<most>\d{1,3}))?\})"
_TERM = re.compile(
    rf"[\^$]|\(\?[!=]{_ATOM}\)|\((?:\?i?:)?(?:{_ATOM}|\|)*\)(?P<group_maybe>\??)|{_ATOM}(?:{_REPEAT})?",
    re.DOTALL,
)
"""A part of a regular expression between bars: an anchor, a look ahead at one character, a group of plain
characters that is not repeated, or one character, repeated or not."""


@contextmanager
def engine(kind: type[RegardError], message: str) -> Iterator[None]:
    """Tell what goes wrong in the engine. It raises bare Exception; and where it panics, what is none."""
    try:
        yield
    except (TypeError, UnicodeEncodeError, RegardError):  # what was given is no text; or it is told already
        raise
    except BaseException as error:
        if not isinstance(error, Exception) and type(error).__name__ != "PanicException":
            raise
        problem = next(iter(str(error).splitlines()), type(error).__name__)
        raise kind(f"{message}: {problem[:200]}") from None


def read_state(content: str | bytes, where: str) -> dict[str, Any]:
    """A `tokenizer.json` as JSON, once nothing in it is of an unknown kind, or can grow without bound.

    where: names the file in an error, which names the field, too
    """
    told = f"{where}: not a file of the tokenizers library"
    try:
        state = json.loads(content)
    except (ValueError, RecursionError) as error:
        problem = "nested too deeply" if isinstance(error, RecursionError) else str(error)
        raise StoreError(f"{told}: {problem}") from None
    if not isinstance(state, dict) or not isinstance(state.get("model"), dict):
        raise StoreError(f"{told}: expected an object with a model")
    check_state(state, where)
    return {**state, "truncation": None, "padding": None}  # how it was last used, not what it is


def check_state(state: Mapping[str, Any], where: str) -> None:
    """Refuse a tokenizer with rules that are not known to be harmless; the field is named."""
    growth = 1.0
    for part in _KINDS.keys() - {"model"}:
        for field, rule in _rules(part, state.get(part), part, where):
            growth *= _growth(rule, f"{where}: {field}")
            _check_pattern(rule, f"{where}: {field}")
    if growth > _MOST_GROWTH:
        raise StoreError(
            f"{where}: normalizer: expected rules that make a text at most {_MOST_GROWTH} times as long, "
            f"found {growth:,.0f} times"
        )
    _check_model(state["model"], where)


def check_ids(state: Mapping[str, Any], size: int, where: str) -> None:
    """Refuse an id for which a model has no row; `size` says how many it has."""
    for field, found in _ids(state, where):
        if type(found) is not int or not 0 <= found < size:
            raise StoreError(
                f"{where}: {field}: expected ids from 0 to {size - 1}, as the weights have rows, "
                f"found {found!r:.40}: they do not belong together"
            )


def charsmap_problem(table: bytes) -> str | None:
    """What is wrong with a table that SentencePiece writes characters anew by; None if nothing is.

    It begins with the size of a trie in 4 bytes, and the trie; texts follow, each ended by a zero byte.
    """
    size = int.from_bytes(table[:4], "little")
    if len(table) < 4 or size % 4 or not 0 < size <= len(table) - 4:
        return "not a table of characters"
    longest = max(map(len, table[4 + size :].split(b"\0")), default=0)
    if longest > _LONGEST_ENTRY:
        return f"expected at most {_LONGEST_ENTRY} bytes for a character, found {longest:,}"
    return None


def is_plain(regex: str) -> bool:
    """Whether the time that a regular expression takes grows little with the text.

    Nothing that is repeated is repeated again, and nothing looks back. Between bars there are no more than
    two repetitions without an end, and after the second nothing that must follow: where it is missing, every
    way to share a text between the two would be tried. What else may be left out leaves few ways, too.
    """
    if len(regex) > _LONGEST_REGEX:
        return False
    place, unbounded, ways = 0, 0, 1
    while place < len(regex):
        if regex[place] == "|":
            place, unbounded, ways = place + 1, 0, 1
            continue
        term = _TERM.match(regex, place)
        if term is None:
            return False
        least, most = int(term["least"] or 1), int(term["most"] or term["least"] or 1)
        may_be_left_out = term["maybe"] or term["group_maybe"] or least == 0
        if unbounded == 2 and not may_be_left_out:
            return False
        place, unbounded = term.end(), unbounded + (term["open"] is not None)
        ways *= max(1, most - least + 1) * (2 if term["maybe"] or term["group_maybe"] else 1)
        if unbounded > 2 or ways > _MOST_WAYS:
            return False
    return True


def _rules(
    part: str, rule: object, field: str, where: str, depth: int = 0
) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Every single rule of a part, with its place, once its kind is known."""
    if rule is None:
        return
    if not isinstance(rule, dict) or depth > _DEEPEST:
        found = "rules within rules" if isinstance(rule, dict) else type(rule).__name__
        raise StoreError(f"{where}: {field}: expected a rule, found {found}")
    kind = rule.get("type")
    if kind == "Sequence":
        name = _LISTS.get(part, "decoders")
        inner = rule.get(name)
        if not isinstance(inner, list) or len(inner) > _MOST_PIECES:
            raise StoreError(f"{where}: {field}.{name}: expected a list of at most {_MOST_PIECES} rules")
        for number, each in enumerate(inner):
            yield from _rules(part, each, f"{field}.{name}[{number}]", where, depth + 1)
        return
    if kind not in _KINDS[part]:
        raise StoreError(f"{where}: {field}: expected one of {', '.join(_KINDS[part])}, found {kind!r:.40}")
    if kind == "TemplateProcessing":
        _check_template(rule, f"{where}: {field}")
    yield field, rule


def _growth(rule: Mapping[str, Any], where: str) -> float:
    """How many times as long a rule makes a text; of a table of characters, so that there is one at most."""
    kind = rule["type"]
    if kind == "Precompiled":
        try:
            table = base64.b64decode(rule.get("precompiled_charsmap") or "", validate=True)
        except (TypeError, ValueError, binascii.Error):
            table = b""
        problem = charsmap_problem(table)
        if problem is not None:
            raise StoreError(f"{where}.precompiled_charsmap: {problem}")
        return _MOST_GROWTH / 2
    if kind == "ByteLevel":
        return 2.0
    if kind == "Prepend":
        return 1.0 + len(str(rule.get("prepend"))) / _LONGEST_ENTRY
    if kind != "Replace":
        return 1.0
    pattern, content = rule.get("pattern"), rule.get("content")
    if not isinstance(pattern, dict) or not isinstance(content, str):
        raise StoreError(f"{where}: expected a pattern and what is written for it")
    literal = pattern.get("String")
    if isinstance(literal, str) and literal:
        return max(1.0, len(content) / len(literal))
    return float(max(1, len(content)))  # an expression may match one character, or none


def _check_pattern(rule: Mapping[str, Any], where: str) -> None:
    pattern = rule.get("pattern")
    if pattern is None:
        return
    regex = pattern.get("Regex") if isinstance(pattern, dict) else None
    if isinstance(regex, str) and not is_plain(regex):
        raise StoreError(
            f"{where}: pattern: expected a regular expression without repetitions of repetitions, "
            f"found {regex!r:.60}"
        )


def _check_template(rule: Mapping[str, Any], where: str) -> None:
    for name in ("single", "pair"):
        pieces = rule.get(name)
        if not isinstance(pieces, list) or not 0 < len(pieces) <= _MOST_PIECES:
            raise StoreError(f"{where}.{name}: expected up to {_MOST_PIECES} pieces")
        texts = [
            str(piece["Sequence"]) for piece in pieces if isinstance(piece, dict) and "Sequence" in piece
        ]
        if len(texts) > 2:
            raise StoreError(f"{where}.{name}: expected each text once, found {len(texts)} texts")
    symbols = rule.get("special_tokens")
    for name, symbol in symbols.items() if isinstance(symbols, dict) else ():
        ids = symbol.get("ids") if isinstance(symbol, dict) else None
        if not isinstance(ids, list) or len(ids) > _MOST_PIECES:
            raise StoreError(f"{where}.special_tokens: {name!r:.40}: expected up to {_MOST_PIECES} ids")


def _check_model(model: Mapping[str, Any], where: str) -> None:
    kind = model.get("type")
    if kind is not None and kind not in _KINDS["model"]:  # the first files did not say it
        raise StoreError(f"{where}: model: expected one of {', '.join(_KINDS['model'])}, found {kind!r:.40}")
    longest = model.get("max_input_chars_per_word")
    if longest is not None and (type(longest) is not int or longest > _LONGEST_WORD):
        raise StoreError(
            f"{where}: model.max_input_chars_per_word: expected at most {_LONGEST_WORD}, "
            f"found {longest!r:.40}"
        )
    if not isinstance(model.get("vocab"), dict | list):
        raise StoreError(f"{where}: model.vocab: expected entries, found {type(model.get('vocab')).__name__}")


def _ids(state: Mapping[str, Any], where: str) -> Iterator[tuple[str, Any]]:
    """Every id that a file names, or the largest of many, with its place."""
    entries = state["model"]["vocab"]
    if isinstance(entries, list):
        yield "model.vocab", len(entries) - 1
        if state["model"].get("unk_id") is not None:
            yield "model.unk_id", state["model"]["unk_id"]
    else:
        yield from (("model.vocab", found) for found in _extremes(list(entries.values())))
    added = state.get("added_tokens") or []
    if not isinstance(added, list) or not all(isinstance(token, dict) for token in added):
        raise StoreError(f"{where}: added_tokens: expected a list of tokens")
    yield from (("added_tokens", found) for found in _extremes([token.get("id") for token in added]))
    for field, rule in _rules("post_processor", state.get("post_processor"), "post_processor", where):
        for name in ("sep", "cls"):
            if name in rule:
                pair = rule[name]
                yield f"{field}.{name}", pair[-1] if isinstance(pair, list) and pair else pair
        symbols = rule.get("special_tokens")
        for symbol in symbols.values() if isinstance(symbols, dict) else ():
            yield from ((f"{field}.special_tokens", found) for found in symbol["ids"])


def _extremes(found: list[Any]) -> list[Any]:
    """The smallest and the largest; or the first that is no number."""
    odd = [value for value in found if type(value) is not int]
    return odd[:1] if odd else [min(found), max(found)] if found else []
