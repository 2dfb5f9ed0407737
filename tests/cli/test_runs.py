"""regard runs, as a user types it."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from rich.cells import cell_len
from tests.conftest import Run
from tests.training.runs.helpers import STEPS, WHOLE, end, start, step, validation, write_log


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three runs that differ in a setting: finished, stopped early, and one that is being written."""
    place = tmp_path_factory.mktemp("runs")
    write_log(place / "b", *WHOLE)
    other = [start(seed=2), *STEPS, validation(4, 2.0, 30.0, best=True), end(stopped_early=True)]
    write_log(place / "새 실험" / "a", *other)
    write_log(place / "c", start(seed=3), *STEPS)
    with (place / "c" / "log.jsonl").open("a") as log:
        log.write('{"event": "step", "step": 5, "nl')
    return place


STATES = ("finished", "unfinished", "stopped early")


def lines_with(text: str, word: str) -> list[str]:
    return [line for line in text.splitlines() if word in line]


def test_a_table_and_curves_in_a_pipe(run: Run, folder: Path) -> None:
    done = run("runs", folder)
    assert (done.returncode, done.stderr) == (0, "")
    assert all(cell_len(line) <= 80 for line in done.stdout.splitlines())
    assert "\x1b" not in done.stdout
    assert lines_with(done.stdout, "finished")[0].split() == [
        "A", "b", "–", "finished", "1.0/2", "4", "10.00", "3.500", "2", "1.000", "400", "0:17",
    ]  # fmt: skip
    assert "stopped early" in done.stdout
    assert lines_with(done.stdout, "unfinished")[0].split()[-1] == "0:08"
    assert "loss per token, train and dev" in done.stdout
    assert "bleu on dev" in done.stdout
    assert "C 새 실험/a" in done.stdout


def test_the_settings_that_differ_are_columns(run: Run, folder: Path) -> None:
    done = run("runs", folder, "--no-plot")
    _, head, *rows = done.stdout.splitlines()
    assert head.split()[:3] == ["run", "seed", "state"]
    seeds = [row.split(state)[0].split()[-1] for row, state in zip(rows, STATES, strict=True)]
    assert seeds == ["–", "3", "2"]
    assert "loss per token" not in done.stdout
    alone = run("runs", folder / "b")
    assert alone.stdout.startswith("seq2seq: a test\n")
    assert "seed" not in alone.stdout


def test_settings_without_room_have_a_table_of_their_own(run: Run, tmp_path: Path) -> None:
    for number in (1, 2):
        write_log(tmp_path / str(number), start(a_setting_with_a_long_name=number), *STEPS)
    facts, settings = run("runs", tmp_path, "--no-plot").stdout.split("\n\n")
    assert "unfinished" in facts
    assert "long_name" not in facts
    assert [line.split() for line in settings.splitlines()] == [
        ["run", "a_setting_with_a_long_name"], ["A", "1", "1"], ["B", "2", "2"],
    ]  # fmt: skip


def test_many_differing_settings_are_counted(run: Run, tmp_path: Path) -> None:
    for number in (1, 2):
        write_log(tmp_path / str(number), start(**{f"s{place}": number for place in range(8)}), step(1, 1.0))
    done = run("runs", tmp_path)
    assert "s4" in done.stdout
    assert "s5" not in done.stdout
    assert "3 more settings differ; --json has all" in done.stdout


def test_json(run: Run, folder: Path) -> None:
    done = run("runs", folder, "--json", "--sort", "bleu")
    found = json.loads(done.stdout)
    assert [one["name"] for one in found["runs"]] == ["새 실험/a", "b", "c"]
    assert [one["state"] for one in found["runs"]] == ["stopped early", "finished", "unfinished"]
    assert found["differing"] == {"training.seed": [2, None, 3]}
    whole = found["runs"][1]
    assert (whole["best"]["step"], whole["best"]["bleu"]) == (2, 10.0)
    assert [(one["step"], one["loss"]) for one in whole["validations"]] == [(2, 3.5), (4, 2.5)]
    assert (whole["step"], whole["seconds"], whole["last"]["nll"]) == (4, 17.0, 1.0)
    assert whole["recipe"]["training"]["best_by"] == "bleu"


@pytest.mark.parametrize("metric", ["perplexity", "tokens_per_second", "loss"])
@pytest.mark.parametrize("axis", ["epoch", "seconds"])
def test_metrics_and_axes(run: Run, folder: Path, metric: str, axis: str) -> None:
    done = run("runs", folder, "--metric", metric, "--x", axis)
    assert done.returncode == 0, done.stderr
    assert (f"{metric} o" in done.stdout) == (metric != "loss")
    assert done.stdout.count(axis + "\n") == (1 if metric == "loss" else 2)


def test_a_picture(run: Run, folder: Path, tmp_path: Path) -> None:
    done = run("runs", folder, "--out", tmp_path / "새" / "x.png", "--no-plot")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "새" / "x.png").read_bytes().startswith(b"\x89PNG")


def test_more_runs_than_can_be_drawn(run: Run, tmp_path: Path) -> None:
    for number in range(14):
        write_log(tmp_path / f"r{number:02}", start(seed=number), step(1, 2.0), step(2, 1.0 + number))
    done = run("runs", tmp_path)
    assert "curves are drawn of the first 12 runs; --sort says which come first" in done.stderr
    assert len([line for line in done.stdout.splitlines() if "unfinished" in line]) == 14
    assert run("runs", tmp_path, "-q").stderr == ""


