"""What a recipe may say of its first word vectors."""

import pytest
import yaml

from regard.config.load import load_recipe, recipe_from_dict, to_yaml
from regard.config.translation import TranslationRecipe
from regard.config.vectors import FileVectorsConfig, VectorsConfig, Word2VecConfig
from regard.errors import ConfigError


def test_none_by_default() -> None:
    recipe = load_recipe("bahdanau")
    assert recipe.vectors == VectorsConfig()
    assert not recipe.vectors
    assert load_recipe("bahdanau", ["vectors.target.kind=word2vec"]).vectors


def test_sections_come_back() -> None:
    chosen = load_recipe(
        "bahdanau",
        ["vectors.source={kind: word2vec, window: 3}", "vectors.target={kind: file, path: a.vec}"],
        kind=TranslationRecipe,
    )
    assert chosen.vectors.source == Word2VecConfig(window=3)
    assert chosen.vectors.target == FileVectorsConfig(path="a.vec")
    assert recipe_from_dict(yaml.safe_load(to_yaml(chosen)), "here") == chosen


def test_vectors_that_another_models_weights_replace_are_refused() -> None:
    with pytest.raises(ConfigError, match=r"vectors has no use with start \(--from\).*leave one of them out"):
        load_recipe("bahdanau", ["vectors.source={kind: word2vec}", "start.model=runs/a"])
