"""Recipes for language models, and the families of models for them."""

from typing import ClassVar, Literal, Self

from pydantic import Field, model_validator

from regard.config.base import Config, FamilyConfig, RecurrentFamilyConfig, Size
from regard.config.data import BuiltinCorpus, CorporaConfig, Corpus
from regard.config.decoding import DecodingConfig
from regard.config.model import CellName
from regard.config.recipe import Recipe, StartConfig
from regard.config.training import TrainingConfig
from regard.config.transformer import BlocksConfig
from regard.config.vectors import TextVectorsConfig

TASK: Literal["language-model"] = "language-model"


class _Column(Config):
    text: str = "text"
    """The column of the sentences."""


_SENTENCES = BuiltinCorpus(world="sentiment")


class SentencesConfig(CorporaConfig, _Column):
    """The corpora of a language model, and which of their columns is the text."""

    train: Corpus = _SENTENCES
    """The training set."""
    dev: Corpus = _SENTENCES
    """The dev set, which chooses the best checkpoint."""


class _RecurrentConfig(RecurrentFamilyConfig):
    """What recurrent language models share."""

    tasks: ClassVar[tuple[str, ...]] = (TASK,)

    embedding_size: Size = 256
    """Width of a word vector."""
    hidden_size: Size = 256
    """Width of a layer's state."""
    layers: Size = 1
    """Layers, one upon the other."""
    residual: bool = False
    """Residual connections, from the second layer on (Wu et al. 2016)."""
    tie_embeddings: bool = True
    """Tie the output layer to the word vectors (Press and Wolf 2017); the two widths must be equal."""
    dropout: float = Field(default=0.3, ge=0.0, le=0.98)
    """Dropout probability, in steps of 1/256: of word vectors, between layers, and before the output."""

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if self.tie_embeddings and self.hidden_size != self.embedding_size:
            raise ValueError(
                f"tied embeddings score words with vectors of {self.embedding_size}, but hidden_size is "
                f"{self.hidden_size}; make them equal, or set tie_embeddings to false"
            )
        return self


class RecurrentLMConfig(_RecurrentConfig):
    """A recurrent language model (Mikolov et al. 2010)."""

    kind: Literal["recurrent_lm"] = "recurrent_lm"
    cell: CellName = "lstm"
    """The recurrent cell."""


class LSTMNLMConfig(_RecurrentConfig):
    """A language model that attends to all its past states: the LSTMN of Cheng et al. 2016."""

    kind: Literal["lstmn_lm"] = "lstmn_lm"
    attention_size: Size | None = None
    """Width of the additive attention; by default that of a state."""


class TransformerLMConfig(BlocksConfig):
    """A decoder-only Transformer: each word attends to itself and to those before it (Liu et al. 2018)."""

    tasks: ClassVar[tuple[str, ...]] = (TASK,)

    kind: Literal["transformer_lm"] = "transformer_lm"
    layers: Size = 3
    """Layers, one upon the other."""


NetworkLMConfig = RecurrentLMConfig | LSTMNLMConfig | TransformerLMConfig
"""Those that are trained."""


class NGramConfig(FamilyConfig):
    """The baseline: n-grams with Kneser-Ney smoothing (Chen and Goodman 1998). It is counted, in one pass; of
    `training` nothing is used."""

    tasks: ClassVar[tuple[str, ...]] = (TASK,)

    kind: Literal["ngram_lm"] = "ngram_lm"
    order: int = Field(default=5, strict=True, ge=1, le=16)
    """The longest n-grams that are counted, in tokens (n)."""

    @property
    def is_counted(self) -> bool:
        """It is."""
        return True


LanguageModelConfig = NetworkLMConfig | NGramConfig


class LanguageTrainingConfig(TrainingConfig):
    """One run: its length, its batches, its optimizer, and when it is validated."""

    label_smoothing: float = Field(default=0.0, ge=0.0, lt=1.0)
    """Label smoothing (Szegedy et al. 2016): probability that is spread over all words. It makes perplexity
    worse (Vaswani et al. 2017)."""
    best_by: Literal["loss"] = "loss"
    """The metric that chooses the best checkpoint: the loss. The perplexity says the same."""


class LanguageRecipe(Recipe):
    """A recipe for a language model: its data, its text, the model, the training, the decoding."""

    families: ClassVar[list[type[FamilyConfig]]] = [
        RecurrentLMConfig,
        LSTMNLMConfig,
        TransformerLMConfig,
        NGramConfig,
    ]
    example: ClassVar[str] = "sentence"
    loss_unit: ClassVar[str] = "token"
    has_decoder: ClassVar[bool] = True

    task: Literal["language-model"] = TASK
    """What the model is for."""
    data: SentencesConfig = SentencesConfig()
    model: LanguageModelConfig = Field(default=RecurrentLMConfig(), discriminator="kind")
    """The language model."""
    vectors: TextVectorsConfig = TextVectorsConfig()
    training: LanguageTrainingConfig = LanguageTrainingConfig()
    decoding: DecodingConfig = DecodingConfig(max_length_factor=1.0, max_length_extra=60)
    """How a text is continued. Its length limits include the prompt."""
    start: StartConfig | None = None
    """A trained model to start from; by default weights are initialised at random, from the seed."""

    @model_validator(mode="after")
    def _only_what_has_a_meaning(self) -> Self:
        if self.text.joint:
            raise ValueError(
                "text.joint is for two languages, and a language model has one text; leave it out"
            )
        if isinstance(self.model, NGramConfig) and (self.start is not None or self.vectors):
            raise ValueError(
                "n-grams are counted and have no weights to begin with; leave out start and vectors"
            )
        if self.decoding.coverage_beta or self.decoding.replace_unknown:
            raise ValueError(
                "decoding.coverage_beta and decoding.replace_unknown look at a source, and a language model "
                "has none; leave them out"
            )
        return self
