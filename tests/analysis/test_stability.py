"""Stability: values by hand, models that cannot change, laws over families."""

import json
from typing import Any

import numpy as np
import pytest
from tests.analysis.families import EVERY, family
from tests.analysis.rows import rows_of
from tests.examples import cells

from regard.analysis.alignment import Link, WordAlignment
from regard.analysis.options import CheckOptions
from regard.analysis.perturbations import CHANGES
from regard.analysis.same_words import common_words, link_distance, map_distance, placed_words
from regard.analysis.stability import stability_section
from regard.analysis.stability_section import StabilitySection
from regard.analysis.task_readings import MASK, READINGS
from regard.data.labelled import LabelledText
from regard.data.pairs import Pair
from regard.errors import DataError
from regard.evaluation.test_set import TestSet
from regard.insight.maps import AttentionMap
from regard.tasks.classification.predictor import Classifier
from regard.text.labels import Labels

QUICK = [
    "translation:transformer", "language:lm-transformer", "label:pairs-factored", "tag:attention-crf",
    "embedding:bert-mean", "answer:always", "fill:bert",
]  # fmt: skip


def result(section: StabilitySection, name: str) -> dict[str, Any]:
    (found,) = (one for one in section.to_dict()["changes"] if one["name"] == name)
    return dict(found)


def test_words_in_common() -> None:
    assert common_words(["나는", "책을", "샀다"], ["나는", "첵을", "샀다"]) == [(0, 0), (2, 2)]
    assert placed_words(["나는", "책을", "샀다"], ["나는", "첵을", "샀다"]) == [(0, 0), (1, 1), (2, 2)]
    assert placed_words(["나는", "책을", "샀다"], ["나는책을", "샀다"]) == [(2, 1)]
    assert common_words(["A", "\u1100\u1161"], ["a", "가"]) == [(0, 0), (1, 1)]


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("나는 슬픕니다.", "나는 [MASK]."),
        ("나는  어제 (책을) 읽었다 .", "나는  어제 ([MASK]) 읽었다 ."),
        ("슬픕니다!", ""),
        ("", ""),
    ],
)
def test_the_word_in_the_middle_is_masked_without_its_marks(text: str, masked: str) -> None:
    (found,) = READINGS["masked-language-model"].inputs(None, Pair(text, "", "a:1"))
    assert found.replace(MASK, "[MASK]") == masked


def test_total_variation_over_common_words_by_hand() -> None:
    old = AttentionMap("a", "hops", ("1",), ("x", "y", "z"), np.array([[0.2, 0.3, 0.5]], np.float32))
    new = AttentionMap("a", "hops", ("1",), ("x", "w", "z"), np.array([[0.6, 0.2, 0.2]], np.float32))
    # x and z are common: (2/7, 5/7) and (6/8, 2/8)
    assert map_distance([old], [new]) == pytest.approx(6 / 8 - 2 / 7, abs=1e-6)
    assert map_distance([old], [old]) == 0.0
    assert np.isnan(map_distance([], []))


def test_links_between_unchanged_words_by_hand() -> None:
    def made(source: str, target: str, links: list[tuple[int, int]]) -> WordAlignment:
        found = tuple(Link(i, j, 1.0) for i, j in links)
        return WordAlignment(source, target, found, (), "words", tuple(source.split()), tuple(target.split()))

    old = made("a b c", "x y z", [(0, 0), (1, 1), (2, 2)])
    assert link_distance(old, old) == 0.0
    # b is another word, so that its link does not count; z is linked to a, no more to c
    assert link_distance(old, made("a B! c", "x y z", [(0, 0), (1, 1), (0, 2)])) == pytest.approx(2 / 3)
    assert np.isnan(link_distance(old, made("d e", "q", [(0, 0)])))


@cells("name", EVERY, quick=QUICK)
def test_every_family_is_read_and_its_unicode_form_does_not_matter(name: str) -> None:
    own = family(name)
    test = rows_of(own)
    section = stability_section(own.model, test, CheckOptions(seeds=(own.model,)))
    json.dumps(section.to_dict(), allow_nan=False)
    assert section.lines()
    assert section.html()
    if own.model.task == "tagging":
        assert result(section, "spaces")["rows"] == 0  # its words are given one by one
    same = ["unicode"] if own.model.task == "embedding" else ["unicode", "seeds"]
    for each in same:  # a tokenizer reads NFC; and the model itself in the place of another seed
        found = result(section, each)
        assert found["rows"] == 3
        assert found["changed"]["value"] == 0
        assert found["distance"]["value"] == pytest.approx(0, abs=1e-6)
        assert found["attention_distance"]["value"] in (None, pytest.approx(0, abs=1e-6))
    assert result(section, "case")["rows"] == 0
    assert {one.name for one in section.results} == {*(one.name for one in CHANGES), *same[1:]}


def test_a_model_with_its_labels_in_another_order_says_another_label_of_every_row() -> None:
    own = family("label:self-attentive")
    labels = Labels(["good", "none", "bad"])
    turned = Classifier(
        own.model.module,
        tokenizer=own.model.tokenizer,
        said=labels,
        recipe=own.model.recipe,
        summary=own.model.summary,
    )
    test = rows_of(own)
    section = stability_section(own.model, test, CheckOptions(seeds=(turned,)))
    found = result(section, "seeds")
    assert found["changed"]["value"] == 1.0
    assert found["attention_changed"]["value"] == 0.0  # the attention is the same
    apart = []
    for pair in test.pairs:
        p, q = (model.classify(pair.source).probabilities for model in (own.model, turned))
        apart.append(sum(abs(p[name] - q[name]) for name in p) / 2)
    assert found["distance"]["value"] == pytest.approx(np.mean(apart), abs=1e-6)
    assert [case.change for case in section.cases].count("seeds") == 3


def test_what_is_told_is_what_the_model_says(classifier: Classifier) -> None:
    texts = ["이 영화는 정말 재미있었다.", "음식이 맛없어요.", "방이 넓고 깨끗합니다."]
    test = TestSet.of([LabelledText(text, "", f"x:{n}") for n, text in enumerate(texts, 1)])
    section = stability_section(classifier, test, CheckOptions(seed=3))
    for change in CHANGES:
        made = [(text, other) for text in texts if (other := change.of(text, 3)) is not None]
        found = result(section, change.name)
        assert found["rows"] == len(made)
        if made:
            said = [(classifier.classify(a).label, classifier.classify(b).label) for a, b in made]
            assert found["changed"]["value"] == pytest.approx(np.mean([a != b for a, b in said]), abs=1e-6)
    distances = [case.distance for case in section.cases]
    assert distances == sorted(distances, reverse=True)


def test_rows_are_sampled_evenly_and_that_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("regard.analysis.stability.MOST_ROWS", 2)
    section = stability_section(
        family("label:self-attentive").model, rows_of(family("label:self-attentive")), CheckOptions()
    )
    assert section.lines()[0] == "2 of 3 rows, evenly spaced, each read as it is and with each change"


def test_rows_without_words_are_not_read() -> None:
    empty = TestSet.of([LabelledText(" ", "good", "x:1")])
    with pytest.raises(DataError, match="no row has words"):
        stability_section(family("label:self-attentive").model, empty, CheckOptions())
