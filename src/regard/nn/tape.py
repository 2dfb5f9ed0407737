"""What was written, position after position, in memory that is there already."""

import math
from dataclasses import dataclass

import torch
from torch import Tensor


@dataclass(slots=True)
class _Use:
    """What all tapes on one memory know of it."""

    filled: int
    """How many positions are written."""
    over: bool = False
    """Whether what they hold was written over."""


class Tape:
    """Vectors of the positions so far, of some rows: (b, …, size, …).

    A tape never changes for those who hold it, until someone writes over it. Only the newest one may write
    into the shared memory; whoever goes on from an older one gets a copy.
    """

    def __init__(self, memory: Tensor, size: int, *, axis: int = 1, use: _Use | None = None) -> None:
        """axis: that of the positions, not the first, which is that of the rows"""
        self._memory, self._axis, self.size = memory, axis, size
        self._use = use or _Use(size)

    @classmethod
    def empty(cls, like: Tensor, *shape: int, axis: int = 1) -> "Tape":
        """Nothing yet, of the rows and widths of `shape`, which has no axis of positions."""
        return cls(like.new_empty(*shape[:axis], 0, *shape[axis:]), 0, axis=axis)

    @classmethod
    def of(cls, written: Tensor) -> "Tape":
        """With these vectors, (b, size, …), which may have a gradient, and no room for more."""
        return cls(written, written.shape[1])

    @property
    def memory(self) -> Tensor:
        """(b, …, size and room for more, …)."""
        if self._use.over:
            raise RuntimeError("a tape was read that someone has written over")
        return self._memory

    @property
    def written(self) -> Tensor:
        """(b, …, size, …)."""
        return self.memory.narrow(self._axis, 0, self.size)

    def room(self, steps: int) -> tuple[Tensor, "Tape"]:
        """Memory whose first `size` positions are these, with places for more after them; the longer tape.

        The caller fills the places, `steps` of them.
        """
        end = self.size + steps
        if self._use.filled != self.size or end > self.memory.shape[self._axis]:
            # A selection copies the room, too: a quarter more is little to copy, and seldom used up.
            return self._moved(end if steps > 1 else end + max(31, self.size // 4)).room(steps)
        self._use.filled = end
        longer = Tape(self._memory, end, axis=self._axis, use=self._use)
        return longer.written, longer

    def select(self, rows: Tensor) -> "Tape":
        """The vectors of these rows, in this order."""
        # Rows as they lie in memory, with the room after them: one block each, in one pass.
        return Tape(self.memory.index_select(0, rows), self.size, axis=self._axis)

    def places(self, rows: Tensor, positions: Tensor) -> Tensor:
        """Where the vectors of these positions of these rows, (n,) each, lie in memory."""
        _, *between, room = self.memory.shape[: self._axis + 1]
        parts = math.prod(between)
        first = (rows * parts)[:, None] + torch.arange(parts, device=rows.device)
        return (first * room + positions[:, None]).flatten()

    def overwrite(self, there: Tensor, vectors: Tensor) -> "Tape":
        """With the vectors of some places put to others; this tape is used up, with all on its memory."""
        flat = self.memory.flatten(0, self._axis)
        flat.index_copy_(0, there, flat.index_select(0, vectors))
        self._use.over = True
        return Tape(self._memory, self.size, axis=self._axis)

    def _moved(self, room: int) -> "Tape":
        """The same positions in memory of their own."""
        shape = list(self.memory.shape)
        shape[self._axis] = room
        memory = self._memory.new_empty(shape)
        memory.narrow(self._axis, 0, self.size).copy_(self.written)
        return Tape(memory, self.size, axis=self._axis)
