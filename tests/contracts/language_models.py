"""The language models under contract. A new one joins every law by a line in LANGUAGE_MODELS."""

from typing import Any

from regard.config.language import LSTMNLMConfig, NetworkLMConfig, RecurrentLMConfig, TransformerLMConfig

SIZES = {"embedding_size": 6, "hidden_size": 6, "layers": 2, "dropout": 0.25}
UNTIED = {"hidden_size": 8, "tie_embeddings": False}


def recurrent(**changes: Any) -> RecurrentLMConfig:
    """Sizes are tiny and, where words are not tied, all different, so that a swapped axis fails."""
    return RecurrentLMConfig.model_validate({**SIZES, **changes})


def lstmn(**changes: Any) -> LSTMNLMConfig:
    """The same for the network that looks at what it has read."""
    return LSTMNLMConfig.model_validate({**SIZES, "attention_size": 7, **changes})


def transformer(**changes: Any) -> TransformerLMConfig:
    """The same for the Transformer."""
    sizes = {"width": 6, "heads": 3, "feed_forward": 10, "layers": 2, "dropout": 0.25}
    return TransformerLMConfig.model_validate({**sizes, **changes})


LANGUAGE_MODELS: dict[str, NetworkLMConfig] = {
    "lm-rnn": recurrent(cell="rnn"),
    "lm-gru": recurrent(cell="gru", residual=True, layers=3),
    "lm-lstm": recurrent(**UNTIED),
    "lm-lstmn": lstmn(layers=1),
    "lm-lstmn-deep": lstmn(layers=3, **UNTIED),
    "lm-transformer": transformer(),
    "lm-transformer-post": transformer(order="post", activation="gelu", positions="learned", longest=200),
    "lm-transformer-rotary": transformer(
        positions="rotary", norm="rms", activation="swiglu", head_size=4, tie_embeddings=False, layer_drop=0.2
    ),
}
LOOKING = [name for name in LANGUAGE_MODELS if "lstmn" in name or "transformer" in name]
