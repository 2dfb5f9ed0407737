"""Text from parts, some of which are only bytes of a character."""

from collections.abc import Iterator, Sequence

from regard.text.normalise import Span


def write(parts: Sequence[str | bytes]) -> tuple[str, list[Span]]:
    """Write the parts one after another, and say which characters each of them wrote.

    Bytes that make one character together share its span; those that make none are written as �.
    """
    text = ""
    spans: list[Span] = []
    for run in _runs(parts):
        start = len(text)
        if isinstance(run, str):
            text += run
            spans.append((start, len(text)))
        else:
            written, inside = _decode(run)
            text += written
            spans.extend((start + first, start + last) for first, last in inside)
    return text, spans


def whole(data: bytes) -> str | bytes:
    """The text that bytes spell, or the bytes as they are if they begin or end inside a character."""
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data


def _runs(parts: Sequence[str | bytes]) -> Iterator[str | list[bytes]]:
    """Each text alone, and neighbouring bytes together."""
    run: list[bytes] = []
    for part in parts:
        if isinstance(part, bytes):
            run.append(part)
            continue
        if run:
            yield run
            run = []
        yield part
    if run:
        yield run


def _decode(run: Sequence[bytes]) -> tuple[str, list[Span]]:
    text = ""
    character_of_byte: list[int] = []
    for character, size in _characters(b"".join(run)):
        character_of_byte += [len(text)] * size
        text += character
    spans, position = [], 0
    for part in run:
        first, last = character_of_byte[position], character_of_byte[position + len(part) - 1]
        spans.append((first, last + 1))
        position += len(part)
    return text, spans


def _characters(data: bytes) -> Iterator[tuple[str, int]]:
    """Each character with its number of bytes."""
    while data:
        try:
            good, bad = data.decode(), 0
        except UnicodeDecodeError as error:
            good, bad = data[: error.start].decode(), error.end - error.start
        yield from ((character, len(character.encode())) for character in good)
        if bad:
            yield "\ufffd", bad
        data = data[len(good.encode()) + bad :]
