"""The settings of models that make a vector of a text: an encoder, a pooling, and what they learn from."""

from typing import ClassVar, Literal, Self

from pydantic import Field, model_validator

from regard.config.bert_reader import BertPoolingConfig, BertTextConfig, FirstPoolingConfig
from regard.config.family import FamilyConfig
from regard.config.objective import InBatchConfig, ObjectiveConfig
from regard.config.sentence import MeanPoolingConfig, SentenceReaderConfig


class EmbedderConfig(FamilyConfig):
    """What the settings of every family have whose models make vectors of texts."""

    tasks: ClassVar[tuple[str, ...]] = ("embedding",)

    normalise: bool = False
    """Vectors of length 1, so that a dot product is a cosine."""
    objective: ObjectiveConfig = InBatchConfig()
    """What is learned from two texts: `in-batch-negatives`, `cosine` or `softmax`."""


class SentenceEmbedderConfig(SentenceReaderConfig, EmbedderConfig):
    """A sentence encoder: word vectors, an encoder, a pooling. Of several hops, the rows are put side by
    side."""

    tasks: ClassVar[tuple[str, ...]] = ("embedding",)

    kind: Literal["sentence_embedder"] = "sentence_embedder"

    @property
    def width(self) -> int:
        """Numbers of a vector."""
        return self.rows * self.state_size


class BertEmbedderConfig(BertTextConfig, EmbedderConfig):
    """A BERT that makes vectors of texts. With `start`, the sizes of the encoder are those of the model to
    start from. Of several hops, the rows are put side by side."""

    tasks: ClassVar[tuple[str, ...]] = ("embedding",)

    kind: Literal["bert_embedder"] = "bert_embedder"
    pooling: BertPoolingConfig = MeanPoolingConfig()
    """How the states of the words become a vector; `first` is the state of the first token as it is."""
    dropout: float = Field(default=0.0, ge=0.0, le=0.98)
    """Share of values hidden in training of a vector; that of the layers is `encoder.dropout`."""

    @property
    def width(self) -> int:
        """Numbers of a vector."""
        return self.rows * self.encoder.width

    @model_validator(mode="after")
    def _has_no_pooler(self) -> Self:
        if isinstance(self.pooling, FirstPoolingConfig) and self.pooling.activation != "tanh":
            raise ValueError("pooling.activation is of a layer above the first token, and there is none")
        return self

    def most_tokens(self, texts: int) -> int:
        """How many tokens a text may have; each is read alone."""
        del texts
        return super().most_tokens(1)
