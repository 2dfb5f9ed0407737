"""Which heads of an encoder follow which dependency, as Clark et al. 2019 asked it.

A head follows a dependency where the word that it looks at most, itself and the symbols left out, is the word
at the other end: the head of the dependent, or the dependent of the head. Attention to a word is the sum over
its pieces, attention from it their mean. What a head that looks at a fixed distance would find is the
baseline.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray

from regard.config.data import ConlluCorpus
from regard.data.batching import SYMBOLS, length_batches, pad_texts
from regard.data.readers import open_rows
from regard.data.rows import Row
from regard.errors import DataError
from regard.metrics.statistics import Floats, Statistics, ratio
from regard.models.bert import Bert
from regard.nn.trace import Trace
from regard.text.tokenizer import Tokenizer

ALL = "all"
"""Every dependency, whatever its relation."""
FARTHEST = 5
"""Distances that a fixed look may have, to either side."""
_BATCH_TOKENS = 2048
_DIRECTIONS = ("head", "dependent")
"""What is looked for: from the dependent its head, or from the head its dependent."""


class Parsed(NamedTuple):
    """A sentence with its dependencies."""

    words: tuple[str, ...]
    arcs: tuple[tuple[int, int, str], ...]
    """Dependent, head and relation, words counted from 0; those to the root are left out."""


class Look(NamedTuple):
    """Who looks: a head of a layer, or a fixed distance; and what for."""

    name: str
    """Such as `3.0`, layer and head; or `+1`, the next word."""
    direction: str


@dataclass(frozen=True)
class Found:
    """How often each look finds the other end of a dependency, sentence by sentence."""

    relations: tuple[str, ...]
    looks: tuple[Look, ...]
    hits: NDArray[np.int32]
    """(sentences, looks, relations)."""
    totals: NDArray[np.int32]
    """(sentences, relations)."""

    def best(self, relation: str, *, heads: bool) -> Look:
        """The head, or the fixed distance, that finds most."""
        place = self.relations.index(relation)
        sums = self.hits[:, :, place].sum(axis=0)
        own = [number for number, look in enumerate(self.looks) if is_head(look) == heads]
        return self.looks[max(own, key=lambda number: (int(sums[number]), -number))]

    def statistics(self, look: Look, relation: str) -> Statistics:
        """The share of dependencies that a look finds, in percent."""
        place, number = self.relations.index(relation), self.looks.index(look)
        counts: Floats = np.column_stack([100.0 * self.hits[:, number, place], self.totals[:, place]])
        return Statistics(counts, ratio)


def is_head(look: Look) -> bool:
    """Whether a look is one of the model's, and not a fixed distance."""
    return "." in look.name


def read_parsed(path: str, most: int | None = None) -> list[Parsed]:
    """Sentences of a treebank, up to so many."""
    sentences: list[Parsed] = []
    rows = open_rows(ConlluCorpus(path=path))
    words, heads, relations = (rows.columns.index(name) for name in ("words", "heads", "relations"))
    for row in rows:
        if most is not None and len(sentences) == most:
            break
        if not isinstance(row, Row):
            raise DataError(f"{rows.name}:{row.number}: {row.reason}")
        named = zip(row.cells[heads], row.cells[relations], strict=True)
        arcs = [(place, int(head) - 1, kind.partition(":")[0]) for place, (head, kind) in enumerate(named)]
        sentences.append(Parsed(tuple(row.cells[words]), tuple(arc for arc in arcs if arc[1] >= 0)))
    return sentences


def frequent_relations(sentences: Sequence[Parsed], least: int) -> tuple[str, ...]:
    """Relations that come so often or more, the most frequent first; and `all`."""
    counts: dict[str, int] = {}
    for sentence in sentences:
        for _, _, relation in sentence.arcs:
            counts[relation] = counts.get(relation, 0) + 1
    often = sorted((name for name in counts if counts[name] >= least), key=lambda name: -counts[name])
    return (ALL, *(name for name in often if name != "punct"))


