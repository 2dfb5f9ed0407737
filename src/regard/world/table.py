"""Tables of words, as modules of the world write them.

An entry a line, a line that is indented goes on: the words that it is about; after a comma what is known of
them, each as `name=value`, or as the name alone; after a colon lists.
"""

import re
from collections.abc import Iterator
from functools import cache
from typing import Any, Literal, NamedTuple, get_args, get_origin, get_type_hints


class Entry(NamedTuple):
    """One entry of a table."""

    words: str
    facts: dict[str, Any]
    lists: str


def entries(table: str) -> Iterator[Entry]:
    """Read a table."""
    for entry in re.split(r"\n(?=\S)", table.strip()):
        head, _, lists = entry.partition(":")
        words, _, facts = head.partition(",")
        yield Entry(words, dict(map(_fact, facts.split())), lists)


def _fact(text: str) -> tuple[str, str | bool]:
    name, given, value = text.partition("=")
    return name, value != "no" and (value if given else True)


def check(kind: type, fields: dict[str, Any]) -> dict[str, Any]:
    """Return the fields of a dataclass; refuse a value that its type does not list (mypy reads no tables)."""
    hints = _hints(kind)
    for name, value in fields.items():
        if get_origin(hints[name]) is Literal and value not in get_args(hints[name]):
            raise ValueError(f"{name} is one of {', '.join(get_args(hints[name]))}; found {value!r}")
    return fields


_hints = cache(get_type_hints)
