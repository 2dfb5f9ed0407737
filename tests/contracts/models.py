"""The models under contract. A new model joins every law by a line in MODELS."""

from types import MappingProxyType
from typing import Any

from regard.config.model import LSTMNConfig, ModelConfig, Seq2SeqConfig
from regard.config.transformer import TransformerConfig

Part = dict[str, Any]


def seq2seq(
    cell: str = "lstm",
    *,
    attention: Part | None = MappingProxyType({}),  # type: ignore[assignment]
    encoder: Part | None = None,
    decoder: Part | None = None,
    **changes: Any,
) -> Seq2SeqConfig:
    """Sizes are tiny and all different, so that a swapped axis fails."""
    return Seq2SeqConfig.model_validate(
        {
            "embedding_size": 6,
            "encoder": {"cell": cell, "hidden_size": 5, "layers": 2, **(encoder or {})},
            "attention": None if attention is None else {"hidden_size": 7, **attention},
            "decoder": {"cell": cell, "hidden_size": 8, **(decoder or {})},
            "dropout": 0.25,
            **changes,
        }
    )


def transformer(**changes: Any) -> TransformerConfig:
    """The same, with three layers that read and two that write."""
    sizes = {"width": 6, "heads": 3, "feed_forward": 10, "encoder_layers": 3, "decoder_layers": 2}
    return TransformerConfig.model_validate({**sizes, "dropout": 0.25, **changes})


def lstmn(**changes: Any) -> LSTMNConfig:
    """The same for two LSTMNs."""
    sizes = {"embedding_size": 6, "hidden_size": 8, "attention_size": 7, "dropout": 0.25}
    return LSTMNConfig.model_validate({**sizes, **changes})


SOURCE_SIZE, TARGET_SIZE = 17, 13
LUONG: Part = {"query": "current", "hidden_size": 10}
"""As wide as the encoder's states, which the dot product needs."""
FIRST = {"context": "first_state"}
ONE_WAY = {"bidirectional": False}

MODELS: dict[str, ModelConfig] = {
    "bahdanau-rnn": seq2seq(cell="rnn"),
    "bahdanau-gru": seq2seq(cell="gru"),
    "bahdanau-lstm": seq2seq(),
    "bahdanau-forwards": seq2seq(cell="gru", encoder=ONE_WAY),
    "bahdanau-untied": seq2seq(tie_embeddings=False, decoder={"readout_size": 9}),
    "bahdanau-deep": seq2seq(
        decoder={"layers": 3, "residual": True}, encoder={"layers": 3, "residual": True}
    ),
    "bahdanau-general": seq2seq(attention={"score": "general"}),
    "bahdanau-coverage": seq2seq(attention={"coverage": True, "coverage_loss": 0.5}),
    "luong-dot": seq2seq(attention={"score": "dot"}, decoder=LUONG),
    "luong-scaled-dot": seq2seq(attention={"score": "scaled_dot"}, decoder=LUONG),
    "luong-general": seq2seq(attention={"score": "general"}, decoder=LUONG, cell="gru"),
    "luong-concat": seq2seq(decoder=LUONG),
    "luong-location": seq2seq(attention={"score": "location", "positions": 4}, decoder=LUONG),
    "luong-local-m": seq2seq(attention={"score": "dot", "window": "local_m", "reach": 1}, decoder=LUONG),
    "luong-local-p": seq2seq(attention={"score": "general", "window": "local_p", "reach": 2}, decoder=LUONG),
    "luong-local-p-normalised": seq2seq(
        attention={
            "score": "general",
            "window": "local_p",
            "reach": 2,
            "centre": "monotone",
            "renormalise": True,
        },
        decoder=LUONG,
    ),
    "luong-coverage": seq2seq(
        attention={"score": "general", "coverage": True}, decoder=LUONG | {"input_feeding": False}
    ),
    "luong-deep": seq2seq(decoder=LUONG | {"layers": 2, "residual": True}, bridge="none"),
    "unfed-concat": seq2seq(decoder=LUONG | {"input_feeding": False}),
    "unfed-local-p": seq2seq(
        attention={"score": "dot", "window": "local_p", "reach": 5}, decoder=LUONG | {"input_feeding": False}
    ),
    "unfed-deep-rnn": seq2seq(
        cell="rnn", decoder=LUONG | {"input_feeding": False, "layers": 2, "residual": True}
    ),
    "cosine": seq2seq(attention={"score": "cosine"}, decoder=LUONG),
    "cosine-bare": seq2seq(attention={"score": "cosine", "sharpness": False}, decoder=LUONG),
    "plain": seq2seq(attention=None, bridge="none"),
    "plain-first-state": seq2seq(attention=None, decoder=FIRST, encoder=ONE_WAY | {"reverse": True}),
    "transformer": transformer(),
    "transformer-post": transformer(order="post", activation="gelu", positions="learned", longest=200),
    "transformer-rotary": transformer(positions="rotary", norm="rms", activation="swiglu", head_size=4),
    "transformer-none": transformer(positions="none", decoder_layers=1, tie_embeddings=False),
    "transformer-shared": transformer(share_embeddings=True, layer_drop=0.2, activation_dropout=0.1),
    "lstmn-shallow": lstmn(fusion="shallow", share_embeddings=True),
    "lstmn-deep": lstmn(layers=2, tie_embeddings=False),
    "pointer": seq2seq(copy_source=True, share_embeddings=True, attention={"coverage": True}),
    "pointer-local-p": seq2seq(
        copy_source=True, attention={"score": "general", "window": "local_p", "reach": 3}, decoder=LUONG
    ),
    "pointer-unfed": seq2seq(
        copy_source=True, tie_embeddings=False, decoder=LUONG | {"input_feeding": False}
    ),
}

ATTENDING = [name for name, config in MODELS.items() if getattr(config, "attention", "its own") is not None]


def sizes(name: str) -> tuple[int, int]:
    """Of the two vocabularies: different, where the model does not need one for both sides."""
    return (SOURCE_SIZE, SOURCE_SIZE if MODELS[name].needs_one_vocabulary else TARGET_SIZE)
