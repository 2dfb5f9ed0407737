"""A classifier whose encoder looks at what it has read: seen, and changed."""

import numpy as np
import pytest
import torch
from tests.contracts.sentence_models import SENTENCE_MODELS

import regard
from regard.config.classification import ClassificationRecipe
from regard.config.sentence import SentenceConfig
from regard.config.text import WordConfig
from regard.errors import DataError
from regard.models.sentence import SentenceModel
from regard.tasks.classification.predictor import Classifier
from regard.text.labels import Labels
from regard.text.tokenizer import Tokenizer

TEXT = "이 책은 아주 좋다"


def made(name: str) -> Classifier:
    torch.manual_seed(1)
    config, tokenizer = SENTENCE_MODELS[name], Tokenizer.learn([TEXT] * 3, WordConfig())
    assert isinstance(config, SentenceConfig)
    model = SentenceModel(config, source_size=len(tokenizer), outputs=2)
    return Classifier(
        model,
        tokenizer=tokenizer,
        said=Labels(["negative", "positive"]),
        recipe=ClassificationRecipe(model=config),
    )


@pytest.mark.parametrize("name", ["lstmn-last", "lstmn-self-attentive"])
def test_the_record_has_the_looks_of_each_layer(name: str) -> None:
    record = made(name).look(TEXT).attention
    layers = [path for path in record.paths if path.startswith("encoder.layers.")]
    assert len(layers) == (2 if name == "lstmn-last" else 1)
    assert record.main == ("memory" if name == "lstmn-last" else "hops")
    words = record.words(path="encoder.layers.0")
    assert words.rows == words.columns == tuple(TEXT.split())
    assert (np.triu(words.weights) == 0).all()
    np.testing.assert_allclose(words.weights.sum(axis=1), [0, 1, 1, 1], atol=1e-6)


def test_a_masked_word_is_not_looked_at_any_more() -> None:
    classifier = made("lstmn-last")
    effect = classifier.look(TEXT, edit=regard.mask("책은"))
    assert effect.attention.words(path="encoder.layers.0").weights[:, 1].max() == 0
    assert effect.before.probabilities != effect.after.probabilities
    forced = classifier.look(TEXT, edit=regard.force_row(3, "이", path="encoder.layers.0"))
    assert forced.attention.words(path="encoder.layers.0").weights[3].tolist() == [1, 0, 0, 0]
    with pytest.raises(
        DataError, match="row 1 can be made to attend to an earlier word; '좋다' has the row 3"
    ):
        classifier.look(TEXT, edit=regard.force_row(1, "좋다"))


def test_more_than_it_reads_at_once_is_refused() -> None:
    classifier = made("lstmn-last")
    most = classifier.recipe.model.window  # type: ignore[union-attr]
    found = rf"expected at most {most:,} tokens, .* found {most + 1:,}"
    with pytest.raises(DataError, match=found):
        classifier.classify("좋다 " * (most + 1))