def in_a_terminal(*arguments: str | Path, **environment: str) -> str:
    """What a command writes to a real (pseudo-)terminal of 80 columns."""
    main, other = os.openpty()
    settings = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
    settings |= {"TERM": "xterm", "COLUMNS": "80", **environment}
    command = [sys.executable, "-m", "regard", *map(str, arguments)]
    with subprocess.Popen(command, stdout=other, stderr=other, env=settings):
        os.close(other)
        written = b""
        try:
            while part := os.read(main, 65536):
                written += part
        except OSError:  # Linux says the end of a terminal so
            pass
    os.close(main)
    return written.decode()


def test_colour_only_where_it_is_wanted(folder: Path) -> None:
    coloured = in_a_terminal("runs", folder)
    assert "\x1b[36m" in coloured  # cyan, of the sixteen colours
    assert any(0x2800 < ord(sign) < 0x2900 for sign in coloured)
    plain = in_a_terminal("runs", folder, NO_COLOR="1")
    assert "\x1b[3" not in plain
    assert not any(0x2800 < ord(sign) < 0x2900 for sign in plain)  # lines of letters


@pytest.mark.parametrize("columns", ["10", "50", "80", "300"])
def test_no_number_loses_a_digit(tmp_path: Path, columns: str) -> None:
    for seed in (1, 2):
        scores = validation(1_234_567, 2.345, 98.76, best=True)
        events = [start(seed=9_876_543 + seed), step(1_234_568, 1.234), scores, end(seconds=400_000)]
        write_log(tmp_path / f"a-rather-long-name-of-a-run-{seed}", *events)
    seen = in_a_terminal("runs", tmp_path, COLUMNS=columns, NO_COLOR="1")
    row = lines_with(seen, "1,234,568")[0].split()
    assert row[-6:-4] == ["98.76", "2.345"]
    assert row[-4:] == ["1,234,567", "1.234", "123,456,800", "111:06:40"]
    assert "9876544" in seen
    assert "bleu on dev" in seen


def test_names_cannot_write_to_the_terminal(run: Run, tmp_path: Path) -> None:
    name = os.fsdecode(b"a\xff\x1b[31m\n")
    write_log(tmp_path / name, *WHOLE)
    write_log(tmp_path / "b", *WHOLE)
    done = run("runs", tmp_path, "--out", tmp_path / "x.svg")
    assert done.returncode == 0, done.stderr
    assert "\x1b" not in done.stdout
    assert "B b" in done.stdout
    (first, _) = json.loads(run("runs", tmp_path, "--json").stdout)["runs"]
    assert first["name"] == name


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nowhere"], "nowhere: expected a run folder, or a folder of them; there is no such folder"),
        (["file"], "file: expected a run folder, or a folder of them; found a file"),
        (["empty"], "empty: holds no runs: there is no log.jsonl in it"),
        (
            ["whole", "damaged"],
            "log.jsonl:2: damaged: expected a JSON object with an 'event', found '{\"eve'",
        ),
        (["whole", "--metric", "blue"], "no log has a metric 'blue'; did you mean 'bleu'?"),
        (["whole", "--sort", "blue"], "runs cannot be sorted by 'blue'; did you mean 'bleu'?"),
        (["whole", "--out", "x.gif"], "x.gif: a picture ends in .png, .svg, .pdf, found '.gif'"),
        (["begun", "--out", "x.png"], "x.png: there is nothing to draw: no run has done a step yet"),
    ],
)
def test_one_clear_line(run: Run, tmp_path: Path, arguments: list[str], message: str) -> None:
    write_log(tmp_path / "whole", *WHOLE)
    write_log(tmp_path / "begun")
    write_log(tmp_path / "damaged", start())
    (tmp_path / "empty").mkdir()
    (tmp_path / "file").touch()
    with (tmp_path / "damaged" / "log.jsonl").open("a") as log:
        log.write('{"eve\n' + json.dumps(STEPS[0]) + "\n")
    # What is no option, nor the value of one, is a path; and so is what --out makes.
    options = ("--metric", "--sort", "--out", "blue")
    done = run("runs", *(word if word in options else tmp_path / word for word in arguments))
    (line,) = done.stderr.splitlines()
    assert message in line
    assert (done.returncode, done.stdout) == (2, "")


def test_a_run_that_has_only_begun(run: Run, tmp_path: Path) -> None:
    done = run("runs", write_log(tmp_path / "r"), "--x", "seconds")
    assert (done.returncode, done.stderr) == (0, "")
    assert lines_with(done.stdout, "unfinished")[0].split()[:3] == ["r", "unfinished", "–"]


def test_no_torch_is_loaded(folder: Path) -> None:
    code = (
        f"import sys; sys.argv = ['regard', 'runs', {str(folder)!r}]\n"
        "from regard.cli.main import run\n"
        "try: run()\n"
        "except SystemExit: pass\n"
        "print(*(name for name in ('torch', 'numpy', 'matplotlib') if name in sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.endswith("\n\n")


def test_a_real_run(run: Run, trained: Path) -> None:
    done = run("runs", trained, "--json")
    (found,) = json.loads(done.stdout)["runs"]
    assert found["state"] == "finished"
    assert found["recipe"]["model"]["kind"] == "seq2seq"
    best = max(found["validations"], key=lambda one: float(one["bleu"]))
    assert found["best"] == best
    assert 0 < found["last"]["elapsed"] <= found["seconds"]
    assert "bleu on dev" in run("runs", trained).stdout
