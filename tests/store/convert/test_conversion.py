"""Models in and out: what other libraries load again is what was there."""

import json
import shutil
import subprocess
import sys
import warnings
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from safetensors.torch import load_file
from sentence_transformers import SentenceTransformer
from sentence_transformers.sentence_transformer.modules import Dense, Normalize
from tests.examples import cells
from tests.store.convert.families import written
from tests.store.convert.marian_folder import KOREAN, their_tokenizer, write_marian_folder
from tests.tasks.test_sentence_encoder import TEXTS, small, stored
from tests.tasks.tiny_encoder import write_tiny_encoder
from torch.testing import assert_close
from transformers import AutoModel, AutoTokenizer, BertForSequenceClassification, MarianMTModel

import regard
from regard.errors import ConfigError, MissingExtraError, StoreError
from regard.store.resolve import is_hub_name

__all__ = ["small"]  # a fixture
pytestmark = pytest.mark.filterwarnings("ignore:.* was not read")


@pytest.mark.parametrize(
    ("modes", "above"),
    [
        (["mean"], [Normalize()]),
        (["cls", "max"], [Dense(24, 5), Normalize()]),
        (["mean"], [Dense(12, 7, bias=False, activation_function=torch.nn.Identity())]),
    ],
)
def test_sentence_transformers_opens_what_it_gave(
    small: Path, tmp_path: Path, modes: list[str], above: list[Any]
) -> None:
    prompts: dict[str, Any] = {"prompts": {"query": "abc ", "other": "l "}, "default_prompt_name": "other"}
    theirs = stored(small, tmp_path / "theirs", modes, *above, **prompts)
    assert regard.import_model(tmp_path / "theirs", tmp_path / "own") == ()
    regard.export_model(tmp_path / "own", tmp_path / "back", to="sentence-transformers")
    back = SentenceTransformer(str(tmp_path / "back"), device="cpu")
    assert back.prompts == theirs.prompts
    for name in ("query", "other"):
        expected = theirs.encode(TEXTS, prompt_name=name)
        np.testing.assert_allclose(back.encode(TEXTS, prompt_name=name), expected, atol=1e-6)
        own = regard.load(tmp_path / "own").embed(TEXTS, prompt=name)
        np.testing.assert_allclose(own, expected, atol=1e-5)


@pytest.mark.parametrize("name", ["bert", "roberta", "distilbert"])
def test_transformers_opens_what_it_gave(name: str, tmp_path: Path) -> None:
    theirs = written(name, tmp_path / "theirs")
    (tmp_path / "theirs" / "vocab.txt").write_text("[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\na\n")
    regard.import_model(tmp_path / "theirs", tmp_path / "own")
    regard.export_model(tmp_path / "own", tmp_path / "back", to="transformers")
    back = AutoModel.from_pretrained(tmp_path / "back")
    for key, value in theirs.state_dict().items():
        assert_close(back.state_dict()[key], value, atol=0, rtol=0)


def test_a_translator_becomes_regards_own_and_marians_again(tmp_path: Path) -> None:
    write_marian_folder(tmp_path / "theirs", steps=0)
    regard.import_model(tmp_path / "theirs", tmp_path / "own")
    assert (tmp_path / "own" / "manifest.json").is_file()
    translator = regard.load(tmp_path / "own", task="translation")
    assert repr(translator).startswith("Translator(ko→en, transformer")
    record = translator.translate(KOREAN[0]).attention
    assert record.paths == ("encoder.0.self", "encoder.1.self", "decoder.0.self", "decoder.0.cross")
    edited = translator.look(KOREAN[0], "I read", edit=regard.mask("책을"))
    assert not edited.after.attention.words().weights[:, 1].any()
    regard.export_model(tmp_path / "own", tmp_path / "back")  # transformers stores translators as Marian
    assert isinstance(MarianMTModel.from_pretrained(tmp_path / "back"), MarianMTModel)
    assert their_tokenizer(tmp_path / "back").get_vocab() == their_tokenizer(tmp_path / "theirs").get_vocab()


def test_an_imported_folder_is_whole_or_refused(tmp_path: Path) -> None:
    tiny = write_tiny_encoder(tmp_path / "tiny", query="abc ")
    regard.import_model(tiny, tmp_path / "own")
    path = tmp_path / "own" / "model.safetensors"
    content = bytearray(path.read_bytes())
    content[-3] ^= 1  # one bit of a weight
    path.write_bytes(content)
    with pytest.raises(StoreError, match=r"model.safetensors: damaged: its size or SHA-256"):
        regard.load(tmp_path / "own")


