"""The n-gram language model behind the interface of decoders: counts where the others have weights."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Self

import numpy as np
import torch
from torch import Tensor, nn

from regard.errors import StoreError
from regard.models.kneser_ney import KneserNey
from regard.nn.attention_kinds import AttentionSpec
from regard.nn.decoder import DecoderInputs
from regard.nn.dropout import DropoutRng
from regard.nn.trace import Trace


@dataclass(frozen=True, slots=True)
class NGramState:
    """The tokens of each row so far, without <s>."""

    texts: tuple[tuple[int, ...], ...]

    def select(self, rows: Tensor) -> "NGramState":
        """The state of these rows, in this order."""
        return NGramState(tuple(self.texts[row] for row in rows.tolist()))


@dataclass(frozen=True, slots=True)
class NGramPositions:
    """Positions of texts, whose probabilities are looked up when they are asked for."""

    model: KneserNey
    texts: Sequence[Sequence[int]]
    """What was fed, <s> first."""
    places: Tensor
    """(…, 2), the row of each position, and the position in the text."""

    def at(self, which: Tensor | slice) -> "NGramPositions":
        """Those that are True, (n, …); or a slice of the first axis."""
        return replace(self, places=self.places[which])

    def logits(self) -> Tensor:
        """(…, v), the logarithm of the probability of each next token."""
        pairs = self.places.flatten(0, -2).tolist()
        found = [_logs(self.model, self.texts[row][1 : place + 1], self.places) for row, place in pairs]
        return torch.stack(found).view(*self.places.shape[:-1], -1)


class NGramNetwork(nn.Module):
    """Kneser-Ney probabilities behind the interface of decoders. Nothing in it is trained."""

    source_vocab_params: tuple[str, ...] = ()
    target_vocab_params: tuple[str, ...] = ()
    cross_attention: tuple[str, ...] = ()
    longest: int | None = None

    def __init__(self, model: KneserNey) -> None:
        super().__init__()
        self.model = model
        for name, array in model.to_arrays().items():  # so that a folder holds them as it holds weights
            table = nn.Parameter(torch.from_numpy(np.ascontiguousarray(array)), requires_grad=False)
            self.register_parameter(_NAME + name.replace(".", "_"), table)

    @classmethod
    def of_weights(cls, weights: Mapping[str, Tensor], where: str) -> Self:
        """The model that a folder holds; `where` names it in an error."""
        for name, table in weights.items():  # numpy has no bfloat16
            if table.dtype not in (torch.int64, torch.float64):
                raise StoreError(f"{where}: {name} should be int64 or float64, found {table.dtype}")
        arrays = {
            name.removeprefix(_NAME).replace("_", "."): table.numpy() for name, table in weights.items()
        }
        return cls(KneserNey.from_arrays(arrays, where))

    @property
    def attentions(self) -> Mapping[str, AttentionSpec]:
        """There is none."""
        return {}

    def start(self, source: Tensor, lengths: Tensor, *, trace: Trace | None = None) -> NGramState:
        """The initial state."""
        del lengths, trace
        return NGramState(((),) * len(source))

    def step(
        self, tokens: Tensor, state: NGramState, *, trace: Trace | None = None
    ) -> tuple[Tensor, NGramState]:
        """Feed one token a row, (b,); the logits of the next, (b, v), and the state after it."""
        del trace
        fed = tokens.tolist()
        texts = tuple(
            text if token == self.model.start else (*text, token)
            for text, token in zip(state.texts, fed, strict=True)
        )
        return torch.stack([_logs(self.model, text, tokens) for text in texts]), NGramState(texts)

    def teacher_forced(
        self, inputs: DecoderInputs, *, rng: DropoutRng | None = None, trace: Trace | None = None
    ) -> NGramPositions:
        """Teacher forcing: the output at every position when the words are given."""
        del rng, trace
        fed = inputs.fed
        rows, count = fed.shape
        places = torch.cartesian_prod(torch.arange(rows), torch.arange(count)).view(rows, count, 2)
        return NGramPositions(self.model, fed.tolist(), places.to(fed.device))


_NAME = "table_"


def _logs(model: KneserNey, before: Sequence[int], like: Tensor) -> Tensor:
    """ln p of every token, (v,), after the first ones of a text."""
    return torch.from_numpy(model.next_probabilities(before)).log().to(like.device)
