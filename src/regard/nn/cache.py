"""The key-value cache: keys and values of the words that a decoder has been fed."""

from dataclasses import dataclass

import torch
from torch import Tensor

from regard.nn.buffer import StepBuffer


@dataclass(frozen=True, slots=True)
class Cache:
    """Those of one layer.

    Those of a word lie together: a beam moves them as one, and adds them as one. (With those of a head one
    after the other, attention over hundreds of words takes three quarters of the time, and over twenty words
    of many sentences a third more.)
    """

    tape: StepBuffer
    """(b, size, h, 2, d)."""

    @classmethod
    def empty(cls, like: Tensor, rows: int, heads: int, head_size: int) -> "Cache":
        """Nothing yet, of `rows` sentences."""
        return cls(StepBuffer.empty(like, rows, heads, 2, head_size))

    @property
    def size(self) -> int:
        """How many words there are."""
        return self.tape.size

    @property
    def heads(self) -> Tensor:
        """Keys and values, (2, b, h, size, d)."""
        return self.tape.written.permute(3, 0, 2, 1, 4)

    def add(self, heads: Tensor) -> "Cache":
        """With the keys and values of more words, (2, b, h, t, d)."""
        memory, longer = self.tape.room(heads.shape[3])
        memory[:, self.tape.size :] = heads.permute(1, 3, 2, 0, 4)
        return Cache(longer)


@dataclass(frozen=True, slots=True)
class Caches:
    """Those of all layers. They have the same words of the same rows."""

    layers: tuple[Cache, ...]
    writers: Tensor
    """(size, b): the row that generated each word of a row.

    Hypotheses of a beam go back to a few ancestors, and share the words of these. So most words lie where
    they belong when rows change places: with this, only the others are moved.
    """

    @classmethod
    def empty(cls, like: Tensor, layers: int, rows: int, heads: int, head_size: int) -> "Caches":
        """Nothing yet, of `rows` sentences."""
        writers = torch.empty(0, rows, dtype=torch.long, device=like.device)
        return cls(tuple(Cache.empty(like, rows, heads, head_size) for _ in range(layers)), writers)

    def longer(self, layers: tuple[Cache, ...]) -> "Caches":
        """With those that one more word of each row gave."""
        rows = self.writers.shape[1]
        own = torch.arange(rows, device=self.writers.device)[None]
        return Caches(layers, torch.cat([self.writers, own]))

    def select(self, rows: Tensor) -> "Caches":
        """The words of these rows, in this order."""
        chosen = tuple(Cache(layer.tape.select(rows)) for layer in self.layers)
        return Caches(chosen, self.writers[:, rows])

    def take(self, rows: Tensor) -> "Caches":
        """The same where they lie, if there are as many rows; these caches are used up."""
        first, *others = (layer.tape for layer in self.layers)
        # A step that broke off between two layers leaves them with different rooms.
        alike = all(tape.memory.shape == first.memory.shape for tape in others)
        if len(rows) != self.writers.shape[1] or not alike:
            return self.select(rows)
        writers = self.writers[:, rows]
        position, row = (writers != self.writers).nonzero(as_tuple=True)
        there, vectors = first.places(row, position), first.places(rows[row], position)
        return Caches(tuple(Cache(layer.tape.overwrite(there, vectors)) for layer in self.layers), writers)
