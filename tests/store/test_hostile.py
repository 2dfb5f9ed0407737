"""Folders that somebody made to do harm are refused at once, in one line, before they take memory."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.controls.copies import ROOT

SECONDS, MEBIBYTES = 1.0, 64.0
"""Of the processor, and of memory beyond what there was: as much as a refusal may take."""


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[dict[str, Any]]]:
    """What each of them took, in a process of its own."""
    folder = tmp_path_factory.mktemp("hostile")
    done = subprocess.run(
        [sys.executable, "-m", "tests.store.hostile", str(folder)],
        cwd=ROOT, capture_output=True, text=True, timeout=600, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    return folder, [json.loads(line) for line in done.stdout.splitlines()]


def test_each_is_refused_in_one_line_that_names_the_file(found: tuple[Path, list[dict[str, Any]]]) -> None:
    folder, results = found
    assert len(results) >= 70
    for result in results:
        said = result["said"]
        assert said.startswith(f"{folder}/"), (result["name"], said)
        assert "\n" not in said, result["name"]
        named = (".json", ".safetensors", ".spm", "vocab.txt", "its tokenizer")
        assert any(name in said.removeprefix(str(folder)) for name in named), (result["name"], said)


def test_none_takes_more_than_a_second_or_64_mebibytes(found: tuple[Path, list[dict[str, Any]]]) -> None:
    _, results = found
    slow = {result["name"]: result["seconds"] for result in results if result["seconds"] > SECONDS}
    large = {result["name"]: result["mebibytes"] for result in results if result["mebibytes"] > MEBIBYTES}
    assert slow == {}
    assert large == {}


def test_none_runs_code(found: tuple[Path, list[dict[str, Any]]]) -> None:
    folder, _ = found
    assert not (folder / "canary").exists()


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("own: width", "model.safetensors: source_embedding.weight should have the shape (5, 65536), as"),
        ("own: encoder_layers", "its largest setting is model.encoder_layers: 65536"),
        ("own: encoder.layers", "its largest setting is model.encoder.layers: 65536"),
        ("own: decoder.hidden_size", "attention.score.query.weight should have the shape (7, 65536), as"),
        ("own: nan", "decoder.0.around_cross.norm.bias holds values that are not numbers"),
        ("own: complex", "decoder.0.around_cross.norm.bias should hold floating-point numbers, found C64"),
        ("own: an id of 2^31", "model.vocab: expected the ids 0 to"),
        ("own: a rule that multiplies", "normalizer: expected null, found {"),
        ("own: two gigabytes of nothing", "source_embedding.weight is missing; config.json asks for it in"),
        (
            "foreign: an id of 2^31",
            "expected ids from 0 to 28, as the weights have rows, found 2147483648",
        ),
        ("foreign: rules that double", "at most 16 times as long, found 4,096 times"),
        ("foreign: a regular expression", "pre_tokenizer: pattern: expected a regular expression without"),
        ("marian: an empty source.spm", "source.spm: not a model of SentencePiece: it is empty"),
        (
            "marian: a source.spm that multiplies",
            "expected at most 64 bytes for a character, found 1,000,000",
        ),
    ],
)
def test_what_is_wrong_is_named(found: tuple[Path, list[dict[str, Any]]], name: str, message: str) -> None:
    (said,) = (result["said"] for result in found[1] if result["name"] == name)
    assert message in said
