"""Models are outlined without memory, and compared with their weights, before they are built."""

import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
import torch
from tests.store.hostile import joint
from torch import nn

import regard
from regard.config.load import load_recipe
from regard.errors import StoreError
from regard.models.catalogue import build_model
from regard.store.build import build_from_weights, outline_of
from regard.store.folder import StoredModel, read_model, write_model
from regard.training.warm_start import WarmStart

SMALL: dict[str, Any] = {
    "kind": "transformer", "width": 8, "heads": 2, "feed_forward": 8,
    "encoder_layers": 1, "decoder_layers": 1,
}  # fmt: skip
SIZE = len(joint(SMALL).weights["source_embedding.weight"])


def builder(**changes: Any) -> Callable[[], nn.Module]:
    config = load_recipe("demo", [("model", {**SMALL, **changes})]).model
    return lambda: build_model(config, source_size=SIZE, target_size=SIZE)


@pytest.fixture
def stored(tmp_path: Path) -> StoredModel:
    """A translator in a folder, of which the header is read."""
    write_model(tmp_path / "m", joint(SMALL))
    return read_model(tmp_path / "m")


def test_an_outline_has_the_parameters_of_the_model_and_no_memory(stored: StoredModel) -> None:
    outline = outline_of(builder(), stored.weights, stored.recipe.model, "here")
    model = build_from_weights(builder(), stored, "here")
    assert outline == {name: tuple(value.shape) for name, value in model.named_parameters()}
    assert all(torch.equal(value, stored.weights[name]) for name, value in model.named_parameters())


class SeesItsWeights(nn.Module):
    """A part of a user's own that looks at a value when it is made."""

    def __init__(self) -> None:
        super().__init__()
        self.scale = nn.Parameter(torch.ones(3))
        self.sum = float(self.scale.sum())


def test_what_has_to_see_values_is_compared_when_it_is_there(stored: StoredModel) -> None:
    own = StoredModel(stored.recipe, {"scale": torch.full((3,), 2.0)}, {})
    assert outline_of(SeesItsWeights, own.weights, own.recipe.model, "here") is None
    assert build_from_weights(SeesItsWeights, own, "here").scale.tolist() == [2.0, 2.0, 2.0]
    with pytest.raises(StoreError, match=r"scale should have the shape \(3,\), found \(2,\)"):
        build_from_weights(SeesItsWeights, StoredModel(stored.recipe, {"scale": torch.ones(2)}, {}), "here")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (
            {"width": 65536},
            rf"source_embedding.weight should have the shape \({SIZE}, 65536\), as config.json",
        ),
        ({"encoder_layers": 600}, "more than 220; its largest setting is model.longest"),
        (
            {"encoder_layers": 2},
            r"encoder.1.self.output.weight is missing; config.json asks for it in the shape",
        ),
        ({"tie_embeddings": False}, r"output.weight is missing"),
    ],
)
def test_a_run_begins_with_no_model_of_other_weights(
    stored: StoredModel, tmp_path: Path, changes: dict[str, Any], message: str
) -> None:
    with pytest.raises(StoreError, match=message) as caught:
        WarmStart(stored, "m", extends=False).check_fits(builder(**changes))
    assert str(caught.value).startswith(f"{tmp_path / 'm' / 'model.safetensors'}: ")


def test_an_extended_vocabulary_may_have_more_rows(stored: StoredModel) -> None:
    config = stored.recipe.model
    more = SIZE + 3
    start = WarmStart(stored, "m", extends=True)
    start.check_fits(lambda: build_model(config, source_size=more, target_size=more))
    with pytest.raises(StoreError, match=rf"should have the shape \({SIZE - 1}, 8\), as config.json says"):
        start.check_fits(lambda: build_model(config, source_size=SIZE - 1, target_size=SIZE - 1))


def test_models_are_opened_side_by_side(tmp_path: Path) -> None:
    """What counts parameters is everybody's: it stays where another thread makes a module."""
    write_model(tmp_path / "m", joint(SMALL))
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(6) as threads:
            list(threads.map(lambda _: regard.load(tmp_path / "m"), range(60)))
    finally:
        sys.setswitchinterval(before)


def test_no_compiler_is_loaded_to_open_a_model(tmp_path: Path) -> None:
    """torch would load one to draw weights that have no memory; it takes a second."""
    write_model(tmp_path / "m", joint(SMALL))
    code = f"import sys, regard; regard.load({str(tmp_path / 'm')!r}); print('torch._dynamo' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
