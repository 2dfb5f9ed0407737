"""Models of equal size: a width is chosen so that two models have as many parameters."""

import torch

from regard.config.load import with_settings
from regard.config.recipe import Recipe
from regard.config.translation import TranslationRecipe
from regard.errors import ConfigError
from regard.models.catalogue import build_model

WIDEST = 8192


def count_parameters(recipe: Recipe, *, vocabulary: int) -> int:
    """The parameters of the model of a recipe, with vocabularies of this size; nothing is allocated."""
    sizes = {"source_size": vocabulary} if isinstance(recipe, TranslationRecipe) else {}
    with torch.device("meta"):
        model = build_model(recipe.model, **sizes, target_size=vocabulary)
    return sum(parameter.numel() for parameter in model.parameters())


def with_equal_parameters(
    recipe: Recipe, like: Recipe, setting: str, *, vocabulary: int, tolerance: float = 0.02
) -> Recipe:
    """The recipe with a width, such as `model.decoder.hidden_size`, that makes its model as large as another.

    vocabulary: entries of each vocabulary, which are the same for both
    tolerance:  the share by which the two may differ
    """
    wanted = count_parameters(like, vocabulary=vocabulary)

    def with_width(width: int) -> Recipe:
        return with_settings(recipe, [(setting, width)])

    def size(width: int) -> int:
        return count_parameters(with_width(width), vocabulary=vocabulary)

    low, high = 1, WIDEST  # more width is more parameters: the widest that has no more than is wanted
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if size(middle) <= wanted else (low, middle - 1)
    best = min((low, min(low + 1, WIDEST)), key=lambda width: abs(size(width) - wanted))
    found = size(best)
    if abs(found - wanted) > tolerance * wanted:
        raise ConfigError(
            f"{setting}: no width gives {wanted:,} parameters; {best} is nearest, with {found:,}"
        )
    return with_width(best)
