import random
import unicodedata
from dataclasses import FrozenInstanceError

import pytest
import torch
from numpy.testing import assert_allclose

from regard.config.data import BuiltinCorpus
from regard.data.pairs import read_pairs
from regard.errors import ConfigError, DataError, RegardError
from regard.tasks.translation.evaluator import TranslationEvaluator
from regard.tasks.translation.predictor import Translator


@pytest.fixture(scope="module")
def sentences(translator: Translator) -> list[str]:
    corpus = BuiltinCorpus(rows=60, max_words=3)
    return [pair.source for pair in read_pairs(corpus, translator.recipe.data, split="test")]


def test_it_has_learned_to_translate_and_to_look(translator: Translator) -> None:
    corpus = BuiltinCorpus(rows=200, max_words=3)
    pairs = list(read_pairs(corpus, translator.recipe.data, split="test"))
    result = TranslationEvaluator().evaluate(translator, pairs)
    assert result.metrics["bleu"] > 50
    assert result.metrics["aer"] < 0.5
    assert result.rows == 200
    assert "tok:13a" in result.signature["bleu"]


def test_the_attention_is_that_of_the_output(translator: Translator, sentences: list[str]) -> None:
    """Forcing the text that came out gives the same map and the same probability."""
    compared = 0
    for result in translator.translate(sentences[:20]):
        forced = translator.look(result.source, result.text)
        rows, columns, weights = result.attention.words()
        assert rows[-1] == columns[-1] == "</s>"
        assert_allclose(weights.sum(axis=1), 1.0, atol=1e-5)
        if forced.tokens == result.tokens:
            assert_allclose(weights, forced.attention.words().weights, atol=1e-5)
            assert forced.log_probability == pytest.approx(result.log_probability, abs=1e-3)
            assert forced.score == pytest.approx(result.score, abs=1e-4)
            compared += 1
    assert compared >= 10, "the text of an output is nearly always tokenised as it was written"


def test_an_output_that_was_cut_off_has_no_row_for_its_end(
    translator: Translator, sentences: list[str]
) -> None:
    shorter = translator.recipe.decoding.model_copy(update={"max_length_factor": 0.01, "max_length_extra": 2})
    cut = Translator(
        translator.module,
        source_tokenizer=translator.source_tokenizer,
        target_tokenizer=translator.target_tokenizer,
        recipe=translator.recipe.model_copy(update={"decoding": shorter}),
    )
    result = cut.translate(sentences[0])
    assert (result.ended, len(result.tokens)) == (False, 2)
    assert result.attention.tokens().rows == result.tokens
    assert "</s>" in result.attention.tokens().columns


def test_a_result_does_not_depend_on_its_batch(translator: Translator, sentences: list[str]) -> None:
    alone = {text: translator.translate(text) for text in sentences}
    chooser = random.Random(1)
    for _ in range(20):
        mix = chooser.sample(sentences, chooser.randint(2, 30))
        for result in translator.translate(mix):
            expected = alone[result.source]
            assert result.text == expected.text
            assert result.score == pytest.approx(expected.score, abs=1e-4)
            assert_allclose(result.attention.tokens().weights, expected.attention.tokens().weights, atol=1e-5)


def test_float64_gives_identical_tokens_in_any_batch(translator: Translator, sentences: list[str]) -> None:
    translator.module.double()
    try:
        together = translator.translate(sentences, attention=False)
        assert [r.tokens for r in together] == [
            translator.translate(text, attention=False).tokens for text in sentences
        ]
    finally:
        translator.module.float()


def test_order_and_empty_lines_are_kept(translator: Translator, sentences: list[str]) -> None:
    texts = [sentences[0], "", sentences[1], "   ", sentences[0]]
    results = translator.translate(texts)
    assert [result.source for result in results] == texts
    assert results[1].text == results[3].text == ""
    assert results[0] == results[4]
    assert results[1].attention.reason == "the sentence has no words"
    with pytest.raises(RegardError, match="there is no attention to show: the sentence has no words"):
        results[1].attention.words()
    assert translator.translate([]) == []


def test_n_best(translator: Translator, sentences: list[str]) -> None:
    result = translator.translate(sentences[0], beam_size=4, n_best=4)
    scores = [result.score, *(other.score for other in result.alternatives)]
    assert len(scores) == 4
    assert scores == sorted(scores, reverse=True)
    for width in (0, -1):
        with pytest.raises(ConfigError, match=f"beam_size: expected 1 or more, found {width}"):
            translator.translate(sentences[0], beam_size=width)
    with pytest.raises(DataError, match="n_best must be from 1 to the beam size 2, found 3"):
        translator.translate(sentences[0], beam_size=2, n_best=3)


def test_attention_that_was_not_asked_for_says_so(translator: Translator, sentences: list[str]) -> None:
    result = translator.translate(sentences[0], attention=False)
    assert result.attention.reason == "it was not asked for; use attention=True"
    assert result.to_dict()["attention"] == {"reason": result.attention.reason}


def test_results_are_frozen(translator: Translator, sentences: list[str]) -> None:
    result = translator.translate(sentences[0])
    with pytest.raises(FrozenInstanceError):
        result.text = "x"  # type: ignore[misc]
    with pytest.raises(ValueError, match="read-only"):
        result.attention.words().weights[0, 0] = 1.0


def test_nfd_input_is_translated_alike_and_labelled_as_typed(
    translator: Translator, sentences: list[str]
) -> None:
    typed = unicodedata.normalize("NFD", sentences[0])
    result, plain = translator.translate(typed), translator.translate(sentences[0])
    assert result.text == plain.text
    assert result.source == typed
    assert "".join(result.attention.words().columns[:-1]) == "".join(typed.split())


def test_any_text_gets_an_answer(translator: Translator) -> None:
    nasty = ["😀", "<s></s>", "a" * 200, "\u202e\u200b", "%s {name} <b>", "뷁쀓", "\x00", "나는" * 40]
    results = translator.translate(nasty)
    assert [r.source for r in results] == nasty
    for result in results:
        result.text.encode()


def test_a_text_that_is_too_long_is_refused(translator: Translator) -> None:
    with pytest.raises(
        DataError, match=r"the sentence: expected at most 1,024 tokens, found [\d,]+ in '가 나"
    ):
        translator.translate("가 나 " * 2000)


def test_forcing_needs_words(translator: Translator) -> None:
    for source, target in (("", "x"), ("x", " ")):
        with pytest.raises(DataError, match="both the sentence and its translation need words"):
            translator.look(source, target)


def test_nothing_is_left_on_the_model(translator: Translator, sentences: list[str]) -> None:
    before = {name: value.clone() for name, value in translator.module.state_dict().items()}
    attributes = set(vars(translator.module))
    translator.translate(sentences[:5])
    assert set(vars(translator.module)) == attributes
    after = translator.module.state_dict()
    assert all(torch.equal(before[name], after[name]) for name in before)
