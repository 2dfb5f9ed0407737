"""Before a command runs: what can be refused before torch is there is refused.

A command takes a second or two to import what it computes with. A model, recipe or file that is not there, or
a folder in use, is told before that, in the same words, for every command: by the names of its parameters.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from regard.errors import ConfigError, DataError

_MODELS = ("model", "models", "systems", "ensemble", "reverse", "from_")
_OR_OUTPUTS = ("evaluate", "compare")
"""Where a file of outputs may stand for a model."""
_FILES = ("data", "targets", "files", "corpus")
_ONLY_FILES = ("vectors", "glossary")
_OF_FOLDERS = ("train", "new", "baseline", "reproduce")
"""Where the data may be a folder: these look at it themselves, before torch is there."""
_TRAINS = ("train", "demo")


def check_early(command: str, given: Mapping[str, Any]) -> None:
    """Refuse what a command was given if it is not there, or is in use.

    command: its name; of one in a group, after that of the group
    given:   the values of its parameters by name
    """
    if command in _TRAINS and given.get("out") is not None:
        from regard.store.lock import check_unlocked

        check_unlocked(Path(given["out"]))
    if given.get("recipe"):
        from regard.config.shipped import recipe_text

        own = Path(given["recipe"]) / "recipe.yaml"  # of a run, whose data a baseline is fitted to
        recipe_text(str(own if command == "baseline" and own.is_file() else given["recipe"]))
    _check_models(command, given)
    _check_input(command, given)
    if command not in _OF_FOLDERS:
        _check_files(given)


def _check_models(command: str, given: Mapping[str, Any]) -> None:
    named = [value for name in _MODELS for value in _several(given.get(name))]
    named += [] if command != "look" else list(given["arguments"])[:1]
    if not named:
        return
    from regard.store.resolve import check_importable, check_model, check_system, is_hub_name

    for model in named:
        if command in _OR_OUTPUTS:
            check_system(Path(model))
        elif command != "import":
            check_model(Path(model))
        elif not is_hub_name(str(model)):
            check_importable(Path(model))


def _check_input(command: str, given: Mapping[str, Any]) -> None:
    """A file of texts that is not there, by the rule of all commands."""
    text = given.get("data" if command in ("score", "align") else "given")
    if text is not None and not given.get("column") and ":" not in text:
        from regard.cli.lines import open_input

        open_input(text)


def _check_files(given: Mapping[str, Any]) -> None:
    """Files of rows, by their plain names; there are others, such as csv:- and builtin:ko-en."""
    from regard.cli.lines import looks_like_file

    for name in (*_FILES, *_ONLY_FILES):
        for file in map(str, _several(given.get(name))):
            is_plain = name in _ONLY_FILES or (looks_like_file(file) and not set(":$~*?[{") & set(file))
            if is_plain and not Path(file).exists():
                raise DataError(f"{file}: no such file")


def _several(value: Any) -> Iterator[Any]:
    if isinstance(value, list | tuple):
        yield from value
    elif value is not None:
        yield value


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
