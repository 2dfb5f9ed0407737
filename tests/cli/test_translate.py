"""regard translate: streams, texts with more in them than sentences, and every option of the search."""

import gzip
import json
import subprocess
import sys
from pathlib import Path

import pytest
from tests.conftest import Run
from tests.examples import cells

SENTENCE = "저는 달을 봤어요."
OTHER = "그는 책을 읽었어요."


def test_paragraphs_tags_and_placeholders(run: Run, trained: Path) -> None:
    done = run(
        "translate", trained, "--split", "--json", text=f"<p>{SENTENCE} {OTHER}</p>\n{{0}}을 봤어요.\n"
    )
    assert done.returncode == 0, done.stderr
    paragraph, placeholder = map(json.loads, done.stdout.splitlines())
    assert [part["source"] for part in paragraph["parts"]] == [SENTENCE, OTHER]
    assert paragraph["text"].startswith("<p>")
    assert paragraph["text"].endswith("</p>")
    assert "{0}" in placeholder["text"]
    plain = run("translate", trained, "--no-markup", text="<b>달</b>\n")
    assert plain.returncode == 0


@pytest.mark.parametrize(
    "options",
    [
        ["--beam-size", "1"],
        ["--beam-size", "4", "--length-penalty", "gnmt", "--length-alpha", "0.6", "--coverage-beta", "0.2"],
        ["--beam-size", "4", "--beam-groups", "2", "--diversity", "0.8"],
        ["--no-repeat-ngram", "3", "--min-length", "4"],
        ["--sample", "--temperature", "0.8", "--top-k", "20", "--top-p", "0.9", "--seed", "7"],
        ["--prefix", "The", "--must", "school", "--must-not", "moon"],
    ],
    ids=lambda options: options[0] if options[0] != "--beam-size" else " ".join(options[:3]),
)
def test_every_option_of_the_search(run: Run, trained: Path, options: list[str]) -> None:
    first, second = (run("translate", trained, *options, text=f"{SENTENCE}\n{OTHER}\n") for _ in range(2))
    assert first.returncode == 0, first.stderr
    assert len(first.stdout.splitlines()) == 2
    assert first.stdout == second.stdout
    if "--prefix" in options:
        for line in first.stdout.splitlines():
            assert line.startswith("The")
            assert "school" in line
            assert "moon" not in line


def test_a_glossary_and_an_ensemble(run: Run, trained: Path, tmp_path: Path) -> None:
    terms = tmp_path / "terms.tsv"
    terms.write_text("달\tstar\n", encoding="utf-8")
    done = run(
        "translate", trained, "--glossary", terms, "--ensemble", trained, text=f"{SENTENCE}\n{OTHER}\n"
    )
    assert done.returncode == 0, done.stderr
    first, second = done.stdout.splitlines()
    assert "star" in first
    assert second == run("translate", trained, text=OTHER).stdout.strip()


def test_files_with_gzip_windows_ends_and_a_byte_order_mark(run: Run, trained: Path, tmp_path: Path) -> None:
    path = tmp_path / "x.txt.gz"
    path.write_bytes(gzip.compress(f"\ufeff{SENTENCE}\r\n\r\n{OTHER}".encode()))
    lines = run("translate", trained, path).stdout.splitlines()
    assert lines == run("translate", trained, text=f"{SENTENCE}\n\n{OTHER}\n").stdout.splitlines()
    assert lines[1] == ""


def test_outputs_that_were_cut_off_are_counted(run: Run, trained: Path) -> None:
    """One token is never a sentence; an empty line is not cut off, and two sentences are one line."""
    short = ["--max-length-factor", "0", "--max-length-extra", "1", "--json", "--split"]
    done = run("translate", trained, *short, text=f"{SENTENCE} {OTHER}\n\n{OTHER}\n")
    assert [json.loads(line)["ended"] for line in done.stdout.splitlines()] == [False, True, False]
    assert "2 outputs cut off at the maximum length" in done.stderr
    assert "cut off" not in run("translate", trained, text=f"{SENTENCE}\n").stderr


def test_results_on_stdout_and_everything_else_on_stderr(run: Run, trained: Path) -> None:
    done = run("translate", trained, "--quiet", "--threads", "1", text=f"{SENTENCE}\n")
    assert (done.returncode, done.stderr, len(done.stdout.splitlines())) == (0, "", 1)


