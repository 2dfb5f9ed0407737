"""Recipes by name or file, as text: what is there, before anything is read from it.

Nothing else is imported for it: a name that is wrong is told at once.
"""

from importlib import resources
from pathlib import Path

from regard.errors import ConfigError, did_you_mean

_SHIPPED = resources.files("regard.config") / "recipes"


def shipped_recipes() -> list[str]:
    """Names of the recipes in the package.

    >>> "bahdanau" in shipped_recipes()
    True
    """
    names = (entry.name for entry in _SHIPPED.iterdir())
    return sorted(name.removesuffix(".yaml") for name in names if name.endswith(".yaml"))


def recipe_text(name_or_path: str) -> tuple[str, str]:
    """The text of a shipped recipe or of a recipe file, and how to name it in an error."""
    if name_or_path in shipped_recipes():
        return (_SHIPPED / f"{name_or_path}.yaml").read_text(encoding="utf-8"), f"recipe {name_or_path}"
    path = Path(name_or_path)
    if path.is_file():
        try:
            return path.read_text(encoding="utf-8"), str(path)
        except UnicodeDecodeError as error:
            raise ConfigError(f"{path}: not UTF-8 text at byte {error.start}") from None
        except OSError as error:
            raise ConfigError(f"{path}: cannot be read: {error.strerror}") from None
    if path.is_dir():
        raise ConfigError(f"{path}: expected a recipe file, found a folder")
    if path.suffix in (".yaml", ".yml") or "/" in name_or_path:
        raise ConfigError(f"{path}: no such recipe file")
    hint = did_you_mean(name_or_path, shipped_recipes())
    raise ConfigError(f"no recipe is called '{name_or_path}'; {hint}")
