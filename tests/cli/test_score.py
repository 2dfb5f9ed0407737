"""regard score and the options of the search, as a user types them."""

import json
import os
import threading
from pathlib import Path

import pytest
from tests.conftest import Run

import regard
from regard.cli.search_options import SETTINGS
from regard.config.decoding import DecodingConfig

SOURCE = "저는 달을 봤어요."
PAIRS = f"{SOURCE}\tI saw the moon.\n{SOURCE}\tI saw the sun.\n저는 왔어요.\tI came.\n"


def test_pairs_from_stdin_keep_their_order(run: Run, trained: Path) -> None:
    done = run("score", trained, text=PAIRS)
    assert done.returncode == 0, done.stderr
    rows = [line.split("\t") for line in done.stdout.splitlines()]
    assert [f"{source}\t{target}" for *_, source, target in rows] == PAIRS.splitlines()
    expected = regard.load(trained).score([(source, target) for *_, source, target in rows])
    for (total, average, *_), score in zip(rows, expected, strict=True):
        assert float(total) == pytest.approx(score.log_probability, abs=1e-3)
        assert float(average) == pytest.approx(score.average, abs=1e-3)


def test_json_has_every_token(run: Run, trained: Path) -> None:
    first = json.loads(run("score", trained, "-", "--json", text=PAIRS).stdout.splitlines()[0])
    assert first["tokens"][-1] == "</s>"
    assert sum(first["log_probabilities"]) == pytest.approx(first["log_probability"])
    assert first["average"] == pytest.approx(first["log_probability"] / len(first["tokens"]))


def test_a_corpus_in_any_form(run: Run, trained: Path, tmp_path: Path) -> None:
    table = tmp_path / "pairs.csv"
    table.write_text(f'en,ko\n"I came, and saw.",{SOURCE}\n', encoding="utf-8")
    done = run("score", trained, table)
    assert done.stdout.endswith(f"\t{SOURCE}\tI came, and saw.\n"), done.stderr
    world = run("score", trained, "builtin:ko-en:test", "--ensemble", trained)
    assert len(world.stdout.splitlines()) == 1000


def test_a_pipe_is_read_like_stdin(run: Run, trained: Path, tmp_path: Path) -> None:
    """As the shell gives it for <(command): a name without an ending, to be read once."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(
        target=pipe.write_text, args=(PAIRS,), kwargs={"encoding": "utf-8"}, daemon=True
    )
    writer.start()
    done = run("score", trained, pipe)
    assert (done.returncode, done.stdout) == (0, run("score", trained, text=PAIRS).stdout), done.stderr
    writer.join()


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("a\tb\nc\n", "<stdin>:2: expected a source and a target with a tab between them, found 1 column"),
        ("a\tb\n \tc\n", "<stdin>:2: both the sentence and its translation need words"),
        ("a\tb\tc\n", "<stdin>:1: expected a source and a target with a tab between them, found 3 columns"),
    ],
)
def test_a_bad_line_is_named(run: Run, trained: Path, text: str, problem: str) -> None:
    done = run("score", trained, text=text)
    assert done.returncode == 2
    assert done.stderr.startswith(f"regard: {problem}")
    assert len(done.stderr.splitlines()) == 1


def test_every_setting_of_the_search_has_an_option() -> None:
    assert set(SETTINGS) == set(DecodingConfig.model_fields)


def test_translate_obeys_its_options(run: Run, trained: Path, tmp_path: Path) -> None:
    terms = tmp_path / "terms.tsv"
    terms.write_text("달\tsatellite\n", encoding="utf-8")
    wishes = ["--prefix", "My", "--must", "because", "--must", "school", "--must-not", "the"]
    done = run("translate", trained, *wishes, "--glossary", terms, text=f"{SOURCE}\n")
    assert done.returncode == 0, done.stderr
    words = done.stdout.replace(".", " ").replace(",", " ").split()
    assert words[0] == "My"
    assert {"because", "school", "satellite"} <= set(words)
    assert "the" not in words


def test_samples_do_not_depend_on_how_a_text_is_read(run: Run, trained: Path, tmp_path: Path) -> None:
    """600 lines are two portions; the last ones alone, with an empty text before them, are the same."""
    lines = [SOURCE] * 600
    whole = run("translate", trained, "--sample", "--seed", "5", text="\n".join(lines) + "\n")
    lines_out = whole.stdout.split("\n")
    assert len(lines_out) == 601
    assert len(set(lines_out)) > 20, "the place in the text decides"
    blank = [""] * 590 + lines[590:]
    part = run("translate", trained, "--sample", "--seed", "5", text="\n".join(blank) + "\n")
    assert part.stdout.split("\n")[590:] == lines_out[590:]


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        (["--sample", "--beam-size", "3"], "--beam-size and --sample exclude each other; choose one"),
        (["--top-p", "0.5"], "--top-p is only used when sampling; set --sample to true"),
        (["--beam-size", "0"], "--beam-size: expected 1 or more, found 0"),
        (["--must", "moon", "--sample"], "sampling cannot guarantee words that must appear"),
        (["--glossary", "no-such-file"], "no-such-file"),
    ],
)
def test_a_mistake_is_one_line(run: Run, trained: Path, options: list[str], problem: str) -> None:
    done = run("translate", trained, *options, text=f"{SOURCE}\n")
    assert done.returncode == 2
    assert problem in done.stderr
    assert len(done.stderr.splitlines()) == 1
