"""What commands read: a text, a file, a pipe, stdin or a column of a table, by one rule; and bad lines."""

import gzip
import json
import os
import pty
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from tests.cli.test_options import COMMANDS, options
from tests.commands import Commands
from tests.conftest import Run

from regard.cli.lines import looks_like_file, open_input
from regard.errors import DataError, RegardError

READS_LINES = ["translate", "classify", "tag", "complete", "embed", "fill", "answer", "score"]
SENTENCE = "저는 달을 봤어요."
OTHER = "그는 책을 읽었어요."


@pytest.mark.parametrize("name", READS_LINES)
def test_one_rule_is_told_in_every_help(name: str) -> None:
    assert "--on-bad-line" in options(name)
    given = COMMANDS[name].params[1]
    assert "nothing or - is stdin" in str(given.help)
    if name not in ("answer", "score"):
        assert given.help == COMMANDS["translate"].params[1].help
        assert "--column" in options(name)


def test_a_text_a_file_a_pipe_and_stdin_are_the_same(run: Run, trained: Path, tmp_path: Path) -> None:
    lines = f"{SENTENCE}\n\n{OTHER}"
    expected = run("translate", trained, text=lines).stdout
    assert len(expected.splitlines()) == 3
    (tmp_path / "in.txt").write_text(lines, encoding="utf-8")
    (tmp_path / "in").write_text(lines, encoding="utf-8")  # a file, whatever its name
    (tmp_path / "in.gz").write_bytes(gzip.compress(lines.encode()))
    for given in (lines, "-", tmp_path / "in.txt", tmp_path / "in", tmp_path / "in.gz"):
        assert run("translate", trained, given, text=lines).stdout == expected
    pipe = tmp_path / "pipe"  # as <(command) of a shell
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_text, args=(lines, "utf-8"))
    writer.start()
    assert run("translate", trained, pipe).stdout == expected
    writer.join()


def test_other_commands_take_a_text_too(run: Run, opinions: Path, parts_of_speech: Path) -> None:
    for command, model in (("classify", opinions), ("tag", parts_of_speech)):
        done = run(command, model, SENTENCE)
        assert (done.returncode, done.stdout) == (0, run(command, model, text=SENTENCE).stdout)
        assert done.stdout.strip()


@pytest.mark.parametrize(
    ("given", "is_file"),
    [
        ("gone.txt", True),
        ("/no/such", True),
        ("good/bad", False),
        ("rows.TSV", True),
        ("끝", False),
        ("그는 a/b 를 봤다", False),
        ("", False),
        ("x" * 300, False),
        ("e.g.", False),
    ],
)
def test_what_looks_like_a_file_and_is_none_is_refused(given: str, is_file: bool) -> None:
    assert looks_like_file(given) == is_file
    if is_file:
        with pytest.raises(DataError, match="no such file; to read it as text, add a space at its end"):
            open_input(given)
    else:
        assert open_input(given).kind == "text"


TABLES = {
    "t.csv": 'id,ko\n1,"저는 달을\n봤어요."\n2,그는 책을 읽었어요.\n',
    "t.tsv": "id\tko\n1\t저는 달을 봤어요.\n2\t그는 책을 읽었어요.\n",
    "t.jsonl": '{"id": 1, "ko": "저는 달을 봤어요."}\n{"id": 2, "ko": "그는 책을 읽었어요."}\n',
}


@pytest.mark.parametrize("name", TABLES)
def test_a_table_is_noticed_and_a_column_of_it_read(
    run: Run, trained: Path, tmp_path: Path, name: str
) -> None:
    path = tmp_path / name
    path.write_text(TABLES[name], encoding="utf-8")
    asked = run("translate", trained, path)
    assert (asked.returncode, asked.stdout, asked.stderr.count("\n")) == (2, "", 1)
    assert "say which column to read with --column, one of: id, ko" in asked.stderr
    done = run("translate", trained, path, "--column", "ko")
    assert done.stdout == run("translate", trained, text=f"{SENTENCE}\n{OTHER}\n").stdout
    wrong = run("translate", trained, path, "--column", "kor")
    assert "no column is called 'kor'; did you mean 'ko'?" in wrong.stderr
    piped = run("translate", trained, f"{name[2:]}:-", "--column", "ko", text=TABLES[name])
    assert piped.stdout == done.stdout


def test_a_column_needs_a_table(run: Run, trained: Path) -> None:
    for given in (SENTENCE, "-"):
        done = run("translate", trained, given, "--column", "ko")
        assert (done.returncode, "--column is for a table (.csv, .tsv, .jsonl" in done.stderr) == (2, True)


