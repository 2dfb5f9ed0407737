"""The front, as a worker sees it: batches come from there, and results go there."""

import os
import socket
import threading
from collections.abc import Iterable, Mapping
from queue import SimpleQueue
from typing import Any

from regard.server.frames import Frame, in_json, packed_json, received


class Front:
    """The other end of the socket."""

    def __init__(self, stream: socket.socket) -> None:
        self.batches: SimpleQueue[Frame] = SimpleQueue()
        self.cancelled: set[int] = set()
        """Ids of inputs that nobody waits for any more."""
        self._stream = stream
        self._lock = threading.Lock()

    def listen(self) -> None:
        """Read until the front is gone, and go with it, whatever is being computed."""
        try:
            for frame in received(self._stream):
                if frame.about["kind"] == "cancel":
                    self.cancelled.update(frame.about["ids"])
                else:
                    self.batches.put(frame)
        finally:
            os._exit(0)

    def forget(self, ids: Iterable[int]) -> None:
        """These inputs are answered, or will never be."""
        self.cancelled.difference_update(ids)

    def send(self, about: Mapping[str, Any]) -> None:
        """Send a message whole, from whichever thread."""
        self.send_packed(in_json(about))

    def send_packed(self, text: bytes, content: bytes = b"") -> None:
        """The same of one whose JSON is there already."""
        message = packed_json(text, content)
        try:
            with self._lock:
                self._stream.sendall(message)
        except OSError:  # it is gone: see `listen`
            os._exit(0)
