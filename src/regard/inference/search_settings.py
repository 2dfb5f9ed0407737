"""The search that is asked for, where a model can do it."""

from typing import TYPE_CHECKING, Any, Unpack

from regard.config.decoding import DecodingChanges, DecodingConfig
from regard.errors import ConfigError, DataError
from regard.nn.step import EncoderDecoder

if TYPE_CHECKING:
    from regard.config.language import LanguageRecipe
    from regard.config.translation import TranslationRecipe

MAX_SAMPLES = 256


def settings_for(
    network: EncoderDecoder[Any],
    recipe: "TranslationRecipe | LanguageRecipe",
    search: DecodingConfig | None,
    n_best: int,
    **changes: Unpack[DecodingChanges],
) -> DecodingConfig:
    """The settings of a search that this model can do and that gives as many results as wanted."""
    if changes.get("sample") and changes.get("beam_size"):
        raise ConfigError("beam_size and sample exclude each other; choose one")
    settings = (search or recipe.decoding).changed(changes)
    most, what = (
        (MAX_SAMPLES, f"{MAX_SAMPLES} samples")
        if settings.sample
        else (settings.beam_size, f"the beam size {settings.beam_size}")
    )
    if not 1 <= n_best <= most:
        raise DataError(f"n_best must be from 1 to {what}, found {n_best}")
    kind = recipe.text.kind
    if settings.replace_unknown is None:
        replaces = kind == "word" and bool(network.cross_attention)
        settings = settings.changed({"replace_unknown": replaces})
    if settings.replace_unknown:
        if kind not in ("word", "wordpiece"):
            raise ConfigError(
                f"replace_unknown is for vocabularies with unknown words (word, wordpiece); "
                f"this model's is {kind}, which spells every word"
            )
        if not network.cross_attention:
            raise ConfigError("replace_unknown needs attention over the source, and this model has none")
    return settings
