"""Marian translators against `transformers`, in both directions."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
import torch
from tests.store.convert.marian_folder import (
    CODE,
    ENGLISH,
    KOREAN,
    TEXTS,
    their_tokenizer,
    write_marian_folder,
)
from torch.testing import assert_close
from transformers import MarianMTModel

import regard
from regard.errors import StoreError
from regard.nn.trace import Trace
from regard.store.convert.marian import read_marian, write_marian
from regard.store.folder import read_model, write_model
from regard.tasks.translation import Translator
from regard.text.symbols import BOS, EOS, PAD


@pytest.fixture(scope="module", params=["shared", "separate", "bpe"])
def folder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path: Path = tmp_path_factory.mktemp("marian") / request.param
    kind = "bpe" if request.param == "bpe" else "unigram"
    write_marian_folder(path, shared=request.param != "separate", kind=kind)
    return path


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("marian") / "one"
    write_marian_folder(path, steps=0)
    return path


def opened(folder: Path) -> tuple[Translator, Any, Any]:
    theirs = MarianMTModel.from_pretrained(folder, attn_implementation="eager").eval()
    return regard.load(folder, task="translation"), theirs, their_tokenizer(folder)


def assert_alike(ours: Translator, theirs: Any, tokenizer: Any) -> None:
    """Tokens, logits, every attention, and what both write."""
    sides = ours.source_tokenizer, ours.target_tokenizer
    numbers = [torch.tensor(side.numbers) for side in sides]  # type: ignore[attr-defined]
    for source, target in zip([*TEXTS, f"{CODE} {KOREAN[0]}"], [*ENGLISH, *ENGLISH], strict=True):
        given = tokenizer(source, return_tensors="pt")["input_ids"]
        wanted = tokenizer(text_target=target, return_tensors="pt")["input_ids"]
        own, written = sides[0].encode(source).ids, sides[1].encode(target).ids
        assert numbers[0][[*own, EOS]].tolist() == given[0].tolist()
        assert numbers[1][[*written, EOS]].tolist() == wanted[0].tolist()
        fed = torch.tensor([[BOS, *written]])
        trace = Trace(ours.module)
        with torch.inference_mode():
            said = ours.network.forced(
                torch.tensor([[*own, EOS]]), torch.tensor([len(own) + 1]), fed, trace=trace
            ).logits()
            found = theirs(given, decoder_input_ids=numbers[1][fed], output_attentions=True)
        assert not said.softmax(-1)[..., [PAD, BOS]].any()  # nothing is left of what is never written
        kept = [row for row in range(len(numbers[1])) if row not in (PAD, BOS)]
        assert_close(said[0][:, kept], found.logits[0][:, numbers[1][kept]], atol=1e-5, rtol=1e-5)
        kinds = {
            "encoder.{}.self": found.encoder_attentions,
            "decoder.{}.self": found.decoder_attentions,
            "decoder.{}.cross": found.cross_attentions,
        }
        for name, layers in kinds.items():
            for number, weights in enumerate(layers):
                (sight,) = trace.kept[name.format(number)]
                assert_close(sight.weights, weights, atol=1e-5, rtol=0)


def assert_same_writing(ours: Translator, theirs: Any, tokenizer: Any, **changes: Any) -> None:
    """Token for token, wherever theirs ends by itself: at its longest length theirs is made to end."""
    inputs = tokenizer(TEXTS, return_tensors="pt", padding=True)
    with torch.inference_mode():
        written = theirs.generate(**inputs, **changes).tolist()
    found = ours.translate(TEXTS, beam_size=changes.get("num_beams"))
    ended = 0
    for best, row in zip(found, written, strict=True):
        tokens = row[1 : row.index(0)]
        if len(tokens) < ours.recipe.decoding.max_length(0):
            assert list(best.tokens) == tokenizer.convert_ids_to_tokens(tokens)
            assert best.text == tokenizer.decode(tokens, skip_special_tokens=True)
            ended += 1
    assert ended >= 5
    assert len({best.tokens for best in found}) > 3
    assert found[0].attention.words().columns == ("나는", "책을", "읽었다", ".", "</s>")


def test_the_same_tokens_logits_and_attentions(folder: Path) -> None:
    assert_alike(*opened(folder))


def test_both_write_the_same(folder: Path) -> None:
    ours, theirs, tokenizer = opened(folder)
    assert ours.recipe.decoding.beam_size == 4
    assert_same_writing(ours, theirs, tokenizer)
    assert_same_writing(ours, theirs, tokenizer, num_beams=1)


def test_rules_of_the_search_come_along(tmp_path: Path) -> None:
    rules: dict[str, Any] = {
        "min_length": 9,
        "no_repeat_ngram_size": 2,
        "length_penalty": 0.6,
        "renormalize_logits": False,
    }
    write_marian_folder(tmp_path / "model", **rules)
    ours, theirs, tokenizer = opened(tmp_path / "model")
    assert_same_writing(ours, theirs, tokenizer)
    assert all(len(best.tokens) >= 8 for best in ours.translate(TEXTS))


def test_there_and_back_nothing_is_lost(folder: Path, tmp_path: Path) -> None:
    """Imported, stored as regard's own, opened again, exported: transformers loads the very same model."""
    write_model(tmp_path / "own", read_marian(folder))
    write_marian(tmp_path / "back", read_model(tmp_path / "own"), "model")
    before, after = (MarianMTModel.from_pretrained(path).eval() for path in (folder, tmp_path / "back"))
    ids, state = torch.tensor([[5, 6, 7, 0]]), after.state_dict()
    pad = before.config.pad_token_id
    for name, tensor in before.state_dict().items():
        if name == "final_logits_bias":
            state[name][0, pad] = tensor[0, pad]  # which is never written
        assert_close(state[name], tensor, atol=0, rtol=0)
    assert_close(
        before(ids, decoder_input_ids=ids).logits[..., :pad],
        after(ids, decoder_input_ids=ids).logits[..., :pad],
    )
    own = regard.load(tmp_path / "own")
    assert_same_writing(own, after, their_tokenizer(tmp_path / "back"))


