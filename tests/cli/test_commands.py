"""Real command lines, as a user types them; and as a careless user does."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from tests.conftest import SMALL_SETTINGS, Run

from regard.api.training import is_trained
from regard.config.load import load_recipe
from regard.errors import StoreError

SENTENCE = "저는 달을 봤어요."


def test_help_and_version(run: Run) -> None:
    top = run("--help")
    assert top.returncode == 0
    for command in ("demo", "recipes", "train", "translate", "evaluate", "compare", "look"):
        assert command in top.stdout
        assert "Example" in run(command, "--help").stdout
    assert run("--version").stdout.startswith("regard 0.")


def test_recipes(run: Run, tmp_path: Path) -> None:
    """The list says what each is for; a printed one says what its settings mean, and is still that recipe."""
    listed = {tuple(line.split()[:2]) for line in run("recipes").stdout.splitlines()}
    assert listed >= {("bahdanau", "translation"), ("bert-span", "question-answering")}
    printed = run("recipes", "bahdanau").stdout
    assert "  embedding_size: 256                 # Width of a word vector\n" in printed
    (tmp_path / "mine.yaml").write_text(printed, encoding="utf-8")
    assert load_recipe(str(tmp_path / "mine.yaml")) == load_recipe("bahdanau")
    assert json.loads(run("recipes", "--schema").stdout)["title"] == "Recipe"


def test_translate_from_stdin_keeps_order_and_empty_lines(run: Run, trained: Path) -> None:
    done = run("translate", trained, text=f"{SENTENCE}\n\n{SENTENCE}\n")
    first, second, third = done.stdout.splitlines()
    assert (done.returncode, second) == (0, "")
    assert first == third
    assert first.endswith(".")


def test_translate_a_file_to_json_with_attention(run: Run, trained: Path, tmp_path: Path) -> None:
    path = tmp_path / "in.txt"
    path.write_text(SENTENCE + "\n", encoding="utf-8")
    done = run("translate", trained, path, "--json", "--attention", "--n-best", "2")
    (line,) = done.stdout.splitlines()
    result = json.loads(line)
    assert result["source"] == SENTENCE
    assert len(result["alternatives"]) == 1
    words = result["attention"]["words"]
    assert words["columns"] == ["저는", "달을", "봤어요", ".", "</s>"]
    assert all(abs(sum(row) - 1) < 1e-4 for row in words["weights"])
    assert "attention" not in json.loads(run("translate", trained, path, "--json").stdout)


def test_look_draws_in_the_terminal_and_as_a_picture(run: Run, trained: Path, tmp_path: Path) -> None:
    done = run("look", trained, SENTENCE, "--out", tmp_path / "x.svg")
    assert done.returncode == 0, done.stderr
    assert SENTENCE in done.stdout
    assert all(word in done.stdout for word in ("저는", "달을", "봤어요", "</s>"))
    assert "\x1b[" not in done.stdout  # no colour codes into a pipe
    long = run("look", trained, " ".join([SENTENCE] * 12))
    (header,) = (line for line in long.stdout.splitlines() if "</s>" in line and "저는" in line)
    assert header.count("저는") == 12  # and no panels: a pipe has no edge
    assert (tmp_path / "x.svg").stat().st_size > 1000
    forced = run("look", trained, SENTENCE, "--target", "The cat sleeps.", "--tokens")
    assert "The cat sleeps." in forced.stdout
    assert "▁" in forced.stdout


def scores_of_the_demo(told: str) -> tuple[float, float]:
    """BLEU and the alignment error rate."""
    return (
        float(told.split("BLEU")[1].split()[0]),
        float(told.split("alignment error rate")[1].split()[0]),
    )


def test_demo_from_nothing_and_again(run: Run, trained: Path) -> None:
    """`trained` is a demo with small settings: from nothing there, from its own folder here."""
    done = run("demo", "--out", trained, *SMALL_SETTINGS)
    assert done.returncode == 0, done.stderr
    assert f"using the model in {trained}" in done.stderr
    bleu, error = scores_of_the_demo(done.stdout)
    assert bleu > 40
    assert error < 0.4
    for number in (1, 2, 3):
        for ending in ("png", "svg"):
            assert (trained / f"attention-{number}.{ending}").is_file()
    offered = done.stdout.partition("Three things to try:")[2].split("  regard ")
    assert [line.split()[0] for line in offered[1:]] == ["look", "look", "new"]
    other = run("demo", "--out", trained)
    assert other.returncode == 2
    assert "holds a run of another recipe" in other.stderr


def test_a_recipe_in_other_words_is_the_same_recipe(trained: Path) -> None:
    recipe = load_recipe(str(trained / "recipe.yaml"))
    assert is_trained(trained, recipe.model_copy(update={"description": "what the next version says of it"}))
    changed = recipe.model_copy(update={"training": recipe.training.model_copy(update={"seed": 7})})
    with pytest.raises(StoreError, match=r"another recipe \(training.seed is \d there, 7 here\)"):
        is_trained(trained, changed)


@pytest.mark.long("test_demo_from_nothing_and_again")
def test_the_demo_keeps_its_promise(tmp_path: Path) -> None:
    """The demo as a new user runs it: nearly always right, and looking at the right words."""
    command = [sys.executable, "-m", "regard", "demo", "--out", str(tmp_path / "demo"), "--quiet"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    bleu, error = scores_of_the_demo(done.stdout)
    assert bleu > 90
    assert error < 0.25


def test_a_demo_that_was_interrupted_goes_on(run: Run, tmp_path: Path) -> None:
    """A log without its last line is what an interruption leaves."""
    out = tmp_path / "r"
    few = ("data.train.rows=300", "data.dev.rows=20", "data.test.rows=20", "training.epochs=1")
    tiny = [*SMALL_SETTINGS, *(a for s in few for a in ("--set", s))]
    run("train", "demo", "--out", out, *tiny)
    lines = (out / "log.jsonl").read_text().splitlines()
    (out / "log.jsonl").write_text("".join(f"{line}\n" for line in lines[:-1]))
    again = run("demo", "--out", out, *tiny)
    assert "resuming after step" in again.stderr
    assert again.returncode == 0


def test_data_without_a_test_set_is_not_scored_on_another(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "no: #1"
    folder.mkdir()
    for name in ("train", "val"):
        (folder / f"{name}.tsv").write_text("no\ten\n" + "hei der\thello there\n" * 30)
    tiny = [a for s in ("training.epochs=1", "text.vocabulary_size=300") for a in ("--set", s)]
    names = ["--source", "no", "--target", "en"]
    done = run("train", "bahdanau", "--data", folder, *names, "--out", tmp_path / "r", *tiny)
    assert done.returncode == 0, done.stderr
    unscored = run("evaluate", tmp_path / "r")
    assert (unscored.returncode, "names no data.test" in unscored.stderr) == (2, True)
    assert run("evaluate", tmp_path / "r", folder / "val.tsv").returncode == 0


MISTAKES = [
    (["translate", "nowhere"], "regard: nowhere: no such folder"),
    (["translate", "{empty}"], "expected a model folder"),
    (["translate", "{model}", "missing.txt"], "regard: missing.txt: no such file"),
    (["translate", "{model}", "{empty}"], "expected a file, found a folder"),
    (["translate", "{model}", "--beam-size", "0"], "--beam-size: expected 1 or more"),
    (
        ["translate", "{model}", "--json", "--n-best", "9", "--beam-size", "2"],
        "must be from 1 to the beam size 2",
    ),
    (["translate", "{model}", "--device", "tpu"], "device: expected cpu or cuda, found 'tpu'"),
    (["train", "bahdnau", "--out", "{empty}/x"], "did you mean 'bahdanau'?"),
    (["train", "bahdanau"], "--out"),
    (["train", "demo", "--out", "{empty}/x", "--set", "model.heads=8"], "model.heads: unknown setting"),
    (["train", "demo", "--out", "{model}"], "holds a run of another recipe (data.train.rows is 16000 there"),
    (["train", "demo", "--out", "{file}/x"], "file is a file, expected a folder"),
    (["train", "demo", "--out", "{empty}/x", "--set", "data.train=none.tsv"], "none.tsv: no such file"),
    (["train", "demo", "--out", "{empty}/x", "--source", "de"], "no column is called 'de'; valid: ko, en"),
    (["train", "demo", "--out", "{empty}/x", "--data", "{empty}"], "has no train.tsv"),
    (
        ["train", "demo", "--out", "{empty}/x", "--data", "nowhere"],
        "expected a folder with train and dev files such as train.tsv",
    ),
    (["look", "{model}", "가", "--out", "x.bmp"], "a picture ends in"),
    (["look", "{model}", "가", "--target", " "], "both the sentence and its translation need words"),
    (["recipes", "x" * 300], "File name too long"),
    (["train", "{empty}", "--out", "{empty}/x"], "expected a recipe file, found a folder"),
    (["recipes", "bahdnau"], "did you mean 'bahdanau'?"),
    (["fly"], "no such command"),
]


@pytest.mark.parametrize(("arguments", "message"), MISTAKES, ids=[" ".join(a) for a, _ in MISTAKES])
def test_a_mistake_is_one_clear_line_and_exit_code_2(
    run: Run, trained: Path, tmp_path: Path, arguments: list[str], message: str
) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "file").write_text("x")
    places = {"model": trained, "empty": tmp_path / "empty", "file": tmp_path / "file"}
    done = run(*(argument.format(**places) for argument in arguments))
    assert done.returncode == 2
    assert done.stdout == ""
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["empty", "file"], "nothing is left behind"


def test_broken_bytes_on_stdin_are_named(run: Run, trained: Path) -> None:
    done = run("translate", trained, text="가\n".encode() + "나는 간다".encode("cp949"))
    assert done.returncode == 2
    assert "<stdin>:2: not UTF-8 at byte 1 of the line" in done.stderr


def test_a_line_that_is_too_long_is_named(run: Run, trained: Path) -> None:
    done = run("translate", trained, text="가\n" + "나 " * 2000 + "\n")
    assert done.returncode == 2
    assert "<stdin>:2: expected at most 1,024 tokens, found" in done.stderr


def test_arguments_that_are_not_utf8(run: Run, trained: Path) -> None:
    odd = os.fsdecode(b"\xff")  # as Python hands such bytes over
    for arguments in (["look", trained, odd], ["translate", f"no{odd}"]):
        done = run(*arguments)
        assert done.returncode == 2
        assert "Traceback" not in done.stderr


@pytest.mark.long("cli/test_translate.py::test_head_closing_the_pipe_is_no_error")
def test_a_reader_that_leaves_early_is_no_error(trained: Path) -> None:
    command = f"yes '{SENTENCE}' | head -n 3000 | {sys.executable} -m regard translate {trained} | head -n 1"
    done = subprocess.run(["bash", "-o", "pipefail", "-c", command], capture_output=True, check=False)
    assert done.stderr == b""
    assert len(done.stdout.splitlines()) == 1


def interrupt_demo(out: Path) -> tuple[int, str]:
    """Start the demo, and send it Ctrl-C as soon as it trains."""
    command = [sys.executable, "-m", "regard", "demo", "--out", str(out), "--set", "data.train.rows=4000"]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stderr is not None
    for line in process.stderr:
        if "training pairs" in line:
            break
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=120)
    return process.returncode, errors


def test_interrupted_training_ends_quietly(tmp_path: Path) -> None:
    code, errors = interrupt_demo(tmp_path / "r")
    assert code == 130
    assert "Traceback" not in errors
