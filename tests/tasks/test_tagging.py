"""Words in, a tag with its probability for each out; what was looked at; and what an edit does to it."""

import json
from dataclasses import FrozenInstanceError

import numpy as np
import pytest

import regard
from regard.errors import ConfigError, DataError
from regard.inference.inputs import MAX_SOURCE_TOKENS
from regard.insight.edits import Edit
from regard.tasks.tagging.predictor import Tagger
from regard.world import tagged

TEXT = "그  학생이 책을 읽었다 ."
WORDS = ("그", "학생이", "책을", "읽었다", ".")


def test_it_has_learned_parts_of_speech(tagger: Tagger) -> None:
    examples = list(tagged("test", 60))
    found = tagger.tag([example.words for example in examples], attention=False)
    pairs = [
        (said, right)
        for own, example in zip(found, examples, strict=True)
        for said, right in zip(own.tags, example.tags, strict=True)
    ]
    assert sum(said == right for said, right in pairs) / len(pairs) > 0.85


def test_a_result_is_frozen_plain_and_complete(tagger: Tagger) -> None:
    found = tagger.tag(TEXT)
    assert (found.source, found.words) == (TEXT, WORDS)
    assert len(found.tags) == len(found.probabilities) == 5
    assert found.marginals.sum(axis=1) == pytest.approx(np.ones(5))
    assert found.probabilities[1] == found.of_word(1)[found.tags[1]]
    assert set(found.of_word(0)) == set(tagger.labels) >= set(found.tags)
    assert json.loads(json.dumps(found.to_dict())) == found.to_dict()
    assert found.in_words().startswith(f"그/{found.tags[0]} ")
    with pytest.raises(FrozenInstanceError):
        found.tags = ()  # type: ignore[misc]


def test_probabilities_are_calibrated_and_the_tags_stay(tagger: Tagger) -> None:
    """At a temperature of 2 a probability is in proportion to its root."""
    (encoded,) = tagger.encode([WORDS])
    (batch,) = tagger.outputs([encoded])
    (marginals,) = batch.output.marginals
    warm = Tagger(
        tagger.module, tokenizer=tagger.tokenizer, characters=tagger.characters, labels=tagger.names,
        recipe=tagger.recipe, summary={"temperature": 2.0},
    )  # fmt: skip
    roots = np.exp(marginals) ** 0.5
    found = warm.tag(TEXT)
    assert found.marginals == pytest.approx(roots / roots.sum(axis=1, keepdims=True))
    assert found.tags == tagger.tag(TEXT).tags


def test_words_can_be_given_in_a_list(tagger: Tagger) -> None:
    (found,) = tagger.tag([WORDS])
    assert (found.source, found.words) == (" ".join(WORDS), WORDS)
    assert found.tags == tagger.tag(TEXT).tags
    (odd,) = tagger.tag([["1 000", "책을"]])
    assert (odd.words, len(odd.tags)) == (("1 000", "책을"), 2)
    with pytest.raises(DataError, match="expected a list of words, found ' ' as word 2"):
        tagger.tag([["책을", " "]])
    with pytest.raises(DataError, match=r"expected a list of words, found '\\ud800' as word 1"):
        tagger.tag([["\ud800"]])


def test_the_attention_is_of_the_given_words_over_them(tagger: Tagger) -> None:
    """Punctuation that belongs to a word stays with it."""
    rows, columns, weights = tagger.tag("책을 읽었다. (그").attention.words()
    assert rows == columns == ("책을", "읽었다.", "(그")
    assert weights.sum(axis=1) == pytest.approx([1.0] * 3, abs=1e-5)


def test_a_result_does_not_depend_on_its_batch(tagger: Tagger) -> None:
    sentences = [example.words for example in tagged("test", 20)]
    for words, together in zip(sentences, tagger.tag(sentences), strict=True):
        (alone,) = tagger.tag([words])
        assert alone.tags == together.tags
        assert alone.marginals == pytest.approx(together.marginals, abs=1e-5)
        one, other = alone.attention.words().weights, together.attention.words().weights
        assert one == pytest.approx(other, abs=1e-5)


