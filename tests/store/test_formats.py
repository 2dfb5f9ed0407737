"""What a released version has written can be read for ever; what a newer one writes is refused in a line."""

import json
import shutil
from pathlib import Path

import pytest
import torch
from tests.torture.figures import Figures

import regard
from regard.errors import StoreError
from regard.store.atomic import FORMAT
from regard.store.checkpoint import read_checkpoint
from regard.store.pointer import POINTER_FORMAT

pytestmark = pytest.mark.torture

FIXTURES = Path(__file__).with_name("fixtures")
RELEASED = sorted(path for path in FIXTURES.iterdir() if path.name.startswith("format-"))


def test_the_formats_of_this_version_have_a_fixture() -> None:
    """If this fails, a format has changed: run fixtures/make.py, and keep the old fixtures."""
    assert FIXTURES / f"format-{FORMAT}-{POINTER_FORMAT}" in RELEASED


@pytest.mark.parametrize("stored", RELEASED, ids=lambda path: path.name)
def test_every_released_format_is_read(stored: Path, figures: Figures) -> None:
    model = regard.load(stored)
    assert model.recipe.model.kind == "seq2seq"
    _, words, _ = model.translate("가 나").attention.words()
    assert list(words)[:2] == ["가", "나"]
    found, problems = read_checkpoint(stored)
    assert problems == []
    assert found is not None
    assert found.progress["step"] == 1
    for name, weight in found.model.weights.items():
        assert torch.equal(dict(model.module.named_parameters())[name], weight)
        assert found.optimizer[f"exp_avg/{name}"].shape == weight.shape
    figures.add("R13", formats=1)


@pytest.mark.parametrize("file", ["run.json", "checkpoints/step-00000001/manifest.json"])
def test_a_newer_format_is_refused_in_one_line(tmp_path: Path, file: str) -> None:
    shutil.copytree(RELEASED[-1], tmp_path / "r")
    path = tmp_path / "r" / file
    values = json.loads(path.read_text())
    path.write_text(json.dumps({**values, "format": values["format"] + 1}))
    with pytest.raises(StoreError) as caught:
        regard.load(tmp_path / "r")
    told = str(caught.value)
    place = path if path.name == "run.json" else path.parent
    assert told.startswith(f"{place}: has format {values['format'] + 1}, this regard reads ")
    assert "\n" not in told
