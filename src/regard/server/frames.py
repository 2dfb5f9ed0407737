"""Messages between the front and its workers: JSON, and bytes beside it. There is no pickle in them.

4 bytes  the length of the JSON, big-endian
4 bytes  the length of the bytes after it
the JSON (an object), then the bytes
"""

import json
import socket
import struct
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

_HEAD = struct.Struct(">II")


class Frame(NamedTuple):
    """One message."""

    about: dict[str, Any]
    content: bytes = b""
    size: int = 0
    """In bytes, as it came."""


def packed(about: Mapping[str, Any], content: bytes = b"") -> bytes:
    """A message as it is sent."""
    return packed_json(in_json(about), content)


def packed_json(text: bytes, content: bytes = b"") -> bytes:
    """A message whose JSON is there already."""
    return b"".join((_HEAD.pack(len(text), len(content)), text, content))


def in_json(values: Mapping[str, Any]) -> bytes:
    """As JSON in ASCII: half a character, which UTF-8 cannot write, comes through, too."""
    return json.dumps(values, separators=(",", ":")).encode("ascii")


class Unpacker:
    """Puts messages together from the pieces in which they arrive."""

    def __init__(self) -> None:
        self._held = bytearray()

    def feed(self, data: bytes) -> Iterator[Frame]:
        """The messages that are whole now."""
        self._held += data
        while len(self._held) >= _HEAD.size:
            text, content = _HEAD.unpack_from(self._held)
            end = _HEAD.size + text + content
            if len(self._held) < end:
                return
            about = json.loads(self._held[_HEAD.size : _HEAD.size + text])
            frame = Frame(about, bytes(self._held[_HEAD.size + text : end]), end)
            del self._held[:end]
            yield frame


def received(stream: socket.socket) -> Iterator[Frame]:
    """Messages as they come, until the other side closes the stream."""
    unpacker = Unpacker()
    while data := stream.recv(1 << 18):
        yield from unpacker.feed(data)
