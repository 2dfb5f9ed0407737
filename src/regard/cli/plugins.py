"""`--plugin FILE`: parts of a user's own, registered before a command runs."""

import importlib
import importlib.util
import os
import sys
from pathlib import Path

from regard.errors import ConfigError, in_one_line, place_in

VARIABLE = "REGARD_PLUGINS"
FLAG = "--plugin"


def plugins_first(arguments: list[str]) -> list[str]:
    """A command line with its plugins before the command, wherever they stood.

    >>> plugins_first(["train", "demo", "--plugin", "mine.py"])
    ['--plugin', 'mine.py', 'train', 'demo']
    """
    end = arguments.index("--") if "--" in arguments else len(arguments)
    plugins: list[str] = []
    others: list[str] = []
    words = iter(arguments[:end])
    for word in words:
        if word == FLAG:
            value = next(words, None)
            if value is None:
                raise ConfigError(f"{FLAG}: expected a Python file or module after it, found nothing")
            plugins += [word, value]
        else:
            (plugins if word.startswith(f"{FLAG}=") else others).append(word)
    return [*plugins, *others, *arguments[end:]]


_NAMES: set[str] = set()
"""Of the modules that plugins became."""


def load_plugins(given: list[str]) -> None:
    """Import the files or modules that are named, after those of the variable REGARD_PLUGINS."""
    named = [name for name in os.environ.get(VARIABLE, "").split(os.pathsep) if name]
    for plugin in [*named, *given]:
        try:
            _load(plugin)
        except ConfigError:
            raise
        except Exception as error:  # whatever a user's own file does
            place = place_in(error, plugin_files())
            raise ConfigError(f"--plugin {place or plugin}: {in_one_line(error)}") from None


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
