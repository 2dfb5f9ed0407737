"""The vectors that a classifier decides from: of every model that decides, and of texts of any length."""

from contextlib import nullcontext

import numpy as np
import pytest
import torch
from tests.contracts.sentence_models import SENTENCE_MODELS, texts_of

import regard
from regard.config.classification import ClassificationRecipe
from regard.config.text import WordConfig
from regard.errors import DataError
from regard.models.catalogue import build_classifier
from regard.tasks.classification.predictor import Classifier
from regard.tasks.embedding.other_tasks import PooledClassifier
from regard.text.labels import Labels
from regard.text.tokenizer import Tokenizer

FIRST, SECOND = "이 책은 아주 좋다", "책은 좋다"
NO_SUM = ("last", "first", "pairs-bert")


def made(name: str) -> PooledClassifier:
    torch.manual_seed(1)
    config, tokenizer = SENTENCE_MODELS[name], Tokenizer.learn([FIRST] * 3, WordConfig())
    texts = texts_of(name)
    recipe = ClassificationRecipe.model_validate({"model": config.model_dump()})
    model = build_classifier(config, source_size=len(tokenizer), outputs=2, texts=texts)
    said = Labels(["negative", "positive"])
    return PooledClassifier(Classifier(model, tokenizer=tokenizer, said=said, recipe=recipe))


@pytest.mark.parametrize("name", SENTENCE_MODELS)
def test_every_model_that_decides_embeds_and_shows_its_attention(name: str) -> None:
    model = made(name)
    together = model.embed([FIRST, "", SECOND])
    np.testing.assert_allclose(together[2], model.embed(SECOND), atol=1e-6)
    assert not together[1].any()
    record = model.look(FIRST).attention
    assert record.paths == tuple(model.attentions)
    for path in record.paths:
        shown = record.words(path=path)
        assert [word for word in shown.columns if word not in ("<s>", "</s>")] == FIRST.split()
        first = 1 if path.startswith("encoder.layers.") else 0  # the first word has nothing to look back at
        np.testing.assert_allclose(shown.weights[first:].sum(axis=1), 1.0, atol=1e-5)


@pytest.mark.parametrize("name", SENTENCE_MODELS)
def test_the_words_of_two_texts_make_up_their_cosine(name: str) -> None:
    model = made(name)
    if name.endswith(NO_SUM):
        with pytest.raises(DataError, match="is no sum over words"):
            model.similarity(FIRST, SECOND)
        return
    one, other = model.embed([FIRST, SECOND], normalise=True)
    near = model.similarity(FIRST, SECOND)
    assert near.cosine == pytest.approx(float(one @ other), abs=1e-5)
    assert near.words().values.sum() == pytest.approx(near.cosine, abs=1e-5)


@pytest.mark.parametrize("name", ["bag-mean", "self-attentive", "bert-first", "bert-self-attentive"])
def test_a_text_is_read_to_its_end_as_the_classifier_reads_it(name: str) -> None:
    model = made(name)
    texts = [" ".join([FIRST] * 270 + [SECOND]), FIRST]  # more than any window
    said = pytest.warns(UserWarning, match="read in windows") if name != "bag-mean" else nullcontext()
    with said:  # a bag needs no windows
        vectors = torch.from_numpy(model.embed(texts))
    ids = [[text.ids] for text in model.classifier.tokenizer.encode_many(texts)]
    with torch.inference_mode():
        logits = model.classifier.module.head(vectors[:, None])  # type: ignore[operator]
    np.testing.assert_allclose(logits, model.classifier.logits(ids), atol=1e-4)


def test_a_text_in_windows_has_no_attention_over_all_of_it() -> None:
    model, long = made("bert-first"), " ".join([FIRST] * 40)
    (far, near) = model.embed_lines([("x:1", long), ("x:2", FIRST)], attention=True)
    assert "longer than what this model reads at once" in str(far.attention.reason)
    assert near.attention.paths == tuple(model.attentions)
    with (
        pytest.warns(UserWarning, match="read in windows"),
        pytest.raises(DataError, match="edit a shorter one"),
    ):
        model.look(long, edit=regard.mask("책은", where="all"))


@pytest.mark.parametrize("name", ["bert-mean", "pairs-factored", "lstmn-last"])
def test_words_can_be_taken_out(name: str) -> None:
    model = made(name)
    effect = model.look(FIRST, edit=[regard.remove("이"), regard.remove("아주")])
    np.testing.assert_allclose(effect.after.vector, model.embed(SECOND), atol=1e-5)
