"""What is no text is refused alike by every task: what was expected, what was found, and which item."""

from collections.abc import Callable
from typing import Any

import pytest

from regard.errors import DataError
from regard.inference.inputs import given_texts
from regard.tasks.classification.predictor import Classifier
from regard.tasks.language_model.predictor import LanguageModel
from regard.tasks.tagging.predictor import Tagger
from regard.tasks.translation.predictor import Translator

BAD: list[tuple[Any, str]] = [
    (5, "found int 5"),
    (None, "found nothing (None)"),
    (b"a", "found bytes b'a'"),
    ({"a": 1}, "found dict {'a': 1}"),
    (["가", None], "2: expected a text"),
    (["가", ["나", 3]], "2: expected"),
]


@pytest.fixture
def calls(
    translator: Translator, classifier: Classifier, tagger: Tagger, language_model: LanguageModel
) -> dict[str, Callable[[Any], Any]]:
    def scored(model: Translator | LanguageModel) -> Callable[[Any], Any]:
        return lambda given: list(model.score(given))

    return {
        "translate": translator.translate,
        "force": translator.force,
        "score pairs": scored(translator),
        "classify": classifier.classify,
        "tag": tagger.tag,
        "complete": language_model.complete,
        "score texts": scored(language_model),
    }


def test_every_task_says_what_it_expected_and_what_it_found(calls: dict[str, Callable[[Any], Any]]) -> None:
    for name, call in calls.items():
        for given, message in BAD:
            with pytest.raises(DataError) as caught:
                call(given)
            told = str(caught.value)
            if name in ("force", "score pairs") and isinstance(given, list):
                assert told.startswith("pair 1: expected 2"), told  # a text is no pair
                continue
            if name == "tag" and isinstance(given, list) and given[1] is not None:
                message = "sentence 2: expected a list of words, found 3 as word 2"
            assert message in told, (name, given)
            assert "expected" in told
            assert "\n" not in told


def test_a_look_is_at_one_text(
    translator: Translator, classifier: Classifier, tagger: Tagger, language_model: LanguageModel
) -> None:
    looks: list[Callable[[Any], Any]] = [
        model.look for model in (translator, classifier, tagger, language_model)
    ]
    for look in looks:
        with pytest.raises(DataError, match=r"^expected one (text|sentence), found list \['가'\]$"):
            look(["가"])


def test_whatever_has_texts_in_it_is_taken(translator: Translator) -> None:
    assert given_texts(text for text in ("가", "나")) == ["가", "나"]
    assert given_texts("가") == ["가"]
    assert given_texts(()) == []
    assert [found.source for found in translator.translate(("저는 왔어요.",))] == ["저는 왔어요."]
