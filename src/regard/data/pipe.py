"""Lines of a pipe as they come: what is at hand can be worked on before more is there."""

import os
import select


class Pipe:
    """A stream of bytes without an end in sight, such as stdin."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._held = b""
        self._ended = False

    def readline(self, limit: int) -> bytes:
        """A line with its end, or `limit` bytes of it; nothing at the end of the stream."""
        searched = 0
        while (end := self._held.find(b"\n", searched, limit)) < 0 and len(self._held) < limit:
            searched = len(self._held)
            more = os.read(self._descriptor, 1 << 18)
            if not more:
                self._ended = True
                break
            self._held += more
        size = end + 1 if end >= 0 else min(len(self._held), limit)
        line, self._held = self._held[:size], self._held[size:]
        return line

    def has_more(self) -> bool:
        """Whether there is something to read without waiting for it."""
        if self._ended or b"\n" in self._held:
            return True
        return bool(select.select([self._descriptor], [], [], 0)[0])
