"""Extend the vocabulary of a trained model. The old entries keep their ids."""

import json
from itertools import pairwise
from typing import Any

from tokenizers import Tokenizer as Backend

from regard.errors import DataError
from regard.text.pieces import GOES_ON
from regard.text.symbols import UNK
from regard.text.tokenizer import Tokenizer

_NEVER = -1e4
"""A log-probability so low that no text is segmented that way."""


def extend_vocabulary(old: Tokenizer, fresh: Tokenizer) -> Tokenizer:
    """The old vocabulary with, behind its own, what the fresh one has beyond it.

    Both are of one kind. Byte-pair encoding merges by the old rules first, so that a word that gains nothing
    from the fresh text is segmented as before.
    """
    state, new = json.loads(old.to_json()), json.loads(fresh.to_json())
    _check_one_kind(state, new)
    names, candidates = _names(old), _names(fresh)
    known = set(names)
    entries = [name for name in candidates if name not in known]
    if isinstance(state["model"]["vocab"], list):  # the unigram model: pieces with their log-probabilities
        scores = {piece: score for model in (new, state) for piece, score in model["model"]["vocab"]}
        state["model"]["vocab"] = [[name, scores.get(name, _NEVER)] for name in (*names, *entries)]
    else:
        state["model"]["vocab"] = {name: number for number, name in enumerate((*names, *entries))}
    if "merges" in state["model"]:
        merges = {tuple(merge): None for model in (state, new) for merge in model["model"]["merges"]}
        state["model"]["merges"] = [list(merge) for merge in merges]
    numbers = {name: number for number, name in enumerate((*names, *entries))}
    kept = {token["content"] for token in state["added_tokens"]}
    state["added_tokens"] += [
        {**token, "id": numbers[token["content"]]}
        for token in new["added_tokens"]
        if token["content"] not in kept
    ]
    return Tokenizer.from_json(json.dumps(state, ensure_ascii=False), "the extended vocabulary")


def spellings(old: Tokenizer, extended: Tokenizer) -> list[tuple[int, ...]]:
    """For each entry that was added: the old entries that spell it; none where they cannot."""
    model = Backend.from_str(old.to_json()).model
    spelt = []
    for name in _names(extended)[len(old) :]:
        tokens = model.tokenize(name.removeprefix(GOES_ON))
        spelt.append(tuple(token.id for token in tokens if token.id != UNK))
    return spelt


def _names(tokenizer: Tokenizer) -> list[str]:
    """The entries as the engine names them, in the order of their ids."""
    numbers = Backend.from_str(tokenizer.to_json()).get_vocab(with_added_tokens=True)
    ordered = sorted(numbers, key=lambda name: numbers[name])
    if any(numbers[b] - numbers[a] != 1 for a, b in pairwise(ordered)):
        raise AssertionError("the ids of a vocabulary have no gaps")
    return ordered


def _check_one_kind(old: dict[str, Any], fresh: dict[str, Any]) -> None:
    for rule in ("kind", "split"):
        there, here = (state["pre_tokenizer"]["regard"][rule] for state in (old, fresh))
        if there != here:
            raise DataError(
                f"a vocabulary of {rule} {there} cannot be extended by one of {rule} {here}; "
                f"say text.{rule}: {there}"
            )
