"""Every example of docs/extending.md runs as it stands there, with its own commands."""

import json
import random
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.conftest import Run
from tests.documented import ROOT, commands_of
from tests.tasks.classifier import SMALL
from tests.training.tiny import TINY

PAGE = ROOT / "docs" / "extending.md"
BLOCK = re.compile(r'^```\w+ title="([^"]+)"\n(.*?)^```', re.MULTILINE | re.DOTALL)
SHORT = {"demo": TINY, "self-attentive": SMALL[:4]}
"""What makes the training of a recipe that ships short."""
MOST_LINES, MOST_SECTIONS = 200, 7


def sections() -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for name, block in BLOCK.findall(PAGE.read_text(encoding="utf-8")):
        found.setdefault(name, []).append(block)
    return found


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The files of the page, and data for them; commands run there."""
    there = tmp_path_factory.mktemp("extending")
    for name, blocks in sections().items():
        (there / name).write_text("".join(blocks), encoding="utf-8")
    words, animals = (
        ["the", "old", "red", "sat", "ran", "down", "big", "house", "tree"],
        ["cat", "dog", "cow"],
    )
    draw = random.Random(1)
    for name, rows in (("train", 300), ("dev", 40)):
        lines = ["text\tkeyword"]
        for _ in range(rows):
            keyword, text = draw.choice(animals), draw.choices(words, k=draw.randint(2, 6))
            text.insert(draw.randint(0, len(text)), keyword)
            lines.append(f"{' '.join(text)}\t{keyword}")
        (there / f"{name}.tsv").write_text("\n".join(lines) + "\n")
    (there / "film.srt").write_text("1\n0:01\nWe were\nhere.\n\n2\n0:02\nGone.\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(there)
        yield there


@pytest.fixture(scope="module")
def told(folder: Path, run: Run) -> dict[str, str]:
    """What each command of the page prints, by its words after the plugin."""
    found = {}
    for command in sorted(commands_of(PAGE), key=lambda one: "train" not in one.arguments):
        arguments = list(command.arguments)
        if "train" in arguments:
            recipe = arguments[arguments.index("train") + 1]
            arguments += [part for setting in SHORT.get(recipe, ()) for part in ("--set", setting)]
        ended = run(*(part.replace("runs/demo", "runs/logged") for part in arguments))
        assert ended.returncode == 0, (command.line, ended.stderr)
        found[" ".join(command.arguments)] = ended.stdout
    return found


def printed(told: dict[str, str], *words: str) -> str:
    (found,) = (text for line, text in told.items() if all(word in line for word in words))
    return found


def test_a_score_and_a_model_are_looked_into(told: dict[str, str]) -> None:
    assert "책을" in printed(told, "look", "runs/cubed")
    assert "hop 0" in printed(told, "look", "runs/weighted")


def test_a_metric_stands_beside_the_others(told: dict[str, str]) -> None:
    lines = printed(told, "evaluate", "length_ratio").splitlines()
    assert [line.split()[0] for line in lines[1:3]] == ["bleu", "length_ratio"]
    assert "length_ratio" in lines[4]  # also in groups


def test_a_logger_is_told_every_step(told: dict[str, str], folder: Path) -> None:
    assert printed(told, "--logger", "losses") is not None
    log = [json.loads(line) for line in (folder / "runs/logged/log.jsonl").read_text().splitlines()]
    steps = [f"{event['step']} {event['loss']}" for event in log if event["event"] == "step"]
    assert (folder / "runs/logged/losses.txt").read_text().splitlines() == steps


def test_a_reader_gives_rows(told: dict[str, str]) -> None:
    assert "We were here." in printed(told, "data", "film.srt")


def test_a_task_has_all_that_tasks_have(told: dict[str, str], folder: Path, run: Run) -> None:
    assert printed(told, "predict", "runs/keyword").startswith("cat\t")
    assert "accuracy  1.000" in printed(told, "evaluate", "runs/keyword")
    effect = printed(told, "look", "--remove-word")
    assert "before  cat" in effect
    assert "after   cat" not in effect
    values = json.loads(
        run("--plugin", "keyword.py", "predict", "runs/keyword", "a dog ran", "--json", "--attention").stdout
    )
    assert values["keyword"] == "dog"
    assert values["attention"]["source"]["text"] == "a dog ran"
    (folder / "bad.tsv").write_text("text\tkeyword\na dog ran\tcat\n")
    refused = run("--plugin", "keyword.py", "evaluate", "runs/keyword", "bad.tsv")
    assert refused.returncode == 2
    assert "bad.tsv:2: 'cat' is not a word of the text" in refused.stderr


def test_without_its_plugin_a_model_says_what_is_missing(told: dict[str, str], run: Run) -> None:
    assert told
    refused = run("look", "runs/keyword", "a dog")
    assert refused.returncode == 2
    assert refused.stderr.count("\n") == 1
    assert "keyword" in refused.stderr


def test_the_task_is_short() -> None:
    blocks = sections()["keyword.py"]
    assert sum(block.count("\n") for block in blocks) <= MOST_LINES
    assert len(blocks) <= MOST_SECTIONS
