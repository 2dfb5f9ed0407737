"""Several labels, and numbers: trained, said, measured, compared, edited."""

import json
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest
from tests.conftest import Run

import regard
from regard.data.pairs import Pair
from regard.errors import ConfigError, DataError
from regard.evaluation.test_set import TestSet
from regard.tasks.classification.evaluator import MultiLabelEvaluator, RegressionEvaluator
from regard.tasks.classification.predictor import Classifier
from regard.tasks.classification.result import MultiLabelClassification, RegressionResult

WORDS = {"좋다": ("praise", 2.0), "책": ("book", 0.5), "비싸다": ("price", -1.5)}
"""What each word makes of a text: a label, and what it adds to the number."""
TINY = [
    "text.vocabulary_size=300", "model.embedding_size=16", "model.encoder={kind: bag}", "model.dropout=0",
    "model.pooling={kind: attention, hidden_size: 6}", "model.head={kind: linear}", "data.test=null",
    "training.epochs=3", "training.batch_tokens=64", "training.optimizer.learning_rate=0.03",
]  # fmt: skip


def rows() -> Iterator[dict[str, object]]:
    for chosen in product([False, True], repeat=3):
        words = [word for word, there in zip(WORDS, chosen, strict=True) if there]
        said = [WORDS[word] for word in words]
        yield {
            "text": " ".join(["오늘", *words]),
            "tags": [label for label, _ in said],
            "score": sum(value for _, value in said),
        }


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("answers") / "rows.jsonl"
    lines = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows())
    path.write_text(lines, encoding="utf-8")
    path.with_name("train.jsonl").write_text(100 * lines, encoding="utf-8")
    return path


def train(data: Path, *settings: str) -> Path:
    out = data.with_name(settings[0].partition("=")[2])
    files = [f"data.train={data.with_name('train.jsonl')}", f"data.dev={data}"]
    regard.train("self-attentive", out=out, set_=[*TINY, *files, *settings], quiet=True)
    return out


@pytest.fixture(scope="module")
def tags(data: Path) -> Path:
    return train(data, "data.answer=labels", "data.label=tags", "training.best_by=micro_f1")


@pytest.fixture(scope="module")
def scores(data: Path) -> Path:
    return train(data, "data.answer=number", "data.label=score", "training.best_by=pearson")


def test_several_labels_are_learned_said_and_measured(tags: Path, data: Path) -> None:
    model: Classifier = regard.load(tags, task="classification")
    assert model.labels == ("book", "praise", "price")
    for row in rows():
        found = model.classify(str(row["text"]))
        assert isinstance(found, MultiLabelClassification)
        assert set(found.labels) == set(row["tags"])  # type: ignore[call-overload]
    measured = regard.evaluate(tags, data, samples=20, quiet=True)
    assert measured.metrics["micro_f1"] == measured.metrics["accuracy"] == 1.0
    assert 0 <= measured.metrics["ece"] < 0.5
    assert measured.tables()[0][1][0] == ["book", "1.000", "1.000", "1.000", "4"]


def test_numbers_are_learned_said_and_measured(scores: Path, data: Path) -> None:
    model: Classifier = regard.load(scores, task="classification")
    for row in rows():
        found = model.classify(str(row["text"]))
        assert isinstance(found, RegressionResult)
        assert found.value == pytest.approx(row["score"], abs=0.4)
    measured = regard.evaluate(scores, data, samples=20, quiet=True)
    assert measured.metrics["spearman"] > 0.9
    assert measured.metrics["mse"] < 0.1
    assert repr(model).startswith("Classifier(a number, sentence,")


def test_an_edit_moves_a_number_and_each_label(scores: Path, tags: Path) -> None:
    effect = regard.load(scores).classify("오늘 좋다", edit=regard.mask("좋다"))
    assert effect.after.value < effect.before.value
    assert effect.divergence == pytest.approx(effect.before.value - effect.after.value)
    assert f"before  {effect.before.value:.3f}" in str(effect)
    effect = regard.load(tags).classify("오늘 좋다", edit=regard.mask("좋다"))
    assert effect.before.labels == ("praise",)
    assert effect.divergence > 0
    assert "  praise: " in str(effect)


