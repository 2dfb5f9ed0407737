"""A text in, a label with its probabilities and its attention out; and what an edit does to them."""

import json
from dataclasses import FrozenInstanceError, replace

import numpy as np
import pytest
import torch

import regard
from regard.errors import ConfigError, DataError
from regard.insight.edits import Edit
from regard.tasks.classification.predictor import Classifier
from regard.world.sentiment import sentiment

LONG = "그 학생이 어제 읽은 책은 재미있지 않았다."


@pytest.fixture(scope="module")
def texts() -> list[str]:
    return [example.korean for example in sentiment("test", 20)]


def test_it_has_learned_to_tell_praise_from_blame(classifier: Classifier) -> None:
    examples = list(sentiment("test", 100))
    found = classifier.classify([example.korean for example in examples], attention=False)
    assert sum(own.label == example.label for own, example in zip(found, examples, strict=True)) >= 90
    assert classifier.labels == ("negative", "positive")


def test_a_result_is_frozen_plain_and_complete(classifier: Classifier) -> None:
    found = classifier.classify(LONG)
    assert found.source == LONG
    assert sum(found.probabilities.values()) == pytest.approx(1.0)
    assert found.probability == max(found.probabilities.values()) == found.probabilities[found.label]
    assert json.loads(json.dumps(found.to_dict())) == found.to_dict()
    assert found.label in repr(found)
    with pytest.raises(FrozenInstanceError):
        found.label = "other"  # type: ignore[misc]


def test_the_attention_is_over_the_words_a_row_for_each_hop(classifier: Classifier) -> None:
    hops, words, weights = classifier.classify(LONG).attention.words()
    assert hops == ("hop 0", "hop 1", "hop 2")
    assert words == ("그", "학생이", "어제", "읽은", "책은", "재미있지", "않았다", ".")
    assert weights.sum(axis=1) == pytest.approx([1.0] * 3, abs=1e-5)


def test_a_result_does_not_depend_on_its_batch(classifier: Classifier, texts: list[str]) -> None:
    for text, together in zip(texts, classifier.classify(texts), strict=True):
        alone = classifier.classify(text)
        assert alone.label == together.label
        assert alone.probabilities == pytest.approx(together.probabilities, abs=1e-5)
        one, other = alone.attention.words().weights, together.attention.words().weights
        assert one == pytest.approx(other, abs=1e-5)


def test_order_and_empty_texts_are_kept(classifier: Classifier, texts: list[str]) -> None:
    found = classifier.classify(["", texts[0], " \n", texts[1]])
    assert [own.source for own in found] == ["", texts[0], " \n", texts[1]]
    assert (found[0].label, found[0].probabilities, found[0].probability) == ("", {}, 0.0)
    assert found[0].attention.reason == "the sentence has no words"
    assert found[3].label == classifier.classify(texts[1]).label


def test_lines_are_labelled_as_they_come(classifier: Classifier, texts: list[str]) -> None:
    asked = []

    def lines() -> "list[tuple[str, str] | None]":
        asked.append(1)
        return [("a:1", texts[0]), None, ("a:2", texts[1])]

    results = classifier.classify_lines(iter(lines()))
    assert next(results).source == texts[0]
    assert [own.source for own in results] == [texts[1]]


def test_attention_that_was_not_asked_for_says_so(classifier: Classifier) -> None:
    assert "not asked for" in str(classifier.classify(LONG, attention=False).attention.reason)


def test_a_long_text_is_read_whole_in_windows_with_a_notice(classifier: Classifier) -> None:
    """The last word is looked at as well as the first; what is behind many windows counts."""
    text = "이 책은 아주 좋다. " * 400
    found = classifier.classify(text)
    (note,) = found.notes
    tokens = len(found.attention.tokens().columns)
    assert note.startswith(f"{tokens:,} tokens, read in ")
    assert note.endswith("windows of at most 1,024 that overlap")
    _, words, weights = found.attention.words()
    assert len(words) == 5 * 400
    assert weights.sum(axis=1) == pytest.approx([1.0] * 3, abs=1e-4)
    assert (weights[:, -5:].max(axis=1) > 0).all()
    assert found.label == "positive"
    assert classifier.classify("이 책은 아주 좋다.").notes == ()


