"""`regard evaluate` as a user types it; and as a careless user does."""

import gzip
import json
import os
import threading
from pathlib import Path

import pytest
from tests.conftest import Run

import regard

TABLE = "from\tko\ten\na\t저는 달을 봤어요.\tI saw the moon.\nb\t저는 책을 읽었어요.\tI read a book.\n"


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "t.tsv"
    path.write_text(TABLE, encoding="utf-8")
    return path


def test_the_recipes_own_test_set(run: Run, trained: Path, tmp_path: Path) -> None:
    out, texts = tmp_path / "r" / "result.json", tmp_path / "out.txt"
    by = ["--by", "constructions"]
    done = run("evaluate", trained, "--json", "--out", out, "--outputs", texts, *by)
    assert done.returncode == 0, done.stderr
    printed, kept = json.loads(done.stdout), json.loads(out.read_text(encoding="utf-8"))
    assert printed["task"] == "translation"
    assert printed["rows"] == 200
    metrics = {"bleu", "chrf", "ter", "aer"}
    assert printed["metrics"].keys() == printed["intervals"].keys() == metrics
    assert printed["by"].keys() == {"length", "constructions"}
    assert printed["by"]["constructions"]["past"]["metrics"].keys() == metrics
    assert kept["metrics"] == printed["metrics"]
    assert kept["recipe"]["model"]["kind"] == "seq2seq"
    assert kept["training"]["seconds"] > 0
    validations = kept["training"]["validations"]
    assert validations[-1]["seconds"] <= kept["training"]["run"]["seconds"]
    assert max(each["bleu"] for each in validations) == kept["training"]["dev"]["bleu"]
    assert kept["training"]["versions"].keys() == kept["versions"].keys()
    assert kept["parameters"] == sum(p.numel() for p in regard.load(trained).module.parameters())
    assert len(texts.read_text(encoding="utf-8").splitlines()) == 200


def test_a_table_for_people(run: Run, trained: Path, table: Path) -> None:
    done = run("evaluate", trained, table, "--by", "from")
    assert done.returncode == 0, done.stderr
    assert "tok:13a" in done.stdout
    assert "aer" not in done.stdout  # no gold alignment there
    assert [
        line.split()[:2] for line in done.stdout.splitlines() if line[:4] in ("from", "a   ", "b   ")
    ] == [
        ["from", "rows"],
        ["a", "1"],
        ["b", "1"],
    ]
    assert "2 sentences, beam 4" in done.stderr
    assert "\x1b[" not in done.stdout  # no colour codes into a pipe
    short = run("evaluate", trained, table, "--metrics", "chrf", "--samples", "0", "--beam-size", "1", "-q")
    assert "to" not in short.stdout.splitlines()[1].split()  # no interval
    assert "bleu" not in short.stdout


def test_the_best_and_the_worst_are_shown(run: Run, trained: Path, table: Path) -> None:
    done = run("evaluate", trained, table, "--metrics", "chrf", "--samples", "0", "--show", "3", "-q")
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    best, worst = (lines[lines.index(f"{name}, by chrf") + 1 :][:4] for name in ("best", "worst"))
    assert [line.split()[0] for line in best[1:]] == ["source", "reference", "output"]
    assert {best[0], worst[0]} == {f"{table}:2", f"{table}:3"}  # each of the two rows once
    assert float(best[3].split()[1]) >= float(worst[3].split()[1])
    result = json.loads(run("evaluate", trained, table, "--show", "1", "--json").stdout)
    assert f"{result['best'][0]['chrf']:.2f}" == best[3].split()[1]
    assert result["worst"][0]["where"] == worst[0]


def test_a_table_on_stdin(run: Run, trained: Path, table: Path) -> None:
    given = json.loads(run("evaluate", trained, "-", "--json", text=TABLE).stdout)
    named = json.loads(run("evaluate", trained, table, "--json").stdout)
    assert given["metrics"] == named["metrics"]
    pipe = table.with_name("pipe")
    os.mkfifo(pipe)
    writer = threading.Thread(
        target=pipe.write_text, args=(TABLE,), kwargs={"encoding": "utf-8"}, daemon=True
    )
    writer.start()
    piped = run("evaluate", trained, pipe, "--json")  # as the shell gives it for <(command)
    assert json.loads(piped.stdout)["metrics"] == named["metrics"], piped.stderr
    writer.join()


