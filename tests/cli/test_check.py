"""`regard check` as a user types it."""

import json
from pathlib import Path

from tests.conftest import Run

import regard
from regard.config.load import load_recipe


def test_a_classifier_is_measured_and_judged(run: Run, opinions: Path, tmp_path: Path) -> None:
    page, figure = tmp_path / "report.html", tmp_path / "heads.png"
    done = run("check", opinions, "--rows", "60", "--json", "--out", page, "--figure", figure, "-q")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["rows"] == 60
    assert [head["head"] for head in found["measures"]["heads"]] == [0, 1, 2]
    assert [count for count, _ in found["measures"]["head_importance"]["pruning_curve"]] == [0, 1, 2, 3]
    assert found["verdict"] == found["explanation"]["verdict"]
    assert found["verdict"]
    assert 0 < found["explanation"]["tests"]["rationale_precision"]["value"] <= 1
    assert "<svg" in page.read_text(encoding="utf-8")
    assert figure.stat().st_size > 1000
    again = json.loads(run("check", opinions, "--rows", "60", "--json", "-q").stdout)
    assert again == found  # whatever is drawn is a function of the seed


def test_a_translator_is_measured_and_told_what_does_not_apply(run: Run, trained: Path) -> None:
    done = run("check", trained, "--rows", "20", "-q")
    assert done.returncode == 0, done.stderr
    assert "cross-attention" in done.stdout
    assert "the tests are for classifiers, and this is a model for translation" in done.stdout


def test_rows_without_labels_are_checked_as_far_as_it_goes(run: Run, opinions: Path, tmp_path: Path) -> None:
    path = tmp_path / "texts.tsv"
    path.write_text("text\n이 책은 아주 좋다.\n그 영화는 재미없다.\n", encoding="utf-8")
    done = run("check", opinions, path, "-q")
    assert done.returncode == 0, done.stderr
    assert "no head importance: the rows have no labels" in done.stdout
    assert "it cannot be told whether attention is worth reading here: 2 texts" in done.stdout


def test_mistakes_are_told_in_one_line(run: Run, opinions: Path, trained: Path, tmp_path: Path) -> None:
    recipe = load_recipe(
        "self-attentive",
        ["data.train.rows=60", "data.dev.rows=10", "model.pooling={kind: max}", "model.head={kind: linear}",
         "training.epochs=1"],
    )  # fmt: skip
    regard.train(recipe, out=tmp_path / "max", quiet=True)
    empty = tmp_path / "empty.tsv"
    empty.write_text("text\tlabel\n", encoding="utf-8")
    for arguments, message in (
        ([opinions, "--only", "explanations"], "did you mean 'explanation'?"),
        ([tmp_path / "max"], "this model has no attention"),
        ([opinions, empty], "the corpus has no rows"),
        ([trained, "--only", "explanation"], "the tests are for classifiers"),
        ([opinions, "--seeds", trained], "is a model for translation"),
        ([opinions, "--only", "explanation", "--figure", tmp_path / "a.png"], "--figure draws the measures"),
        ([opinions, "--out", tmp_path], "expected the name of a file, found a folder"),
    ):
        done = run("check", *arguments)
        assert done.returncode == 2, (arguments, done.stdout, done.stderr)
        assert message in done.stderr
        assert len(done.stderr.strip().splitlines()) == 1
