"""Which arguments of `regard look` are models, and which are text."""

from collections.abc import Sequence
from pathlib import Path

from regard.errors import ConfigError, StoreError

RULE = (
    "First the models: the first argument, and all existing folders after it. Then the sentence, and maybe a "
    "second one."
)
AS_TEXT = "to read it as text, add a space at its end"


def models_and_texts(arguments: Sequence[str]) -> tuple[list[Path], list[str]]:
    """The models, at least one, and one text or two; what could be either is refused."""
    first, *others = arguments
    models = [Path(first)]
    for argument in others:
        if not _is_folder(argument):
            break
        models.append(Path(argument))
    texts = others[len(models) - 1 :]
    if not texts and len(models) == 1:
        raise ConfigError(f'no sentence to read; say it after the model: regard look {first} "…"')
    if not texts:
        raise ConfigError(
            f"{others[-1]}: is a folder, so it counts as a model, and no sentence follows it; say one, or "
            f"{AS_TEXT}"
        )
    for number, text in enumerate(texts):
        if _is_folder(text):
            raise ConfigError(f"{text}: is a folder after a sentence; models come first; {AS_TEXT}")
        if _looks_like_a_path(text, followed=number + 1 < len(texts)):
            raise StoreError(f"{text}: no such model folder; {AS_TEXT}")
    if len(texts) > 2:
        raise ConfigError(
            f"expected one sentence, or two, after the models, found {len(texts)}; put quotes around each"
        )
    return models, texts


def _is_folder(argument: str) -> bool:
    try:
        return argument != "" and Path(argument).is_dir()
    except (OSError, ValueError):  # longer than any path, or with a NUL in it
        return False


def _looks_like_a_path(text: str, *, followed: bool) -> bool:
    """`and/or` is a word; `runs/demmo` is a model that is not there."""
    folder, slash, name = text.rpartition("/")
    if not slash or not name or any(char.isspace() for char in text):
        return False
    return followed or folder in ("", "~") or _is_folder(folder)
