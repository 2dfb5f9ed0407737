"""What is wrong with a path or a name is told before anything heavy is imported, by every command."""

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from regard.cli.main import COMMANDS
from regard.store.lock import locked

FORKS = """
import json, os, sys, tempfile
import regard.cli.main
from regard.__main__ import main

for line in sys.stdin:
    new = tempfile.TemporaryFile
    with new() as errors, new() as output, new() as told:
        if os.fork() == 0:
            os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
            os.dup2(output.fileno(), 1)
            os.dup2(errors.fileno(), 2)
            sys.argv = ["regard", *json.loads(line)]
            code = 0
            try:
                main()
            except SystemExit as end:
                code = end.code or 0
            sys.stdout.flush()
            sys.stderr.flush()
            told.write(json.dumps({"code": code, "modules": list(sys.modules)}).encode())
            told.flush()
            os._exit(0)
        os.wait()
        found = {}
        for name, file in (("told", told), ("stdout", output), ("stderr", errors)):
            file.seek(0)
            found[name] = file.read().decode()
        print(json.dumps({**json.loads(found.pop("told")), **found}), flush=True)
"""
"""A process for each line of arguments, which has imported nothing but the command line itself."""

HEAVY = {"torch", "scipy", "numpy", "tokenizers", "sacrebleu", "matplotlib", "safetensors", "huggingface_hub"}
RECIPES = {"yaml", "regard.tasks", "regard.models"}
"""What is not needed to see that a folder or a file is not there."""


class Forks:
    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self._process = process

    def run(self, *arguments: str | Path) -> dict[str, Any]:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        print(json.dumps([*map(str, arguments)]), file=self._process.stdin, flush=True)
        found: dict[str, Any] = json.loads(self._process.stdout.readline())
        return {**found, "modules": set(found["modules"])}


@pytest.fixture(scope="module")
def forks() -> Iterator[Forks]:
    command = [sys.executable, "-c", FORKS]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        yield Forks(process)
        assert process.stdin is not None
        process.stdin.close()


