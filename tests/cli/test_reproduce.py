"""`regard reproduce` as a user types it; and as a careless user does."""

import json
from pathlib import Path

import pytest
from tests.conftest import Run
from tests.experiments.toy import toy
from typer.testing import CliRunner

from regard.cli.main import app
from regard.experiments import catalogue

NAMES = [
    "rnn-memory", "bahdanau-length", "luong-scores", "alignment", "koehn-beam", "vaswani-ablation",
    "rnn-against-transformer", "lin-hops", "jain-wallace", "wiegreffe-pinter", "cheng-lm",
    "ngram-growth", "polysemy", "devlin-ablation", "few-labels", "alarms", "heads-and-grammar",
]  # fmt: skip


def test_the_list(run: Run) -> None:
    done = run("reproduce")
    assert done.returncode == 0, done.stderr
    assert [line.split()[0] for line in done.stdout.splitlines()] == NAMES
    assert list(json.loads(run("reproduce", "--json").stdout)) == NAMES


def test_each_is_found_by_its_name() -> None:
    found = [catalogue.find_experiment(name) for name in NAMES]
    assert [(each.name, each.line) for each in found] == list(catalogue.LINES.items())


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["rnn-memori"], "no experiment is called 'rnn-memori'; did you mean 'rnn-memory'?"),
        (["rnn-memory", "--data", "{folder}/no"], "no: expected the folder with the corpora, found nothing"),
        (["rnn-memory", "--data", "{folder}/file"], "the folder with the corpora, found a file"),
        (["rnn-memory", "--out", "{folder}/file/x"], "is a file, expected a folder"),
        (["rnn-memory", "--seeds", "0"], "invalid value for '--seeds'"),
        (["rnn-against-transformer", "--seeds", "1"], "one repetition has no interval; expected --seeds 2"),
        (["rnn-memory", "--quick", "bahdanau-length"], "found more arguments than expected"),
    ],
)  # fmt: skip
def test_mistakes(run: Run, tmp_path: Path, arguments: list[str], told: str) -> None:
    (tmp_path / "file").touch()
    done = run("reproduce", *(argument.format(folder=tmp_path) for argument in arguments))
    assert done.returncode == 2
    assert told in done.stderr
    assert done.stdout == ""
    assert "Traceback" not in done.stderr


@pytest.fixture
def _with_toy(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A real experiment takes minutes; this one is found in place of them."""
    monkeypatch.setattr(catalogue, "find_experiment", {"toy": toy()}.__getitem__)
    monkeypatch.delenv("REGARD_DATA", raising=False)
    monkeypatch.chdir(tmp_path)


@pytest.mark.usefixtures("_with_toy")
def test_tables_files_and_what_was_left_out(tmp_path: Path) -> None:
    done = CliRunner().invoke(app, ["reproduce", "toy"])
    assert done.exit_code == 0, done.output
    lines = [line.split() for line in done.stdout.splitlines()]
    assert ["attention", "1,000", "0.0", "9", "0.45"] in lines
    assert any(line[:1] == ["confirmed"] and "+2.5" in line and "seeds" in line for line in lines)
    assert "left out: real text: no data folder is named" in done.stdout
    assert {path.name for path in (tmp_path / "runs" / "toy").glob("toy.*")} == {
        "toy.json",
        "toy.png",
        "toy.svg",
    }


@pytest.mark.usefixtures("_with_toy")
def test_json_quick_seeds_and_data(tmp_path: Path) -> None:
    (tmp_path / "corpora" / "toy-corpus").mkdir(parents=True)
    asked = ["reproduce", "toy", "--seeds", "2", "--data", "corpora", "--json", "--quiet", "--out", "x"]
    done = CliRunner().invoke(app, asked)
    assert done.exit_code == 0, done.output
    result = json.loads(done.stdout)
    assert (result["seeds"], result["left_out"]) == ([1, 2], [])
    assert {part["world"] for part in result["parts"]} == {"here", "there"}
    assert done.stderr == ""
    quick = json.loads(CliRunner().invoke(app, ["reproduce", "toy", "--quick", "--json", "-q"]).stdout)
    assert (quick["quick"], quick["seeds"]) == (True, [1])
    assert (tmp_path / "runs" / "toy-quick" / "toy.json").is_file()
