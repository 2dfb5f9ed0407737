"""`regard fill`, and the other commands on a masked language model, as a user types them."""

import json
from pathlib import Path

import pytest
from tests.conftest import Run
from tests.training.test_masked_language_model import TINY

import regard

TEXT = "나는 [MASK]에 갔다."


@pytest.fixture(scope="module")
def bert(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("fill") / "bert"
    regard.train("bert-tiny", out=out, set_=[*TINY, "training.epochs=1"], quiet=True)
    return out


def test_a_text_gives_a_table_with_the_attention_behind_it(run: Run, bert: Path) -> None:
    done = run("fill", bert, TEXT, "--n-best", "3")
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[0] == TEXT
    assert sum("%  " in line for line in lines) == 3
    assert lines[-1].startswith("attended to ")
    values = json.loads(run("fill", bert, "[MASK] 책을 [MASK].", "--json").stdout)
    assert [len(one["words"]) for one in values["hidden"]] == [5, 5]
    assert sum(word["weight"] for word in values["hidden"][0]["looked_at"]) == pytest.approx(1, abs=1e-4)


def test_lines_stream(run: Run, bert: Path, tmp_path: Path) -> None:
    done = run("fill", bert, text=f"{TEXT}\n\n[MASK] [MASK]\n")
    first, second, third = done.stdout.splitlines()
    assert (len(first.split("\t")), second, len(third.split("\t"))) == (2, "", 3)
    path = tmp_path / "texts.txt"
    path.write_text(f"{TEXT}\n나는 갔다.\n", encoding="utf-8")
    done = run("fill", bert, path, "--json")
    assert done.returncode == 2
    assert done.stderr.endswith(
        "texts.txt:2: expected a text with [MASK] in it, found '나는 갔다.'; "
        "write [MASK] where a word is to be filled in\n"
    )
    done = run("fill", bert, "나는 갔다.")
    assert "expected a text with [MASK] in it, found '나는" in done.stderr


def test_look_and_edits(run: Run, bert: Path, tmp_path: Path) -> None:
    done = run("look", bert, TEXT)
    assert done.returncode == 0, done.stderr
    assert "[MASK]" in done.stdout
    done = run("look", bert, TEXT, "--mask-word", "나는", "--mask-head", "encoder.1.self:0")
    assert "KL(before ‖ after)" in done.stdout, done.stderr
    for name in ("look.html", "look.png"):
        done = run("look", bert, TEXT, "--out", tmp_path / name)
        assert done.returncode == 0, done.stderr
    assert run("look", bert, TEXT, "--explain", "0").returncode == 2


def test_a_long_text_without_a_hidden_word_is_told_as_such(run: Run, bert: Path) -> None:
    done = run("fill", bert, "나는 학교에 간다. " * 50)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "expected a text with [MASK] in it, found '나는" in done.stderr


def test_a_model_of_another_task_is_refused(run: Run, opinions: Path) -> None:
    done = run("fill", opinions, TEXT)
    assert done.returncode == 2
    assert "is a model for classification, and one for masked-language-model is needed here" in done.stderr


def test_evaluate(run: Run, bert: Path) -> None:
    corpus = "{kind: builtin, world: ko-en, rows: 20}"
    done = run("evaluate", bert, corpus, "--samples", "10")
    assert done.returncode == 0, done.stderr
    assert "accuracy" in done.stdout
    assert "perplexity" in done.stdout
