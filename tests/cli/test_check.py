"""`regard check` as a user types it."""

import json
import shutil
from dataclasses import replace
from pathlib import Path

from tests.conftest import Run

import regard
from regard.analysis.alarm_store import read_alarms, write_alarms
from regard.analysis.alarms import FEWEST
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


def test_stability_of_a_translator_and_of_another_run(run: Run, trained: Path) -> None:
    done = run("check", trained, "--only", "stability", "--rows", "20", "--seeds", trained, "--json", "-q")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)["stability"]
    by_name = {one["name"]: one for one in found["changes"]}
    assert found["rows"] == by_name["unicode"]["rows"] == by_name["seeds"]["rows"] == 20
    for name in ("unicode", "seeds"):  # NFC is what a model reads; the other run is the same one
        assert by_name[name]["changed"]["value"] == by_name[name]["attention_changed"]["value"] == 0
    assert by_name["case"]["rows"] == 0
    assert by_name["typo"]["changed"]["value"] > 0
    distances = [case["distance"] for case in found["cases"]]
    assert distances == sorted(distances, reverse=True)


def test_alarms_are_fitted_stored_and_used(run: Run, trained: Path, tmp_path: Path) -> None:
    model = tmp_path / "model"
    shutil.copytree(trained, model)
    for name, value in (("--out", tmp_path / "a.html"), ("--seed", "0")):
        refused = run("check", model, "--fit-alarms", name, value)
        assert refused.returncode == 2
        assert f"--fit-alarms writes no report: it goes without {name}" in refused.stderr
    assert not (tmp_path / "a.html").exists()
    few = run("check", model, "--fit-alarms", "--rows", "12", "-q")
    assert (few.returncode, few.stderr.partition("; ")[0]) == (
        2,
        f"regard: alarms are fitted on {FEWEST} good rows or more, found 12",
    )
    before = {path.relative_to(model) for path in model.rglob("*")}
    done = run("check", model, "--fit-alarms", "--json", "-q")
    assert done.returncode == 0, done.stderr
    written = Path(json.loads(done.stdout)["written"])
    new = {path.relative_to(model) for path in model.rglob("*")} - before
    assert new == {written.relative_to(model)}
    source = tmp_path / "source.txt"
    source.write_text("나는 책을 읽었다.\n", encoding="utf-8")
    fitted = read_alarms(model, "translation")
    assert fitted is not None
    low = {**fitted.limits, "improbable": replace(fitted.limits["improbable"], threshold=-1e9)}
    told = []
    for limits in (fitted.limits, low):  # the second is below every score
        write_alarms(model, replace(fitted, limits=limits))
        lines = run("translate", model, source, "--check", "--json", "-q")
        assert lines.returncode == 0, lines.stderr
        told.append({alarm["name"] for alarm in json.loads(lines.stdout)["alarms"]})
    assert told[1] - told[0] == {"improbable"}


def test_flagged_lines_go_to_a_file_of_their_own(run: Run, trained: Path, tmp_path: Path) -> None:
    source, terms, table = (tmp_path / name for name in ("source.txt", "terms.tsv", "flagged.tsv"))
    source.write_text("저는 달을 봤어요.\nxqzw 달달달달\n", encoding="utf-8")
    terms.write_text("달\tmoon\n", encoding="utf-8")
    for read in (source, terms):
        before = read.read_bytes()
        done = run("translate", trained, source, "--glossary", terms, "--check", "--flagged", read)
        assert done.returncode == 2, done.stderr
        assert "is read from or written to already; choose another file" in done.stderr
        assert len(done.stderr.strip().splitlines()) == 1
        assert read.read_bytes() == before
    done = run("translate", trained, source, "--check", "--flagged", table)
    assert done.returncode == 0, done.stderr
    texts = [line.partition("\t") for line in done.stdout.splitlines()]
    rows = table.read_text(encoding="utf-8").splitlines()
    flagged = [text for text, _, alarms in texts if alarms]
    assert flagged
    assert len(rows) == 1 + len(flagged)
    assert all(any(text in row for row in rows[1:]) for text in flagged)


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
    report = regard.check(
        tmp_path / "max", rows=20, quiet=True
    ).to_dict()  # what needs no attention is checked
    for section in ("measures", "explanation"):
        assert report[section] == {"not_applicable": "this model has no attention"}
    assert report["stability"]["rows"] == 20
    assert report["alarms"]["rows"] == 20
    empty = tmp_path / "empty.tsv"
    empty.write_text("text\tlabel\n", encoding="utf-8")
    for arguments, message in (
        ([opinions, "--only", "explanations"], "did you mean 'explanation'?"),
        ([tmp_path / "max", "--only", "measures"], "no attention, and no measures; ask for --only stability"),
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