def test_what_cannot_move(tmp_path: Path, opinions: Path) -> None:
    tiny = write_tiny_encoder(tmp_path / "tiny")
    with pytest.raises(StoreError, match="is there already; choose another folder"):
        regard.import_model(tiny, tmp_path)
    with pytest.raises(StoreError, match="is a model of regard already"):
        regard.import_model(opinions, tmp_path / "out")
    with pytest.raises(StoreError, match="no such folder"):
        regard.import_model(tmp_path / "nowhere", tmp_path / "out")
    with pytest.raises(StoreError, match="a sentence for classification cannot be exported to transformers"):
        regard.export_model(opinions, tmp_path / "out")
    with pytest.raises(StoreError, match="Marian is a translator, found an encoder"):
        regard.export_model(tiny, tmp_path / "out", to="marian")
    with pytest.raises(ConfigError, match="unknown layout 'marain'; did you mean 'marian'"):
        regard.export_model(tiny, tmp_path / "out", to="marain")  # type: ignore[arg-type]
    with pytest.raises(ConfigError, match="a revision belongs to a name of the hub"):
        regard.import_model(tiny, tmp_path / "out", revision="main")
    shutil.move(tiny / "model.safetensors", tiny / "pytorch_model.bin")
    (tiny / "manifest.json").unlink()
    with pytest.raises(StoreError, match=r"pytorch_model.bin is here, but .* can run code.*convert it"):
        regard.import_model(tiny, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def _in_pickles(folder: Path) -> None:
    """The weights as they were stored in former times."""
    for path in folder.rglob("model.safetensors"):
        torch.save(load_file(path), path.with_name("pytorch_model.bin"))
        path.unlink()


PICKLED = ["classifier", "marian", "dense"]


@cells(("kind", "fresh"), product(PICKLED, [True, False]), quick=[*product(PICKLED, [False])])
def test_what_is_said_of_pickles_is_done_and_keeps_the_whole_model(
    kind: str, fresh: bool, small: Path, tmp_path: Path
) -> None:
    """In a Python of its own, or in this one, which has imported what is slow to import."""
    folder = tmp_path / "old"
    if kind == "classifier":
        model = BertForSequenceClassification.from_pretrained(small, num_labels=3)
        model.save_pretrained(folder)
        AutoTokenizer.from_pretrained(small).save_pretrained(folder)
    elif kind == "marian":
        write_marian_folder(folder, steps=2)
    else:
        stored(small, folder, ["mean"], Dense(12, 5))
    before = regard.load(folder)
    read = {"classifier": "probabilities", "marian": "text", "dense": "vector"}[kind]
    expected = _read(before, read)
    _in_pickles(folder)
    with pytest.raises(StoreError, match="reading it can run code") as caught:
        regard.load(folder)
    said = str(caught.value).partition('python -c "')[2].removesuffix('"')
    if fresh:
        subprocess.run([sys.executable, "-c", said], capture_output=True, check=True)
    else:
        with warnings.catch_warnings(action="ignore"):  # of theirs
            exec(said, {})
    assert _read(regard.load(f"{folder}-safetensors"), read) == expected


def _read(model: Any, what: str) -> Any:
    if what == "vector":
        return model.embed("abc d").tolist()
    if what == "text":
        return model.translate(KOREAN[0]).text
    return dict(model.classify("abc d").probabilities)


def test_a_name_is_looked_for_in_the_hubs_own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As the library keeps it: no network is needed for what is there."""
    import huggingface_hub.constants as constants

    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path / "hub"))
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    place = tmp_path / "hub" / "models--someone--tiny"
    write_tiny_encoder(place / "snapshots" / ("0" * 40))
    (place / "refs").mkdir()
    (place / "refs" / "main").write_text("0" * 40)
    regard.import_model("someone/tiny", tmp_path / "own")
    assert regard.load(tmp_path / "own").embed("abc").shape == (12,)
    with pytest.raises(StoreError) as caught:
        regard.import_model("someone/else", tmp_path / "out")
    assert str(caught.value) == (
        "someone/else: there is no such folder, and HF_HUB_OFFLINE is set, and the cache of the Hugging Face "
        "hub has no such model; a folder that holds the files of the model can be named instead"
    )
    (place / "snapshots" / ("0" * 40) / "model.safetensors").unlink()
    with pytest.raises(StoreError, match="has no weights as safetensors"):
        regard.import_model("someone/tiny", tmp_path / "out")


@pytest.mark.parametrize(
    ("kind", "reason"),
    [
        ("RepositoryNotFoundError", "the Hugging Face hub has no model of this name that you may see"),
        ("GatedRepoError", "the Hugging Face hub wants its terms to be accepted first, and you to log in"),
        ("RevisionNotFoundError", "the Hugging Face hub has no revision 'v2' of this model"),
        ("ConnectionError", "the Hugging Face hub cannot be reached (no route)"),
    ],
)
def test_why_the_hub_gives_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, reason: str
) -> None:
    """There is no hub in a test: its library fails as it does with one."""
    import huggingface_hub
    from huggingface_hub import errors

    failure: Any = getattr(errors, kind, ConnectionError)

    def fail(*_: object, **__: object) -> str:
        raise failure.__new__(failure, "no route") if failure is not ConnectionError else failure("no route")

    monkeypatch.setattr(huggingface_hub, "snapshot_download", fail)
    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_OFFLINE", False)
    with pytest.raises(StoreError) as caught:
        regard.import_model("someone/else", tmp_path / "out", revision="v2")
    assert str(caught.value).startswith(f"someone/else: there is no such folder, and {reason}")
    assert "\n" not in str(caught.value)


def test_without_the_extra_a_name_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "huggingface_hub", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'regard\[hub\]'"):
        regard.import_model("someone/tiny", tmp_path / "out")


@pytest.mark.parametrize("text", ["a/b", "Helsinki-NLP/opus-mt-ko-en"])
def test_names(text: str) -> None:
    assert is_hub_name(text)
    assert not any(map(is_hub_name, (f"/{text}", f"{text}/c", "plain", f"../{text}", f"./{text}", "")))


def test_a_manifest_cannot_lead_out_of_its_folder(tmp_path: Path) -> None:
    tiny = write_tiny_encoder(tmp_path / "tiny")
    (tiny / "manifest.json").write_text(json.dumps({"format": 1, "files": {"../../etc/hosts": {}}}))
    with pytest.raises(StoreError, match="not a file of this folder"):
        regard.load(tiny)
