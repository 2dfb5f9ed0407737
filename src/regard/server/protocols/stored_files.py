"""Files that were made for a client, until it fetches them: in memory, few, and for a short time."""

import secrets
import time
from collections import OrderedDict
from dataclasses import dataclass

MOST_FILES = 64
MOST_BYTES = 16 * 2**20
SECONDS = 600.0


@dataclass(frozen=True)
class StoredFile:
    """What is fetched."""

    name: str
    """For the client's disk."""
    media_type: str
    content: bytes
    made: float


class StoredFiles:
    """Files by keys that nobody can guess; the oldest go first, when there are too many."""

    def __init__(self) -> None:
        self._files: OrderedDict[str, StoredFile] = OrderedDict()

    def put(self, name: str, media_type: str, content: bytes) -> str:
        """Keep a file; its key is given back."""
        key = secrets.token_urlsafe(32)
        self._files[key] = StoredFile(name, media_type, content, time.monotonic())
        self._forget()
        return key

    def get(self, key: str) -> StoredFile | None:
        """A file; None if there is none by this key, or not any more."""
        self._forget()
        return self._files.get(key)

    def _forget(self) -> None:
        """Drop what is old or too much; the newest stays."""
        now = time.monotonic()
        size = sum(len(file.content) for file in self._files.values())
        while self._files:
            oldest = next(iter(self._files.values()))
            crowded = len(self._files) > 1 and (len(self._files) > MOST_FILES or size > MOST_BYTES)
            if not crowded and now - oldest.made <= SECONDS:
                return
            size -= len(oldest.content)
            self._files.popitem(last=False)