BAD = f"{SENTENCE}\n".encode() + b"\xff\xfe\n" + ("책 " * 2000 + "\n").encode() + OTHER.encode() + b"\n"
"""A line that is not UTF-8, and one that the model has no room for, between two good ones."""


def test_a_bad_line_stops_is_skipped_or_left_empty(run: Run, trained: Path) -> None:
    first, last = run("translate", trained, text=f"{SENTENCE}\n{OTHER}\n").stdout.splitlines()
    stopped = run("translate", trained, text=BAD)
    assert (stopped.returncode, stopped.stdout) == (2, first + "\n")
    for policy, expected in (("skip", [first, last]), ("empty", [first, "", "", last])):
        done = run("translate", trained, "--on-bad-line", policy, text=BAD)
        assert (done.returncode, done.stdout.splitlines()) == (0, expected)
        second, third, count = done.stderr.splitlines()
        assert second.startswith("<stdin>:2: not UTF-8")
        assert third.startswith("<stdin>:3: expected at most 1,024 tokens, found")
        assert count.startswith("2 bad lines: ")
    in_json = run("translate", trained, "--json", "--on-bad-line", "empty", text=BAD).stdout.splitlines()
    told = json.loads(in_json[2])
    assert (len(in_json), told["where"]) == (4, "<stdin>:3")
    assert told["error"].startswith("expected at most 1,024 tokens")


def test_bad_lines_of_other_commands(
    run: Run, opinions: Path, parts_of_speech: Path, language_run: Path, trained: Path, tmp_path: Path
) -> None:
    good, bad = SENTENCE.encode(), b"\xff"
    for command, model in (("classify", opinions), ("complete", language_run), ("score", language_run)):
        done = run(command, model, "--on-bad-line", "empty", text=good + b"\n" + bad + b"\n" + good + b"\n")
        first, second, third = done.stdout.splitlines()
        assert (first == third, second, done.returncode) == (True, "", 0)
        assert "<stdin>:2: not UTF-8" in done.stderr
    words = '["책을"]\n["책을", 3]\n["책을"]\n'
    done = run("tag", parts_of_speech, "--words", "--on-bad-line", "skip", text=words)
    assert (done.stdout.count("책을"), done.returncode) == (2, 0)
    assert "<stdin>:2: expected a list of words" in done.stderr
    pairs = tmp_path / "pairs.tsv"
    pairs.write_text(
        f"ko\ten\n{SENTENCE}\tI saw the moon.\nx\n{SENTENCE}\tI saw the moon.\n", encoding="utf-8"
    )
    done = run("score", trained, pairs, "--on-bad-line", "skip")
    assert len(done.stdout.splitlines()) == 2
    assert f"{pairs}:3: expected 2 columns as in the header, found 1" in done.stderr


@pytest.mark.long("test_a_bad_line_stops_is_skipped_or_left_empty")
def test_lines_are_answered_after_a_bad_one_though_no_more_come(trained: Path) -> None:
    """Whoever writes a line and waits for its answer gets it, also when lines before it were read again."""
    command = [sys.executable, "-m", "regard", "translate", str(trained), "--on-bad-line", "empty", "-q"]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as talk:
        assert talk.stdin is not None
        assert talk.stdout is not None
        talk.stdin.write(BAD)
        talk.stdin.flush()
        answers = [talk.stdout.readline() for _ in range(4)]
        talk.stdin.close()
    assert [bool(line.strip()) for line in answers] == [True, False, False, True]


@pytest.mark.parametrize("policy", ["stop", "skip"])
def test_what_has_no_end_of_a_line_is_refused(commands: Commands, trained: Path, policy: str) -> None:
    endless = Path("/dev/zero")
    for given in ([endless], []):
        done = commands.run("translate", trained, "--on-bad-line", policy, *given, stdin=endless)
        assert (done.status, done.stdout) == (2, "")
        assert "1: expected lines of text, found no end of a line in 16,777,216 bytes" in done.stderr


def test_a_terminal_is_told_what_is_waited_for(trained: Path) -> None:
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "regard", "translate", str(trained)]
    with subprocess.Popen(command, stdin=theirs, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as talk:
        assert talk.stderr is not None
        assert talk.stderr.readline() == b"reading from the terminal, one sentence a line; Ctrl-D ends\n"
        os.write(ours, b"\x04")
    os.close(ours)
    os.close(theirs)
    assert talk.returncode == 0


def test_a_folder_is_no_text(tmp_path: Path) -> None:
    with pytest.raises(RegardError, match="expected a file, found a folder"):
        open_input(str(tmp_path))
