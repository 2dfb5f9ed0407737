"""Folders of encoders: what is in the way is named, before memory is taken."""

import json
import os
import resource
import struct
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import safetensors
import torch
from safetensors.torch import load_file, save_file
from tokenizers import Tokenizer as Backend
from tokenizers.models import WordPiece
from tokenizers.processors import TemplateProcessing
from torch.testing import assert_close

from regard.config.bert import BertConfig
from regard.errors import StoreError
from regard.inference.encoders import build_encoder, open_encoder
from regard.models.bert import Bert
from regard.store.convert.encoder import StoredEncoder, build_tokenizer, read_encoder, write_encoder
from regard.store.convert.settings import FAMILIES, Described
from regard.store.folder import weights_of

SIZES: dict[str, Any] = {"width": 12, "heads": 3, "feed_forward": 20, "layers": 2, "places": 16}
VOCABULARY = 29


def encoder(model_type: str = "bert", **changes: Any) -> StoredEncoder:
    torch.manual_seed(0)
    config = BertConfig(**{**SIZES, **changes})
    described = Described(FAMILIES[model_type], model_type, config, VOCABULARY, {"id2label": {"0": "x"}})
    return StoredEncoder(described, weights_of(Bert(config, vocabulary_size=VOCABULARY)))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_encoder(tmp_path / "model", encoder(pooler=False))
    return tmp_path / "model"


def refused(folder: Path) -> str:
    with pytest.raises(StoreError) as caught:
        open_encoder(folder)
    assert "\n" not in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize(
    ("model_type", "changes"),
    [
        ("bert", {}),
        ("bert", {"pooler": False, "masked_words": False, "activation": "gelu_tanh"}),
        ("roberta", {"uncounted": 1, "segments": 1}),
        ("distilbert", {"segments": 0, "pooler": False}),
    ],
)
def test_what_is_written_is_read(model_type: str, changes: dict[str, Any], tmp_path: Path) -> None:
    """Every parameter of the model has its place in the layout, in its shape."""
    stored = encoder(model_type, **changes)
    write_encoder(tmp_path / "model", stored)
    again = read_encoder(tmp_path / "model")
    assert again.described == stored.described
    assert_close(again.weights, stored.weights, atol=0, rtol=0)
    assert_close(weights_of(build_encoder(again, "model")), stored.weights, atol=0, rtol=0)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"model_type": "gpt2"}, "model_type: 'gpt2' is no family that regard opens; valid: bert, "),
        (
            {"model_type": "robertta"},
            "model_type: 'robertta' is no family that regard opens; did you mean 'roberta'?",
        ),
        ({"model_type": None}, "model_type: None is no family"),
        ({"model_type": ["bert"]}, "model_type: ['bert'] is no family"),
        (
            {"position_embedding_type": "relative_key"},
            "position_embedding_type: regard opens models with 'absolute'",
        ),
        ({"is_decoder": True}, "is_decoder: regard opens models with False here, found True"),
        ({"auto_map": {"AutoModel": "code.Model"}}, "auto_map: regard opens models with {} here"),
        ({"quantization_config": {"bits": 4}}, "quantization_config: regard opens models with None here"),
        ({"hidden_act": "mish"}, "hidden_act: unknown function 'mish'; valid: gelu, "),
        ({"hidden_act": None}, "hidden_act: unknown function None"),
        (
            {"hidden_size": 10**12},
            "hidden_size: input should be less than or equal to 65536, found 1000000000000",
        ),
        ({"hidden_size": "12"}, "hidden_size: input should be a valid integer, found '12'"),
        ({"num_attention_heads": 5}, "width 12 cannot be divided by 5 heads"),
        ({"layer_norm_eps": -1.0}, "layer_norm_eps: input should be greater than 0"),
        ({"vocab_size": 2**40}, "vocab_size: expected a number from 1 to 16,777,216, found 1099511627776"),
        ({"tie_word_embeddings": False}, "tie_word_embeddings: regard scores words with their own vectors"),
    ],
)
def test_the_field_in_the_way_is_named(folder: Path, changes: dict[str, Any], message: str) -> None:
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps({**config, **changes}))
    assert refused(folder).startswith(f"{folder / 'config.json'}: {message}")


