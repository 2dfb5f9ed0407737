"""What was written, position after position, in memory that is there already."""

from torch import Tensor


class Tape:
    """Vectors of the positions so far, (b, size, d).

    A tape never changes for those who hold it. Only the newest one may write into the shared memory; whoever
    goes on from an older one gets a copy.
    """

    def __init__(self, memory: Tensor, filled: list[int], size: int) -> None:
        self._memory, self._filled = memory, filled
        self.size = size

    @classmethod
    def empty(cls, like: Tensor, rows: int, width: int) -> "Tape":
        """Nothing yet, of `rows` sentences."""
        return cls(like.new_empty(rows, 0, width), [0], 0)

    @classmethod
    def of(cls, written: Tensor) -> "Tape":
        """With these vectors, (b, size, d), which may have a gradient, and no room for more."""
        return cls(written, [written.shape[1]], written.shape[1])

    @property
    def written(self) -> Tensor:
        """(b, size, d)."""
        return self._memory[:, : self.size]

    def room(self, steps: int) -> tuple[Tensor, "Tape"]:
        """Memory whose first `size` vectors are these, with places for more after them; and the longer tape.

        The caller fills the places, (b, size + steps, d).
        """
        end = self.size + steps
        if self._filled[0] != self.size or end > self._memory.shape[1]:
            return self._copy(self.written, end if steps > 1 else max(end, 2 * self.size, 32)).room(steps)
        self._filled[0] = end
        return self._memory[:, :end], Tape(self._memory, self._filled, end)

    def select(self, rows: Tensor) -> "Tape":
        """The vectors of these rows, in this order."""
        return self._copy(self.written[rows], self.size + 16)

    @staticmethod
    def _copy(written: Tensor, room: int) -> "Tape":
        rows, size, width = written.shape
        memory = written.new_empty(rows, room, width)
        memory[:, :size] = written
        return Tape(memory, [size], size)