@pytest.mark.parametrize(
    ("arguments", "text", "told"),
    [
        (
            [],
            SENTENCE.encode("cp949"),
            "<stdin>:1: not UTF-8 at byte 1 of the line; it looks like Korean",
        ),
        ([], b"\n\xff\xfe\x00a\n", "<stdin>:2: not UTF-8 at byte 1 of the line; it looks like UTF-16"),
        ([], b"ok\n\xc3(\n", "<stdin>:2: not UTF-8 at byte 1 of the line; convert the text first"),
        ([], b"a" * 1_000_001, "<stdin>:1: the line is longer than 1,000,000 bytes"),
        ([], ("책 " * 2000).encode(), "<stdin>:1: expected at most 1,024 tokens, found"),
        (["no-such-file.txt"], b"", "no-such-file.txt: no such file"),
        (["/"], b"", "/: expected a file, found a folder"),
        (["--beam-size", "0"], b"", "--beam-size: expected 1 or more"),
        (["--n-best", "9", "--json"], b"", "--n-best must be from 1 to the beam size 4, found 9"),
        (
            ["--beam-groups", "3"],
            b"",
            "regard: --beam-size must be a multiple of --beam-groups, found 4 and 3",
        ),
        (["--temperature", "2"], b"", "--temperature is only used when sampling; set --sample to true"),
        (["--sample", "--beam-size", "2"], b"", "--beam-size and --sample exclude each other"),
        (["--must", " "], b"x\n", "expected a word or a phrase"),
        (["--replace-unknown"], b"", "this model's is bpe, which has no unknown words"),
        (["--glossary", "none.tsv"], b"", "none.tsv: no such file"),
        (["--ensemble", "none"], b"", "none: no such folder"),
        (["--device", "tpu"], b"", "device: expected cpu or cuda, found 'tpu'"),
    ],
)
def test_a_careless_user_gets_one_clear_line(
    run: Run, trained: Path, arguments: list[str], text: bytes, told: str
) -> None:
    done = run("translate", trained, *arguments, text=text)
    assert done.returncode == 2
    assert told in done.stderr
    assert "Traceback" not in done.stderr
    if not told.startswith("--"):
        assert done.stderr.count("\n") == 1


def test_a_long_line_can_be_cut(run: Run, trained: Path) -> None:
    done = run("translate", trained, "--too-long", "split", "--beam-size", "1", text="책 " * 1200)
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.splitlines()) == 1


def test_head_closing_the_pipe_is_no_error(trained: Path, tmp_path: Path) -> None:
    path = tmp_path / "many.txt"
    path.write_text(f"{SENTENCE}\n" * 1500, encoding="utf-8")
    translate = f"{sys.executable} -m regard translate {trained} {path} --beam-size 1"
    command = f"{translate} | head -n 2; echo ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
    first, second, status = done.stdout.splitlines()
    assert first == second
    assert int(status) in (0, 141)
    assert "Traceback" not in done.stderr
    assert "Broken" not in done.stderr


def test_a_line_is_answered_before_the_next_is_written(trained: Path) -> None:
    command = [sys.executable, "-m", "regard", "translate", str(trained), "-q"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as talk:
        assert talk.stdin is not None
        assert talk.stdout is not None
        answers = []
        for line in (SENTENCE, "", OTHER):
            talk.stdin.write(line + "\n")
            talk.stdin.flush()
            answers.append(talk.stdout.readline())
        talk.stdin.close()
    assert answers[1] == "\n"
    assert all(answers)


def test_lines_before_a_bad_one_are_translated(run: Run, trained: Path) -> None:
    done = run("translate", trained, "-q", text=f"{SENTENCE}\n".encode() + b"\xff\n")
    assert done.returncode == 2
    assert len(done.stdout.splitlines()) == 1
    assert "<stdin>:2: not UTF-8" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--n-best", "2"], "--n-best and --attention are shown with --json"),
        (["--attention"], "--n-best and --attention are shown with --json"),
        (["--diversity", "2"], "--diversity is only used with groups"),
        (["--split", "--must", "book"], "do not go with --split"),
    ],
)
def test_options_that_would_be_ignored_are_refused(
    run: Run, trained: Path, arguments: list[str], told: str
) -> None:
    done = run("translate", trained, *arguments, text=SENTENCE)
    assert (done.returncode, told in done.stderr) == (2, True), done.stderr


def test_evaluate_scores_what_translate_writes(run: Run, trained: Path, tmp_path: Path) -> None:
    lines = ["저는 <b>달을</b> 봤어요.", "그는 {name}을 읽었어요.", OTHER]
    table = tmp_path / "t.tsv"
    table.write_text("ko\ten\n" + "".join(f"{line}\tx\n" for line in lines), encoding="utf-8")
    scored = ["evaluate", trained, table, "-q", "--metrics", "bleu", "--samples", "0"]
    done = run(*scored, "--outputs", tmp_path / "o")
    assert (done.returncode, done.stderr) == (0, "")
    written = run("translate", trained, "-q", text="\n".join(lines) + "\n").stdout
    assert (tmp_path / "o").read_text(encoding="utf-8") == written
    refused = run(*scored, "--outputs", table)
    assert (refused.returncode, "choose another file" in refused.stderr) == (2, True)
    assert table.read_text(encoding="utf-8").startswith("ko\ten")


@cells("closed", ["<&-", ">&-", "2>&-"], quick=["<&-"])
def test_closed_streams_are_nothing_and_nowhere(trained: Path, closed: str) -> None:
    """As daemons start programs: what is closed is an empty text, or a place where nothing is written."""
    command = f"echo '{SENTENCE}' | {sys.executable} -m regard translate {trained} {closed}"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
    assert done.returncode == 0
    assert "Traceback" not in done.stderr
    assert len(done.stdout.splitlines()) == (1 if closed == "2>&-" else 0)
