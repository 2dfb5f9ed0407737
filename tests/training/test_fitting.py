"""Sizes for a corpus fit whatever recipe is asked for."""

from collections.abc import Callable

import pytest

from regard.config.load import load_recipe, with_settings
from regard.config.recipe import Recipe
from regard.config.shipped import shipped_recipes
from regard.tasks.fitting import LADDER, fit_sizes
from regard.training.estimate import Estimate


@pytest.mark.parametrize("name", shipped_recipes())
def test_every_recipe_can_be_sized(name: str) -> None:
    recipe = load_recipe(name)
    for rung in LADDER:
        settings = rung.settings(recipe)
        sized = with_settings(recipe, settings)
        assert sized.training.batch_tokens == rung.batch_tokens
        assert sized.text.vocabulary_size == rung.vocabulary or recipe.text.kind == "given"
        dropout = getattr(recipe.model, "dropout", 0.0)
        assert ("model.dropout", rung.dropout) in settings or not dropout


def test_a_model_to_start_from_keeps_its_sizes() -> None:
    recipe = load_recipe("bert-span", {"start": {"model": "elsewhere"}})
    assert LADDER[0].settings(recipe) == [("training.batch_tokens", LADDER[0].batch_tokens)]


def test_a_transformer_is_as_wide_as_its_rung() -> None:
    recipe = load_recipe("transformer-small")
    assert ("model.width", 256) in LADDER[2].settings(recipe)
    assert ("model.feed_forward", 1024) in LADDER[2].settings(recipe)


def timed(milliseconds: dict[int, float], asked: list[int]) -> Callable[[Recipe], Estimate]:
    """A machine on which a step of a model of each width takes so long; `asked` gets what was tried."""

    def measure(recipe: Recipe) -> Estimate:
        width: int = recipe.model.embedding_size  # type: ignore[attr-defined]
        asked.append(width)
        step = milliseconds[width] / 1000
        return Estimate({}, 0, 0, 0, 1_000, step, 0.0, 1.0, recipe.training.epochs, None)

    return measure


def test_the_time_there_is_chooses_the_model() -> None:
    """90,000 pairs could fill a width of 256, of which an epoch takes 1,000 steps."""
    recipe = load_recipe("bahdanau")
    times = {256: 100.0, 160: 60.0, 96: 30.0}
    asked: list[int] = []
    fitted = fit_sizes(recipe, 2.0, timed(times, asked), rows=90_000)
    assert (asked, fitted.recipe.training.epochs) == ([256], 12)  # more would fit, but are of no use
    assert fitted.recipe.training.minutes is None
    asked.clear()
    fitted = fit_sizes(recipe, 0.1, timed(times, asked), rows=90_000)
    assert (asked, fitted.recipe.training.epochs) == ([256, 160], 5)  # 324 s are 5.4 epochs of 60 s
    asked.clear()
    fitted = fit_sizes(recipe, 0.01, timed(times, asked), rows=90_000, stop=True)
    assert asked == [256, 96], "a width of 160 would be four times as fast, and fifteen times is needed"
    training = fitted.recipe.training
    assert (training.minutes, training.epochs) == (0.6, LADDER[0].most_epochs)
    assert training.schedule.warmup_steps == 120  # a tenth of the 1,200 steps of 30 ms in 36 s
    assert fitted.reasons["training.minutes"].startswith("--hours 0.01")
