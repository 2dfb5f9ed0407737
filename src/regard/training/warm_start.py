"""Begin a run with the weights and the vocabulary of a trained model. This does not resume its run."""

import json
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any, ClassVar

import torch
from tokenizers import Tokenizer as Backend
from torch import Tensor, nn

from regard.config.load import first_difference
from regard.config.recipe import Recipe
from regard.errors import ConfigError, DataError, StoreError
from regard.progress import counted
from regard.store.build import Vocabularies, check_fits, vocabularies_of
from regard.store.folder import StoredModel, load_weights, weights_of
from regard.text.pieces import GOES_ON
from regard.text.symbols import UNK
from regard.text.tokenizer import Tokenizer

_OF_A_VOCABULARY = ("vocabulary_size", "min_frequency", "keep", "keep_patterns")
"""What may differ where a vocabulary is extended: it says how the fresh one is learned."""

_DROPOUTS = ("dropout", "attention_dropout", "activation_dropout", "word_dropout", "layer_drop")
"""What may differ in a model: it has no part in its weights."""


class WarmStart:
    """A trained model to begin with."""

    is_of_the_task: ClassVar[bool] = True
    """Whether it says what the new one is to say."""

    def __init__(self, stored: StoredModel, where: str, *, extends: bool, by_chance: bool = False) -> None:
        """by_chance: its vocabulary is taken, and not its weights"""
        self._stored = stored
        self._by_chance = by_chance
        self._where = where
        self._extends = extends
        self._count = len(stored.recipe.vectors.sources)
        """How many vocabularies models of this task have."""
        self._spellings: list[list[tuple[int, ...]]] = [[] for _ in range(self._count)]

    @property
    def stored(self) -> StoredModel:
        """The model itself."""
        return self._stored

    @property
    def where(self) -> str:
        """Where it is."""
        return self._where

    def check(self, recipe: Recipe) -> None:
        """Refuse a recipe of another task, of another model, or of another text."""
        there = self._stored.recipe
        if there.task != recipe.task:
            raise ConfigError(
                f"{self._where}: is a model for {there.task}, and the recipe is for {recipe.task}; "
                f"start from a model for the same task"
            )
        text = _OF_A_VOCABULARY if self._extends else ()
        difference = first_difference(there.model, recipe.model, "model", ignoring=_DROPOUTS)
        difference = difference or first_difference(there.text, recipe.text, "text", ignoring=text)
        if difference:
            raise ConfigError(
                f"{self._where}: is a model of another recipe ({difference}); leave the recipe out to train "
                f"with the model's own, or say the same there"
            )

    def vocabularies(self, learn: Callable[[], Vocabularies]) -> Vocabularies:
        """The model's own vocabularies, extended by what the new text needs if that is wanted."""
        before = vocabularies_of(self._stored, self._where, self._count)
        if not self._extends:
            return before
        after = _extended(before, learn())
        self._spellings = [spellings(old, new) for old, new in zip(before, after, strict=True)]
        return after

    def check_fits(self, build: Callable[[], nn.Module]) -> None:
        """Refuse, before memory is taken, weights for which the recipe has no such model."""
        check_fits(build, self._stored, self._where, may_grow=self._extends)

    def put(self, model: nn.Module, tables: Sequence[tuple[str, ...]]) -> None:
        """Give a model of the same recipe the weights.

        tables: for each vocabulary, the parameters that have a row for each entry
        The row of an added entry is the mean of the rows of its pieces before; of one that could not
        be encoded, it is what the model has been initialised with.
        """
        if self._by_chance:
            return
        rows: dict[str, list[tuple[int, ...]]] = {}
        for names, spelt in zip(tables, self._spellings, strict=True):
            rows |= dict.fromkeys(names, spelt)
        weights = self._stored.weights
        first = weights_of(model)
        if first.keys() != weights.keys():
            odd = sorted(first.keys() ^ weights.keys())
            raise StoreError(f"{self._where}: the weights do not fit its recipe: {', '.join(odd[:3])}")
        extended = {name: _with_rows(weights[name], first[name], rows.get(name, [])) for name in weights}
        load_weights(model, extended, self._where)

    def told(self) -> str:
        """What is begun with, in a line."""
        added = max(map(len, self._spellings))
        vocabulary = (
            f"vocabulary, extended by {counted(added, 'entry', 'entries')}" if added else "vocabulary"
        )
        if self._by_chance:
            return (
                f"starting from the {vocabulary} of {self._where}, initialised at random; this is a new run"
            )
        return (
            f"starting from the weights and the {vocabulary} of {self._where}; this is a new run and does "
            f"not resume the old one: step 0, a new optimizer, a new schedule"
        )


def _extended(before: Vocabularies, fresh: Vocabularies) -> Vocabularies:
    """Each extended by what the fresh one has; one that is for all sides stays one."""
    first = extend_vocabulary(before[0], fresh[0])
    others = zip(before[1:], fresh[1:], strict=True)
    return (first, *(first if old is before[0] else extend_vocabulary(old, new) for old, new in others))


def _with_rows(old: Tensor, first: Tensor, spelt: Sequence[tuple[int, ...]]) -> Tensor:
    """The old rows, and one more for each entry that was added."""
    if not spelt:
        return old
    more = [old[list(ids)].mean(0) if ids else first[len(old) + place] for place, ids in enumerate(spelt)]
    return torch.cat([old, torch.stack(more)])


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
