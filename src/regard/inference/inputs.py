"""What a caller gives where texts are expected: taken, or refused in words that name the item."""

from collections.abc import Iterable, Mapping
from typing import Any

from regard.errors import DataError


def given_texts(given: Any, what: str = "text") -> list[str]:
    """One text, or several, as a list.

    what: how one of them is called, with its number, in an error
    """
    if isinstance(given, str):
        return [given]
    texts = list(several(given, f"a {what} or a list of {what}s"))
    for number, text in enumerate(texts, start=1):
        if not isinstance(text, str):
            raise DataError(f"{what} {number}: expected a text, found {described(text)}")
    return texts


def several(given: Any, expected: str) -> Iterable[Any]:
    """Something with items in it, whatever they are; a text, a dict and bytes are none."""
    if isinstance(given, str | bytes | Mapping) or not isinstance(given, Iterable):
        raise DataError(f"expected {expected}, found {described(given)}")
    return given


def given_text(given: Any, what: str = "text") -> str:
    """One text alone."""
    if not isinstance(given, str):
        raise DataError(f"expected one {what}, found {described(given)}")
    return given


def given_tuple(given: Any, what: str, *, sizes: tuple[int, ...]) -> tuple[str, ...]:
    """Several texts that belong together, such as a source and its target."""
    expected = f"{' or '.join(map(str, sizes))} texts"
    if isinstance(given, str | bytes | Mapping) or not isinstance(given, Iterable):
        raise DataError(f"{what}: expected {expected}, found {described(given)}")
    texts = tuple(given)
    if len(texts) not in sizes:
        raise DataError(f"{what}: expected {expected}, found {len(texts)}")
    for text in texts:
        if not isinstance(text, str):
            raise DataError(f"{what}: expected {expected}, found {described(text)} among them")
    return texts


def described(value: object) -> str:
    """What was found instead of a text."""
    return "nothing (None)" if value is None else f"{type(value).__name__} {value!r:.40}"
