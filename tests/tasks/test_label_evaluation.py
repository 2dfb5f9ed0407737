"""Scores of labels: by hand where they can be, against the gold words of the built-in world where not."""

import json
from pathlib import Path
from typing import Any

import pytest

import regard
from regard.data.pairs import Pair
from regard.errors import ConfigError, DataError
from regard.evaluation.test_set import TestSet
from regard.tasks.classification.evaluation import SingleLabelEvaluation
from regard.tasks.classification.evaluator import SingleLabelEvaluator
from regard.tasks.classification.predictor import Classifier

EVALUATOR = SingleLabelEvaluator()
TEST_SET = TestSet.of([Pair(f"text {row}", label, f"x:{row}") for row, label in enumerate("aaab")])


def test_scores_by_hand() -> None:
    """Of a three are right, two found; of b one, found with one too many: F1 0.8 and 2/3."""
    found = EVALUATOR.evaluate(["a", "a", "b", "b"], TEST_SET, samples=0)
    assert found.metrics == {"accuracy": 0.75, "macro_f1": pytest.approx((0.8 + 2 / 3) / 2)}
    assert (found.labels, found.confusion) == (("a", "b"), ((2, 1), (0, 1)))
    assert found.tables() == [(["gold \\ predicted", "a", "b"], [["a", "2", "1"], ["b", "0", "1"]])]
    assert found.sentence_scores()[1].tolist() == [1.0, 1.0, 0.0, 1.0]


def test_a_label_that_nobody_gave_counts_as_any_other() -> None:
    found = EVALUATOR.evaluate(["a", "a", "a", "c"], TEST_SET, samples=0)
    assert found.metrics["macro_f1"] == pytest.approx(1 / 3)  # of a 1, of b and c 0
    assert found.labels == ("a", "b", "c")


def test_a_label_is_the_same_in_any_normal_form() -> None:
    test_set = TestSet.of([Pair("좋다", "\u1100\u1173\u11bc정 ", "x:1"), Pair("나쁘다", "부정", "x:2")])
    found = EVALUATOR.evaluate(["긍정", " 부정"], test_set, samples=0)
    assert found.metrics["accuracy"] == 1.0
    assert found.sentence_scores()[1].tolist() == [1.0, 1.0]


def test_what_cannot_be_measured_is_said() -> None:
    with pytest.raises(DataError, match="expected 4 outputs, one for each row of x, found 1"):
        EVALUATOR.evaluate(["a"], TEST_SET)
    with pytest.raises(DataError, match=r"no metric is called 'acuracy'; did you mean 'accuracy'\?"):
        EVALUATOR.evaluate(["a"] * 4, TEST_SET, metrics=["acuracy"])


def test_what_classify_writes_can_be_measured() -> None:
    found = EVALUATOR.evaluate(["a\t0.9", "a\t0.5", "b\t0.7", "b\t1.0"], TEST_SET, samples=0)
    assert found.metrics["accuracy"] == 0.75
    with pytest.raises(DataError, match=r"expected one label a line, such as 'a' in x; found '0\.9 a'"):
        EVALUATOR.evaluate(["0.9 a"] * 4, TEST_SET)
    with pytest.raises(
        DataError,
        match="no ece: it needs probabilities, and a file of outputs has none; choose accuracy, macro_f1",
    ):
        EVALUATOR.evaluate(["a"] * 4, TEST_SET, metrics=["ece"])


@pytest.fixture(scope="module")
def measured(classifier: Classifier) -> SingleLabelEvaluation:
    found = regard.evaluate(classifier, samples=50, quiet=True)
    assert isinstance(found, SingleLabelEvaluation)
    return found


def test_a_model_is_measured_with_intervals_groups_and_its_attention(measured: SingleLabelEvaluation) -> None:
    assert list(measured.metrics) == [
        "accuracy", "macro_f1", "ece", "attention_precision", "attention_recall",
    ]  # fmt: skip
    assert all(0 <= value <= 1 for value in measured.metrics.values())
    for name, (low, high) in measured.intervals.items():
        assert low <= measured.metrics[name] <= high
    assert sum(map(sum, measured.confusion)) == measured.rows == 200
    accuracy = sum(row[place] for place, row in enumerate(measured.confusion)) / 200
    assert measured.metrics["accuracy"] == pytest.approx(accuracy)
    record = json.loads(json.dumps(measured.to_dict()))
    assert (record["task"], record["labels"]) == ("classification", ["negative", "positive"])
    assert record["temperature"] > 0


