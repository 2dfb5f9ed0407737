"""Encoders from elsewhere say what they say in `transformers`, and back."""

import json
from pathlib import Path
from typing import Any

import pytest
import torch
from tests.store.convert.families import MODELS, VOCABULARY, written
from torch import Tensor, nn
from torch.testing import assert_close
from transformers import AutoModel, AutoModelForMaskedLM

from regard.inference.encoders import build_encoder, open_encoder
from regard.models.bert import Bert
from regard.nn.trace import Trace
from regard.store.convert.encoder import StoredEncoder, read_encoder, write_encoder

LENGTHS = torch.tensor([7, 3, 1])
REAL = torch.arange(7) < LENGTHS[:, None]


def batch(padding: int) -> tuple[Tensor, Tensor]:
    """Tokens and segments; the token of padding also stands where there is no padding, as any other may."""
    rng = torch.Generator().manual_seed(1)
    tokens = torch.randint(3, VOCABULARY, REAL.shape, generator=rng)
    tokens[0, 3] = padding
    segments = (torch.arange(7) > 2).long().expand_as(tokens)
    return tokens.where(REAL, padding), segments


@torch.no_grad()
def theirs(model: nn.Module, tokens: Tensor, segments: Tensor) -> Any:
    known = getattr(model.config, "type_vocab_size", 0)
    model.set_attn_implementation("eager")  # type: ignore[operator]
    return model(
        tokens,
        attention_mask=REAL.long(),
        output_attentions=True,
        output_hidden_states=True,
        **({"token_type_ids": segments} if known > 1 else {}),
    )


def assert_same(ours: Bert, model: nn.Module) -> None:
    """States, attentions, and words where both have the head, at every place with a word."""
    tokens, segments = batch(model.config.pad_token_id)  # type: ignore[union-attr, arg-type]
    segments = segments if ours.config.segments > 1 else torch.zeros_like(segments)
    expected = theirs(model, tokens, segments)
    trace = Trace(ours)
    states = ours(tokens, LENGTHS, segments, trace=trace)
    assert_close(states[REAL], expected.hidden_states[-1][REAL], atol=1e-5, rtol=0)
    assert_close(ours(tokens, LENGTHS, segments), states, atol=1e-5, rtol=0)
    assert list(trace.kept) == list(ours.attentions)
    for (seen,), weights in zip(trace.kept.values(), expected.attentions, strict=True):
        rows = REAL[:, None, :].expand(weights.shape[:3])  # nobody goes on from padding
        assert_close(seen.weights[rows], weights[rows], atol=1e-5, rtol=0)
    logits = getattr(expected, "prediction_logits", getattr(expected, "logits", None))
    if ours.masked_words is not None and logits is not None:
        assert_close(ours.masked_words(states)[REAL], logits[REAL], atol=1e-5, rtol=0)
    pooled = getattr(expected, "pooler_output", None)
    if pooled is not None:
        assert_close(ours.pooled(states), pooled, atol=1e-5, rtol=0)


@pytest.mark.parametrize("name", MODELS)
def test_same_both_ways(name: str, tmp_path: Path) -> None:
    model = written(name, tmp_path / "theirs")
    stored = read_encoder(tmp_path / "theirs")
    ours = build_encoder(stored, name)
    assert (ours.masked_words is not None) == any(part in name for part in ("masked", "pretraining", "xlm"))
    assert_same(ours, model)
    write_encoder(tmp_path / "ours", stored)
    door = AutoModelForMaskedLM if stored.described.config.masked_words else AutoModel
    again, report = door.from_pretrained(tmp_path / "ours", output_loading_info=True)
    assert not report["missing_keys"]
    assert not report["mismatched_keys"]
    assert (
        type(again).__name__ in json.loads((tmp_path / "ours" / "config.json").read_text())["architectures"]
    )
    assert_same(ours, again.eval())
    assert_close(read_encoder(tmp_path / "ours").weights, stored.weights, atol=0, rtol=0)


def test_what_is_left_out_is_named(tmp_path: Path) -> None:
    written("bert-classifier", tmp_path)
    assert read_encoder(tmp_path).left_out == ("classifier.bias", "classifier.weight")


def test_shards(tmp_path: Path) -> None:
    model: Any = written("bert", tmp_path / "whole")
    model.save_pretrained(tmp_path / "shards", max_shard_size="5KB")
    assert len(list((tmp_path / "shards").glob("*.safetensors"))) > 1
    whole: StoredEncoder = read_encoder(tmp_path / "whole")
    assert_close(read_encoder(tmp_path / "shards").weights, whole.weights, atol=0, rtol=0)


def test_half_precision_is_read_as_it_is(tmp_path: Path) -> None:
    model: Any = written("bert", tmp_path / "float32")
    model.half().save_pretrained(tmp_path / "float16")
    assert_same(open_encoder(tmp_path / "float16"), model.float())