def test_order_and_empty_sentences_are_kept(tagger: Tagger) -> None:
    found = tagger.tag(["", TEXT, " \t", "책을"])
    assert [own.source for own in found] == ["", TEXT, " \t", "책을"]
    assert [len(own.tags) for own in found] == [0, 5, 0, 1]
    assert found[0].attention.reason == "the sentence has no words"
    assert (found[0].probabilities, found[0].in_words()) == ((), "(no words)")


def test_lines_are_tagged_as_they_come(tagger: Tagger) -> None:
    results = tagger.tag_lines(iter([("a:1", "책을"), None, ("a:2", ["책을", "책을"])]))
    assert next(results).words == ("책을",)
    assert [own.words for own in results] == [("책을", "책을")]


def test_attention_that_was_not_asked_for_says_so(tagger: Tagger) -> None:
    assert "not asked for" in str(tagger.tag(TEXT, attention=False).attention.reason)


def test_a_sentence_that_is_too_long_is_refused_with_its_place(tagger: Tagger) -> None:
    long = "책 " * (MAX_SOURCE_TOKENS + 1)
    lines = tagger.tag_lines([("x.txt:1", "책을"), ("x.txt:2", ""), ("x.txt:3", long), ("x.txt:4", "책을")])
    assert [next(lines).source, next(lines).source] == ["책을", ""], "those before it come first"
    with pytest.raises(DataError, match=r"^x.txt:3: expected at most 1,024 tokens"):
        next(lines)


def test_a_masked_word_is_not_looked_at(tagger: Tagger) -> None:
    effect = tagger.tag(TEXT, edit=regard.mask("책을"))
    before, after = (own.attention.words().weights for own in (effect.before, effect.after))
    assert (before[:, 2] > 0).all()
    assert (after[:, 2] == 0).all()
    assert after.sum(axis=1) == pytest.approx([1.0] * 5, abs=1e-5)
    assert max(effect.divergences.values()) > 0
    assert json.loads(json.dumps(effect.to_dict()))["changed"] == list(effect.changed)
    assert "mask '책을'" in str(effect)


def test_a_row_is_forced_and_a_head_masked(tagger: Tagger) -> None:
    forced = tagger.tag(TEXT, edit=regard.force_row(1, "읽었다")).attention.words()
    assert forced.weights[1].tolist() == [0.0, 0.0, 0.0, 1.0, 0.0]
    maps = tagger.tag(TEXT, edit=regard.mask_head("attention.self", 1)).attention.maps()
    assert [bool(one.weights.any()) for one in maps] == [True, False]


def test_a_removed_word_is_gone_and_the_others_keep_their_places(tagger: Tagger) -> None:
    effect = tagger.tag(TEXT, edit=regard.remove("책을"))
    assert effect.after.words == ("그", "학생이", "읽었다", ".")
    assert effect.kept == [(0, 0), (1, 1), (3, 2), (4, 3)]
    assert effect.after.tags == tagger.tag("그 학생이 읽었다 .").tags
    assert set(effect.changed) <= {0, 1, 3, 4}


def test_an_empty_edit_changes_nothing(tagger: Tagger) -> None:
    effect = tagger.tag(TEXT, edit=())
    assert (effect.before.marginals == effect.after.marginals).all()
    assert (effect.changed, set(effect.divergences.values())) == ((), {0.0})


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        (regard.mask_head("attention.self", 2), "attention.self has the heads 0 to 1, found head 2"),
        (regard.force_row(5, "책을"), "the sentence has the rows 0 to 4, found row 5"),
        (regard.mask("바다"), "'바다' is not in the sentence"),
        (regard.force_prefix("I"), "a prefix is forced while a model writes"),
    ],
)
def test_mistakes_in_edits(tagger: Tagger, edit: Edit, message: str) -> None:
    with pytest.raises(DataError, match=message):
        tagger.tag(TEXT, edit=edit)


def test_what_is_for_others_says_so(parts_of_speech: object) -> None:
    with pytest.raises(ConfigError, match="is a model for tagging, and one for classification is needed"):
        regard.load(str(parts_of_speech), task="classification")
