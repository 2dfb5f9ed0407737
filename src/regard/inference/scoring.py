"""How probable given texts are: many of them, streaming, without a look."""

import itertools
from collections.abc import Iterable, Iterator, Sequence

from torch import nn

from regard.data.batching import EncodedPair, Ids
from regard.inference.generation import PairScore, TextScore
from regard.inference.inputs import given_tuple, several
from regard.inference.lengths import check_pair, check_text
from regard.inference.script_notes import script_notes
from regard.inference.teacher_forcing import force
from regard.text.tokenizer import EOS, SPECIAL, Tokenizer

_PAIRS_AT_ONCE = 4096
"""Pairs that are sorted by length and scored together."""


def score_pairs(
    module: nn.Module,
    tokenizers: tuple[Tokenizer, Tokenizer],
    pairs: Iterable[tuple[str, str] | tuple[str, str, str]],
    *,
    budget: int,
) -> Iterator[PairScore]:
    """The scores of pairs, in their order.

    tokenizers: of source and target
    pairs:      (source, target), or (source, target, place) with a place, such as `file:line`, for an error
    budget:     tokens in a batch
    """
    reader, writer = tokenizers
    placed = (_placed(pair, number) for number, pair in enumerate(several(pairs, "pairs"), start=1))
    while chunk := list(itertools.islice(placed, _PAIRS_AT_ONCE)):
        sources = reader.encode_ids([source for source, _, _ in chunk])
        targets = writer.encode_ids([target for _, target, _ in chunk])
        encoded = [EncodedPair(s, t) for s, t in zip(sources, targets, strict=True)]
        for pair, (source, target, where) in zip(encoded, chunk, strict=True):
            check_pair(source, target, where, pair)
        values = _values(module, encoded, budget)
        for (source, target, _), ids, own in zip(chunk, targets, values, strict=True):
            notes = script_notes(reader.scripts, source)
            yield PairScore(
                source=source,
                target=target,
                tokens=_pieces(writer, ids),
                log_probabilities=own,
                notes=notes,
            )


def _placed(pair: tuple[str, ...], number: int) -> tuple[str, str, str]:
    """A pair with its place."""
    source, target, *place = given_tuple(pair, f"pair {number}", sizes=(2, 3))
    return source, target, place[0] if place else f"pair {number}"


def score_texts(
    module: nn.Module, tokenizer: Tokenizer, texts: Iterable[tuple[str, str]], *, budget: int
) -> Iterator[TextScore]:
    """The same of a language model: the scores of texts, each given with its place, in their order."""
    placed = iter(texts)
    while chunk := list(itertools.islice(placed, _PAIRS_AT_ONCE)):
        ids = tokenizer.encode_ids([text for _, text in chunk])
        for (where, text), own in zip(chunk, ids, strict=True):
            check_text(own, text, where, module)
        values = _values(module, [EncodedPair((), own) for own in ids], budget)
        for (_, text), own, logs in zip(chunk, ids, values, strict=True):
            notes = script_notes(tokenizer.scripts, text)
            yield TextScore(text=text, tokens=_pieces(tokenizer, own), log_probabilities=logs, notes=notes)


def _values(module: nn.Module, encoded: Sequence[EncodedPair], budget: int) -> list[tuple[float, ...]]:
    """The log-probability of each target token and of </s>, pair by pair."""
    values: list[tuple[float, ...]] = [()] * len(encoded)
    device = next(module.parameters()).device
    for row, own, _ in force(module, encoded, budget=budget, device=device, look=False):
        values[row] = tuple(own)
    return values


def _pieces(tokenizer: Tokenizer, ids: Ids) -> tuple[str, ...]:
    return (*(tokenizer.piece(int(token)) for token in ids), SPECIAL[EOS])
