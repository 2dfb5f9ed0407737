"""How probable given translations are: many pairs, streaming, without a look."""

import itertools
from collections.abc import Iterable, Iterator

from torch import nn

from regard.data.batching import EncodedPair
from regard.tasks.forcing import force
from regard.tasks.lengths import check_pair
from regard.tasks.result import PairScore
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
    device = next(module.parameters()).device
    reader, writer = tokenizers
    placed = ((p[0], p[1], p[2] if len(p) == 3 else f"pair {n}") for n, p in enumerate(pairs, 1))
    while chunk := list(itertools.islice(placed, _PAIRS_AT_ONCE)):
        sources = reader.encode_ids([source for source, _, _ in chunk])
        targets = writer.encode_ids([target for _, target, _ in chunk])
        encoded = [EncodedPair(s, t) for s, t in zip(sources, targets, strict=True)]
        for pair, (source, target, where) in zip(encoded, chunk, strict=True):
            check_pair(source, target, where, pair)
        values: list[list[float]] = [[] for _ in chunk]
        forced = force(module, encoded, budget=budget, device=device, look=False)
        for row, own, _ in forced:
            values[row] = own
        for (source, target, _), ids, own in zip(chunk, targets, values, strict=True):
            pieces = (*map(writer.piece, ids), SPECIAL[EOS])
            yield PairScore(source, target, pieces, tuple(own))