def follow(
    model: Bert,
    tokenizer: Tokenizer,
    frame: tuple[int, int],
    sentences: Sequence[Parsed],
    relations: Sequence[str],
) -> Found:
    """Run an encoder over sentences, and count what its heads find; what is too long is left out."""
    encoded = _encoded(tokenizer, frame, sentences)
    fit = [row for row, (ids, _) in enumerate(encoded) if len(ids) <= model.longest]
    heads = [(layer, head) for layer in range(model.config.layers) for head in range(model.config.heads)]
    names = [f"{layer}.{head}" for layer, head in heads]
    names += [f"{distance:+d}" for distance in range(-FARTHEST, FARTHEST + 1) if distance]
    looks = tuple(Look(name, direction) for direction in _DIRECTIONS for name in names)
    places = {name: number for number, name in enumerate(relations)}
    hits = np.zeros((len(fit), len(looks), len(relations)), np.int32)
    totals = np.zeros((len(fit), len(relations)), np.int32)
    for row, weights in _word_maps(model, [encoded[row] for row in fit]):
        sentence = sentences[fit[row]]
        looked = np.concatenate([_most(weights), _fixed(len(sentence.words))])  # (names, words)
        for dependent, head, relation in sentence.arcs:
            kinds = [places[kind] for kind in (ALL, relation) if kind in places]
            found = np.concatenate([looked[:, dependent] == head, looked[:, head] == dependent])
            for kind in kinds:
                hits[row, :, kind] += found
                totals[row, kind] += 1
    return Found(tuple(relations), looks, hits, totals)


def _encoded(
    tokenizer: Tokenizer, frame: tuple[int, int], sentences: Sequence[Parsed]
) -> list[tuple[list[int], NDArray[np.intp]]]:
    """Tokens in their frame, and the word of each token within it; a word has one token or more."""
    forms = list(dict.fromkeys(word for sentence in sentences for word in sentence.words))
    spelt = dict(zip(forms, tokenizer.encode_ids(forms), strict=True))
    encoded = []
    for sentence in sentences:
        pieces = [spelt[word] or [frame[1]] for word in sentence.words]
        ids = [frame[0], *(piece for word in pieces for piece in word), frame[1]]
        encoded.append((ids, np.repeat(np.arange(len(pieces)), [len(word) for word in pieces])))
    return encoded


@torch.inference_mode()
def _word_maps(
    model: Bert, encoded: Sequence[tuple[list[int], NDArray[np.intp]]]
) -> Iterator[tuple[int, Floats]]:
    """The attention of every head between words, (heads, words, words), of each sentence."""
    for rows in length_batches([len(ids) for ids, _ in encoded], budget=_BATCH_TOKENS):
        trace = Trace(model)
        model(*pad_texts([encoded[row][0] for row in rows], SYMBOLS), trace=trace)
        layers = [trace.kept[path][0].weights.double().numpy() for path in model.attentions]
        for at, row in enumerate(rows):
            words = encoded[row][1]
            inner = slice(1, 1 + len(words))
            members = np.zeros((len(words), int(words[-1]) + 1))
            members[np.arange(len(words)), words] = 1.0
            means = members / members.sum(axis=0)
            tokens = np.concatenate([layer[at][:, inner, inner] for layer in layers])
            yield row, means.T @ tokens @ members


def _most(weights: Floats) -> NDArray[np.intp]:
    """The word that each word looks at most, itself left out, (heads, words)."""
    others = weights.copy()
    words = np.arange(weights.shape[-1])
    others[:, words, words] = -1.0
    looked: NDArray[np.intp] = others.argmax(axis=-1)
    return looked


def _fixed(words: int) -> NDArray[np.intp]:
    """The word at each distance from each word, (distances, words); -1 where there is none."""
    distances = [distance for distance in range(-FARTHEST, FARTHEST + 1) if distance]
    places = np.arange(words) + np.array(distances)[:, None]
    return np.where((places >= 0) & (places < words), places, -1)


def chosen_scores(chosen: Found, measured: Found) -> Mapping[str, Statistics]:
    """Looks are chosen on some sentences and measured on others: `head nsubj`, `fixed nsubj`."""
    found = {}
    for relation in measured.relations:
        for kind, heads in (("head", True), ("fixed", False)):
            look = chosen.best(relation, heads=heads)
            found[f"{kind} {relation}"] = measured.statistics(look, relation)
    return found
