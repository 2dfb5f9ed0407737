"""The settings of sentence classifiers: word vectors, an encoder, a pooling, a head."""

from typing import Annotated, ClassVar, Literal, Self

from pydantic import Field, model_validator

from regard.config.base import Config, FamilyConfig, Size
from regard.config.model import EncoderConfig


class BagConfig(Config):
    """A bag of words, without encoder: a word's state is its vector, whatever its context."""

    kind: Literal["bag"] = "bag"


class RecurrentEncoderConfig(EncoderConfig):
    """A recurrent network, by default a BiLSTM."""

    kind: Literal["recurrent"] = "recurrent"


class LSTMNEncoderConfig(Config):
    """An LSTM that attends to all its past states (Cheng et al. 2016), forwards only. A text is read as a
    whole, whatever `window` says."""

    kind: Literal["lstmn"] = "lstmn"
    hidden_size: Size = 256
    """Width of a word's state."""
    layers: Size = 1
    """Layers, one upon the other."""
    residual: bool = False
    """Residual connections, from the second layer on (Wu et al. 2016)."""
    attention_size: Size | None = None
    """Width of the additive attention; by default that of a state."""

    @property
    def output_size(self) -> int:
        """Width of a word's state."""
        return self.hidden_size


SentenceEncoderConfig = Annotated[
    BagConfig | RecurrentEncoderConfig | LSTMNEncoderConfig, Field(discriminator="kind")
]


class MaxPoolingConfig(Config):
    """The largest value of each feature over the words (Collobert and Weston 2008)."""

    kind: Literal["max"] = "max"


class MeanPoolingConfig(Config):
    """The mean over the words."""

    kind: Literal["mean"] = "mean"


class LastPoolingConfig(Config):
    """The last state of each direction."""

    kind: Literal["last"] = "last"


class AttentionPoolingConfig(Config):
    """One weighted sum of the words: a = softmax(w · tanh(W h)), with one learned query w."""

    kind: Literal["attention"] = "attention"
    hidden_size: Size = 128
    """Width of the comparison."""


class StructuredPoolingConfig(Config):
    """Several weighted sums, each of another view: A = softmax(W₂ tanh(W₁ Hᵀ)), M = A H (Lin et al. 2017)."""

    kind: Literal["structured"] = "structured"
    hops: int = Field(default=8, strict=True, ge=1, le=256)
    """Rows of A (r): the number of hops. With 1, the form is `attention`'s."""
    hidden_size: Size = 128
    """Width of the comparison (d_a)."""
    penalty: float = Field(default=1.0, ge=0.0)
    """The penalty on hops with the same attention: this times ‖A Aᵀ − I‖²_F is added to the loss per
    sentence."""


PoolingConfig = Annotated[
    MaxPoolingConfig
    | MeanPoolingConfig
    | LastPoolingConfig
    | AttentionPoolingConfig
    | StructuredPoolingConfig,
    Field(discriminator="kind"),
]


class FactoredConfig(Config):
    """What a hop sees in one text times what it sees in the other: (M₁ W₁) ⊙ (M₂ W₂) (Lin et al. 2017)."""

    kind: Literal["factored"] = "factored"
    hidden_size: Size = 128
    """Width of what is between two rows."""


class MatchingConfig(Config):
    """Both, their distance, and their product: [u; v; |u − v|; u ⊙ v] (Mou et al. 2016)."""

    kind: Literal["matching"] = "matching"


CombinationConfig = Annotated[FactoredConfig | MatchingConfig, Field(discriminator="kind")]


class MlpHeadConfig(Config):
    """One hidden layer with ReLU, over all that the pooling gives, side by side."""

    kind: Literal["mlp"] = "mlp"
    hidden_size: Size = 256
    """Width of the hidden layer."""


class LinearHeadConfig(Config):
    """No hidden layer."""

    kind: Literal["linear"] = "linear"


class PrunedHeadConfig(Config):
    """The pruned hidden layer of Lin et al. 2017 (appendix A): a unit sees one row of M, or one column."""

    kind: Literal["pruned"] = "pruned"
    row_size: Size = 16
    """Units that see a row of M, a hop (p)."""
    column_size: Size = 4
    """Units that see a column of M, a feature over all hops (q)."""


HeadConfig = Annotated[MlpHeadConfig | LinearHeadConfig | PrunedHeadConfig, Field(discriminator="kind")]


class SentenceReaderConfig(FamilyConfig):
    """A sentence encoder: word vectors, an encoder, a pooling."""

    embedding_size: Size = 128
    """Width of a word vector."""
    encoder: SentenceEncoderConfig = RecurrentEncoderConfig()
    """What computes a state for each word in its context; or nothing does."""
    window: int = Field(default=1024, strict=True, ge=16)
    """The window size, in tokens. A longer text is encoded in windows that overlap by a quarter, and pooled
    as a whole."""
    pooling: PoolingConfig = StructuredPoolingConfig()
    """How the states of the words become one vector."""
    dropout: float = Field(default=0.3, ge=0.0, le=0.98)
    """Dropout probability, in steps of 1/256: of word vectors, of states, and in a head."""

    @property
    def is_parallel(self) -> bool:
        """Only a bag reads all words at once."""
        return isinstance(self.encoder, BagConfig)

    @property
    def state_size(self) -> int:
        """Width of a word's state."""
        encoder = self.encoder
        return self.embedding_size if isinstance(encoder, BagConfig) else encoder.output_size

    @property
    def rows(self) -> int:
        """How many vectors a sentence is."""
        return self.pooling.hops if isinstance(self.pooling, StructuredPoolingConfig) else 1

    @model_validator(mode="after")
    def _has_a_last_state(self) -> Self:
        if isinstance(self.encoder, BagConfig) and isinstance(self.pooling, LastPoolingConfig):
            raise ValueError("pooling: last is the last state of a recurrent encoder, and a bag has none")
        return self


class SentenceConfig(SentenceReaderConfig):
    """A sentence as a vector or a matrix: word vectors, an encoder, a pooling, a head."""

    tasks: ClassVar[tuple[str, ...]] = ("classification",)

    kind: Literal["sentence"] = "sentence"
    combination: CombinationConfig | None = None
    """Where a row has two texts (`data.second`): what is made of the two, each read by the same encoder and
    pooling. By default, factored for several hops, and matching for one vector."""
    head: HeadConfig = MlpHeadConfig()
    """The classification head."""

    @property
    def combines(self) -> CombinationConfig:
        """How two sentences are combined."""
        return self.combination or (FactoredConfig() if self.rows > 1 else MatchingConfig())

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if isinstance(self.head, PrunedHeadConfig) and not isinstance(self.pooling, StructuredPoolingConfig):
            raise ValueError(
                f"head: pruned sees the rows of several hops; pooling: {self.pooling.kind} gives one vector"
            )
        return self
