"""The page of the Python interface: where each public name is defined, for mkdocstrings to read."""

import inspect
from types import ModuleType

import regard

HEAD = """# Python

`import regard` gives these names. It is quick: torch is loaded when one of them is first used.
"""


def python_page() -> str:
    """Functions first, then classes, in the order of `regard.__all__`."""
    public = {name: getattr(regard, name) for name in regard.__all__ if not name.startswith("__")}
    names = sorted(public, key=lambda name: inspect.isclass(public[name]))
    return "\n\n".join([HEAD.strip(), *(f"::: {_home(public[name], name)}" for name in names)]) + "\n"


def _home(thing: object, name: str) -> str:
    """Where a public name is defined; a module is its own home."""
    return thing.__name__ if isinstance(thing, ModuleType) else f"{thing.__module__}.{name}"
