"""Models by name, from the cache that the library of the hub keeps."""

import json
import shutil
from pathlib import Path

import pytest
from sentence_transformers import SentenceTransformer
from tests.tasks.test_sentence_encoder import TEXTS, assert_same_vectors
from tests.tasks.tiny_encoder import write_tiny_encoder

import regard
from regard.errors import StoreError
from regard.tasks.embedding.sentence_encoder import SentenceEncoder

pytestmark = pytest.mark.filterwarnings("ignore:.* was not read")


@pytest.fixture
def snapshot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of someone/old, whose encoder has a folder of its own, as the first versions wrote it."""
    import huggingface_hub.constants as constants

    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path / "hub"))
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    place = tmp_path / "hub" / "models--someone--old"
    folder = write_tiny_encoder(place / "snapshots" / ("0" * 40))
    (place / "refs").mkdir()
    (place / "refs" / "main").write_text("0" * 40)
    (folder / "manifest.json").unlink()
    (folder / "0_Transformer").mkdir()
    for name in ("config.json", "model.safetensors", "vocab.txt", "tokenizer_config.json"):
        shutil.move(folder / name, folder / "0_Transformer")
    modules = json.loads((folder / "modules.json").read_text())
    modules[0]["path"] = "0_Transformer"
    (folder / "modules.json").write_text(json.dumps(modules))
    return folder


def test_an_encoder_may_have_a_folder_of_its_own(snapshot: Path, tmp_path: Path) -> None:
    theirs = SentenceTransformer(str(snapshot), device="cpu")
    regard.import_model("someone/old", tmp_path / "own")
    assert_same_vectors(SentenceEncoder.open(tmp_path / "own"), theirs, TEXTS)


def test_no_weights_in_any_folder_is_said(snapshot: Path, tmp_path: Path) -> None:
    weights = snapshot / "0_Transformer" / "model.safetensors"
    weights.rename(weights.with_name("pytorch_model.bin"))
    with pytest.raises(StoreError, match="someone/old: has no weights as safetensors"):
        regard.import_model("someone/old", tmp_path / "out")
