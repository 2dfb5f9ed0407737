"""`--plugin FILE`: parts of a user's own, registered before a command runs."""

import importlib
import importlib.util
import os
import sys
from pathlib import Path

from regard.errors import ConfigError

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


def load_plugins(given: list[str]) -> None:
    """Import the files or modules that are named, after those of the variable REGARD_PLUGINS."""
    named = [name for name in os.environ.get(VARIABLE, "").split(os.pathsep) if name]
    for plugin in [*named, *given]:
        try:
            _load(plugin)
        except ConfigError:
            raise
        except Exception as error:  # whatever a user's own file does
            raise ConfigError(f"--plugin {plugin}: {type(error).__name__}: {error}") from None


def _load(plugin: str) -> None:
    path = Path(plugin)
    if path.suffix != ".py":
        if not all(part.isidentifier() for part in plugin.split(".")):
            raise ConfigError(f"--plugin {plugin}: neither a .py file nor the name of a module")
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
    spec.loader.exec_module(module)