def test_a_field_that_is_missing(folder: Path) -> None:
    config = json.loads((folder / "config.json").read_text())
    del config["num_hidden_layers"]
    (folder / "config.json").write_text(json.dumps(config))
    assert refused(folder) == f"{folder / 'config.json'}: num_hidden_layers: missing"


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"vocab_size": 2**24}, "embeddings.word_embeddings.weight should have the shape (16777216, 12), as"),
        ({"hidden_size": 65535}, "embeddings.word_embeddings.weight should have the shape (29, 65535), as"),
        (
            {"num_hidden_layers": 65536},
            "encoder.layer.2.attention.self.query.weight is missing; config.json promises",
        ),
        (
            {"num_hidden_layers": 1},
            "no place for 16 tensors in a bert of these settings: bert.encoder.layer.1.",
        ),
        (
            {"intermediate_size": 65536},
            "encoder.layer.0.intermediate.dense.weight should have the shape (65536, 12)",
        ),
        (
            {"type_vocab_size": 0},
            "no place for 1 tensor in a bert of these settings: bert.embeddings.token_type",
        ),
    ],
)
def test_settings_that_promise_other_weights(folder: Path, changes: dict[str, Any], message: str) -> None:
    """Sizes are compared with the header first: no memory is taken for what is not there."""
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps({**config, **changes}))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    found = refused(folder)
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert found.startswith(f"{folder / 'model.safetensors'}: ")
    assert message in found
    assert grown < 64 * 2**10  # KiB


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda t: t.pop("bert.embeddings.LayerNorm.bias"), "bert.embeddings.LayerNorm.bias is missing"),
        (
            lambda t: t.update(extra=torch.zeros(1)),
            "no place for 1 tensor in a bert of these settings: extra",
        ),
        (
            lambda t: t["cls.predictions.bias"].fill_(torch.nan),
            "cls.predictions.bias holds values that are not",
        ),
        (
            lambda t: t.update({"cls.predictions.bias": torch.zeros(29, dtype=torch.int8)}),
            "cls.predictions.bias should hold floating-point numbers, found I8",
        ),
    ],
)
def test_tensors_that_do_not_fit(folder: Path, change: Any, message: str) -> None:
    tensors = load_file(folder / "model.safetensors")
    change(tensors)
    save_file(tensors, folder / "model.safetensors")
    assert refused(folder).startswith(f"{folder / 'model.safetensors'}: {message}")


def test_old_names_of_norms_and_numbers_of_places(folder: Path) -> None:
    whole = read_encoder(folder)
    tensors = load_file(folder / "model.safetensors")
    renamed = {
        name.replace("LayerNorm.weight", "LayerNorm.gamma").replace(
            "LayerNorm.bias", "LayerNorm.beta"
        ): values
        for name, values in tensors.items()
    }
    renamed["bert.embeddings.position_ids"] = torch.arange(16)[None]
    save_file(renamed, folder / "model.safetensors")
    (folder / "manifest.json").unlink()  # which knows the old ones
    assert_close(read_encoder(folder).weights, whole.weights, atol=0, rtol=0)


def header(content: bytes, size: int | None = None) -> bytes:
    return struct.pack("<Q", len(content) if size is None else size) + content


