"""The models under contract. A new model joins every law by a line in MODELS."""

from typing import Any

from regard.config.model import DecoderConfig, EncoderConfig, ModelConfig, Seq2SeqConfig


def seq2seq(cell: Any, *, bidirectional: bool = True, **changes: Any) -> Seq2SeqConfig:
    """Sizes are tiny and all different, so that a swapped axis fails."""
    return Seq2SeqConfig(
        embedding_size=6,
        encoder=EncoderConfig(cell=cell, hidden_size=5, layers=2, bidirectional=bidirectional),
        attention={"hidden_size": 7},  # type: ignore[arg-type]
        decoder=DecoderConfig(cell=cell, hidden_size=8),
        dropout=0.25,
        **changes,
    )


MODELS: dict[str, ModelConfig] = {
    "bahdanau-rnn": seq2seq("rnn"),
    "bahdanau-gru": seq2seq("gru"),
    "bahdanau-lstm": seq2seq("lstm"),
    "bahdanau-forwards": seq2seq("gru", bidirectional=False),
    "bahdanau-untied": seq2seq("lstm", tie_embeddings=False),
}
