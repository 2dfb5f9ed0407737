"""`regard complete`, and the other commands on a language model, as a user types them."""

import json
from pathlib import Path

import pytest
from tests.conftest import Run

TEXT = "그 학생이 책을 읽었다."
BEGUN = "그 학생이"


def test_lines_are_gone_on_with_one_by_one(run: Run, language_run: Path) -> None:
    done = run("complete", language_run, text=f"{BEGUN}\n\n")
    assert done.returncode == 0, done.stderr
    first, second = done.stdout.splitlines()
    assert first.startswith(BEGUN)
    assert second
    assert run("complete", language_run, BEGUN).stdout == first + "\n"
    drawn = [
        run("complete", language_run, BEGUN, "--sample", "--top-k", "40", "--seed", seed).stdout
        for seed in ("1", "1", "2")
    ]
    assert drawn[0] == drawn[1] != drawn[2]


def test_json_lines_have_all_texts_and_attention_when_asked(run: Run, language_run: Path) -> None:
    options = [BEGUN, "--json", "--n-best", "2", "--must", "책을"]
    values = json.loads(run("complete", language_run, *options).stdout)
    assert values["source"] == BEGUN
    assert "책을" in values["text"]
    assert len(values["alternatives"]) == 1
    assert "attention" not in values
    looked = json.loads(run("complete", language_run, *options, "--attention").stdout)
    assert looked["attention"]["words"]["columns"][:2] == ["<s>", "그"]


def test_texts_are_scored(run: Run, language_run: Path, tmp_path: Path) -> None:
    done = run("score", language_run, text=f"{TEXT}\n")
    total, average, text = done.stdout.rstrip("\n").split("\t")
    assert (float(total) < float(average) < 0, text) == (True, TEXT)
    path = tmp_path / "t.txt"
    path.write_text(TEXT, encoding="utf-8")
    values = json.loads(run("score", language_run, path, "--json").stdout)
    assert values["tokens"][-1] == "</s>"
    assert sum(values["log_probabilities"]) == pytest.approx(float(total), abs=1e-3)
    table = tmp_path / "t.tsv"
    table.write_text(f"en\tko\nx\t{TEXT}\n", encoding="utf-8")
    assert run("score", language_run, table).stdout == done.stdout, "the recipe names the column"


def test_look_shows_who_looked_back_and_what_an_edit_changes(
    run: Run, language_run: Path, tmp_path: Path
) -> None:
    done = run("look", language_run, TEXT)
    assert done.returncode == 0, done.stderr
    for shown in ("<s>", "학생이", "log-probability -", "per word"):
        assert shown in done.stdout
    edited = run("look", language_run, TEXT, "--mask-word", "학생이", "--out", tmp_path / "x.png")
    assert "KL(before ‖ after)" in edited.stdout, edited.stderr
    assert run("look", language_run, TEXT, "--out", tmp_path / "x.html").returncode == 0
    path = "reader.layers.1.self"
    told = run("look", language_run, TEXT, "--explain", "3=<s>", "--path", path, "--head", "1")
    assert f"of {path}, head 1 (decoder-self)" in told.stdout, told.stderr


def test_perplexity_is_measured_and_compared(run: Run, language_run: Path, tmp_path: Path) -> None:
    out = tmp_path / "logs.txt"
    done = run("evaluate", language_run, "--samples", "20", "--outputs", out, "--out", tmp_path / "r.json")
    assert done.returncode == 0, done.stderr
    for shown in ("perplexity", "per:word|words:spaces|end:counted", "words with ends"):
        assert shown in done.stdout
    assert json.loads((tmp_path / "r.json").read_text(encoding="utf-8"))["task"] == "language-model"
    again = run("compare", language_run, out, "--samples", "20", "--json")
    assert again.returncode == 0, again.stderr
    gap = json.loads(again.stdout)["systems"][1]["differences"]["perplexity"]["value"]
    assert gap == pytest.approx(0, abs=0.01)


@pytest.mark.parametrize(
    ("command", "message"),
    [
        (["translate", "{}"], "is a model for language-model, and one for translation is needed here"),
        (["look", "{}", TEXT, "--target", "x"], "is a model for language-model; --target is for transl"),
        (["look", "{}", TEXT, "--remove-word", "책을"], "a language model reads no more than its own text"),
        (["complete", "{}", "--n-best", "2"], "--n-best and --attention are shown with --json"),
        (["complete", "{}", "--text", "그"], "no such option: --text"),
        (["complete", "{}", "--top-k", "3"], "--top-k is only used when sampling"),
        (["score", "{}", "--ensemble", "{}"], "only translators work as an ensemble"),
        (["evaluate", "{}", "--label", "x"], "label is not for language-model"),
    ],
)
def test_what_does_not_fit_is_one_line(
    run: Run, language_run: Path, command: list[str], message: str
) -> None:
    done = run(*(part.replace("{}", str(language_run)) for part in command), text="x\n")
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr
    assert done.stderr.count("\n") == 1
