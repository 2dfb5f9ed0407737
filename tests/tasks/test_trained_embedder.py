"""An encoder of sentences that regard trained: what it does with texts of any length."""

from typing import Any

import numpy as np
import pytest
import torch
from tests.contracts.embedder_models import EMBEDDERS

from regard.config.embedding import EmbeddingRecipe
from regard.config.text import BpeConfig
from regard.errors import DataError
from regard.models.catalogue import build_embedder
from regard.tasks.embedding.trained import TrainedEmbedder
from regard.text.tokenizer import Tokenizer

LONG = " ".join("abcdefghij" * 3)
"""More tokens than the 16 that are read at once."""


def embedder(name: str) -> TrainedEmbedder:
    torch.manual_seed(0)
    tokenizer = Tokenizer.learn([LONG], BpeConfig(vocabulary_size=300))
    config: Any = EMBEDDERS[name]
    model = build_embedder(config, source_size=len(tokenizer))
    data = {"max_tokens": 8, "score": "score"}
    recipe = EmbeddingRecipe.model_validate({"data": data, "model": config.model_dump()})
    return TrainedEmbedder(model, tokenizer=tokenizer, recipe=recipe)


@pytest.mark.parametrize("name", ["bilstm-max", "bert-max", "bert-first", "bert-self-attentive"])
def test_a_long_text_is_read_to_its_end_and_that_is_said(name: str) -> None:
    model = embedder(name)
    with pytest.warns(
        UserWarning, match=r"1 text has more than the 1[68] tokens .* read in windows that ove"
    ):
        whole = model.embed(["a b", LONG])
    np.testing.assert_allclose(model.embed(LONG, too_long="windows"), whole[1], atol=1e-5)
    changed = model.embed(LONG[:-3] + "f j", too_long="windows")
    assert np.abs(changed - whole[1]).max() > 1e-7
    with pytest.warns(UserWarning, match="the rest was not read"):
        cut = model.embed(LONG, too_long="cut")
    np.testing.assert_allclose(cut, model.embed(LONG[:31]), atol=1e-5)
    with pytest.raises(DataError, match=r"text 1: expected at most 1[68] tokens, found more"):
        model.embed(LONG, too_long="refuse")
    assert not model.embed("").any()


def test_an_lstmn_has_no_windows() -> None:
    """It compares each word with all before it."""
    model = embedder("lstmn-last")
    with pytest.raises(
        DataError, match="expected at most 16 tokens, which this model reads at once, found 30"
    ):
        model.embed(LONG)
    with pytest.warns(UserWarning, match="the rest was not read"):
        cut = model.embed(LONG, too_long="cut")
    np.testing.assert_allclose(cut, model.embed(LONG[:31]), atol=1e-5)
    with pytest.raises(DataError, match="no sum over words"):
        model.similarity("a", "b")


@pytest.mark.parametrize("name", ["bag-mean", "bert-max", "bert-first", "bert-self-attentive"])
def test_the_words_of_two_texts_make_up_their_cosine(name: str) -> None:
    model = embedder(name)
    one, other = model.embed(["a b c", "d e"], normalise=True)
    near = model.similarity("a b c", "d e")
    assert near.cosine == pytest.approx(float(one @ other), abs=1e-5)
    assert near.tokens().values.sum() == pytest.approx(near.cosine, abs=1e-5)
