"""`regard tag`, and the other commands on a tagger, as a user types them."""

import json
from pathlib import Path

import pytest
from tests.conftest import Run

TEXT = "그 학생이 책을 읽었다 ."


def test_words_and_tags_come_line_by_line(run: Run, parts_of_speech: Path) -> None:
    done = run("tag", parts_of_speech, text=f"{TEXT}\n\n책을\n")
    assert done.returncode == 0, done.stderr
    first, rest = done.stdout.split("\n\n", 1)
    assert [line.split("\t")[0] for line in first.splitlines()] == TEXT.split()
    assert all(len(line.split("\t")) == 2 for line in first.splitlines())
    assert (rest.startswith("\n책을\t"), rest.endswith("\n\n")) == (True, True)


def test_json_lines_have_probabilities_and_attention_when_asked(
    run: Run, parts_of_speech: Path, tmp_path: Path
) -> None:
    path = tmp_path / "texts.txt"
    path.write_text(f"{TEXT}\n\n", encoding="utf-8")
    plain, empty = map(json.loads, run("tag", parts_of_speech, path, "--json").stdout.splitlines())
    assert plain.keys() == {"source", "words", "tags", "probabilities"}
    assert plain["words"] == TEXT.split()
    assert (empty["words"], empty["tags"]) == ([], [])
    done = run("tag", parts_of_speech, path, "--json", "--attention")
    looked, nothing = map(json.loads, done.stdout.splitlines())
    assert looked["attention"]["words"]["rows"] == TEXT.split()
    assert nothing["attention"] == {"reason": "the sentence has no words"}
    assert run("tag", parts_of_speech, "--attention").stderr.startswith("regard: --attention is shown with")


def test_words_can_be_given_as_json(run: Run, parts_of_speech: Path, tmp_path: Path) -> None:
    path = tmp_path / "words.jsonl"
    path.write_text('["1 000", "책을"]\n{"words": ["책을"]}\n', encoding="utf-8")
    from_file = run("tag", parts_of_speech, path)
    assert [line.split("\t")[0] for line in from_file.stdout.splitlines()] == [
        "1 000",
        "책을",
        "",
        "책을",
        "",
    ]
    assert run("tag", parts_of_speech, "--words", text=path.read_text("utf-8")).stdout == from_file.stdout
    done = run("tag", parts_of_speech, "--words", text='["책을"]\n["책을", 3]\n')
    assert (done.returncode, done.stdout.count("\t")) == (2, 1)
    assert (
        done.stderr
        == 'regard: <stdin>:2: expected a list of words, or one under "words", found ["책을", 3]\n'
    )


def test_look_shows_words_over_words(run: Run, parts_of_speech: Path, tmp_path: Path) -> None:
    done = run("look", parts_of_speech, TEXT)
    assert done.returncode == 0, done.stderr
    assert "학생이/" in done.stdout
    values = json.loads(run("look", parts_of_speech, TEXT, "--json").stdout)
    assert values["attention"]["rows"] == values["attention"]["columns"] == TEXT.split()
    for name, more in (("look.png", []), ("look.html", []), ("edit.svg", ["--mask-word", "책을"])):
        done = run("look", parts_of_speech, TEXT, "--out", tmp_path / name, *more)
        assert done.returncode == 0, done.stderr
        assert (tmp_path / name).stat().st_size > 1000
    done = run("look", parts_of_speech, TEXT, "--mask-head", "attention.self:1", "--force-row", "0=책을")
    assert "mask attention.self, head 1" in done.stdout
    assert "KL" in done.stdout


def test_what_was_tagged_can_be_measured_and_compared(
    run: Run, parts_of_speech: Path, tmp_path: Path
) -> None:
    corpus = "{kind: builtin, world: tags, rows: 30}"
    out = tmp_path / "result.json"
    done = run("evaluate", parts_of_speech, corpus, "--samples", "20", "--out", out)
    assert done.returncode == 0, done.stderr
    for shown in ("accuracy", "unknown_accuracy", "macro_f1", "precision", "gold \\ predicted"):
        assert shown in done.stdout
    record = json.loads(out.read_text(encoding="utf-8"))
    assert record["recipe"]["task"] == record["task"] == "tagging"
    written = run("data", "write", "builtin:tags:test", "--rows", "30", "--out", tmp_path / "w.jsonl")
    assert written.returncode == 0, written.stderr
    (tmp_path / "o.conll").write_text(run("tag", parts_of_speech, tmp_path / "w.jsonl").stdout, "utf-8")
    again = run(
        "compare", parts_of_speech, tmp_path / "o.conll", "--data", corpus, "--samples", "20", "--json"
    )
    assert again.returncode == 0, again.stderr
    assert json.loads(again.stdout)["systems"][1]["differences"]["accuracy"]["value"] == 0.0


def test_files_of_ones_own_are_trained_on(run: Run, tmp_path: Path) -> None:
    for split in ("train", "dev"):
        (tmp_path / f"{split}.conll").write_text("책을\tN\n읽었다\tV\n\n책이\tN\n\n" * 4, encoding="utf-8")
    options = ["--data", tmp_path, "--set", "training.epochs=1"]
    dry = run("train", "tagger-softmax", *options, "--dry-run")
    assert "8 training sentences, 8 dev sentences; a vocabulary of 7, " in dry.stdout, dry.stderr
    done = run("train", "tagger-softmax", *options, "--out", tmp_path / "r", "-q")
    assert done.returncode == 0, done.stderr
    look = run("look", tmp_path / "r", "책을 읽었다")
    assert "nothing to show: this model has no attention" in look.stderr
    assert look.stdout.splitlines()[1].startswith("책을/")
    assert run("runs", tmp_path / "r").returncode == 0


@pytest.mark.parametrize(
    ("command", "message"),
    [
        (["translate", "{}"], "is a model for tagging, and one for translation is needed here"),
        (["classify", "{}"], "is a model for tagging, and one for classification is needed here"),
        (["look", "{}", TEXT, "--target", "x"], "is a model for tagging; --target is for translators"),
        (["look", "{}", TEXT, "--force-row", "9=책을"], "the sentence has the rows 0 to 4, found row 9"),
        (["evaluate", "{}", "--metrics", "bleu"], "no metric is called 'bleu'"),
        (["evaluate", "{}", "--metrics", "span_f1"], "span_f1 needs tags such as B-X, I-X and O"),
    ],
)
def test_what_does_not_fit_is_one_line(
    run: Run, parts_of_speech: Path, command: list[str], message: str
) -> None:
    done = run(*(part.replace("{}", str(parts_of_speech)) for part in command), text="x\n")
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr
    assert [line for line in done.stderr.splitlines() if line.startswith("regard:")] == [
        done.stderr.splitlines()[-1]
    ]
