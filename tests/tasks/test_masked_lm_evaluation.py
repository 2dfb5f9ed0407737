"""Masked language models in numbers: who can be compared, what is told, and where it stands."""

from pathlib import Path

import pytest
import torch
from tests.training.test_masked_language_model import recipe_of

import regard
from regard.config.text import WordConfig
from regard.data.pairs import Pair
from regard.errors import DataError
from regard.evaluation.test_set import TestSet
from regard.tasks.masked_lm.evaluator import MaskedLanguageModelEvaluator
from regard.tasks.masked_lm.predictor import MaskedLanguageModel, build_bert
from regard.text.symbols import HIDDEN
from regard.text.tokenizer import Tokenizer

TEXT = "나는 학교에 갔다"


def untrained(*settings: str) -> MaskedLanguageModel:
    recipe = recipe_of(*settings)
    tokenizer = Tokenizer.learn([TEXT] * 2, WordConfig(keep=(HIDDEN,), min_frequency=1))
    return MaskedLanguageModel(
        build_bert(recipe, len(tokenizer)), tokenizer=tokenizer, recipe=recipe, where="here"
    )


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ("model.reads=left", "model.reads is 'both' there, 'left' here"),
        ("objective.share=0.2", "objective.share is 0.15 there, 0.2 here"),
        ("objective.masked=0.7", "objective.masked is 0.8 there, 0.7 here"),
        ("objective.random=0.2", "objective.random is 0.1 there, 0.2 here"),
        ("objective.whole_words=true", "objective.whole_words is False there, True here"),
    ],
)
def test_models_that_are_asked_something_else_are_not_compared(setting: str, message: str) -> None:
    one, evaluator = untrained(), MaskedLanguageModelEvaluator()
    evaluator.check_comparable({"a": one, "b": untrained("training.seed=2")})
    with pytest.raises(DataError, match=f"^b is asked for something else than a .{message}.; their scores"):
        evaluator.check_comparable({"a": one, "b": untrained(setting)})


def test_what_a_model_tells_from_left_to_right_stands_where_it_was_asked() -> None:
    """A head that always says one word: it stands in the place of every word, and <s> stays."""
    model = untrained("model.reads=left")
    word = model.tokenizer.encode("학교에").ids[0]
    with torch.no_grad():
        model.head.output.bias[word] = 100.0
    test_set = TestSet.of([Pair(TEXT, "", "x:1")])
    found = MaskedLanguageModelEvaluator().evaluate(model, test_set, metrics=["accuracy"], samples=10, seed=1)
    assert found.texts == ("학교에 학교에 학교에",)
    assert found.metrics["accuracy"] == pytest.approx(1 / 3)


def test_models_of_other_seeds_are_asked_about_the_same_words() -> None:
    """Both heads always say one word, so what they tell shows what was hidden."""
    test_set = TestSet.of([Pair(TEXT, "", f"x:{row}") for row in range(20)])
    told = []
    for seed in (1, 2):
        model = untrained(f"training.seed={seed}")
        with torch.no_grad():
            model.head.output.bias[model.tokenizer.encode("학교에").ids[0]] = 100.0
        measured = MaskedLanguageModelEvaluator().evaluate(
            model, test_set, metrics=["accuracy"], samples=10, seed=1
        )
        told.append(measured.texts)
    assert told[0] == told[1]
    assert len(set(told[0])) > 1


def test_plain_text_has_no_other_column_than_its_own(tmp_path: Path) -> None:
    """Whatever column the recipe names."""
    text = tmp_path / "x.txt"
    text.write_text(f"{TEXT}\n" * 20, encoding="utf-8")
    recipe = recipe_of("data.text=ko", f"data.train={text}", f"data.dev={text}", "training.epochs=1")
    regard.train(recipe, out=tmp_path / "r", quiet=True)
    assert regard.evaluate(tmp_path / "r", str(text), samples=10, quiet=True).rows == 20
