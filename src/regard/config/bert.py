"""The settings of BERT and its variants."""

from typing import Annotated, ClassVar, Literal, Self

from pydantic import Field, model_validator

from regard.config.base import FamilyConfig, Size

Rate = Annotated[float, Field(ge=0.0, le=0.98)]


class BertConfig(FamilyConfig):
    """The Transformer encoder of Devlin et al. 2018: BERT, MiniLM, DistilBERT, RoBERTa, XLM-R."""

    tasks: ClassVar[tuple[str, ...]] = ("masked-language-model",)

    kind: Literal["bert"] = "bert"
    width: Size = 256
    """Width of a word vector and of every layer."""
    heads: Size = 4
    """Heads of each attention."""
    feed_forward: Size = 1024
    """Width inside the feed-forward layers."""
    layers: Size = 4
    """Layers that read."""
    places: Size = 512
    """Maximum positions: rows of the position embeddings; a longer text is refused."""
    uncounted: Annotated[int, Field(strict=True, ge=0)] | None = None
    """The token without a position of its own, the one of padding: positions are counted from behind its id,
    as in RoBERTa. None = from 0, every token."""
    segments: Annotated[int, Field(strict=True, ge=0, le=2**16)] = 2
    """Segment types (token types), such as first and second sentence; 0 = none, as in DistilBERT."""
    reads: Literal["both", "left"] = "both"
    """A word sees the words on both sides; or, as a language model from left to right does, those before it
    alone: then every next word is predicted, and none is masked."""
    activation: Literal["gelu", "gelu_tanh", "relu", "silu"] = "gelu"
    """Of the feed-forward layers, and of the head."""
    norm_epsilon: Annotated[float, Field(gt=0.0, le=1.0)] = 1e-12
    """The epsilon of layer normalisation."""
    dropout: Rate = 0.1
    """Dropout probability: of word vectors, and of the output of each sublayer."""
    attention_dropout: Rate = 0.1
    """Dropout probability of attention weights."""
    pooler: bool = True
    """The pooler: a layer on top of the first token, which represents the text."""
    masked_words: bool = True
    """A masked language modelling head."""

    @property
    def is_layered(self) -> bool:
        """Layer-wise learning rates and frozen layers are possible."""
        return True

    @property
    def size_of_head(self) -> int:
        """Width of a head's queries, keys and values."""
        return self.width // self.heads

    @property
    def longest(self) -> int:
        """Maximum sequence length."""
        return self.places if self.uncounted is None else self.places - self.uncounted - 1

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if self.width % self.heads:
            raise ValueError(f"width {self.width} cannot be divided by {self.heads} heads")
        if self.longest < 1:
            raise ValueError(f"{self.places} positions, counted from {self.uncounted} on, leave no position")
        return self
