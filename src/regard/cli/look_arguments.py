"""Which arguments of `regard look` are models, and which are text."""

from collections.abc import Sequence
from pathlib import Path

from regard.cli.lines import AS_TEXT, is_folder, looks_like_file
from regard.errors import ConfigError, StoreError

RULE = (
    "First the models: the first argument, and all existing folders after it. Then the sentence, and maybe a "
    "second one."
)


def models_and_texts(arguments: Sequence[str]) -> tuple[list[Path], list[str]]:
    """The models, at least one, and one text or two; what could be either is refused."""
    first, *others = arguments
    models = [Path(first)]
    for argument in others:
        if not is_folder(argument):
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
        if is_folder(text):
            raise ConfigError(f"{text}: is a folder after a sentence; models come first; {AS_TEXT}")
        is_followed = number + 1 < len(texts)  # by what may be the sentence
        if looks_like_file(text) or (is_followed and "/" in text and " " not in text):
            raise StoreError(f"{text}: no such model folder; {AS_TEXT}")
    if len(texts) > 2:
        raise ConfigError(
            f"expected one sentence, or two, after the models, found {len(texts)}; put quotes around each"
        )
    return models, texts
