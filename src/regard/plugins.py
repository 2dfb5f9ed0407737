"""Files and modules of a user's own, which give their parts to `regard.register`. Does not import torch."""

import importlib
import importlib.util
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from regard.errors import ConfigError, in_one_line, place_in

VARIABLE = "REGARD_PLUGINS"
_GIVEN: list[str] = []
"""Those that were named besides the variable, which processes that are started have, too."""
_NAMES: set[str] = set()
"""Of the modules that plugins became."""


def load_plugins(given: Sequence[str]) -> None:
    """Import the files or modules that are named, after those of the variable REGARD_PLUGINS."""
    named = [name for name in os.environ.get(VARIABLE, "").split(os.pathsep) if name]
    _GIVEN.extend(given)
    for plugin in [*named, *given]:
        try:
            _load(plugin)
        except ConfigError:
            raise
        except Exception as error:  # whatever a user's own file does
            place = place_in(error, plugin_files())
            raise ConfigError(f"--plugin {place or plugin}: {in_one_line(error)}") from None


def given_plugins() -> tuple[str, ...]:
    """What this process was given besides the variable, for one that it starts."""
    return tuple(_GIVEN)


def plugin_files() -> set[str]:
    """The files of all plugins that were named."""
    found = (getattr(sys.modules.get(name), "__file__", None) for name in _NAMES)
    return {file for file in found if file is not None}


def in_a_plugin(error: BaseException) -> str | None:
    """What a plugin's own mistake is, with its file and line; None if an error came from elsewhere."""
    place = place_in(error, plugin_files())
    return None if place is None else f"{place}: {in_one_line(error)}"


def _load(plugin: str) -> None:
    path = Path(plugin)
    if path.suffix != ".py":
        if not all(part.isidentifier() for part in plugin.split(".")):
            raise ConfigError(f"--plugin {plugin}: neither a .py file nor the name of a module")
        _NAMES.add(plugin)
        importlib.import_module(plugin)
        return
    if not path.is_file():
        raise ConfigError(f"--plugin {plugin}: no such file")
    name = f"regard_plugin_{path.stem}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise ConfigError(f"--plugin {plugin}: not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    _NAMES.add(name)
    spec.loader.exec_module(module)