def test_outputs_that_were_kept_can_be_scored_again(
    run: Run, trained: Path, table: Path, tmp_path: Path
) -> None:
    first = json.loads(run("evaluate", trained, table, "--json", "--outputs", tmp_path / "o.jsonl.gz").stdout)
    line = json.loads(gzip.decompress((tmp_path / "o.jsonl.gz").read_bytes()).splitlines()[0])
    assert line.keys() == {"where", "source", "reference", "output", "scores"}
    again = json.loads(run("evaluate", tmp_path / "o.jsonl.gz", table, "--json").stdout)
    assert again["metrics"] == first["metrics"]
    assert again["intervals"] == first["intervals"]
    assert "seconds" not in again


def test_parallel_files_and_other_names_of_columns(run: Run, trained: Path, tmp_path: Path) -> None:
    for name, text in (("a.ko", "저는 달을 봤어요.\n"), ("a.en", "I saw the moon.\n"), ("o", "I saw it.\n")):
        (tmp_path / name).write_text(text, encoding="utf-8")
    section = f"{{kind: parallel, source_path: {tmp_path / 'a.ko'}, target_path: {tmp_path / 'a.en'}}}"
    assert json.loads(run("evaluate", tmp_path / "o", section, "--json").stdout)["rows"] == 1
    other = tmp_path / "o.csv"
    other.write_text("korean,one,two\n저는 달을 봤어요.,I saw the moon.,I saw it.\n", encoding="utf-8")
    done = run("evaluate", trained, other, "--source", "korean", "--references", "one, two", "--json")
    assert "nrefs:2" in json.loads(done.stdout)["signature"]["ter"]


MISTAKES = [
    (["{model}", "x.doc"], "recipe: data.test: expected builtin:WORLD"),
    (["{model}", "x.tsv"], "x.tsv: no such file"),
    (["{model}", "{files}/empty.tsv"], "empty.tsv: expected a header row with the names of the columns"),
    (["{model}", "{files}/head.tsv"], "head.tsv: the corpus has no rows; there is nothing to evaluate on"),
    (["{model}", "{files}/de.tsv"], "no column is called 'ko'; valid: de, fr"),
    (["{model}", "{files}/good.tsv", "--by", "domain"], "no column is called 'domain'; valid: ko, en"),
    (["{model}", "{files}/good.tsv", "--references", "en,ref"], "no column is called 'ref'; valid: ko, en"),
    (
        ["{model}", "{files}/good.tsv", "--metrics", "blue"],
        "no metric is called 'blue'; did you mean 'bleu'?",
    ),
    (["{model}", "{files}/good.tsv", "--metrics", ","], "expected a metric or several of bleu, chrf, ter"),
    (["{model}", "{files}/good.tsv", "--samples", "-1"], "--samples"),
    (["{model}", "builtin:ko-en:tset"], "did you mean 'test'?"),
    (["{model}", "{{kind: builtin, rows: 5"], "data:1: not valid YAML"),
    (["{model}", "{files}"], "expected builtin:WORLD"),
    (["{model}", "-"], "<stdin>: expected a header row"),
    (["{model}", "--outputs", "{files}"], "expected the name of a file, found a folder"),
    (["{model}", "--out", "{files}/good.tsv/x.json"], "good.tsv is a file, expected a folder"),
    (["nowhere"], "nowhere: there is no such model folder, nor such a file of outputs"),
    (["{files}"], "expected a model folder"),
    (["{files}/good.tsv"], "outputs alone do not say which test set they are of; name it"),
    (["{files}/good.tsv", "{files}/good.tsv"], "expected one line for each row of"),
    (["{files}/good.tsv", "{files}/good.tsv", "--out", "x.json"], "--out keeps scores with their model"),
]


@pytest.mark.parametrize(("arguments", "message"), MISTAKES, ids=[" ".join(a) for a, _ in MISTAKES])
def test_a_mistake_is_one_clear_line(
    run: Run, trained: Path, tmp_path: Path, arguments: list[str], message: str
) -> None:
    files = {
        "empty.tsv": "",
        "head.tsv": "ko\ten\n",
        "de.tsv": "de\tfr\na\tb\n",
        "good.tsv": "ko\ten\n가\ta\n",
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    done = run("evaluate", *(argument.format(model=trained, files=tmp_path) for argument in arguments))
    assert done.returncode == 2
    assert done.stdout == ""
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(files)
