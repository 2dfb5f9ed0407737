"""What was written, position after position, in memory that is there already."""

from torch import Tensor


class Tape:
    """Vectors of the positions so far, of some rows: (b, …, size, …).

    A tape never changes for those who hold it. Only the newest one may write into the shared memory; whoever
    goes on from an older one gets a copy.
    """

    def __init__(self, memory: Tensor, filled: list[int], size: int, *, axis: int = 1) -> None:
        """axis: that of the positions, not the first, which is that of the rows"""
        self._memory, self._filled, self._axis = memory, filled, axis
        self.size = size

    @classmethod
    def empty(cls, like: Tensor, *shape: int, axis: int = 1) -> "Tape":
        """Nothing yet, of the rows and widths of `shape`, which has no axis of positions."""
        return cls(like.new_empty(*shape[:axis], 0, *shape[axis:]), [0], 0, axis=axis)

    @classmethod
    def of(cls, written: Tensor) -> "Tape":
        """With these vectors, (b, size, …), which may have a gradient, and no room for more."""
        return cls(written, [written.shape[1]], written.shape[1])

    @property
    def written(self) -> Tensor:
        """(b, …, size, …)."""
        return self._memory.narrow(self._axis, 0, self.size)

    def room(self, steps: int) -> tuple[Tensor, "Tape"]:
        """Memory whose first `size` positions are these, with places for more after them; the longer tape.

        The caller fills the places, `steps` of them.
        """
        end = self.size + steps
        if self._filled[0] != self.size or end > self._memory.shape[self._axis]:
            # A selection copies the room, too: a quarter more is little to copy, and seldom used up.
            return self._moved(end if steps > 1 else end + max(31, self.size // 4)).room(steps)
        self._filled[0] = end
        longer = Tape(self._memory, self._filled, end, axis=self._axis)
        return longer.written, longer

    def select(self, rows: Tensor) -> "Tape":
        """The vectors of these rows, in this order."""
        # Rows as they lie in memory, with the room after them: one block each, in one pass.
        return Tape(self._memory.index_select(0, rows), [self.size], self.size, axis=self._axis)

    def _moved(self, room: int) -> "Tape":
        """The same positions in memory of their own."""
        shape = list(self._memory.shape)
        shape[self._axis] = room
        memory = self._memory.new_empty(shape)
        memory.narrow(self._axis, 0, self.size).copy_(self.written)
        return Tape(memory, [self.size], self.size, axis=self._axis)
