"""Validation of a stored tokenizer of regard's own: its file has the rules that regard writes, and no others.

Texts are normalised before the engine reads them, so a file holds no rule that rewrites one.
"""

import json
import math
from collections.abc import Mapping
from typing import Any

from tokenizers import Tokenizer as Backend
from tokenizers import models, pre_tokenizers

from regard.text.engine import check_state
from regard.text.pieces import GOES_ON
from regard.text.prepare import pre_tokenizer
from regard.text.rules import Rules
from regard.text.symbols import SPECIAL, UNK

_UNUSED = ("truncation", "padding", "normalizer", "post_processor", "decoder")
_UNKNOWN = {"unk_token": SPECIAL[UNK]}
_PAIRS = {
    "type": "BPE",
    "dropout": None,
    "unk_token": None,
    "continuing_subword_prefix": None,
    "end_of_word_suffix": None,
    "fuse_unk": False,
    "byte_fallback": False,
    "ignore_merges": False,
}
_CHARACTERS = {**_PAIRS, **_UNKNOWN, "byte_fallback": True}
_WORDS = {"type": "WordLevel", **_UNKNOWN}
_PIECES = {"type": "WordPiece", **_UNKNOWN, "continuing_subword_prefix": GOES_ON}
_MODELS: dict[str, Mapping[str, Any]] = {
    "word": _WORDS,
    "given": _WORDS,
    "char": _CHARACTERS,
    "bpe": _CHARACTERS,
    "unigram": {"type": "Unigram", "unk_id": UNK, "byte_fallback": True},
    "byte_bpe": _PAIRS,
    "wordpiece": {**_PIECES, "max_input_chars_per_word": 100},
}
"""The engine's settings of each kind, besides its entries."""


def check_stored(state: Mapping[str, Any], rules: Rules, where: str, *, is_first: bool) -> None:
    """Refuse, in a ValueError, what regard does not write.

    is_first: the file is from before there were kinds, when texts were cut a little otherwise
    """
    for name in _UNUSED:
        if state.get(name) is not None:
            raise ValueError(f"{name}: expected null, found {_short(state[name])}")
    if is_first:
        check_state(state, where)
    elif _as_engine_has_it(state["pre_tokenizer"]) != _state(
        pre_tokenizer(rules.kind, prefix=True, marks=rules.split == "morphemes")
    ):
        raise ValueError(f"pre_tokenizer: expected the rules of the kind {rules.kind}, found others")
    model, expected = state["model"], _MODELS[rules.kind]
    if model["type"] != expected["type"]:
        raise ValueError(f"its kind is {rules.kind}, but its vocabulary is one of {model['type']!s:.40}")
    for name in model.keys() - {"vocab", "merges"}:
        if name not in expected or model[name] != expected[name]:
            found = _short(model[name])
            raise ValueError(f"model.{name}: expected {json.dumps(expected.get(name))}, found {found}")
    _check_ids(_entries(model["vocab"]), state["added_tokens"])


def _entries(vocabulary: object) -> dict[str, int]:
    """The ids by entry; the unigram model has a list, with a probability for each."""
    if isinstance(vocabulary, dict):
        return vocabulary
    if not isinstance(vocabulary, list):
        raise ValueError(f"model.vocab: expected entries, found {_short(vocabulary)}")
    for number, entry in enumerate(vocabulary):
        name, score = entry
        if not isinstance(name, str) or not isinstance(score, int | float) or not math.isfinite(score):
            raise ValueError(f"model.vocab[{number}]: expected an entry and a number, found {_short(entry)}")
    return {name: number for number, (name, _) in enumerate(vocabulary)}


def _check_ids(entries: Mapping[str, int], added: list[dict[str, Any]]) -> None:
    """Every number from 0 on is there once: the model has a row for each."""
    size = len(entries)
    found = list(entries.values())
    if any(type(number) is not int for number in found) or {*found} != {*range(size)}:
        odd = next((n for n in found if type(n) is not int or not 0 <= n < size), "one of them twice")
        raise ValueError(f"model.vocab: expected the ids 0 to {size - 1}, each once, found {odd}")
    if [entries.get(name) for name in SPECIAL] != list(range(len(SPECIAL))):
        raise ValueError(f"its first entries are not {' '.join(SPECIAL)}")
    beyond = []
    for token in added:
        name, number = token["content"], token["id"]
        if not isinstance(name, str) or not name:
            raise ValueError(f"added_tokens: expected a text, found {_short(name)}")
        if name not in entries:
            beyond.append(number)
        elif entries[name] != number:
            raise ValueError(f"added_tokens: {name!r:.40} has the id {entries[name]}, found {_short(number)}")
    if beyond != [*range(size, size + len(beyond))]:
        odd = next(n for n, right in zip(beyond, range(size, size + len(beyond)), strict=True) if n != right)
        raise ValueError(f"added_tokens: expected ids from {size} on, in their order, found {_short(odd)}")


def _as_engine_has_it(rule: object) -> object:
    """A rule of a file as the engine of today writes it."""
    state = json.loads(Backend(models.WordLevel({SPECIAL[UNK]: 0}, unk_token=SPECIAL[UNK])).to_str())
    read = Backend.from_str(json.dumps({**state, "pre_tokenizer": rule}))
    return None if read.pre_tokenizer is None else _state(read.pre_tokenizer)


def _state(rule: pre_tokenizers.PreTokenizer) -> object:
    return json.loads(rule.__getstate__())


def _short(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 60 else f"{text[:60]}…"
