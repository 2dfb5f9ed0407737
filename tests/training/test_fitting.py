"""Sizes for a corpus fit whatever recipe is asked for."""

import pytest

from regard.config.load import load_recipe, shipped_recipes, with_settings
from regard.training.fitting import LADDER

NAMES = [name for name in shipped_recipes() if load_recipe(name).task in ("translation", "classification")]


@pytest.mark.parametrize("name", NAMES)
def test_every_recipe_can_be_sized(name: str) -> None:
    recipe = load_recipe(name)
    for rung in LADDER:
        settings = rung.settings(recipe)
        sized = with_settings(recipe, settings)
        assert sized.text.vocabulary_size == rung.vocabulary
        assert ("model.dropout", rung.dropout) in settings


def test_a_transformer_is_as_wide_as_its_rung() -> None:
    recipe = load_recipe("transformer-small")
    assert ("model.width", 256) in LADDER[2].settings(recipe)
    assert ("model.feed_forward", 1024) in LADDER[2].settings(recipe)
