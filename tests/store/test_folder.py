import json
from pathlib import Path

import pytest
import torch
from torch import nn

from regard.config.load import load_recipe
from regard.errors import ConfigError, StoreError
from regard.store.atomic import write_folder
from regard.store.folder import StoredModel, find_model, put_weights, read_model, weights_of, write_model

WEIGHTS = {"w": torch.arange(6.0).view(2, 3)}


def stored() -> StoredModel:
    return StoredModel(load_recipe("demo"), WEIGHTS, {"source": "1", "target": "2"}, {"step": 3})


def test_a_model_folder_can_be_read_by_anyone(tmp_path: Path) -> None:
    folder = tmp_path / "m"
    write_model(folder, stored())
    names = {path.name for path in folder.iterdir()}
    assert names == {
        "config.json",
        "model.safetensors",
        "tokenizer.source.json",
        "tokenizer.target.json",
        "manifest.json",
    }
    config = json.loads((folder / "config.json").read_text())
    assert config["recipe"]["model"]["kind"] == "seq2seq"
    assert config["summary"] == {"step": 3}


def test_folders_that_are_no_models(tmp_path: Path) -> None:
    with pytest.raises(
        StoreError, match=r"none: no such folder; `regard train RECIPE --out .*none` makes one"
    ):
        find_model(tmp_path / "none")
    with pytest.raises(StoreError, match="expected a model folder"):
        find_model(tmp_path)
    (tmp_path / "run.json").write_text('{"format": 2, "best": "../elsewhere", "last": null}')
    with pytest.raises(StoreError, match="points out of the run folder"):
        find_model(tmp_path)
    (tmp_path / "run.json").write_text("{")
    with pytest.raises(StoreError, match=r"run.json: damaged"):
        find_model(tmp_path)
    (tmp_path / "run.json").write_text('{"format": 9, "best": null, "last": null}')
    with pytest.raises(StoreError, match="has format 9, this regard reads up to 3; use a newer regard"):
        find_model(tmp_path)
    (tmp_path / "run.json").write_text('{"format": 2, "best": null, "last": "checkpoints/x"}')
    with pytest.raises(StoreError, match=r"no best model yet; the last checkpoint is .*checkpoints/x"):
        find_model(tmp_path)


def test_wrong_contents_are_named(tmp_path: Path) -> None:
    write_folder(tmp_path / "a", {"config.json": b"{}"})
    with pytest.raises(StoreError, match=r"a: model.safetensors is missing"):
        read_model(tmp_path / "a")
    write_folder(tmp_path / "b", {"config.json": b"{}", "model.safetensors": b""})
    with pytest.raises(StoreError, match=r"config.json: not a config that regard wrote"):
        read_model(tmp_path / "b")
    config = json.dumps({"recipe": {}, "summary": {}}).encode()
    for number, content in enumerate((b"", b"\x80\x04pickle", b"\xff" * 64)):
        folder = tmp_path / f"c{number}"
        write_folder(folder, {"config.json": config, "model.safetensors": content})
        with pytest.raises(StoreError, match=r"model.safetensors: not a safetensors file"):
            read_model(folder)
    bad = json.dumps({"recipe": {"model": {"dropuot": 1}}, "summary": {}}).encode()
    write_model(tmp_path / "m", stored())
    good = (tmp_path / "m" / "model.safetensors").read_bytes()
    write_folder(tmp_path / "d", {"config.json": bad, "model.safetensors": good})
    with pytest.raises(ConfigError, match=r"config.json: model.dropuot: unknown setting"):
        read_model(tmp_path / "d")


def test_weights_must_fit_the_model() -> None:
    model = nn.Linear(3, 2)
    weights = weights_of(model)
    with pytest.raises(StoreError, match="here: the weights do not fit the recipe: bias"):
        put_weights(model, {"weight": weights["weight"]}, "here")
    with pytest.raises(StoreError, match=r"weight should have the shape \(2, 3\), found \(3, 2\)"):
        put_weights(model, {**weights, "weight": weights["weight"].T}, "here")
