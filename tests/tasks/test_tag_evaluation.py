"""Scores of tags: by hand where they can be, on files as people have them, and of a trained model."""

import json
from pathlib import Path

import pytest
from seqeval.metrics import f1_score

import regard
from regard.data.tagged import TaggedSentence
from regard.errors import ConfigError, DataError
from regard.evaluation.test_set import TestSet
from regard.tasks.tagging.evaluator import TaggingEvaluation, TaggingEvaluator
from regard.tasks.tagging.predictor import Tagger

EVALUATOR = TaggingEvaluator()


def tagged(*lines: str) -> TestSet:
    rows = [" ".join(f"w{place}" for place in range(len(line.split()))) for line in lines]
    pairs = enumerate(zip(rows, lines, strict=True), start=1)
    return TestSet.of([TaggedSentence(words, tags, f"x:{row}") for row, (words, tags) in pairs])


def test_scores_by_hand() -> None:
    """Of N two are said, two are there, one is both; of V three and three with two; four words of five."""
    found = EVALUATOR.evaluate(["N V V", "N  V"], tagged("N V N", "V V"), samples=0)
    assert found.metrics == {"accuracy": 3 / 5, "macro_f1": pytest.approx((1 / 2 + 2 / 3) / 2)}
    assert (found.words, found.labels, found.confusion) == (5, ("N", "V"), ((1, 1), (1, 2)))
    assert found.each["V"].there == 3
    assert found.sentence_scores()[1].tolist() == pytest.approx([2 / 3, 1 / 2])
    assert [head[0] for head, _ in found.tables()] == ["tag", "gold \\ predicted"]


def test_spans_are_scored_where_tags_write_them() -> None:
    right, said = ["B-X I-X O", "O B-Y"], ["B-X O O", "O B-Y"]
    found = EVALUATOR.evaluate(said, tagged(*right), samples=0)
    theirs = f1_score([line.split() for line in right], [line.split() for line in said])
    assert found.metrics["span_f1"] == pytest.approx(theirs) == pytest.approx(1 / 2)
    assert found.spans["Y"].f1 == 1.0
    assert [head[0] for head, _ in found.tables()] == ["tag", "span", "gold \\ predicted"]
    assert json.loads(json.dumps(found.to_dict()))["spans"]["X"]["f1"] == 0.0


def test_what_cannot_be_measured_is_said() -> None:
    test_set = tagged("N V", "N")
    with pytest.raises(DataError, match=r"x:2: has 1 words, found 2 tags in 'N V'; expected the tags of"):
        EVALUATOR.evaluate(["N V", "N V"], test_set)
    with pytest.raises(DataError, match=r"x:2: has 1 words, found 0 tags in ''"):
        EVALUATOR.evaluate(["N V", ""], test_set)
    with pytest.raises(DataError, match="expected tags such as B-X, I-X and O, found 'NOUN' in the outputs"):
        EVALUATOR.evaluate(["O NOUN"], tagged("O B-X"))
    with pytest.raises(DataError, match="span_f1 needs tags such as B-X, I-X and O, found N"):
        EVALUATOR.evaluate(["N V", "N"], test_set, metrics=["span_f1"])
    with pytest.raises(
        DataError, match="no ece: it needs probabilities, and a file of outputs has none; choose accuracy"
    ):
        EVALUATOR.evaluate(["N V", "N"], test_set, metrics=["unknown_accuracy", "ece"])
    with pytest.raises(DataError, match="expected 2 outputs, one for each row of x, found 1"):
        EVALUATOR.evaluate(["N V"], test_set)


@pytest.fixture(scope="module")
def measured(tagger: Tagger) -> TaggingEvaluation:
    found = regard.evaluate(tagger, samples=50, quiet=True)
    assert isinstance(found, TaggingEvaluation)
    return found


def test_a_model_is_measured_with_intervals(measured: TaggingEvaluation, tagger: Tagger) -> None:
    assert list(measured.metrics) == ["accuracy", "macro_f1", "unknown_accuracy", "ece"]
    for name, (low, high) in measured.intervals.items():
        assert 0 <= low <= measured.metrics[name] <= high <= 1
    assert sum(map(sum, measured.confusion)) == measured.words
    hits, unknown = 0, 0
    sure = [p for own in measured.outputs for p in own.probabilities]
    accuracy = measured.metrics["accuracy"]
    assert abs(sum(sure) / len(sure) - accuracy) <= measured.metrics["ece"] + 1e-9
    for pair, output in zip(measured.test_set.pairs, measured.outputs, strict=True):
        for known, said, right in zip(
            tagger.is_known(output.words), output.tags, pair.target.split(), strict=True
        ):
            hits, unknown = hits + (said == right and not known), unknown + (not known)
    assert measured.metrics["unknown_accuracy"] == pytest.approx(hits / unknown)
    assert json.loads(json.dumps(measured.to_dict()))["task"] == "tagging"


def test_outputs_that_were_written_score_the_same(measured: TaggingEvaluation, tmp_path: Path) -> None:
    corpus = {"kind": "builtin", "world": "tags", "rows": 100}
    beside = "".join(
        "".join(f"{word}\t{tag}\n" for word, tag in zip(own.words, own.tags, strict=True)) + "\n"
        for own in measured.outputs
    )
    in_json = "".join(json.dumps(own.to_dict()) + "\n" for own in measured.outputs)
    files = {
        "tags.txt": measured.outputs_as(json_lines=False),
        "tags.jsonl": measured.outputs_as(json_lines=True),
        "tagged.jsonl": in_json,
        "tagged.conll": beside,
    }
    for name, content in files.items():
        (tmp_path / name).write_text(content, encoding="utf-8")
        again = regard.evaluate(tmp_path / name, corpus, task="tagging", samples=0, quiet=True)
        assert again.metrics == {one: measured.metrics[one] for one in ("accuracy", "macro_f1")}, name
    (tmp_path / "other.conll").write_text(beside.replace(measured.outputs[0].words[0], "x", 1), "utf-8")
    with pytest.raises(DataError, match=r"other.conll:1: these are the tags of 'x .*is it the same test set"):
        regard.evaluate(tmp_path / "other.conll", corpus, task="tagging", quiet=True)


def test_taggers_are_compared(tagger: Tagger, measured: TaggingEvaluation, tmp_path: Path) -> None:
    path = tmp_path / "always.txt"
    lines = (" ".join(["noun"] * len(own.words)) for own in measured.outputs)
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    found = regard.compare({"ours": tagger, "always": path}, samples=50, show=2, quiet=True)
    difference = found.differences["always"]["accuracy"]
    assert difference.value < -0.3
    assert difference.p_value < 0.05
    assert [contrast.metric for contrast in found.contrasts] == ["accuracy"] * 2


def test_mistakes_are_named(tagger: Tagger, tmp_path: Path) -> None:
    path = tmp_path / "t.conll"
    path.write_text("책을\tnoun\n\n읽었다\tVERB\n", encoding="utf-8")
    with pytest.raises(DataError, match=r"t.conll:3: the label 'VERB' is not one that training knows"):
        regard.evaluate(tagger, path, quiet=True)
    with pytest.raises(ConfigError, match="beam_size is not for tagging, which knows text, label"):
        regard.evaluate(tagger, beam_size=4)
