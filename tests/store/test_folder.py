import json
import shutil
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import nn

from regard.config.load import load_recipe
from regard.errors import ConfigError, StoreError
from regard.store.atomic import write_folder
from regard.store.folder import (
    StoredModel,
    files_of,
    load_weights,
    read_model,
    weights_of,
    write_model,
)
from regard.store.resolve import find_model

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


def test_folders_that_are_no_models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(
        StoreError, match=r"none: no such folder; `regard train RECIPE --out .*none` makes one"
    ):
        find_model(tmp_path / "none")
    with pytest.raises(StoreError, match="expected a model folder"):
        find_model(tmp_path)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(StoreError, match=r"hub is fetched first: regard import some-one/a-model a-model$"):
        find_model(Path("some-one/a-model"))
    write_model(tmp_path / "demo", stored())
    for written in ("demoo", "some-one/demo", "./dmeo"):
        with pytest.raises(StoreError, match=r"no such folder; did you mean demo\?$"):
            find_model(Path(written))
    shutil.rmtree(tmp_path / "demo")
    (tmp_path / "run.json").write_text('{"format": 2, "best": "../elsewhere", "last": null}')
    with pytest.raises(StoreError, match="points out of the run folder"):
        find_model(tmp_path)
    (tmp_path / "run.json").write_text("{")
    with pytest.raises(StoreError, match=r"run.json: damaged"):
        find_model(tmp_path)
    (tmp_path / "run.json").write_text('{"format": 9, "best": null, "last": null}')
    with pytest.raises(StoreError, match="has format 9, this regard reads up to 4; use a newer regard"):
        find_model(tmp_path)
    (tmp_path / "run.json").write_text('{"format": 2, "best": null, "last": "checkpoints/x"}')
    with pytest.raises(StoreError, match=r"no best model yet; the last checkpoint is .*checkpoints/x"):
        find_model(tmp_path)


RUN: dict[str, Any] = {"format": 3, "best": None, "last": None, "checkpoints": []}
ENTRY: dict[str, Any] = {"folder": "checkpoints/x", "step": 1, "score": 0.5}


@pytest.mark.parametrize(
    "content",
    [
        "[" * 200_000,
        json.dumps(RUN) + " " * 2**22,
        json.dumps(RUN | {"format": "3\n"}),
        json.dumps(RUN | {"best": "a\0b"}),
        json.dumps(RUN | {"last": "\ud800"}),
        json.dumps(RUN | {"last": 5}),
        json.dumps(RUN | {"checkpoints": [ENTRY | {"folder": 5}]}),
        json.dumps(RUN | {"checkpoints": [ENTRY | {"folder": None}]}),
        json.dumps(RUN | {"checkpoints": [ENTRY | {"folder": "\0"}]}),
        json.dumps(RUN | {"checkpoints": [ENTRY | {"step": "1"}]}),
        json.dumps(RUN | {"checkpoints": [ENTRY | {"score": "x"}]}),
        json.dumps(RUN | {"checkpoints": [5]}),
        "[]",
    ],
    ids=[
        "deep", "large", "format", "zero byte", "half a character", "number", "folder", "no folder",
        "zero byte in a folder", "step", "score", "no entry", "list",
    ],
)  # fmt: skip
def test_a_hostile_pointer_is_refused(tmp_path: Path, content: str) -> None:
    (tmp_path / "run.json").write_text(content)
    with pytest.raises(StoreError) as caught:
        read_model(tmp_path)
    told = f"{tmp_path / 'run.json'}: damaged; name a folder under {tmp_path / 'checkpoints'}"
    assert str(caught.value) == told


def test_a_pointer_at_a_link_that_leads_to_itself(tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "run.json").write_text(json.dumps(RUN | {"best": "loop/x"}))
    with pytest.raises(StoreError, match=r"^[^\n]*$"):
        read_model(tmp_path)


@pytest.mark.parametrize(
    ("config", "message"),
    [
        (b"[" * 200_000, "not a config that regard wrote"),
        (b'{"recipe": [], "summary": {}}', "recipe: expected a JSON object, found list"),
        (b'{"recipe": {}, "summary": "x"}', "summary: expected a JSON object, found str"),
    ],
    ids=["deep", "recipe", "summary"],
)
def test_a_hostile_config_is_refused(tmp_path: Path, config: bytes, message: str) -> None:
    folder = tmp_path / "checkpoints" / "x"
    write_folder(folder, {"config.json": config, "model.safetensors": b""})
    (tmp_path / "run.json").write_text(json.dumps(RUN | {"best": "checkpoints/x"}))
    with pytest.raises(StoreError) as caught:
        read_model(tmp_path)
    assert str(caught.value) == f"{folder / 'config.json'}: {message}"


@pytest.mark.parametrize("name", ["tokenizer.source.json", "labels.json"])
def test_a_file_that_is_no_text_is_refused(tmp_path: Path, name: str) -> None:
    write_folder(tmp_path / "m", {**files_of(stored()), name: b"ab\xff"})
    with pytest.raises(StoreError, match=rf"{name}: not UTF-8 text at byte 2$"):
        read_model(tmp_path / "m")


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
        load_weights(model, {"weight": weights["weight"]}, "here")
    with pytest.raises(StoreError, match=r"weight should have the shape \(2, 3\), found \(3, 2\)"):
        load_weights(model, {**weights, "weight": weights["weight"].T}, "here")
