"""A griffe extension, which mkdocstrings loads: docstrings as regard writes them."""

from typing import Any

import griffe

from reference.docstrings import laid_out


class Docstrings(griffe.Extension):  # type: ignore[misc]  # to the type checker griffe is unknown
    """Rewrite each docstring before it is parsed."""

    def on_object(self, *, obj: Any, **_: Any) -> None:
        """Called by griffe for each module, class, function and attribute that it has read."""
        if obj.docstring:
            names = {parameter.name for parameter in obj.parameters} if obj.is_function else ()
            obj.docstring.value = laid_out(obj.docstring.value, names)
