"""The sizes and parts of each model, one class a family."""

from typing import Literal

from pydantic import Field

from regard.config.base import Config, Size

CellName = Literal["rnn", "gru", "lstm"]
"""The recurrent cells: Elman's tanh RNN, Cho's GRU, Hochreiter and Schmidhuber's LSTM."""


class EncoderConfig(Config):
    """The recurrent network that reads the source sentence."""

    cell: CellName = "lstm"
    """The recurrent cell."""
    hidden_size: Size = 256
    """Width of one direction's state."""
    layers: Size = 1
    """Recurrent layers, one upon the other."""
    bidirectional: bool = True
    """Read the sentence backwards too; a word's state is then both directions side by side."""


class AttentionConfig(Config):
    """How a decoder state is compared with the source words."""

    score: Literal["additive"] = "additive"
    """v · tanh(W s + U h), Bahdanau et al. 2015."""
    hidden_size: Size = 256
    """Width of the comparison (W s and U h)."""


class DecoderConfig(Config):
    """The recurrent network that writes the target sentence."""

    cell: CellName = "lstm"
    """The recurrent cell."""
    hidden_size: Size = 512
    """Width of the state."""


class Seq2SeqConfig(Config):
    """The recurrent encoder-decoder with Bahdanau's attention (Bahdanau et al. 2015)."""

    kind: Literal["seq2seq"] = "seq2seq"
    embedding_size: Size = 256
    """Width of a word vector; the last layer before the vocabulary has the same width."""
    encoder: EncoderConfig = EncoderConfig()
    attention: AttentionConfig = AttentionConfig()
    decoder: DecoderConfig = DecoderConfig()
    tie_embeddings: bool = True
    """Score output words with the target word vectors (Press and Wolf 2017)."""
    dropout: float = Field(default=0.3, ge=0.0, le=0.98)
    """Share of values hidden in training, in steps of 1/256: of word vectors, encoder states, and before the
    output."""


ModelConfig = Seq2SeqConfig
