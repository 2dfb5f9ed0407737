"""The same sentences twice, without edits and with them, and what lies between."""

from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import nn

from regard.data.batching import EncodedPair
from regard.decoding.hypothesis import Hypothesis
from regard.inference.attention import side_of
from regard.inference.effect import Effect, reached
from regard.inference.generation import WrittenText
from regard.inference.interventions import SentenceEdits, resolve
from regard.inference.teacher_forcing import Forced, force_twice
from regard.insight.edits import Edit
from regard.nn.step import EncoderDecoder
from regard.text.korean import Dictionary
from regard.text.tokenizer import Encoding

Output = tuple[WrittenText, Hypothesis | None]
"""A result, and the tokens it was made from; none for a sentence without words."""
Run = Callable[[Sequence[Encoding], Sequence[SentenceEdits] | None], Sequence[Output]]
"""What a model gives for sources; with a trace, and its edits, unless they are None."""


def intervene(
    module: nn.Module,
    sources: Sequence[Encoding],
    edits: Sequence[tuple[Edit, ...]],
    run: Run,
    *,
    dictionary: Dictionary,
    budget: int,
    device: torch.device,
    begun: bool = False,
) -> list[Effect]:
    """What the edits of each sentence change in what `run` gives.

    begun: a source is not read, but is what the text begins with; what is looked at was fed, <s> first
    """
    network: EncoderDecoder[Any] = module  # type: ignore[assignment]
    sides = [side_of(source, dictionary, ended=True) for source in sources]
    edited = [
        resolve(own, side.fed() if begun else side, network.attentions)
        for side, own in zip(sides, edits, strict=True)
    ]
    changed = [own.without_removed(source) for own, source in zip(edited, sources, strict=True)]
    before = run(sources, [SentenceEdits()] * len(sources))
    after = run(changed, edited)

    def forced(outputs: Sequence[Output]) -> list[Forced]:
        """Each output without its edits and with them."""
        results = [Forced([], [], [])] * len(outputs)
        written = {row: own for row, (_, own) in enumerate(outputs) if own is not None}
        found = force_twice(
            module,
            [EncodedPair(sources[row].ids, own.tokens) for row, own in written.items()],
            [EncodedPair(changed[row].ids, own.tokens) for row, own in written.items()],
            [edited[row] for row in written],
            budget=budget,
            device=device,
        )
        for (row, own), values in zip(written.items(), found, strict=True):
            results[row] = values.cut(len(own.tokens) + own.ended)
        return results

    return [
        Effect(own, old, new, was, now, (*change.notes, *reached(own, len(now.after))))
        for own, (old, _), (new, _), was, now, change in zip(
            edits, before, after, forced(before), forced(after), edited, strict=True
        )
    ]
