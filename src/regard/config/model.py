"""The settings of encoder-decoders, one class a family."""

from collections.abc import Mapping
from typing import Literal, Self

from pydantic import Field, field_validator, model_validator

from regard.config.base import Config, RecurrentFamilyConfig, Size
from regard.config.transformer import TransformerConfig
from regard.errors import did_you_mean


class LSTMNConfig(RecurrentFamilyConfig):
    """Two LSTMNs (Cheng et al. 2016), encoder and decoder; each attends to all its past states."""

    kind: Literal["lstmn"] = "lstmn"
    embedding_size: Size = 256
    """Width of a word vector."""
    hidden_size: Size = 256
    """Width of a layer's state, on both sides."""
    layers: Size = 1
    """Layers of each, one upon the other."""
    residual: bool = False
    """Residual connections, from the second layer on (Wu et al. 2016)."""
    attention_size: Size | None = None
    """Width of the additive attention; by default that of a state."""
    fusion: Literal["shallow", "deep"] = "deep"
    """How the decoder attends to the source: shallow, from its highest states, tanh(W [s; c]); or deep,
    in every layer, where the context enters the memory of the step."""
    tie_embeddings: bool = True
    """Tie the output layer to the target word vectors (Press and Wolf 2017)."""
    share_embeddings: bool = False
    """Share the word vectors of source and target; needs `text.joint: true`."""
    dropout: float = Field(default=0.3, ge=0.0, le=0.98)
    """Dropout probability, in steps of 1/256: of word vectors, between layers, and before the output."""

    @property
    def needs_one_vocabulary(self) -> str | None:
        """The setting that asks for the same vocabulary on both sides, if there is one."""
        return "share_embeddings" if self.share_embeddings else None


CellName = Literal["rnn", "gru", "lstm"]
"""The recurrent cells: Elman's tanh RNN, Cho's GRU, Hochreiter and Schmidhuber's LSTM."""

SHIPPED_SCORES = ("additive", "dot", "scaled_dot", "general", "location", "cosine")
SCORES: list[str] = list(SHIPPED_SCORES)
"""Names that `attention.score` may have; `regard.register` adds to them."""


class EncoderConfig(Config):
    """The recurrent encoder."""

    cell: CellName = "lstm"
    """The recurrent cell."""
    hidden_size: Size = 256
    """Width of one direction's state."""
    layers: Size = 1
    """Recurrent layers, one upon the other."""
    bidirectional: bool = True
    """Encode the sentence backwards too; a word's state is then both directions side by side."""
    reverse: bool = False
    """Reverse the source (Sutskever et al. 2014); only for an encoder of one direction."""
    residual: bool = False
    """Residual connections, from the second layer on (Wu et al. 2016)."""

    @property
    def output_size(self) -> int:
        """Width of a word's state."""
        return (2 if self.bidirectional else 1) * self.hidden_size

    @model_validator(mode="after")
    def _one_direction(self) -> Self:
        if self.reverse and self.bidirectional:
            raise ValueError("reverse is for one direction; set bidirectional to false")
        return self


class AttentionConfig(Config):
    """How a decoder state is compared with the source words, and the window of its attention."""

    score: str = "additive"
    """How a state s and a source word h are compared: additive, v · tanh(W s + U h) (Bahdanau et al. 2015;
    "concat" in Luong et al. 2015); dot, s · h; general, s · W h; location, (W s)_j at position j (Luong et
    al. 2015); scaled_dot, s · h / √d (Vaswani et al. 2017); cosine (Graves et al. 2014); or a name of your
    own, given to `regard.register`."""
    options: Mapping[str, bool | int | float | str] = Field(default_factory=dict)
    """Of a score of your own: what it is made with, besides the widths."""
    hidden_size: Size = 256
    """Width of the comparison of the additive score (W s and U h)."""
    sharpness: bool = True
    """Multiply the cosine by a learned sharpness, softplus(w · s + b); without it, no weight can be
    more than e² times another."""
    positions: Size = 64
    """Rows of W of the location score; all later source positions share the last one."""
    window: Literal["global", "local_m", "local_p"] = "global"
    """The window (Luong et al. 2015): global; around the output position, `local_m`; around a
    predicted centre, less with the distance, `local_p`."""
    reach: Size = 10
    """How far a local window reaches on both sides of its centre, in tokens (D)."""
    centre: Literal["free", "monotone"] = "free"
    """Of `local_p`, the predicted centre: free, S · σ(v · tanh(W s)), as in the paper, which is the middle of
    the source at first; or monotone, where logit((t + ½) / S) is added before σ, so that at first it
    follows the output position t, as that of `local_m` does."""
    renormalise: bool = False
    """Of `local_p`: divide by the sum after the Gaussian, so that a row sums to 1; in the paper it sums to
    less."""
    coverage: bool = False
    """Coverage: the sum of the weights of each source word so far is a part of its key (See et al. 2017)."""
    coverage_loss: float = Field(default=0.0, ge=0.0)
    """Weight of the coverage loss: this times Σ_j min(α_tj, coverage_tj) is added at each step (See et
    al. 2017)."""

    @field_validator("score")
    @classmethod
    def _known(cls, score: str) -> str:
        if score not in SCORES:
            hint = "Luong's concat is additive" if score == "concat" else did_you_mean(score, SCORES)
            raise ValueError(f"unknown value {score!r}; {hint} (register your own first: --plugin FILE)")
        return score

    @model_validator(mode="after")
    def _only_what_has_a_meaning(self) -> Self:
        if self.options and self.score in SHIPPED_SCORES:
            raise ValueError(f"options are for a score of your own; {self.score} has none")
        for name, given in (("centre", self.centre != "free"), ("renormalise", self.renormalise)):
            if given and self.window != "local_p":
                raise ValueError(
                    f"{name} is for the window local_p, and this one is {self.window}; leave it out"
                )
        if self.coverage and self.score == "location":
            raise ValueError("coverage is a part of the keys, and the location score reads none")
        if self.coverage_loss and not self.coverage:
            raise ValueError("coverage_loss needs coverage: true")
        return self


