"""A small Transformer, for tests only: what a model with many layers and heads asks of traces and records.

No layer norm and no feed-forward layers: what counts here is who looks at what.
"""

from dataclasses import dataclass

import torch
from torch import Tensor, nn

from regard.nn.attention import masked_softmax
from regard.nn.attention_kinds import AttentionSpec
from regard.nn.decoder import DecoderInputs, DecoderOutput
from regard.nn.dropout import DropoutRng
from regard.nn.masks import padding_mask
from regard.nn.scores import Explained
from regard.nn.trace import AttentionInputs, Trace

WIDTH, HEADS, LAYERS, LONGEST = 6, 3, 2, 40


class Heads(nn.Module):
    """softmax(q · k / √d) v, for each head."""

    def __init__(self) -> None:
        super().__init__()
        self.query, self.key, self.value, self.out = (nn.Linear(WIDTH, WIDTH, bias=False) for _ in range(4))

    def forward(self, x: Tensor, memory: Tensor, mask: Tensor, trace: Trace | None) -> Tensor:
        """(b, q, d), (b, k, d) and a mask broadcastable to (b, q, k) -> (b, q, d)."""
        q, k, v = (
            part(given).unflatten(-1, (HEADS, -1)).transpose(1, 2)
            for part, given in ((self.query, x), (self.key, memory), (self.value, memory))
        )
        weights = masked_softmax(q @ k.mT / q.shape[-1] ** 0.5, mask[:, None])
        if trace is not None:
            weights = trace.capture(self, weights, AttentionInputs(q, k, v, mask[:, None]))
        context: Tensor = x + self.out((weights @ v).transpose(1, 2).flatten(2))
        return context

    def explain(self, query: Tensor, keys: Tensor) -> Explained:
        """Of one head: (d,) and (k, d)."""
        return Explained("e_j = q · k_j / √d", {"q": query, "k": keys}, query * keys / query.shape[-1] ** 0.5)


@dataclass(frozen=True)
class ManyHeadsState:
    memory: Tensor
    mask: Tensor
    inputs: tuple[Tensor, ...]
    """What each layer has been given so far, (b, t, d)."""

    def select(self, rows: Tensor) -> "ManyHeadsState":
        return ManyHeadsState(self.memory[rows], self.mask[rows], tuple(given[rows] for given in self.inputs))


class ManyHeads(nn.Module):
    cross_attention = tuple(f"cross.{layer}" for layer in range(LAYERS))
    longest = None
    attentions = {  # noqa: RUF012
        **{f"encoder.{n}": AttentionSpec("encoder-self", n) for n in range(LAYERS)},
        **{f"decoder.{n}": AttentionSpec("decoder-self", n) for n in range(LAYERS)},
        **{f"cross.{n}": AttentionSpec("cross", n) for n in range(LAYERS)},
    }
    source_vocab_params = ("source.weight",)
    target_vocab_params = ("target.weight", "output.weight", "output.bias")

    def __init__(self, source_size: int, target_size: int) -> None:
        super().__init__()
        self.source, self.target = nn.Embedding(source_size, WIDTH), nn.Embedding(target_size, WIDTH)
        self.places = nn.Embedding(LONGEST, WIDTH)
        self.encoder, self.decoder, self.cross = (
            nn.ModuleList(Heads() for _ in range(LAYERS)) for _ in range(3)
        )
        self.output = nn.Linear(WIDTH, target_size)

    def start(self, source: Tensor, lengths: Tensor, *, trace: Trace | None = None) -> ManyHeadsState:
        mask = padding_mask(lengths, source.shape[1])[:, None]
        states = self.source(source) + self.places.weight[: source.shape[1]]
        for layer in self.encoder:
            states = layer(states, states, mask, trace)
        nothing = states.new_zeros(len(source), 0, WIDTH)
        return ManyHeadsState(states, mask, (nothing,) * LAYERS)

    def step(
        self, tokens: Tensor, state: ManyHeadsState, *, trace: Trace | None = None
    ) -> tuple[Tensor, ManyHeadsState]:
        states, after = self._write(tokens[:, None], state, trace)
        logits: Tensor = self.output(states[:, 0])
        return logits, after

    def teacher_forced(
        self, inputs: DecoderInputs, *, rng: DropoutRng | None = None, trace: Trace | None = None
    ) -> DecoderOutput:
        del rng
        state = self.start(inputs.source, inputs.lengths, trace=trace)
        return DecoderOutput(self._write(inputs.fed, state, trace)[0], self.output)

    def _write(
        self, tokens: Tensor, state: ManyHeadsState, trace: Trace | None
    ) -> tuple[Tensor, ManyHeadsState]:
        before, count = state.inputs[0].shape[1], tokens.shape[1]
        states = self.target(tokens) + self.places.weight[before : before + count]
        causal = torch.ones(count, before + count, dtype=torch.bool).tril(before)[None]
        given = []
        for own, cross, earlier in zip(self.decoder, self.cross, state.inputs, strict=True):
            given.append(torch.cat([earlier, states], dim=1))
            states = cross(own(states, given[-1], causal, trace), state.memory, state.mask, trace)
        return states, ManyHeadsState(state.memory, state.mask, tuple(given))
