"""A buffer that grows by a position a step, in memory that is allocated ahead."""

from dataclasses import dataclass

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
