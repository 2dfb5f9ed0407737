"""regard look with edits, and step by step."""

import json
from pathlib import Path

import pytest
from tests.conftest import Run

SENTENCE = "저는 달을 봤어요."


def test_an_edit_shows_both_outputs_and_says_what_was_meant(run: Run, trained: Path) -> None:
    done = run("look", trained, SENTENCE, "--mask-word", "달")
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[:2] == [SENTENCE, "edit    mask '달' in attention over the source, rows renormalised"]
    assert [line.split()[0] for line in lines[2:4]] == ["before", "after"]
    assert "'달' is not a word of the sentence; taken for the beginning of 달을" in done.stderr


def test_every_option_reaches_its_edit(run: Run, trained: Path) -> None:
    words = ("--mask-word", "저는", "--reweight", "달을=0.5", "--remove-word", "봤어요")
    parts = ("--mask-window", "0-1", "--mask-head", "attention:0", "--mask-layer", "attention")
    how = ("--force-row", "1=0", "--everywhere", "--no-renormalise", "--json", "-q")
    options = ("--target", "I saw the moon.", *words, *parts, *how)
    done = run("look", trained, SENTENCE, *options)
    assert (done.returncode, done.stderr) == (0, "")
    values = json.loads(done.stdout)
    told = {"where": "all", "renormalise": False}
    assert values["edits"] == [
        {"edit": "Remove", "words": ["봤어요"]},
        {"edit": "Reweight", "words": ["저는"], "factor": 0.0, **told},
        {"edit": "Reweight", "words": [0, 1], "factor": 0.0, **told},
        {"edit": "Reweight", "words": ["달을"], "factor": 0.5, **told},
        {"edit": "MaskHead", "path": "attention", "head": None},
        {"edit": "MaskHead", "path": "attention", "head": 0},
        {"edit": "ForceRow", "row": 1, "column": "0", "path": None},
    ]
    assert values["attention"]["weights"][1] == [1.0, 0.0, 0.0, 0.0, 0.0]
    begun = run("look", trained, SENTENCE, "--force-prefix", "You saw", "--json")
    assert json.loads(begun.stdout)["after"]["text"].startswith("You saw")


def test_a_row_step_by_step(run: Run, trained: Path) -> None:
    done = run("look", trained, SENTENCE, "--target", "I saw the moon.", "--explain", "0=달을")
    assert done.returncode == 0, done.stderr
    assert "e_j = v · tanh(W s + U h_j)" in done.stdout
    values = json.loads(run("look", trained, SENTENCE, "--explain", "0", "--json").stdout)
    assert values["weights"] == pytest.approx(values["model"], abs=1e-5)


MISTAKES = [
    (
        ["--mask-word", "해"],
        "'해' is not in the sentence; its words are 0 저는, 1 달을, 2 봤어요, 3 ., 4 </s>",
    ),
    (["--mask-word", "9"], "'9' is not in the sentence"),
    (["--mask-word", "9" * 5000], "is not in the sentence"),
    (["--mask-window", "0-999999999"], "a window is a first and a last word"),
    (["--mask-window", "0-" + "9" * 5000], "--mask-window: expected a number from 0, found '999"),
    (["--explain", "9" * 5000], "is not in the rows"),
    (["--mask-head", "attention"], "--mask-head: expected PATH:HEAD, found 'attention'"),
    (["--mask-head", "attention:x"], "--mask-head: expected a number from 0, found 'x'"),
    (["--mask-head", "attention:4"], "attention has the heads 0 to 0, found head 4"),
    (
        ["--mask-layer", "atention"],
        "no attention of this model is called 'atention'; did you mean",
    ),
    (["--reweight", "달을"], "--reweight: expected WORD=FACTOR, found '달을'"),
    (["--reweight", "달을=x"], "--reweight: expected a number after '=', found 'x'"),
    (["--reweight", "달을=-1"], "a weight is multiplied by 0 or more, found -1.0"),
    (["--reweight", "달을=inf"], "a weight is multiplied by 0 or more, found inf"),
    (["--mask-window", "3"], "--mask-window: expected FIRST-LAST, found '3'"),
    (["--mask-window", "3-1"], "a window is a first and a last word, counted from 0, found 3 and 1"),
    (["--force-row", "x=0"], "--force-row: expected a number from 0, found 'x'"),
    (["--remove-word", "</s>"], "</s> ends every sentence and cannot be removed"),
    (["--explain", "99"], "row 99 is not there; the rows are 0 "),
    (["--explain", "0", "--mask-word", "0"], "leave out edits and --out"),
    (["--head", "1"], "--path and --head belong to --explain"),
]


@pytest.mark.parametrize(("arguments", "message"), MISTAKES, ids=[" ".join(a)[:30] for a, _ in MISTAKES])
def test_a_mistake_is_one_clear_line(run: Run, trained: Path, arguments: list[str], message: str) -> None:
    done = run("look", trained, SENTENCE, *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr
    assert len(done.stderr.splitlines()) == 1