def test_commands(run: Run, tags: Path, scores: Path, data: Path, tmp_path: Path) -> None:
    lines = run("classify", tags, text="오늘 좋다 책\n\n오늘\n").stdout.splitlines()
    assert lines[0].startswith("book, praise\t")
    assert lines[1:] == ["", "\t"]
    values = run("classify", scores, text="오늘 좋다\n\n").stdout.splitlines()
    assert float(values[0]) == pytest.approx(2.0, abs=0.4)
    assert values[1] == ""
    for folder, answer in ((tags, "labels"), (scores, "number")):
        said = tmp_path / f"{answer}.jsonl"
        texts = "".join(f"{row['text']}\n" for row in rows())
        said.write_text(run("classify", folder, "--json", text=texts).stdout, encoding="utf-8")
        column = "tags" if answer == "labels" else "score"
        done = run("compare", folder, said, "--data", data, "--samples", "10", "--json")
        assert done.returncode == 0, done.stderr
        found = json.loads(done.stdout)["systems"][1]["differences"]
        assert all(abs(own["value"]) < 1e-3 for own in found.values())
        options = ["--task", "classification", "--answer", answer, "--label", column, "--samples", "5"]
        assert run("evaluate", said, data, *options).returncode == 0
    done = run("compare", tags, scores, "--data", data)
    assert "number says another thing than labels (data.answer)" in done.stderr


def test_a_model_is_not_asked_for_what_it_does_not_say(
    run: Run, tags: Path, scores: Path, data: Path
) -> None:
    for model, column, answer, says in (
        (scores, "score", "label", "number"),
        (tags, "tags", "label", "labels"),
    ):
        done = run("evaluate", model, data, "--answer", answer, "--label", column)
        assert (done.returncode, done.stderr.count("\n")) == (2, 1), done.stderr
        assert f": says {says}, asked for {answer}; leave --answer out, which is for files" in done.stderr


def test_numbers_that_are_all_alike_are_valid_json(
    run: Run, scores: Path, data: Path, tmp_path: Path
) -> None:
    same = tmp_path / "same.txt"
    same.write_text("1\n" * 8)
    done = run("compare", scores, same, "--data", data, "--samples", "5", "--json")
    found = json.loads(done.stdout, parse_constant=lambda name: pytest.fail(f"JSON has no {name}"))
    assert set(found["systems"][1]["differences"]) == {"mse"}


def test_scores_of_given_labels_and_numbers_by_hand() -> None:
    test_set = TestSet.of(
        [Pair(f"text {row}", cell, f"x:{row}") for row, cell in enumerate(["a,b", "", "c\n"])]
    )
    found = MultiLabelEvaluator(",").evaluate(["a", "", "c, a\t0.9 0.8"], test_set, samples=0)
    assert found.metrics == {"micro_f1": 4 / 6, "macro_f1": (2 / 3 + 0 + 1) / 3, "accuracy": 1 / 3}
    assert found.sentence_scores()[1].tolist() == pytest.approx([2 / 3, 1.0, 2 / 3])
    with pytest.raises(
        DataError, match="no ece: it needs probabilities, and a file of outputs has none; choose micro"
    ):
        MultiLabelEvaluator(",").evaluate(["a", "", "c"], test_set, metrics=["ece"], samples=0)
    test_set = TestSet.of([Pair(f"text {row}", cell, f"x:{row}") for row, cell in enumerate(["1", "2", "4"])])
    found_numbers = RegressionEvaluator().evaluate(["1", "3", "4"], test_set, samples=0)
    assert found_numbers.metrics["spearman"] == pytest.approx(1.0)
    assert found_numbers.metrics["mse"] == pytest.approx(1 / 3)
    assert found_numbers.sentence_scores()[1].tolist() == [0.0, -1.0, 0.0]
    for wrong in ("many", "nan"):
        with pytest.raises(DataError, match=f"line 2 of the outputs: expected a number, found '{wrong}'"):
            RegressionEvaluator().evaluate(["1", wrong, "4"], test_set)


@pytest.mark.parametrize(
    ("setting", "cell", "message"),
    [
        ("data.answer=number", "much", r"x.tsv:2: the label side is 'much', expected a number"),
        ("data.answer=number", "inf", r"x.tsv:2: the label side is 'inf', expected a number"),
        (
            "data.answer=label",
            '"a\nb"',
            r"x.csv:2: the label side has a tab or a line break in the label 'a\\nb'",
        ),
    ],
)
def test_cells_that_are_no_answer_are_refused(tmp_path: Path, setting: str, cell: str, message: str) -> None:
    path = tmp_path / ("x.csv" if "csv" in message else "x.tsv")
    sign = "," if path.suffix == ".csv" else "\t"
    path.write_text(f"text{sign}label\n좋다{sign}{cell}\n", encoding="utf-8")
    settings = [*TINY, setting, "training.best_by=loss", f"data.train={path}", f"data.dev={path}"]
    with pytest.raises(DataError, match=message):
        regard.train("self-attentive", out=tmp_path / "r", set_=settings, quiet=True)


def test_smoothing_has_no_meaning_for_numbers() -> None:
    settings = ["data.answer=number", "training.best_by=loss", "training.label_smoothing=0.1"]
    with pytest.raises(
        ConfigError, match=r"training.label_smoothing is for labels, and data.answer is number"
    ):
        regard.train("self-attentive", out="nowhere", set_=settings)
