"""Messages between processes come as they were sent, in whatever pieces."""

from typing import Any

import pytest

from regard.server.frames import Unpacker, packed

MESSAGES: list[tuple[dict[str, Any], bytes]] = [
    ({"text": "가 \ud800 \n", "n": [1.5, None]}, b""),
    ({}, b"\x00\xff" * 999),
    ({"kind": "x"}, b"y"),
]


@pytest.mark.parametrize("size", [1, 7, 4096])
def test_in_pieces_of_any_size(size: int) -> None:
    stream = b"".join(packed(about, content) for about, content in MESSAGES)
    unpacker = Unpacker()
    found = [
        frame
        for start in range(0, len(stream), size)
        for frame in unpacker.feed(stream[start : start + size])
    ]
    assert [(frame.about, frame.content) for frame in found] == MESSAGES
    assert sum(frame.size for frame in found) == len(stream)
