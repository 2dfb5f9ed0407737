"""The sizes and parts of BERT and its kin."""

from typing import Annotated, ClassVar, Literal, Self

from pydantic import Field, model_validator

from regard.config.base import Size
from regard.config.family import FamilyConfig

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
    """Width inside the position-wise layers."""
    layers: Size = 4
    """Layers that read."""
    places: Size = 512
    """Maximum positions: rows of the position embeddings; a longer text is refused."""
    uncounted: Annotated[int, Field(strict=True, ge=0)] | None = None
    """The token without a position of its own, the one of padding: positions are counted from behind its id,
    as in RoBERTa. None = from 0, every token."""
    segments: Annotated[int, Field(strict=True, ge=0, le=2**16)] = 2
    """Kinds of segment, such as first and second sentence; 0 = words do not know theirs, as in DistilBERT."""
    reads: Literal["both", "left"] = "both"
    """A word sees the words on both sides; or, as a language model from left to right does, those before it
    alone: then every next word is predicted, and none is masked."""
    activation: Literal["gelu", "gelu_tanh", "relu", "silu"] = "gelu"
    """Inside the position-wise layers, and in the head."""
    norm_epsilon: Annotated[float, Field(gt=0.0, le=1.0)] = 1e-12
    """What normalisation adds to the variance."""
    dropout: Rate = 0.1
    """Share of values hidden in training: of word vectors, and of what each part adds."""
    attention_dropout: Rate = 0.1
    """The same of attention weights."""
    pooler: bool = True
    """A layer on top of the first token, which represents the text."""
    masked_words: bool = True
    """A head that says which word a mask hides."""

    @property
    def is_layered(self) -> bool:
        """Lower layers can learn more slowly, or not at all."""
        return True

    @property
    def size_of_head(self) -> int:
        """Width of a head's queries, keys and values."""
        return self.width // self.heads

    @property
    def longest(self) -> int:
        """Tokens of the longest text."""
        return self.places if self.uncounted is None else self.places - self.uncounted - 1

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if self.width % self.heads:
            raise ValueError(f"width {self.width} cannot be divided by {self.heads} heads")
        if self.longest < 1:
            raise ValueError(f"{self.places} positions, counted from {self.uncounted} on, leave no position")
        return self