class DecoderConfig(Config):
    """The recurrent decoder."""

    cell: CellName = "lstm"
    """The recurrent cell."""
    hidden_size: Size = 512
    """Width of the state."""
    layers: Size = 1
    """Recurrent layers, stacked; the query is the state of the highest."""
    residual: bool = False
    """Residual connections, from the second layer on (Wu et al. 2016)."""
    query: Literal["previous", "current"] = "previous"
    """Which state is the query: the previous, s_{t-1}, and the context enters the step (Bahdanau et al.
    2015); or the current, s_t, and h̃ = tanh(W [s; c]) is the readout (Luong et al. 2015)."""
    input_feeding: bool | None = None
    """With the current state: give h̃ to the next step too, which is the default. Without, training runs over
    a whole target at once."""
    context: Literal["every_step", "first_state"] = "every_step"
    """Without attention: the source's one vector is given to every step (Cho et al. 2014), or is only the
    first state (Sutskever et al. 2014)."""
    readout_size: Size | None = None
    """Width of the last layer before the vocabulary; by default that of a word vector."""

    @property
    def feeds(self) -> bool:
        """Whether a step is given the attentional state of the one before."""
        return self.query == "current" and self.input_feeding is not False

    @model_validator(mode="after")
    def _who_is_fed(self) -> Self:
        if self.query == "previous" and self.input_feeding is not None:
            raise ValueError("input_feeding feeds what the current state saw; set query to current")
        return self


class Seq2SeqConfig(RecurrentFamilyConfig):
    """The recurrent encoder-decoder: plain, or with Bahdanau's or Luong's attention."""

    kind: Literal["seq2seq"] = "seq2seq"
    embedding_size: Size = 256
    """Width of a word vector."""
    encoder: EncoderConfig = EncoderConfig()
    attention: AttentionConfig | None = AttentionConfig()
    """null for none: one vector represents the whole sentence."""
    decoder: DecoderConfig = DecoderConfig()
    bridge: Literal["dense", "none"] = "dense"
    """How the encoder's last state becomes the decoder's first: tanh(W h + b); or not at all, it is zero."""
    copy_source: bool = False
    """Copy source tokens by the attention, beside generating from the vocabulary (pointer-generator, See et
    al. 2017). The two sides must have one vocabulary: `text.joint: true`."""
    tie_embeddings: bool = True
    """Tie the output layer to the target word vectors (Press and Wolf 2017)."""
    share_embeddings: bool = False
    """Share the word vectors of source and target; needs `text.joint: true`."""
    dropout: float = Field(default=0.3, ge=0.0, le=0.98)
    """Dropout probability, in steps of 1/256: of word vectors, states, between layers, before the output."""

    @property
    def readout_size(self) -> int:
        """Width of the last layer before the vocabulary."""
        return self.decoder.readout_size or self.embedding_size

    @property
    def needs_one_vocabulary(self) -> str | None:
        """The setting that asks for the same vocabulary on both sides, if there is one."""
        return "copy_source" if self.copy_source else "share_embeddings" if self.share_embeddings else None

    @model_validator(mode="after")
    def _fits(self) -> Self:
        keys, states = self.encoder.output_size, self.decoder.hidden_size
        if self.attention is None:
            if self.copy_source:
                raise ValueError("copy_source copies by the attention, and there is none")
            if self.decoder.query == "current":
                raise ValueError("decoder.query is for attention, and there is none")
            if self.bridge == "none" and self.decoder.context == "first_state":
                raise ValueError(
                    "without attention, without a bridge and with decoder.context: first_state "
                    "nothing of the source reaches the decoder"
                )
        elif self.decoder.context == "first_state":
            raise ValueError("decoder.context is for models without attention; leave it out")
        elif self.attention.score in ("dot", "scaled_dot", "cosine") and keys != states:
            raise ValueError(
                f"the {self.attention.score} score compares vectors of one width, but the encoder gives "
                f"{keys} and decoder.hidden_size is {states}"
            )
        if self.tie_embeddings and self.readout_size != self.embedding_size:
            raise ValueError(
                f"tied embeddings score words with vectors of {self.embedding_size}, but "
                f"decoder.readout_size is {self.readout_size}; set tie_embeddings to false"
            )
        return self


ModelConfig = Seq2SeqConfig | TransformerConfig | LSTMNConfig
