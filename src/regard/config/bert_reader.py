"""BERT for a task: a pre-trained encoder, and a pooling or a head."""

from typing import Annotated, ClassVar, Literal, Self

from pydantic import Field, model_validator

from regard.config.base import Config, FamilyConfig
from regard.config.bert import BertConfig
from regard.config.data import CorporaConfig
from regard.config.sentence import (
    AttentionPoolingConfig,
    MaxPoolingConfig,
    MeanPoolingConfig,
    StructuredPoolingConfig,
)
from regard.errors import ConfigError

Token = Annotated[int, Field(strict=True, ge=0)]


class FirstPoolingConfig(Config):
    """The first token represents the text, by the encoder's pooler: tanh(W h + b) (Devlin et al. 2018)."""

    kind: Literal["first"] = "first"
    activation: Literal["tanh", "relu"] = "tanh"
    """Of that layer; classifiers of DistilBERT have relu."""


BertPoolingConfig = Annotated[
    FirstPoolingConfig
    | MeanPoolingConfig
    | MaxPoolingConfig
    | AttentionPoolingConfig
    | StructuredPoolingConfig,
    Field(discriminator="kind"),
]


class BertTaskConfig(FamilyConfig):
    """A BERT as the encoder of a task. With `start`, it has the sizes of the model to start from."""

    encoder: BertConfig = BertConfig(masked_words=False)
    """The encoder."""
    frame: tuple[Token, Token] = (2, 3)
    """The tokens before and behind a text: <s> and </s> of a vocabulary that is learned here; others with a
    start from elsewhere, which says it."""
    separators: int = Field(default=1, strict=True, ge=1, le=2)
    """How often the second of them is put between the two texts of a pair: RoBERTa has it twice."""
    told_apart: bool = True
    """Whether the two texts of a pair are of two segments, where there are such; RoBERTa reads both in the
    first."""

    @property
    def is_layered(self) -> bool:
        """Layer-wise learning rates and frozen layers are possible."""
        return True

    def check_vocabulary(self, size: int) -> None:
        """The special tokens are entries of the vocabulary."""
        if (most := max(self.frame)) >= size:
            raise ConfigError(
                f"model.frame: expected entries below {size:,}, the size of the vocabulary, found {most}; "
                f"leave it out"
            )

    @property
    def as_reader(self) -> BertConfig:
        """The encoder with the parts that this task has."""
        return self.encoder.model_copy(update={"pooler": False, "masked_words": False})

    @property
    def has_segments(self) -> bool:
        """Whether the texts of a pair have different segment embeddings."""
        return self.told_apart and self.encoder.segments > 1

    def most_tokens(self, texts: int) -> int:
        """Maximum tokens of each of so many texts, without special tokens."""
        return (self.encoder.longest - 1 - texts - (self.separators - 1) * (texts - 1)) // texts

    def beyond(self, data: CorporaConfig) -> tuple[str, int, int] | None:
        """The setting of the corpora that asks for more tokens than the maximum positions, its value, and how
        many there are."""
        most = self.most_tokens(1 if getattr(data, "second", None) is None else 2)
        return ("data.max_tokens", data.max_tokens, most) if data.max_tokens > most else None

    def no_room(self, data: CorporaConfig) -> str | None:
        """Why the corpora of a recipe that starts from no other model do not fit; None if they do."""
        if (found := self.beyond(data)) is None:
            return None
        name, value, most = found
        return f"{name} {value} is more than the {most} tokens that model.encoder.places allows"

    @model_validator(mode="after")
    def _room_for_a_text(self) -> Self:
        if self.encoder.longest < 3:
            raise ValueError(f"encoder.places {self.encoder.places} leave no room for a text")
        return self


class BertTextConfig(BertTaskConfig):
    """A BERT that pools a text."""

    pooling: BertPoolingConfig = FirstPoolingConfig()
    """How the states of the words are pooled."""

    @property
    def rows(self) -> int:
        """How many vectors a text is."""
        return self.pooling.hops if isinstance(self.pooling, StructuredPoolingConfig) else 1

    @model_validator(mode="after")
    def _first_sees(self) -> Self:
        if self.encoder.reads == "left" and isinstance(self.pooling, FirstPoolingConfig):
            raise ValueError(
                "pooling: first is of a token that sees nothing with encoder.reads: left; say mean"
            )
        return self


class BertReaderConfig(BertTextConfig):
    """A BERT for classification. With `start`, the encoder has the sizes of the model to start from."""

    tasks: ClassVar[tuple[str, ...]] = ("classification",)

    kind: Literal["bert"] = "bert"
    dropout: float = Field(default=0.1, ge=0.0, le=0.98)
    """Dropout probability before the head."""

    @property
    def as_reader(self) -> BertConfig:
        """The encoder with the parts that this task has: a pooler for the first token."""
        pooler = isinstance(self.pooling, FirstPoolingConfig)
        return super().as_reader.model_copy(update={"pooler": pooler})


class BertSpanConfig(BertTaskConfig):
    """A BERT for extractive question answering (Devlin et al. 2018, section 4.2)."""

    tasks: ClassVar[tuple[str, ...]] = ("question-answering",)

    kind: Literal["bert"] = "bert"
    dropout: float = Field(default=0.1, ge=0.0, le=0.98)
    """Dropout probability before the head."""

    @property
    def max_question_tokens(self) -> int:
        """Tokens of the longest question: half of the maximum positions, so that there is room for a text."""
        return (self.encoder.longest - 2 - self.separators) // 2

    def beyond(self, data: CorporaConfig) -> tuple[str, int, int] | None:
        """A text of any length is read in windows; the question is in each of them."""
        found = int(getattr(data, "max_question", 0))
        most = self.max_question_tokens
        return ("data.max_question", found, most) if found > most else None
