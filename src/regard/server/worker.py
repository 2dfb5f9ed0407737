"""A process that computes with one model: `python -m regard.server.worker DESCRIPTOR`.

It reads batches from the socket of that descriptor, and ends with it: when the front is gone, nobody waits.
A thread reads while another computes, so that a cancelled request leaves its batch at the next step.
"""

import os
import signal
import socket
import sys
import threading
from collections.abc import Mapping
from pathlib import Path
from queue import SimpleQueue
from typing import Any

from regard.process import settle
from regard.server.frames import Frame, packed, received


class Front:
    """The other end of the socket."""

    def __init__(self, stream: socket.socket) -> None:
        self.batches: SimpleQueue[Frame] = SimpleQueue()
        self.cancelled: set[int] = set()
        """Ids of inputs that nobody waits for any more."""
        self._stream = stream
        self._lock = threading.Lock()

    def listen(self) -> None:
        """Read until the front is gone, and go with it."""
        try:
            for frame in received(self._stream):
                if frame.about["kind"] == "cancel":
                    self.cancelled.update(frame.about["ids"])
                else:
                    self.batches.put(frame)
        finally:
            os._exit(0)

    def send(self, about: Mapping[str, Any], content: bytes = b"") -> None:
        """Send a message whole, from whichever thread."""
        message = packed(about, content)
        with self._lock:
            self._stream.sendall(message)


def main() -> None:
    """Load the model that the first message names, and serve batches until the front is gone."""
    settle()
    for stopping in (signal.SIGINT, signal.SIGTERM):  # they go to the whole group: the front says when
        signal.signal(stopping, signal.SIG_IGN)
    front = Front(socket.socket(fileno=int(sys.argv[1])))
    threading.Thread(target=front.listen, daemon=True).start()
    asked = front.batches.get().about
    from regard.server.batches import run_batch
    from regard.server.loading import card_of, load_model

    model, problem = load_model(Path(asked["path"]), asked["device"], asked["threads"])
    if problem is not None:
        front.send({"kind": "failed", "message": problem})
        return
    card = card_of(model, Path(asked["path"]), asked["name"])
    front.send({"kind": "ready", "card": card})
    while True:
        batch = front.batches.get().about
        run_batch(front, model, card["task"], batch, asked["response_bytes"])


if __name__ == "__main__":
    main()
