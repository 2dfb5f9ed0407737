"""Weights and sizes of a Transformer as Hugging Face's Marian has them, and back.

Marian is the Transformer of the paper: normalised after each part, with waves for places. It keeps queries,
keys and values apart where regard has one matrix for them, and calls the bias of the output layer
`final_logits_bias`, a row. What it starts to write with is a setting: `decoder_start_token_id`.
"""

from collections.abc import Iterator, Mapping
from typing import Any

import torch
from torch import Tensor
from transformers import MarianConfig, MarianMTModel

from regard.config.transformer import TransformerConfig
from regard.models.transformer import Transformer


def marian_config(
    config: TransformerConfig, *, source_size: int, target_size: int, pad: int, start: int, end: int
) -> Any:
    """The sizes of ours as Marian has them; it writes from `start` to `end`."""
    return MarianConfig(
        vocab_size=source_size,
        decoder_vocab_size=target_size,
        d_model=config.width,
        encoder_layers=config.encoder_layers,
        decoder_layers=config.decoder_layers,
        encoder_attention_heads=config.heads,
        decoder_attention_heads=config.heads,
        encoder_ffn_dim=config.feed_forward,
        decoder_ffn_dim=config.feed_forward,
        activation_function=config.activation,
        dropout=config.dropout,
        attention_dropout=config.attention_dropout,
        activation_dropout=config.activation_dropout,
        max_position_embeddings=config.longest,
        scale_embedding=True,
        share_encoder_decoder_embeddings=config.share_embeddings,
        tie_word_embeddings=config.tie_embeddings,
        pad_token_id=pad,
        decoder_start_token_id=start,
        bos_token_id=None,
        eos_token_id=end,
        forced_eos_token_id=None,
    )


def to_marian(model: Transformer, *, pad: int, start: int, end: int) -> Any:
    """A MarianMTModel with the weights of ours."""
    sizes = {
        "source_size": model.source_embedding.num_embeddings,
        "target_size": model.output.out_features,
    }
    config = marian_config(model.config, **sizes, pad=pad, start=start, end=end)
    theirs = MarianMTModel(config).to(model.output.weight.dtype).eval()
    missing, unknown = theirs.load_state_dict(marian_weights(model), strict=False)
    if unknown or any("embed_positions" not in name for name in missing):  # its waves are no weights to learn
        raise ValueError(f"not all weights of Marian: missing {missing}, unknown {unknown}")
    return theirs


def from_marian(theirs: Any) -> Transformer:
    """Our Transformer with the weights of a MarianMTModel."""
    config = theirs.config
    ours = Transformer(
        TransformerConfig(
            width=config.d_model,
            heads=config.encoder_attention_heads,
            feed_forward=config.encoder_ffn_dim,
            encoder_layers=config.encoder_layers,
            decoder_layers=config.decoder_layers,
            activation=config.activation_function,
            order="post",
            tie_embeddings=config.tie_word_embeddings,
            share_embeddings=config.share_encoder_decoder_embeddings,
        ),
        source_size=config.vocab_size,
        target_size=config.decoder_vocab_size,
    )
    ours.to(theirs.dtype).load_state_dict(regard_weights(theirs.state_dict(), ours.config))
    return ours


def marian_weights(model: Transformer) -> dict[str, Tensor]:
    """Ours as Marian names them; waves are not among them."""
    ours = model.state_dict()
    theirs: dict[str, Tensor] = {}
    for name, parts in _names(model.config):
        theirs.update(zip(parts, ours[name].chunk(len(parts)), strict=True))
    theirs["final_logits_bias"] = ours["output.bias"][None]
    if model.config.share_embeddings:
        theirs["model.shared.weight"] = ours["source_embedding.weight"]
    return theirs


def regard_weights(theirs: Mapping[str, Tensor], config: TransformerConfig) -> dict[str, Tensor]:
    """Marian's as we name them."""
    ours = {name: torch.cat([theirs[part] for part in parts]) for name, parts in _names(config)}
    return {**ours, "output.bias": theirs["final_logits_bias"][0]}


def _names(config: TransformerConfig) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Each of our matrices and vectors, and those of Marian that it consists of, from above."""
    yield "source_embedding.weight", ("model.encoder.embed_tokens.weight",)
    yield "target_embedding.weight", ("model.decoder.embed_tokens.weight",)
    yield "output.weight", ("lm_head.weight",)
    layers = [("encoder", n) for n in range(config.encoder_layers)]
    layers += [("decoder", n) for n in range(config.decoder_layers)]
    for side, number in layers:
        ours, theirs = f"{side}.{number}", f"model.{side}.layers.{number}"
        parts = {
            "self.input": ("self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj"),
            "self.output": ("self_attn.out_proj",),
            "around_self.norm": ("self_attn_layer_norm",),
            "feed_forward.up": ("fc1",),
            "feed_forward.down": ("fc2",),
            "around_feed_forward.norm": ("final_layer_norm",),
        }
        if side == "decoder":
            parts |= {
                "cross.query": ("encoder_attn.q_proj",),
                "cross.memory": ("encoder_attn.k_proj", "encoder_attn.v_proj"),
                "cross.output": ("encoder_attn.out_proj",),
                "around_cross.norm": ("encoder_attn_layer_norm",),
            }
        for name, own in parts.items():
            for kind in ("weight", "bias"):
                yield f"{ours}.{name}.{kind}", tuple(f"{theirs}.{part}.{kind}" for part in own)
