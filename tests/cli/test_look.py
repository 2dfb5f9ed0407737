"""regard look with edits, and step by step."""

import json
import re
from pathlib import Path

import pytest
from rich.cells import cell_len
from tests.conftest import Run

from regard.cli.look_options import models_and_texts
from regard.errors import RegardError
from regard.store.pointer import read_pointers

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
        {"edit": "remove", "words": ["봤어요"]},
        {"edit": "mask", "words": ["저는"], **told},
        {"edit": "mask", "words": [0, 1], **told},
        {"edit": "reweight", "words": ["달을"], "factor": 0.5, **told},
        {"edit": "mask_layer", "path": "attention"},
        {"edit": "mask_head", "path": "attention", "head": 0},
        {"edit": "force_row", "row": 1, "column": "0"},
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


@pytest.fixture
def second(trained: Path) -> Path:
    """Another model: the last checkpoint of the run."""
    return trained / read_pointers(trained).checkpoints[-1].folder


def test_several_models_for_one_sentence(run: Run, trained: Path, second: Path, tmp_path: Path) -> None:
    models = (trained, second)
    done = run("look", *models, SENTENCE, "--target", "I saw the moon.", "--out", tmp_path / "x.png")
    assert (done.returncode, done.stderr) == (0, f"wrote {tmp_path / 'x.png'}\n")
    assert (tmp_path / "x.png").read_bytes().startswith(b"\x89PNG")
    lines = done.stdout.splitlines()
    assert [lines.index(str(model)) for model in models] == [2, lines.index(str(second))]
    assert done.stdout.count("moon") == 4  # of each model the sentence, and a row
    done = run("look", *models, SENTENCE, "--json", "--out", tmp_path / "x.html")
    told = [json.loads(line) for line in done.stdout.splitlines()]
    assert [one["model"] for one in told] == [str(model) for model in models]
    for one, model in zip(told, models, strict=True):
        alone = json.loads(run("look", model, SENTENCE, "--json").stdout)
        assert one["attention"] == alone["attention"]
    page = (tmp_path / "x.html").read_text(encoding="utf-8")
    assert page.count('"name":') >= 2
    assert str(second) in page


def test_what_is_a_model_and_what_is_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("runs/a", "runs/b", "data"):
        Path(name).mkdir(parents=True)
    a, b = Path("runs/a"), Path("runs/b")
    for arguments, models, texts in (
        (["runs/a", "x"], [a], ["x"]),
        (["no/such", "x"], [Path("no/such")], ["x"]),  # refused when it is opened
        (["runs/a", "runs/b", "x", "y z"], [a, b], ["x", "y z"]),
        (["runs/a", "and/or"], [a], ["and/or"]),
        (["runs/a", "data "], [a], ["data "]),
        (["runs/a", "see runs/c", "y"], [a], ["see runs/c", "y"]),
        (["runs/a", ""], [a], [""]),
        (["runs/a", "x" * 100_000], [a], ["x" * 100_000]),
    ):
        assert models_and_texts(arguments) == (models, texts)
    for arguments, message in (
        (["runs/a"], "no sentence to read; say it after the model"),
        (["runs/a", "runs/b"], "runs/b: is a folder, so it counts as a model, and no sentence follows it"),
        (["runs/a", "runs/c"], "runs/c: no such model folder; to read it as text, add a space at its end"),
        (["runs/a", "run/b", "x"], "run/b: no such model folder"),
        (["runs/a", "x", "runs/b"], "runs/b: is a folder after a sentence; models come first"),
        (["runs/a", "x", "y", "z"], "expected one sentence, or two, after the models, found 3"),
    ):
        with pytest.raises(RegardError, match=re.escape(message)):
            models_and_texts(arguments)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--kind", "lines"], "several models are shown as heat maps; leave out --kind, or name one model"),
        (["--mask-word", "0"], "leave out edits"),
        (["--explain", "0"], "leave out --explain"),
        (["--over-training", "--out", "x.gif"], "leave out --over-training"),
        (["another sentence"], "takes one text, found 2; look at it by itself"),
    ],
)
def test_several_models_take_no_other_options(
    run: Run, trained: Path, second: Path, options: list[str], message: str
) -> None:
    done = run("look", trained, second, SENTENCE, *options)
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_a_map_in_a_narrow_terminal_is_cut_into_blocks(
    run: Run, trained: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    long = " ".join(["저는 달을 봤어요"] * 20)
    done = run("look", trained, long, "--target", "I saw the moon.")
    assert done.returncode == 0, done.stderr
    picture = done.stdout.split("\n\n", 1)[1]
    assert max(map(cell_len, picture.splitlines())) <= 80
    assert picture.count("moon") == picture.count("saw") >= 4  # a label for each block
