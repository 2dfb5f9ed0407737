"""`regard baseline`, and its labels beside a model's."""

import json
from pathlib import Path

import pytest
from tests.conftest import Run

FEW = ["--set", "data.train.rows=300", "--set", "data.test.rows=60", "--samples", "20"]


def test_it_prints_the_table_of_evaluate_and_can_be_compared(
    run: Run, opinions: Path, tmp_path: Path
) -> None:
    labels, out = tmp_path / "linear.txt", tmp_path / "linear.json"
    done = run("baseline", "self-attentive", *FEW, "--outputs", labels, "--out", out)
    assert done.returncode == 0, done.stderr
    for shown in ("accuracy", "macro_f1", "ece", "gold \\ predicted", "length"):
        assert shown in done.stdout
    values = json.loads(run("baseline", opinions, *FEW, "--json").stdout)
    assert values["metrics"]["accuracy"] > 0.8
    kept = json.loads(out.read_text(encoding="utf-8"))
    assert kept["metrics"] == values["metrics"]
    assert kept["recipe"].keys() == {"task", "data"}  # a network has no part in it
    assert kept["training"]["run"]["rows"] == 300
    assert kept["training"]["run"]["seconds"] > 0
    corpus = "{kind: builtin, world: sentiment, rows: 60}"
    both = run("compare", labels, opinions, "--data", corpus, "--samples", "20", "--json")
    assert both.returncode == 0, both.stderr
    found = json.loads(both.stdout)
    assert found["baseline"] == "linear.txt"
    assert found["systems"][0]["metrics"]["accuracy"] == values["metrics"]["accuracy"]


def test_of_pairs_each_text_has_features_of_its_own(run: Run, tmp_path: Path) -> None:
    """Whether it is a or b in the second text decides; the first text has both, as often."""
    rows = [f"{x} {n}\t{y}\t{y[0] == 'b'}\n" for n in range(6) for x in ("aa", "bb") for y in ("aa", "bb")]
    for split in ("train", "dev", "test"):
        (tmp_path / f"{split}.tsv").write_text("one\ttwo\tright\n" + "".join(rows), encoding="utf-8")
    columns = ["--text", "one", "--second", "two", "--label", "right", "--samples", "0", "--json"]
    done = run("baseline", "bag", "--data", tmp_path, *columns)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["metrics"]["accuracy"] == 1.0


def test_several_labels_and_numbers_have_a_linear_model_too(run: Run, tmp_path: Path) -> None:
    """a means x, b means y, a text has both or none; a number is how many there are."""
    texts = [(a, b, n) for n in range(8) for a in (0, 1) for b in (0, 1)]
    rows = [
        f"t{n} {'aa ' * a}{'bb ' * b}\t{','.join(filter(None, ['x' * a, 'y' * b]))}\t{a + b}\n"
        for a, b, n in texts
    ]
    for split in ("train", "dev", "test"):
        (tmp_path / f"{split}.tsv").write_text("text\tsigns\thow many\n" + "".join(rows), encoding="utf-8")
    common = ["bag", "--data", tmp_path, "--samples", "0", "--set", "training.best_by=loss"]
    out = tmp_path / "r.json"
    done = run("baseline", *common, "--label", "signs", "--set", "data.answer=labels", "--out", out, "--json")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["metrics"]["micro_f1"] == found["metrics"]["accuracy"] == 1.0
    assert found["labels"].keys() == {"x", "y"}
    assert json.loads(out.read_text())["baseline"].endswith("a logistic regression for each label")
    done = run("baseline", *common, "--label", "how many", "--set", "data.answer=number", "--json")
    assert done.returncode == 0, done.stderr
    metrics = json.loads(done.stdout)["metrics"]
    assert metrics["pearson"] > 0.99
    assert metrics["mse"] < 0.1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["demo"], "a linear baseline is for classification, and the recipe is for translation"),
        (["bag", "--set", "data.answer=number"], "expected a number"),
        (["bag", "--metrics", "bleu"], "no metric is called 'bleu'"),
        (["bag", "--set", "data.test=null"], "names no data.test; name a test set"),
    ],
)
def test_what_does_not_fit_is_one_line(run: Run, arguments: list[str], message: str) -> None:
    done = run("baseline", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr
    assert done.stderr.count("\n") == 1