@pytest.fixture(scope="module")
def there(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with what is there: a model, as far as its name goes, and a table."""
    folder = tmp_path_factory.mktemp("there")
    (folder / "model").mkdir()
    (folder / "model" / "manifest.json").write_text("{}")
    (folder / "pairs.tsv").write_text("ko\ten\n가\ta\n", encoding="utf-8")
    return folder


NO_FOLDER, NO_FILE = "nowhere: no such folder", "nowhere.tsv: no such file"
NO_SYSTEM = "nowhere: there is no such model folder, nor such a file of outputs"
NO_RECIPE = "no recipe is called 'bahdanow'; did you mean 'bahdanau'?"
WRONG = [
    ("translate nowhere", NO_FOLDER),
    ("translate {model} nowhere.txt", "nowhere.txt: no such file"),
    ("translate {model} --ensemble nowhere", NO_FOLDER),
    ("translate {model} --glossary nowhere.tsv", NO_FILE),
    ("classify nowhere", NO_FOLDER),
    ("classify {model} nowhere.txt", "nowhere.txt: no such file"),
    ("tag nowhere", NO_FOLDER),
    ("predict nowhere", NO_FOLDER),
    ("answer nowhere question text", NO_FOLDER),
    ("fill nowhere [MASK]", NO_FOLDER),
    ("predict nowhere", NO_FOLDER),
    ("predict {model} nowhere.txt", "nowhere.txt: no such file"),
    ("embed nowhere", NO_FOLDER),
    ("complete nowhere", NO_FOLDER),
    ("similarity nowhere pairs.tsv", NO_FOLDER),
    ("serve nowhere", NO_FOLDER),
    ("serve {model} {model}", "two models are called 'model'; NAME=FOLDER names one otherwise"),
    ("serve a/b={model}", "expected a name of letters, digits, '.', '_' and '-', found 'a/b'"),
    ("similarity {model} nowhere.tsv", NO_FILE),
    ("evaluate nowhere", NO_SYSTEM),
    ("evaluate {model} nowhere.tsv", NO_FILE),
    ("compare nowhere nowhere", NO_SYSTEM),
    ("compare {model} {model} --data nowhere.tsv", NO_FILE),
    ("look nowhere text", NO_FOLDER),
    ("causes nowhere text", NO_FOLDER),
    ("check nowhere", NO_FOLDER),
    ("check {model} nowhere.tsv", NO_FILE),
    ("average nowhere {model} --out new", NO_FOLDER),
    ("score nowhere", NO_FOLDER),
    ("score {model} nowhere.tsv", NO_FILE),
    ("align nowhere", NO_FOLDER),
    ("align {model} nowhere.tsv", NO_FILE),
    ("align {model} {pairs} nowhere.txt", "nowhere.txt: no such file"),
    ("align {model} {pairs} --reverse nowhere", NO_FOLDER),
    ("align {model} {pairs} --gold nowhere.txt", "nowhere.txt: no such file"),
    ("import nowhere new", "nowhere: no such folder; a model of the Hugging Face hub"),
    ("export nowhere new", NO_FOLDER),
    ("doctor nowhere.tsv", NO_FILE),
    ("doctor {pairs} --model nowhere", NO_FOLDER),
    ("train bahdanow --out new", NO_RECIPE),
    ("train nowhere.yaml --out new", "nowhere.yaml: no such recipe file"),
    ("train bahdanau --from nowhere --out new", NO_FOLDER),
    ("baseline bahdanow", NO_RECIPE),
    ("runs nowhere", "nowhere: expected a run folder, or a folder of them; there is no such folder"),
    ("reproduce rnn-memori", "no experiment is called 'rnn-memori'; did you mean 'rnn-memory'?"),
    ("reproduce rnn-memory --data nowhere", "nowhere: expected the folder with the corpora, found nothing"),
    ("data sample nowhere.tsv", NO_FILE),
    ("data write nowhere.tsv --out new.tsv", NO_FILE),
    ("vectors train nowhere.tsv --out new.vec", NO_FILE),
    ("vectors similar nowhere.vec word", "nowhere.vec: no such file"),
]
OF_RECIPES = [
    ("recipes bahdanow", NO_RECIPE),
    ("new --data nowhere --out new.yaml", "nowhere: no such file or folder"),
    ("train bahdanau --out new --set model.dropot=1", "model.dropot: unknown setting"),
    ("train bahdanau --out new --data nowhere", "nowhere: expected a folder with train and dev files"),
    ("train bahdanau", "--out is missing"),
    ("train --out new", "which recipe?"),
    ("data list nowhere", "nowhere: expected a folder"),
]
"""For these, recipes are read, or what a recipe may say."""
RIGHT = ["recipes", "reproduce", "data", "data sample {pairs}", "data list {there}", "--help", "train --help"]


def words(line: str, there: Path) -> list[str]:
    named = {"model": there / "model", "pairs": there / "pairs.tsv", "there": there}
    return [word.format(**named) for word in line.split()]


@pytest.mark.parametrize(("line", "told"), [*WRONG, *OF_RECIPES], ids=lambda value: str(value)[:60])
def test_a_mistake_is_told_first(forks: Forks, there: Path, line: str, told: str) -> None:
    done = forks.run(*words(line, there))
    assert (done["code"], done["stdout"]) == (2, "")
    (only,) = done["stderr"].splitlines()
    assert only.startswith("regard: ")
    assert told in only
    assert not done["modules"] & (HEAVY if (line, told) in OF_RECIPES else HEAVY | RECIPES)


@pytest.mark.parametrize("line", RIGHT)
def test_what_computes_nothing_needs_nothing_heavy(forks: Forks, there: Path, line: str) -> None:
    done = forks.run(*words(line, there))
    assert (done["code"], done["stdout"] != "") == (0, True)
    assert not done["modules"] & HEAVY


def test_every_command_is_tried() -> None:
    tried = {line.split()[0] for line, _ in (*WRONG, *OF_RECIPES)}
    assert set(COMMANDS) - tried == {"demo"}, "which is given nothing that can be wrong"


@pytest.mark.parametrize("command", ["train demo --out", "demo --out"])
def test_a_folder_in_use_is_refused_first(forks: Forks, tmp_path: Path, command: str) -> None:
    run = tmp_path / "r"
    with locked(run):
        done = forks.run(*command.split(), run)
    assert done["code"] == 2
    assert f"regard: {run}: another run is using it (" in done["stderr"]
    assert not done["modules"] & (HEAVY | RECIPES)


def test_a_command_alone_is_imported(forks: Forks) -> None:
    modules = {f"regard.cli.{home.partition('.')[0]}" for home in COMMANDS.values()}
    assert forks.run("reproduce")["modules"] & modules == {"regard.cli.reproduce"}
    assert not forks.run("--help")["modules"] & modules


ALIEN = re.compile(
    r"scipy|sacrebleu|matplotlib|rich\.console|huggingface_hub"
    r"|regard\.(world|evaluation|experiments|doctor|vectors|training\.(?!log))"
    r"|regard\.tasks\.(?!catalogue|translation)|regard\.tasks\.translation\.(trainer|evaluat)"
    r"|regard\.models\.(bert|transformer|lstmn|sentence|tagger|language|ngram)"
    r"|regard\.config\.(bert|sentence|tagg|question|masked|language|classification|embed)"
)
"""What has no part in a translation by a stored model that reads and writes with an RNN."""


def test_to_use_a_stored_model_nothing_else_is_imported(forks: Forks, trained: Path) -> None:
    done = forks.run("translate", trained, "나는 책을 읽었다.")
    assert (done["code"], done["stderr"]) == (0, "")
    assert not {name for name in done["modules"] if ALIEN.match(name)}
