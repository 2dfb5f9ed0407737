"""The settings of text embedders: an encoder, a pooling, and a training objective."""

from typing import Annotated, ClassVar, Literal, Self

from pydantic import BeforeValidator, Field, model_validator

from regard.config.base import Config, FamilyConfig, expand_kind
from regard.config.bert_reader import BertPoolingConfig, BertTextConfig, FirstPoolingConfig
from regard.config.sentence import MeanPoolingConfig, SentenceReaderConfig


class InBatchConfig(Config):
    """Pairs of equal meaning. Of all second texts of a batch, a text is to be nearest to its own:
    cross-entropy of softmax(scale · cosine) (Henderson et al. 2017, Reimers and Gurevych 2019)."""

    kind: Literal["in-batch-negatives"] = "in-batch-negatives"
    scale: float = Field(default=20.0, gt=0.0)
    """The scale (inverse temperature) of cosines: the larger, the more only the nearest count."""
    both_ways: bool = True
    """Also find the first text of a pair from its second; the loss is the mean of both."""


class CosineConfig(Config):
    """A number for each pair (`data.score`): the squared distance of the cosine from it, put into 0 to 1."""

    kind: Literal["cosine"] = "cosine"


class SoftmaxConfig(Config):
    """A label for each pair (`data.label`), such as those of inference: the cross-entropy of
    softmax(W [u; v; |u − v|] + b) (Reimers and Gurevych 2019). W and b are for training alone."""

    kind: Literal["softmax"] = "softmax"


_ObjectiveConfig = InBatchConfig | CosineConfig | SoftmaxConfig


ObjectiveConfig = Annotated[
    Annotated[_ObjectiveConfig, Field(discriminator="kind")],
    BeforeValidator(expand_kind, json_schema_input_type=str | _ObjectiveConfig),
]


class EmbedderConfig(FamilyConfig):
    """What all families of text embedders have."""

    tasks: ClassVar[tuple[str, ...]] = ("embedding",)

    normalise: bool = False
    """Vectors of length 1, so that a dot product is a cosine."""
    objective: ObjectiveConfig = InBatchConfig()
    """The training objective: `in-batch-negatives`, `cosine` or `softmax`."""


class SentenceEmbedderConfig(SentenceReaderConfig, EmbedderConfig):
    """A sentence encoder: word vectors, an encoder, a pooling. Of several hops, the rows are put side by
    side."""

    tasks: ClassVar[tuple[str, ...]] = ("embedding",)

    kind: Literal["sentence_embedder"] = "sentence_embedder"

    @property
    def width(self) -> int:
        """Size of an embedding."""
        return self.rows * self.state_size


class BertEmbedderConfig(BertTextConfig, EmbedderConfig):
    """A BERT for text embedding. With `start`, the sizes of the encoder are those of the model to
    start from. Of several hops, the rows are put side by side."""

    tasks: ClassVar[tuple[str, ...]] = ("embedding",)

    kind: Literal["bert_embedder"] = "bert_embedder"
    pooling: BertPoolingConfig = MeanPoolingConfig()
    """How the states of the words are pooled; `first` is the state of the first token as it is."""
    dropout: float = Field(default=0.0, ge=0.0, le=0.98)
    """Dropout probability of a vector; that of the layers is `encoder.dropout`."""

    @property
    def width(self) -> int:
        """Size of an embedding."""
        return self.rows * self.encoder.width

    @model_validator(mode="after")
    def _has_no_pooler(self) -> Self:
        if isinstance(self.pooling, FirstPoolingConfig) and self.pooling.activation != "tanh":
            raise ValueError("pooling.activation is of a layer above the first token, and there is none")
        return self

    def most_tokens(self, texts: int) -> int:
        """Maximum tokens of a text; each is encoded alone."""
        del texts
        return super().most_tokens(1)
