"""The key-value cache: keys and values of the words that a decoder has been fed, in memory that grows."""

from dataclasses import dataclass

import torch
from torch import Tensor


@dataclass(slots=True)
class _Use:
    """The state of a memory that tapes share."""

    filled: int
    """How many positions are written."""
    over: bool = False
    """Whether it was overwritten."""


class StepBuffer:
    """Vectors of the positions so far, of some rows: (b, size, …).

    A tape never changes until it is overwritten. Only the newest one may write into the shared memory; to
    append to an older one makes a copy.
    """

    def __init__(self, memory: Tensor, size: int, use: _Use | None = None) -> None:
        self._memory, self.size, self._use = memory, size, use or _Use(size)

    @classmethod
    def empty(cls, like: Tensor, rows: int, *widths: int) -> "StepBuffer":
        """No positions yet, of `rows` sentences."""
        return cls(like.new_empty(rows, 0, *widths), 0)

    @classmethod
    def of(cls, written: Tensor) -> "StepBuffer":
        """With these vectors, (b, size, …), which may have a gradient, and no room for more."""
        return cls(written, written.shape[1])

    @property
    def memory(self) -> Tensor:
        """(b, size and room for more, …)."""
        if self._use.over:
            raise RuntimeError("a tape was read after it was overwritten")
        return self._memory

    @property
    def written(self) -> Tensor:
        """(b, size, …)."""
        return self.memory[:, : self.size]

    def room(self, steps: int) -> tuple[Tensor, "StepBuffer"]:
        """Memory whose first `size` positions are these, with room for more after them; the longer tape.

        The caller fills the new positions, `steps` of them.
        """
        end = self.size + steps
        if self._use.filled != self.size or end > self.memory.shape[1]:
            # A selection copies the room, too, and those who read step over it: a quarter more is not much.
            return self._moved(end if steps > 1 else end + max(7, self.size // 4)).room(steps)
        self._use.filled = end
        longer = StepBuffer(self._memory, end, self._use)
        return longer.written, longer

    def select(self, rows: Tensor) -> "StepBuffer":
        """The vectors of these rows, in this order."""
        # Rows as they lie in memory, with the room after them: one block each, in one pass.
        return StepBuffer(self.memory.index_select(0, rows), self.size)

    def places(self, rows: Tensor, positions: Tensor) -> Tensor:
        """Where the vectors of these positions of these rows, (n,) each, lie in memory."""
        return rows * self.memory.shape[1] + positions

    def overwrite(self, there: Tensor, vectors: Tensor) -> "StepBuffer":
        """With some vectors moved; this tape, and all on its memory, must not be used again."""
        flat = self.memory.flatten(0, 1).flatten(1)
        flat.index_copy_(0, there, flat.index_select(0, vectors))
        self._use.over = True
        return StepBuffer(self._memory, self.size)

    def _moved(self, room: int) -> "StepBuffer":
        """The same positions in memory of their own."""
        rows, _, *widths = self.memory.shape
        memory = self._memory.new_empty(rows, room, *widths)
        memory[:, : self.size] = self.written
        return StepBuffer(memory, self.size)


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
