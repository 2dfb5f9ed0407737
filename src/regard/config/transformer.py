"""The settings of the Transformer."""

from typing import Literal, Self

from pydantic import Field, model_validator

from regard.config.base import FamilyConfig, Size

Positions = Literal["sinusoidal", "learned", "rotary", "none"]


class BlocksConfig(FamilyConfig):
    """The layers of a Transformer: of an encoder, a decoder, or both."""

    width: Size = 256
    """Width of a word vector and of every layer (d_model)."""
    heads: Size = 4
    """Heads of each attention."""
    head_size: Size | None = None
    """Width of a head's queries, keys and values (d_k); by default width / heads."""
    feed_forward: Size = 1024
    """Width inside the feed-forward layers (d_ff)."""
    order: Literal["pre", "post"] = "pre"
    """Pre-norm, with one more norm at the end; or post-norm, as in the paper."""
    norm: Literal["layer", "rms"] = "layer"
    """Layer normalisation (Ba et al. 2016), or by the root mean square alone (Zhang and Sennrich 2019)."""
    positions: Positions = "sinusoidal"
    """How positions are encoded: added sinusoids or learned vectors, or queries and keys that are rotated (Su
    et al. 2021); with none, only the causal mask gives a decoder any order."""
    longest: Size = 1026
    """Maximum positions where they are learned; a longer sentence is refused."""
    activation: Literal["relu", "gelu", "gelu_tanh", "silu", "swiglu"] = "relu"
    """Of the feed-forward layers; SwiGLU has three matrices instead of two (Shazeer 2020)."""
    tie_embeddings: bool = True
    """Tie the output layer to the target word vectors (Press and Wolf 2017)."""
    dropout: float = Field(default=0.1, ge=0.0, le=0.98)
    """Dropout probability, in steps of 1/256: of word vectors with positions, and of the
    output of each sublayer."""
    attention_dropout: float = Field(default=0.1, ge=0.0, le=0.98)
    """The same of attention weights."""
    activation_dropout: float = Field(default=0.0, ge=0.0, le=0.98)
    """The same inside the feed-forward layers."""
    layer_drop: float = Field(default=0.0, ge=0.0, lt=1.0)
    """LayerDrop: the share of layers that are skipped in training (Fan et al. 2020)."""

    @property
    def size_of_head(self) -> int:
        """d_k."""
        return self.head_size or self.width // self.heads

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if self.head_size is None and self.width % self.heads:
            raise ValueError(f"width {self.width} cannot be divided by {self.heads} heads; set head_size")
        if self.positions == "rotary" and self.size_of_head % 2:
            raise ValueError(f"rotary positions need heads of an even width, found {self.size_of_head}")
        if self.positions == "sinusoidal" and self.width % 2:
            raise ValueError(f"sinusoidal positions need an even width, found {self.width}")
        return self


class TransformerConfig(BlocksConfig):
    """The encoder-decoder of Vaswani et al. 2017."""

    kind: Literal["transformer"] = "transformer"
    encoder_layers: Size = 3
    """Layers that read."""
    decoder_layers: Size = 3
    """Decoder layers; a deep encoder and a shallow decoder translate faster (Kasai et al. 2021)."""
    share_embeddings: bool = False
    """Share the word vectors of source and target; needs `text.joint: true`. With tied embeddings all three
    are one, as in the paper."""

    scale_embeddings: bool = True
    """Multiply word vectors by √width, as in the paper; a Marian may do without."""

    @property
    def needs_one_vocabulary(self) -> str | None:
        """The setting that asks for the same vocabulary on both sides, if there is one."""
        return "share_embeddings" if self.share_embeddings else None