HOSTILE = {
    "empty": b"",
    "pickle": b"\x80\x04\x95\x1f\x00\x00\x00\x00\x00\x00\x00\x8c\x05posix\x8c\x06system\x93.",
    "header of 2^63": header(b"{}", 2**63),
    "header of 50 MB": header(b"{}", 50_000_000),
    "not JSON": header(b"{nothing"),
    "deep": header(b'{"a":' * 20_000),
    "beyond the end": header(b'{"a":{"dtype":"F32","shape":[4],"data_offsets":[0,16]}}'),
    "overlapping": header(
        b'{"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},"b":{"dtype":"F32","shape":[1],"data_offsets":[2,6]}}'
    )
    + b"\0" * 6,
    "a hole": header(b'{"a":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}}') + b"\0" * 8,
    "a lie about the type": header(b'{"a":{"dtype":"F64","shape":[1],"data_offsets":[0,4]}}') + b"\0" * 4,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_weights_that_are_none(folder: Path, name: str) -> None:
    (folder / "model.safetensors").write_bytes(HOSTILE[name])
    assert refused(folder).startswith(f"{folder / 'model.safetensors'}: not a safetensors file")


@pytest.mark.parametrize(
    "content", [b"", b"[]", b"\xff", b"[" * 200_000, b"1" * 5_000, b" " * (4 * 2**20 + 1)]
)
def test_settings_that_are_none(folder: Path, content: bytes) -> None:
    (folder / "config.json").write_bytes(content)
    assert refused(folder).startswith(f"{folder / 'config.json'}: ")


@pytest.mark.parametrize(
    ("name", "place", "message"),
    [
        ("config.json", 1, "expected at most"),
        ("model.safetensors", 9, "not a safetensors file, or one with a header"),
    ],
)
def test_what_is_too_large_is_not_read(folder: Path, name: str, place: int, message: str) -> None:
    """Files that would be whole, were it not for a lot of nothing in them."""
    content, nothing = (folder / name).read_bytes(), 4 * 2**20
    if name == "model.safetensors":
        content = struct.pack("<Q", struct.unpack("<Q", content[:8])[0] + nothing) + content[8:]
    (folder / name).write_bytes(content[:place] + b" " * nothing + content[place:])
    assert refused(folder).startswith(f"{folder / name}: {message}")


@pytest.mark.parametrize("name", ["config.json", "model.safetensors", "tokenizer.json"])
def test_a_pipe_is_not_waited_for(folder: Path, name: str) -> None:
    (folder / name).unlink(missing_ok=True)
    os.mkfifo(folder / name)
    assert refused(folder).startswith(f"{folder / name}: expected a")


@pytest.fixture
def index(folder: Path) -> Path:
    """Where an index of the weights would be, which are in a file of another name."""
    (folder / "model.safetensors").rename(folder / "part.safetensors")
    return folder / "model.safetensors.index.json"


@pytest.mark.parametrize("name", ["../model.safetensors", "/etc/passwd", "", "..", 3])
def test_an_index_names_files_of_its_folder(folder: Path, index: Path, name: object) -> None:
    index.write_text(json.dumps({"weight_map": {"a": name}}))
    assert refused(folder).startswith(f"{index}: expected the name of something in this folder, found")


def test_a_single_file_counts_more_than_an_index(folder: Path) -> None:
    """As for transformers: an index may be left over."""
    (folder / "model.safetensors.index.json").write_text('{"weight_map": {"a": "old.safetensors"}}')
    assert read_encoder(folder).weights.keys() == encoder(pooler=False).weights.keys()


def test_a_file_is_opened_once_for_all_of_its_tensors(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each time its header is read, and the file is mapped."""
    real, opened = safetensors.safe_open, []

    def counted(path: Path, **options: Any) -> Any:
        opened.append(path)
        return real(path, **options)

    monkeypatch.setattr(safetensors, "safe_open", counted)
    assert len(read_encoder(folder).weights) > 20
    assert opened == [folder / "model.safetensors"] * 2, "for the shapes, and for the values"


def test_an_index_that_is_wrong(folder: Path, index: Path) -> None:
    index.write_text(json.dumps({"weight_map": {"a": "part.safetensors"}}))
    assert refused(folder) == f"{index}: a should be in part.safetensors, but is not"
    index.write_text("{}")
    assert refused(folder).startswith(f"{index}: expected the names of tensors under weight_map")


def test_a_pickle_alone_is_told_how_to_be_converted(folder: Path) -> None:
    (folder / "model.safetensors").rename(folder / "pytorch_model.bin")
    found = refused(folder)
    assert found.startswith(f"{folder}: model.safetensors is missing; pytorch_model.bin is here")
    assert "from transformers import AutoTokenizer as T, BertForMaskedLM as M; " in found
    (folder / "pytorch_model.bin").unlink()
    assert "found neither" in refused(folder)
    assert "expected a folder" in refused(folder / "nothing")


def test_a_head_with_a_function_of_its_own(tmp_path: Path) -> None:
    """The head of RoBERTa uses gelu, whatever its layers use."""
    write_encoder(tmp_path / "model", encoder("roberta", uncounted=1, activation="relu"))
    assert "config.json: hidden_act: the head of a roberta always uses gelu" in refused(tmp_path / "model")
    write_encoder(tmp_path / "alone", encoder("roberta", uncounted=1, activation="relu", masked_words=False))
    assert read_encoder(tmp_path / "alone").described.config.activation == "relu"


def test_a_tokenizer_of_another_model() -> None:
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *map(str, range(VOCABULARY - 5))]
    whole = replace(encoder(), tokenizer={"vocab.txt": "\n".join(words).encode()})
    assert build_tokenizer(whole, "model").size == VOCABULARY
    larger = replace(whole, tokenizer={"vocab.txt": "\n".join([*words, "one more"]).encode()})
    with pytest.raises(
        StoreError, match=r"model/vocab.txt: expected at most 29 lines, as the weights have rows, found 30"
    ):
        build_tokenizer(larger, "model")


@pytest.mark.parametrize(
    ("single", "special", "message"),
    [
        (
            "[CLS]:0 $A:0",
            ("[CLS]", 99),
            r"model/tokenizer.json: post_processor.special_tokens: expected ids from 0 to 28, as the weights "
            r"have rows, found 99",
        ),
        ("[CLS]:7 $A:0", ("[CLS]", 2), "model: its tokenizer tells segment 7 of a token, the model has 2"),
    ],
)
def test_what_a_tokenizer_puts_around_a_text_is_known_to_the_model(
    single: str, special: tuple[str, int], message: str
) -> None:
    words = {name: number for number, name in enumerate(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "a"])}
    backend = Backend(WordPiece(words, unk_token="[UNK]"))
    backend.post_processor = TemplateProcessing(single=single, pair=None, special_tokens=[special])
    with pytest.raises(StoreError, match=message):
        build_tokenizer(replace(encoder(), tokenizer={"tokenizer.json": backend.to_str().encode()}), "model")