def test_nothing_is_left_on_the_model(classifier: Classifier) -> None:
    before = {name: value.clone() for name, value in classifier.module.state_dict().items()}
    classifier.classify(LONG, edit=regard.mask("책은"))
    for name, value in classifier.module.state_dict().items():
        assert torch.equal(value, before[name])


def test_a_masked_word_is_not_looked_at(classifier: Classifier) -> None:
    effect = classifier.classify(LONG, edit=regard.mask("재미있지"))
    before, after = (own.attention.words() for own in (effect.before, effect.after))
    column = before.columns.index("재미있지")
    assert (before.weights[:, column] > 0).all()
    assert (after.weights[:, column] == 0).all()
    assert after.weights.sum(axis=1) == pytest.approx([1.0] * 3, abs=1e-5)
    assert effect.before.probabilities != effect.after.probabilities
    assert effect.divergence > 0
    assert json.loads(json.dumps(effect.to_dict()))["changed"] == effect.changed
    assert "mask '재미있지'" in str(effect)


def test_a_hop_is_masked_like_a_head_and_forced_like_a_row(classifier: Classifier) -> None:
    masked = classifier.classify(LONG, edit=regard.mask_head("pooling", 1)).attention.words()
    assert (masked.weights.sum(axis=1) > 0.5).tolist() == [True, False, True]
    forced = classifier.classify(LONG, edit=regard.force_row(2, "책은")).attention.words()
    assert forced.weights[2].tolist() == [0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]


def test_a_hop_is_explained_from_its_question_to_its_weights(classifier: Classifier) -> None:
    told = classifier.explain(LONG, row=1, column="책은")
    seen = classifier.classify(LONG).attention.tokens()
    assert (told.path, told.label, told.columns) == ("pooling", "hop 1", seen.columns)
    np.testing.assert_allclose(told.model, seen.weights[1], atol=1e-6)
    np.testing.assert_allclose(told.exponentials / told.exponentials.sum(), told.model, atol=1e-6)
    with pytest.raises(DataError, match="the text has no words, and there is nothing to explain"):
        classifier.explain("", row=0)


def test_a_removed_word_is_gone(classifier: Classifier) -> None:
    """Removing the negation is reading the sentence without it."""
    effect = classifier.classify(LONG, edit=regard.remove("않았다"))
    assert effect.notes == ()
    assert effect.after.probabilities != effect.before.probabilities


def test_an_empty_edit_changes_nothing(classifier: Classifier) -> None:
    effect = classifier.classify(LONG, edit=())
    assert effect.before.probabilities == effect.after.probabilities
    assert (effect.divergence, effect.changed) == (0.0, False)


def test_a_probability_that_became_zero_has_a_finite_divergence(classifier: Classifier) -> None:
    effect = classifier.classify(LONG, edit=())
    sure = replace(effect.before, probabilities={"negative": 1.0, "positive": 0.0})
    turned = replace(sure, probabilities={"negative": 0.0, "positive": 1.0})
    assert replace(effect, before=sure, after=turned).divergence == pytest.approx(744.4, abs=0.1)


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        (regard.mask_head("pooling", 3), "pooling has the hops 0 to 2, found hop 3"),
        (regard.force_row(3, "책은"), "pooling has the hops 0 to 2, found hop 3"),
        (regard.mask_head("poolign", 0), "did you mean 'pooling'"),
        (regard.mask("바다"), "'바다' is not in the sentence"),
        (regard.force_prefix("I"), "a prefix is forced while a model writes"),
    ],
)
def test_mistakes_in_edits(classifier: Classifier, edit: Edit, message: str) -> None:
    with pytest.raises(DataError, match=message):
        classifier.classify(LONG, edit=edit)


def test_what_is_for_translators_says_so(opinions: object, classifier: Classifier) -> None:
    with pytest.raises(ConfigError, match="is a model for classification, and one for translation is needed"):
        regard.load(str(opinions), task="translation")
    with pytest.raises(ConfigError, match="only translators work as an ensemble"):
        regard.load(str(opinions), str(opinions))
    assert not hasattr(classifier, "translate")
