"""One row of attention, followed from the query to the context."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from regard.data.batching import SYMBOLS, EncodedPair, make_batch
from regard.errors import DataError, RegardError, did_you_mean
from regard.inference.token_lookup import find_words, whole_number
from regard.insight.edits import Word
from regard.insight.explain import Explanation, Numbers
from regard.insight.record import MAIN
from regard.insight.token_axis import TokenAxis, token_axes
from regard.nn.attention_kinds import AttentionSpec
from regard.nn.decoder import EncoderDecoder
from regard.nn.scores import Explained
from regard.nn.trace import AttentionWeights, Trace, module_path


@torch.inference_mode()
def explain_row(
    module: nn.Module,
    pair: EncodedPair,
    source: TokenAxis,
    target: TokenAxis,
    *,
    row: Word,
    column: Word | None,
    path: str | None,
    head: int | None,
) -> Explanation:
    """Force a pair through a model, and follow one row of one attention.

    row:    a row by its number, in tokens; or by its word, where that is one token
    column: the word of a key, by its text or number
    path:   the attention; by default the first of those that tell most of an output
    head:   where there are several; by default the first
    """
    network: EncoderDecoder[Any] = module  # type: ignore[assignment]
    where = path_of(path, network.attentions)
    batch = make_batch([pair], [0], SYMBOLS).to(next(module.parameters()).device)
    trace = Trace(module, inputs=True)
    network.teacher_forced(batch.inputs, trace=trace)
    sights = trace.kept[where]
    sides = token_axes(network.attentions[where].kind, source, target, sights[-1].weights.shape[-2])
    return follow(module, where, network.attentions[where], sights, sides, row=row, column=column, head=head)


def follow(
    module: nn.Module,
    where: str,
    site: AttentionSpec,
    sights: Sequence[AttentionWeights],
    sides: tuple[TokenAxis, TokenAxis],
    *,
    row: Word,
    column: Word | None,
    head: int | None,
) -> Explanation:
    """Follow one row of one attention, whose weights a trace has recorded with what they are computed from.

    sides: what its rows and its columns stand for
    """
    explain: Callable[[Tensor, Tensor], Explained] | None = getattr(
        module.get_submodule(module_path(where)), "explain", None
    )
    if explain is None:
        raise RegardError(f"{where} cannot explain its scores")
    rows, columns = sides
    number = _row(row, rows)
    sight, place = _captured(sights, number)
    chosen_head = _head(head, sight, where)
    cut = slice(len(columns.tokens))
    asked = sight.asked
    if asked is None:
        raise RegardError(f"{where} does not record what its weights are computed from")

    def of_row(values: Tensor) -> Tensor:
        """(k,) of the chosen row, from something that is broadcast to the weights."""
        whole = values.expand_as(sight.weights)[0]
        return (whole if chosen_head is None else whole[chosen_head])[place, cut]

    def of_sentence(values: Tensor) -> Tensor:
        """Of the sentence, and of the head where each has its own."""
        heads = values.dim() == 4 and chosen_head is not None
        return values[0, chosen_head] if heads else values[0]

    query, keys = of_sentence(asked.query)[place], of_sentence(asked.keys)[cut]
    explained = explain(query, keys)
    factor = torch.ones_like(sight.weights) if asked.factor is None else asked.factor
    return Explanation(
        where,
        site.kind,
        chosen_head,
        number,
        rows.tokens[number],
        columns.tokens,
        _columns(column, columns),
        explained.formula,
        _numbers(query),
        _numbers(of_sentence(asked.values)[cut]),
        {name: _numbers(term) for name, term in explained.terms.items()},
        _numbers(explained.summands),
        np.asarray(of_row(asked.mask).cpu().numpy()),
        _numbers(of_row(factor)),
        _numbers(of_row(sight.weights)),
    )


def path_of(path: str | None, sites: Mapping[str, AttentionSpec]) -> str:
    """The attention that is meant: by default the lowest of those that are nearest to an output."""
    if path is None:
        if not sites:
            raise DataError("this model has no attention, and there is nothing to explain")
        kinds = [site.kind for site in sites.values()]
        main = next((kind for kind in MAIN if kind in kinds), kinds[0])
        return next(known for known, site in sites.items() if site.kind == main)
    if path not in sites:
        raise DataError(f"no attention of this model is called '{path}'; {did_you_mean(path, sites)}")
    return path


def _row(row: Word, side: TokenAxis) -> int:
    number = whole_number(row) if isinstance(row, str) else row
    if number is None:
        numbers, _ = find_words(row, side, "the rows")
        tokens = [token for found in numbers for token in side.members(found)]
        if len(tokens) != 1:
            told = ", ".join(f"{token} {side.tokens[token]}" for token in tokens)
            raise DataError(f"'{row}' is {len(tokens)} tokens ({told}); choose one by its number")
        return tokens[0]
    if not 0 <= number < len(side.tokens):
        told = ", ".join(f"{place} {token}" for place, token in enumerate(side.tokens))
        raise DataError(f"row {row} is not there; the rows are {told}")
    return number


def _columns(column: Word | None, side: TokenAxis) -> tuple[int, ...]:
    if column is None:
        return ()
    numbers, _ = find_words(column, side)
    return tuple(sorted({token for number in numbers for token in side.members(number)}))


def _captured(sights: Sequence[AttentionWeights], row: int) -> tuple[AttentionWeights, int]:
    """The recorded weights that a row belongs to, and its index there."""
    found = next(s for s in sights if s.step <= row < s.step + s.weights.shape[-2])
    return found, row - found.step


def _head(head: int | None, sight: AttentionWeights, path: str) -> int | None:
    if sight.weights.dim() == 3:
        if head not in (None, 0):
            raise DataError(f"{path} has no heads, found head {head}")
        return None
    count = sight.weights.shape[1]
    if not 0 <= (head or 0) < count:
        raise DataError(f"{path} has the heads 0 to {count - 1}, found head {head}")
    return head or 0


def _numbers(values: Tensor) -> Numbers:
    return np.asarray(values.double().cpu().numpy())
