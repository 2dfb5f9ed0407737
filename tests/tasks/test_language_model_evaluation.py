"""Perplexity per word: by hand, with its interval, and between models that cut words in other ways."""

import math
from pathlib import Path

import pytest
import torch
from tests.contracts.language_models import LANGUAGE_MODELS

import regard
from regard.config.language import LanguageRecipe
from regard.config.text import BpeConfig, CharConfig, GivenConfig, TextConfig, WordConfig
from regard.data.pairs import Pair
from regard.errors import ConfigError, DataError
from regard.evaluation.test_set import TestSet
from regard.models.language_model import build_language_model
from regard.tasks.language_model.evaluator import LanguageModelEvaluator
from regard.tasks.language_model.predictor import LanguageModel
from regard.text.tokenizer import Tokenizer

TEXTS = ["그 학생이 책을 읽었다", "책을", "그 고양이가 읽었다"]
TEST_SET = TestSet.of([Pair(text, "", f"t.txt:{n}") for n, text in enumerate(TEXTS, start=1)])
WORDS = 5 + 2 + 4  # and an end each


def even(text: TextConfig, learned: str = "그 학생이 책을 읽었다") -> LanguageModel:
    """A model for which all tokens are alike."""
    tokenizer = Tokenizer.learn([learned] * 3, text)
    config = LANGUAGE_MODELS["lm-rnn"]
    network = build_language_model(config, target_size=len(tokenizer))
    with torch.no_grad():
        for parameter in network.parameters():
            parameter.zero_()
    recipe = LanguageRecipe(model=config, text=text)
    return LanguageModel(network, tokenizer=tokenizer, recipe=recipe)


@pytest.mark.parametrize("text", [BpeConfig(vocabulary_size=300), CharConfig(), WordConfig()])
def test_it_is_what_the_tokens_say_shared_among_the_words(text: TextConfig) -> None:
    model = even(text)
    found = LanguageModelEvaluator().evaluate(model, TEST_SET, samples=50)
    tokens = sum(len(model.tokenizer.encode(text).ids) + 1 for text in TEXTS)
    assert found.metrics["perplexity"] == pytest.approx(len(model.tokenizer) ** (tokens / WORDS), rel=1e-4)
    assert (found.words, found.tokens) == (WORDS, tokens)
    assert found.unknown == (1 if text.kind == "word" else 0)
    assert "per:word" in found.signature["perplexity"]
    low, high = found.intervals["perplexity"]
    assert low <= found.metrics["perplexity"] <= high
    assert set(found.by["length"]) == {"1-5"}


def test_log_probabilities_of_others_are_measured_too(tmp_path: Path) -> None:
    model = even(CharConfig())
    own = LanguageModelEvaluator().evaluate(model, TEST_SET, samples=20)
    again = LanguageModelEvaluator().evaluate(
        own.outputs_as(json_lines=False).splitlines(), TEST_SET, samples=20
    )
    assert again.metrics["perplexity"] == pytest.approx(own.metrics["perplexity"], rel=1e-6)
    assert again.seconds is None
    by_hand = LanguageModelEvaluator().evaluate(["-5.5", "0", "-5.5\t-1.1\tthe text"], TEST_SET, samples=0)
    assert by_hand.metrics["perplexity"] == pytest.approx(math.e)
    for wrong in ("0.5", "x", "nan"):
        with pytest.raises(DataError, match=r"log-probability of t.txt:1, a number of at most 0, found '"):
            LanguageModelEvaluator().evaluate([wrong, "-1", "-1"], TEST_SET)
    with pytest.raises(DataError, match="expected 3 outputs"):
        LanguageModelEvaluator().evaluate(["-1"], TEST_SET)


def test_models_are_compared_sentence_by_sentence(language_model: LanguageModel, tmp_path: Path) -> None:
    worse = even(BpeConfig(vocabulary_size=300))
    data = tmp_path / "t.txt"
    data.write_text("\n".join(TEXTS), encoding="utf-8")
    found = regard.compare({"even": worse, "trained": language_model}, data, samples=50, quiet=True)
    gap = found.differences["trained"]["perplexity"]
    assert gap.value == pytest.approx(
        found.evaluations["trained"].metrics["perplexity"] - found.evaluations["even"].metrics["perplexity"]
    )
    assert found.contrasts[0].metric == "log_probability"
    assert set(found.contrasts[0].outputs) == {"even", "trained"}


def test_words_that_one_leaves_out_are_not_compared() -> None:
    evaluator = LanguageModelEvaluator()
    words, others = even(WordConfig()), even(WordConfig(), "그 고양이가")
    evaluator.check_comparable({"a": words, "b": even(WordConfig())})
    evaluator.check_comparable({"a": even(CharConfig()), "b": even(BpeConfig(vocabulary_size=300))})
    with pytest.raises(DataError, match=r"b has other words than a, and what is <unk> for one"):
        evaluator.check_comparable({"a": even(GivenConfig()), "b": even(CharConfig())})
    for other in (others, even(CharConfig())):
        with pytest.raises(DataError, match=r"b has other words than a, and what is <unk> for one"):
            evaluator.check_comparable({"a": words, "b": other})


def test_what_other_tasks_ask_for_is_refused(language_model: LanguageModel) -> None:
    with pytest.raises(ConfigError, match="beam_size is not for language-model, which knows text"):
        regard.evaluate(language_model, beam_size=3)
    with pytest.raises(DataError, match="no metric is called 'bleu'"):
        regard.evaluate(language_model, metrics=["bleu"])
