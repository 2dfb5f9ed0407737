"""One example of pre-training: a sequence with special tokens, of one part or two, and masked.

Everything that chance decides is a function of a key, such as (seed, step, row): nothing has to be kept to go
on with a run, and a step that is made again reads the same.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from regard.config.masked_language_model import ObjectiveConfig
from regard.data.batching import SYMBOLS, pad_texts
from regard.data.encoded import Ids
from regard.data.masking import Heads, MaskedTokens, MaskingVocabulary, mask_tokens, next_tokens
from regard.text.symbols import BOS, EOS

Ints = NDArray[np.integer[Any]]
NO_LABEL = -100
"""A sequence of one sentence has no second part, and no next-sentence label."""
_MASKS = 0x6D736B
"""Sets these random numbers apart from those that order batches and draw rows."""


class Example(NamedTuple):
    """A sequence as a model reads it."""

    masked: MaskedTokens
    segments: Ints
    """(t,)"""
    follows: int
    """0 = the second part follows the first, 1 = it does not; or there is none."""


def draws(key: Sequence[int]) -> np.random.Generator:
    """Random numbers for a key, none of it below 0."""
    return np.random.default_rng([_MASKS, *key])


def make_example(
    sentences: Sequence[Ids],
    rng: np.random.Generator,
    objective: ObjectiveConfig,
    entries: MaskingVocabulary,
    heads: Heads | None,
    other: Callable[[np.random.Generator], Sequence[Ids]],
    *,
    leftward: bool = False,
) -> Example:
    """Add special tokens to a sequence, and mask some of its tokens.

    heads:    says where words begin, for whole words
    other:    draws a sequence of another document
    leftward: hide nothing: the model sees the words before each alone
    """
    parts: list[Ints] = [np.concatenate(sentences).astype(np.int64)]
    follows = NO_LABEL
    if objective.next_sentence != "off" and len(sentences) > 1:
        parts, follows = _two_parts(sentences, rng, objective, other)
    framed = np.concatenate([[BOS], *(piece for part in parts for piece in (part, [EOS]))])
    segments = np.zeros_like(framed)
    if len(parts) > 1:
        segments[len(parts[0]) + 2 :] = 1
    if leftward:
        return Example(next_tokens(framed, entries), segments, follows)
    masked = mask_tokens(framed, rng, objective, entries, heads if objective.whole_words else None)
    return Example(masked, segments, follows)


def _two_parts(
    sentences: Sequence[Ids],
    rng: np.random.Generator,
    objective: ObjectiveConfig,
    other: Callable[[np.random.Generator], Sequence[Ids]],
) -> tuple[list[Ints], int]:
    first, second = _cut_in_two(sentences, rng)
    follows = rng.random() < 0.5
    if objective.next_sentence == "order":
        return ([first, second], 0) if follows else ([second, first], 1)
    drawn = other(rng)
    strange = _cut_in_two(drawn, rng)[1] if len(drawn) > 1 else np.concatenate(drawn).astype(np.int64)
    # Neither its length nor its end may tell whether a part follows: whichever it is, it is as long as the
    # shorter of the two would be, and less, so that it ends within a sentence.
    most = min(len(second), len(strange))
    size = max(1, most - int(rng.integers(1, most // 4 + 2)))
    return [first, (second if follows else strange)[:size]], 0 if follows else 1


def _cut_in_two(sentences: Sequence[Ids], rng: np.random.Generator) -> tuple[Ints, Ints]:
    """Some of the first sentences, and the rest."""
    cut = int(rng.integers(1, len(sentences)))
    first, second = (np.concatenate(part).astype(np.int64) for part in (sentences[:cut], sentences[cut:]))
    return first, second


class ExampleBatch(NamedTuple):
    """Examples side by side."""

    tokens: Tensor
    """(b, t)"""
    lengths: Tensor
    """(b,)"""
    segments: Tensor
    """(b, t)"""
    places: Tensor
    """(n,), the masked positions in the flattened batch."""
    right: Tensor
    """(n,)"""
    follows: Tensor
    """(b,)"""
    hidden: Tensor
    """(b,), how many masked positions each has."""

    @classmethod
    def of(cls, examples: Sequence[Example], device: torch.device) -> "ExampleBatch":
        """Pad them."""
        tokens, lengths = pad_texts([example.masked.tokens for example in examples], SYMBOLS)
        segments = torch.zeros_like(tokens)
        for row, example in enumerate(examples):
            segments[row, : len(example.segments)] = torch.from_numpy(example.segments)
        width = tokens.shape[1]
        places = [row * width + example.masked.places for row, example in enumerate(examples)]
        right = [example.masked.right for example in examples]
        follows = torch.tensor([example.follows for example in examples])
        hidden = torch.tensor([len(part) for part in right])
        flat = (torch.from_numpy(np.concatenate(part)) for part in (places, right))
        return cls(*(part.to(device) for part in (tokens, lengths, segments, *flat, follows, hidden)))