def test_the_best_and_the_worst_are_those_whose_label_is_most_and_least_probable(
    measured: SingleLabelEvaluation,
) -> None:
    right = [
        output.probabilities[pair.target]
        for output, pair in zip(measured.outputs, measured.test_set.pairs, strict=True)
    ]
    assert [one.score for one in measured.worst(3)] == sorted(right)[:3]
    assert [one.score for one in measured.best(3)] == sorted(right, reverse=True)[:3]
    assert measured.worst(1)[0].metric == "probability"
    file = EVALUATOR.evaluate(["a", "a", "b", "b"], TEST_SET, samples=0)
    assert [(one.where, one.metric, one.score) for one in file.worst(1)] == [("x:2", "accuracy", 0.0)]


def test_attention_is_compared_with_the_words_that_decide(
    measured: SingleLabelEvaluation, classifier: Classifier
) -> None:
    """Counted once more, from what a user sees: words with more than an even share, and the gold words."""
    hits = looked = right = 0
    for pair in measured.test_set.pairs:
        weights = classifier.classify(pair.source).attention.words().weights.mean(axis=0)
        own = {place for place, weight in enumerate(weights) if weight > 1 / len(weights)}
        gold = pair.carriers  # type: ignore[attr-defined]
        hits, looked, right = hits + len(own & gold), looked + len(own), right + len(gold)
    assert measured.metrics["attention_precision"] == pytest.approx(hits / looked, abs=0.01)
    assert measured.metrics["attention_recall"] == pytest.approx(hits / right, abs=0.01)


def test_outputs_that_were_written_score_the_same(measured: SingleLabelEvaluation, tmp_path: Path) -> None:
    corpus = {"kind": "builtin", "world": "sentiment", "rows": 200}
    for name in ("labels.txt", "labels.jsonl"):
        path = tmp_path / name
        path.write_text(measured.outputs_as(json_lines=name.endswith("l")), encoding="utf-8")
        again = regard.evaluate(path, corpus, task="classification", samples=0, quiet=True)
        assert again.metrics == {name: measured.metrics[name] for name in ("accuracy", "macro_f1")}
        assert again.seconds is None


def test_classifiers_are_compared(classifier: Classifier, tmp_path: Path) -> None:
    path = tmp_path / "always.txt"
    path.write_text("positive\n" * 200, encoding="utf-8")
    found = regard.compare({"ours": classifier, "always": path}, samples=50, show=2, quiet=True)
    difference = found.differences["always"]["accuracy"]
    assert difference.value < -0.3
    assert difference.p_value < 0.05
    assert [contrast.metric for contrast in found.contrasts] == ["accuracy"] * 2
    assert sorted(found.to_dict()["sentences"][0]["accuracy"].values()) == [0.0, 1.0]


def test_an_unknown_label_is_refused_with_its_line(classifier: Classifier, tmp_path: Path) -> None:
    path = tmp_path / "t.tsv"
    path.write_text("text\tlabel\n좋다.\tpositive\n나쁘다.\tneutral\n", encoding="utf-8")
    with pytest.raises(
        DataError, match=r"t.tsv:3: the label 'neutral' is not one that training knows; valid: "
    ):
        regard.evaluate(classifier, path, quiet=True)


@pytest.mark.parametrize("value", ["review", "", None])
def test_a_misspelt_option_is_refused_whatever_its_value(classifier: Classifier, value: Any) -> None:
    misspelt: Any = {"tetx": value}
    with pytest.raises(ConfigError, match="unknown option tetx; classification knows text, second, label"):
        regard.evaluate(classifier, quiet=True, **misspelt)
    with pytest.raises(ConfigError, match="unknown option tetx"):
        regard.compare({"a": classifier, "b": classifier}, quiet=True, **misspelt)


def test_what_is_for_translation_is_refused(classifier: Classifier) -> None:
    with pytest.raises(
        ConfigError, match="beam_size is not for classification, which knows text, second, label"
    ):
        regard.evaluate(classifier, beam_size=4)
    with pytest.raises(ConfigError, match="source is not for classification"):
        regard.evaluate(classifier, source="ko")
    with pytest.raises(ConfigError, match="is a model for classification, not for translation"):
        regard.evaluate(classifier, task="translation")


def test_models_of_two_tasks_are_named_by_their_folders(
    opinions: Path, classifier: Classifier, tmp_path: Path
) -> None:
    few = [("data.train.rows", 20), ("data.dev.rows", 5), ("data.test.rows", 5)]
    regard.train("lm-ngram", out=tmp_path / "words", set_=few, quiet=True)
    match = "words is a model for language-model, and opinions is one for classification"
    with pytest.raises(ConfigError, match=match):
        regard.compare([opinions, tmp_path / "words"], quiet=True)
    with pytest.raises(ConfigError, match=r"^books is a model for classification, not for tagging"):
        regard.compare({"books": classifier, "others": classifier}, task="tagging", quiet=True)