@pytest.mark.parametrize(
    ("file", "changes", "message"),
    [
        ("config.json", {"scale_embedding": False}, "scale_embedding: regard opens models with True"),
        ("config.json", {"normalize_before": True}, "normalize_before: regard opens models with"),
        ("config.json", {"decoder_ffn_dim": 11}, "decoder_ffn_dim: regard has one for both sides"),
        ("config.json", {"activation_function": "mish"}, "activation_function: unknown function 'mish'"),
        ("config.json", {"vocab_size": 2**40}, "vocab_size: expected a number from 1"),
        ("config.json", {"vocab_size": 7, "decoder_vocab_size": 7}, "pad_token_id: expected a number from 0"),
        ("config.json", {"d_model": 10**6}, "d_model: "),
        ("config.json", {"d_model": 3 * 2**10}, "should have the shape (3072, 3072)"),
        ("config.json", {"encoder_layers": 60_000}, "layers.2.self_attn.q_proj.weight is missing"),
        ("generation_config.json", {"bad_words_ids": [[3, 4]]}, "bad_words_ids: regard forbids padding"),
        ("generation_config.json", {"num_beams": 10**9}, "num_beams: input should be less than"),
        ("generation_config.json", {"length_penalty": "x"}, "length_penalty: input should be a valid number"),
        ("generation_config.json", {"max_length": 0}, "max_length: expected a number from 2"),
        ("vocab.json", {"one more": 10**7}, "vocab.json: expected the numbers 0 to"),
        ("vocab.json", {"</s>": 0, "twice": 0}, "vocab.json: expected the numbers 0 to"),
        ("vocab.json", {"x" * 2**20: 5}, "vocab.json: expected at most"),
    ],
)  # fmt: skip
def test_the_field_in_the_way_is_named(
    shared: Path, tmp_path: Path, file: str, changes: dict[str, Any], message: str
) -> None:
    shutil.copytree(shared, tmp_path / "model")
    path = tmp_path / "model" / file
    path.write_text(json.dumps({**json.loads(path.read_text()), **changes}))
    with pytest.raises(StoreError) as caught:
        regard.load(tmp_path / "model")
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("name", ["source.spm", "vocab.json", "model.safetensors"])
def test_a_damaged_file_is_refused(shared: Path, tmp_path: Path, name: str) -> None:
    shutil.copytree(shared, tmp_path / "model")
    (tmp_path / "model" / name).write_bytes(b"\x80garbage" * 9)
    with pytest.raises(StoreError, match=name):
        regard.load(tmp_path / "model")
    (tmp_path / "model" / name).unlink()
    with pytest.raises(StoreError, match=name):
        regard.load(tmp_path / "model")


def test_a_flipped_bit_of_a_weight_is_found(shared: Path, tmp_path: Path) -> None:
    write_marian(tmp_path / "back", read_marian(shared), "model")
    path = tmp_path / "back" / "model.safetensors"
    content = bytearray(path.read_bytes())
    content[-1] ^= 1
    path.write_bytes(content)
    with pytest.raises(StoreError, match=r"model.safetensors: damaged: its size or SHA-256"):
        read_marian(tmp_path / "back")


def test_what_the_search_has_nothing_for_is_said(tmp_path: Path) -> None:
    write_marian_folder(tmp_path / "model", steps=0, early_stopping=True, min_length=3)
    assert read_marian(tmp_path / "model").summary["notes"] == [
        "early_stopping: True has no counterpart here and is left out",
        "renormalize_logits: what min_length forbids keeps its probability here",
    ]


def test_models_that_are_no_marian(opinions: Path, tmp_path: Path) -> None:
    with pytest.raises(
        StoreError, match="Marian is a Transformer that translates, found a model of the kind sentence"
    ):
        write_marian(tmp_path / "out", read_model(opinions), "model")
