"""What an operation learns of the requests behind a batch while it runs, and what it can tell them."""

from collections.abc import Callable, Container, Mapping, Sequence
from typing import Any


class BatchObserver:
    """The inputs of one batch, as the front knows them; a `SearchObserver`."""

    def __init__(
        self,
        ids: Sequence[int],
        cancelled: Container[int],
        streaming: Container[int],
        send: Callable[[int, Mapping[str, Any]], None],
    ) -> None:
        """Inputs by their ids.

        cancelled: grows while the batch runs
        streaming: who wants to hear of every piece
        send:      gives a piece to whoever waits for an input
        """
        self._ids, self._cancelled, self._streaming, self._send = ids, cancelled, streaming, send
        self.steps = 0
        """How often a search has asked: once a step for each sentence that goes on."""

    def is_cancelled(self, sentence: int) -> bool:
        """Whether nobody waits for an input any more."""
        self.steps += 1
        return self._ids[sentence] in self._cancelled

    def is_streaming(self, sentence: int) -> bool:
        """Whether somebody wants to see it being written."""
        return self._ids[sentence] in self._streaming

    def say(self, sentence: int, piece: Mapping[str, Any]) -> None:
        """Give a piece of what is written."""
        self._send(self._ids[sentence], piece)

    def wrote(self, sentence: int, token: int, log_probability: float) -> None:
        """Take note of a token; operations that can stream have observers of their own around this one."""
