"""What was written, position after position, in memory that is there already."""

import torch
from torch import Tensor


class Tape:
    """Vectors of the positions so far, of some rows: (b, size, …), or (size, b, …) with positions first.

    A tape never changes for those who hold it. Only the newest one may write into the shared memory; whoever
    goes on from an older one gets a copy.
    """

    def __init__(self, memory: Tensor, filled: list[int], size: int, *, axis: int = 1) -> None:
        """axis: that of the positions, 0 or 1; the rows are on the other"""
        self._memory, self._filled, self._axis = memory, filled, axis
        self.size = size

    @classmethod
    def empty(cls, like: Tensor, rows: int, *widths: int, axis: int = 1) -> "Tape":
        """Nothing yet, of `rows` sentences."""
        shape = (0, rows) if axis == 0 else (rows, 0)
        return cls(like.new_empty(*shape, *widths), [0], 0, axis=axis)

    @classmethod
    def of(cls, written: Tensor) -> "Tape":
        """With these vectors, (b, size, …), which may have a gradient, and no room for more."""
        return cls(written, [written.shape[1]], written.shape[1])

    @property
    def written(self) -> Tensor:
        """(b, size, …), or (size, b, …)."""
        return self._memory.narrow(self._axis, 0, self.size)

    def room(self, steps: int) -> tuple[Tensor, "Tape"]:
        """Memory whose first `size` positions are these, with places for more after them; the longer tape.

        The caller fills the places, `steps` of them.
        """
        end = self.size + steps
        if self._filled[0] != self.size or end > self._memory.shape[self._axis]:
            return self._moved(None, end if steps > 1 else max(end, 2 * self.size, 32)).room(steps)
        self._filled[0] = end
        longer = Tape(self._memory, self._filled, end, axis=self._axis)
        return longer.written, longer

    def select(self, rows: Tensor) -> "Tape":
        """The vectors of these rows, in this order, with room for more."""
        return self._moved(rows, self.size + 16)

    def _moved(self, rows: Tensor | None, room: int) -> "Tape":
        """The same positions, of these rows or of all, in memory of their own."""
        shape, other = list(self._memory.shape), 1 - self._axis
        shape[self._axis] = room
        if rows is not None:
            shape[other] = len(rows)
        memory = self._memory.new_empty(shape)
        place, own = memory.narrow(self._axis, 0, self.size), self.written
        if rows is None:
            place.copy_(own)
        elif own.requires_grad or not place.is_contiguous():
            place.copy_(own.index_select(other, rows))
        else:  # in one pass
            torch.index_select(own, other, rows, out=place)
        return Tape(memory, [self.size], self.size, axis=self._axis)
