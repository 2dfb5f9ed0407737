import pytest
from tests.experiments.toy import recurrent

from regard.config.load import load_recipe, with_settings
from regard.errors import ConfigError
from regard.experiments.parts import count_parameters, with_equal_parameters
from regard.models.catalogue import build_model

WIDTH = "model.decoder.hidden_size"


def test_the_count_is_that_of_the_model() -> None:
    recipe = load_recipe("demo")
    model = build_model(recipe.model, source_size=50, target_size=50)
    assert count_parameters(recipe, vocabulary=50) == sum(p.numel() for p in model.parameters())


@pytest.mark.parametrize(("attention", "wider"), [(8, True), (128, False), (512, False)])
def test_the_width_makes_up_for_the_rest(attention: int, wider: bool) -> None:
    like = load_recipe("demo")
    other = with_settings(like, [("model.attention.hidden_size", attention)])
    found = with_equal_parameters(other, like, WIDTH, vocabulary=1200)
    sizes = [count_parameters(recipe, vocabulary=1200) for recipe in (found, like)]
    assert sizes[0] == pytest.approx(sizes[1], rel=0.02)
    assert (recurrent(found).decoder.hidden_size > recurrent(like).decoder.hidden_size) == wider
    assert with_settings(found, [(WIDTH, 192)]) == other  # nothing else has changed


def test_where_no_width_will_do() -> None:
    small = load_recipe("demo", ["model.embedding_size=8", "model.encoder.hidden_size=8"])
    with pytest.raises(ConfigError, match=r"no width gives \d+,\d+ parameters; 1 is nearest"):
        with_equal_parameters(load_recipe("demo"), with_settings(small, [(WIDTH, 8)]), WIDTH, vocabulary=500)
