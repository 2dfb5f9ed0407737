"""What is true of every command: the same names mean the same, help has examples, the shell can complete."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import click
import pytest
import typer
from tests.conftest import Run

from regard.cli.main import FLAGS, GROUPS, app
from regard.config.load import load_recipe
from regard.config.shipped import shipped_recipes
from regard.errors import RegardError

GROUP = typer.main.get_group(app)


def commands() -> dict[str, click.Command]:
    """Every command by its name, those of a group too."""
    found: dict[str, click.Command] = {}

    def walk(command: Any, name: str) -> None:
        for part, inner in getattr(command, "commands", {}).items():
            walk(inner, f"{name} {part}".strip())
        if not getattr(command, "commands", None):
            found[name] = command

    walk(GROUP, "")
    return found


COMMANDS = commands()
COMPUTES = {
    "demo", "new", "train", "translate", "classify", "tag", "complete", "embed", "evaluate", "compare",
    "answer", "causes", "check", "fill", "predict", "score", "look", "align", "reproduce", "similarity",
    "serve",
}  # fmt: skip
PRINTS = {
    "recipes", "train", "runs", "doctor", "translate", "classify", "tag", "complete", "embed", "evaluate",
    "answer", "causes", "check", "compare", "fill", "predict", "score", "look", "similarity", "align",
}  # fmt: skip
DRAWS = {
    "baseline", "check", "train", "translate", "complete", "evaluate", "compare", "data sample",
    "vectors train",
}  # fmt: skip


def options(name: str) -> dict[str, Any]:
    return {flag: option for option in COMMANDS[name].params for flag in option.opts if flag.startswith("-")}


def test_every_command_is_known_here() -> None:
    assert COMMANDS.keys() >= COMPUTES | PRINTS | DRAWS


def test_every_command_is_in_one_group_with_a_whole_sentence(run: Run) -> None:
    grouped = [name for group in GROUPS.values() for name in group]
    assert sorted(grouped) == sorted(set(grouped)) == sorted(GROUP.list_commands(typer.Context(GROUP)))
    told = "".join(run("--help").stdout.split())  # a sentence may go on in the next line
    places = [told.index(f"{''.join(title.split())}:{next(iter(group))}") for title, group in GROUPS.items()]
    assert places == sorted(places)
    for group in GROUPS.values():
        for name, sentence in group.items():
            assert sentence[0].isupper()
            assert sentence.endswith(".")
            assert name + "".join(sentence.split()) in told
            own = " ".join((GROUP.commands[name].help or "").split())
            assert own.startswith(sentence), "its own help begins with the same words"


@pytest.mark.parametrize("name", COMMANDS)
def test_common_options_are_where_they_belong(name: str) -> None:
    there = options(name)
    assert ("--threads" in there) == (name in COMPUTES)
    assert ("--device" in there) == (name in COMPUTES - {"demo", "new", "reproduce"})
    assert ("--seed" in there) == (name in DRAWS)
    assert "--json" in there or name not in PRINTS
    assert "--quiet" in there or name not in COMPUTES | {"runs", "doctor", "average"}


@pytest.mark.parametrize("flag", ["--device", "--threads", "--quiet", "-q"])
def test_they_mean_the_same_everywhere(flag: str) -> None:
    there = [options(name)[flag] for name in COMMANDS if flag in options(name)]
    assert len({(option.help, tuple(option.opts), option.is_flag) for option in there}) == 1


@pytest.mark.parametrize("name", [name for name in COMMANDS if not name.startswith("data ")])
def test_help_has_examples_that_name_the_command(name: str) -> None:
    told = COMMANDS[name].help or ""
    examples = [line.strip() for line in told.split("Examples:")[1].splitlines() if "regard" in line]
    assert examples
    assert any(f"regard {name}" in example for example in examples)
    for example in examples:
        for flag in {word for word in example.split() if word.startswith("--")} - {
            "--plugin"
        }:  # of every command
            assert flag in options(name), f"{name} has no {flag}, which its example uses"


MEANT = {
    "ADDRESS", "CHECK,CHECK", "COLUMN", "COLUMN,COLUMN", "CONDITION", "CORPUS", "DATA", "EXPERIMENT", "FILE",
    "FIRST-LAST", "FOLDER", "INPUT", "KIND", "MODEL", "MODEL...", "MODEL... SENTENCE [SECOND]", "N", "NAME",
    "NAME,NAME", "NAME=VALUE", "NUMBER", "PATH", "PATH:HEAD", "QUESTION", "RECIPE", "ROW=WORD", "ROW[=WORD]",
    "SYSTEM", "TARGETS", "TASK", "TEXT", "URL", "WORD", "WORD=FACTOR", "WORDS",
}  # fmt: skip
"""What help names in place of a value; a choice names its values."""


@pytest.mark.parametrize("name", COMMANDS)
def test_metavars_say_what_is_meant(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    COMMANDS[name].main(["--help"], standalone_mode=False)
    shown = capsys.readouterr().out
    for kind in ("int", "str", "float", "path", "list", "tuple"):
        assert not re.search(rf"<{kind}\b", shown.lower())
    named = {parameter.metavar for parameter in COMMANDS[name].params} - {None}
    assert named <= MEANT


@pytest.mark.parametrize("name", COMMANDS)
def test_one_thing_has_one_name(name: str) -> None:
    """What was called otherwise somewhere, and is no name of anything."""
    gone = {"--top", "--beam", "--first", "--batch", "--count", "--start", "--settings"}
    assert not gone & options(name).keys()


@pytest.mark.parametrize("flag", FLAGS)
def test_what_a_flag_is_called_here_exists(flag: str) -> None:
    arguments = {parameter.metavar for command in COMMANDS.values() for parameter in command.params}
    flags = {own for name in COMMANDS for own in options(name)}
    for here in FLAGS[flag]:
        first, _, setting = here.partition(" ")
        assert first in flags | arguments, f"{flag}: there is no {here}"
        if first == "--set" and setting != "NAME=VALUE":
            path, _, value = setting.partition("=")
            example = {"N": 300, "NUMBER": 0.1, "FILE": "x.tsv"}[value]
            assert any(_takes(recipe, path, example) for recipe in shipped_recipes())


def _takes(recipe: str, path: str, value: object) -> bool:
    try:
        load_recipe(recipe, {path: value})
    except RegardError:
        return False
    return True


def test_recipes_and_runs_as_json(run: Run) -> None:
    assert "bahdanau" in json.loads(run("recipes", "--json").stdout)
    assert json.loads(run("recipes", "demo", "--json").stdout)["task"] == "translation"


def test_look_and_dry_run_as_json(run: Run, trained: Path) -> None:
    seen = json.loads(run("look", trained, "저는 달을 봤어요.", "--json").stdout)
    assert seen["attention"]["columns"] == ["저는", "달을", "봤어요", ".", "</s>"]
    done = run("train", "demo", "--dry-run", "--json", "-q", "--set", "data.train.rows=300", "--threads", "1")
    assert done.stderr == ""
    assert json.loads(done.stdout)["steps_per_epoch"] > 0


@pytest.mark.parametrize(
    ("begun", "offered"), [("regard trans", "translate"), ("regard train bah", "bahdanau")]
)
def test_the_shell_completes(begun: str, offered: str) -> None:
    words = begun.split()
    environment = {
        **os.environ,
        "_REGARD_COMPLETE": "complete_bash",
        "COMP_WORDS": begun,
        "COMP_CWORD": str(len(words) - 1),
    }
    code = "import sys; sys.argv = ['regard']; from regard.cli.main import run; run()"
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False
    )
    assert offered in done.stdout.split()
