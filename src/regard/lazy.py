"""Names that are imported when they are first used, so that what nobody asks for costs nothing."""

import importlib
from collections.abc import Iterator, Mapping, MutableMapping
from typing import Any, TypeVar

T = TypeVar("T")


def imported(path: str) -> Any:
    """What stands at a dotted path.

    >>> imported("pathlib.Path")
    <class 'pathlib.Path'>
    """
    module, _, name = path.rpartition(".")
    return getattr(importlib.import_module(module), name)


class Lazy(MutableMapping[str, T]):
    """A table whose values are named by their paths below a package, and imported when they are asked for."""

    def __init__(self, package: str, paths: Mapping[str, str]) -> None:
        self._package, self._paths = package, paths
        self._values: dict[str, T | None] = dict.fromkeys(paths)

    def __getitem__(self, name: str) -> T:
        value = self._values[name]
        if value is None:
            value = self._values[name] = imported(f"{self._package}.{self._paths[name]}")
        return value

    def __setitem__(self, name: str, value: T) -> None:
        self._values[name] = value

    def __delitem__(self, name: str) -> None:
        del self._values[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __contains__(self, name: object) -> bool:
        return name in self._values
