"""Recipes for masked language modelling: pre-training on plain text (Devlin et al. 2018)."""

from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import BeforeValidator, Field, model_validator

from regard.config.base import Config, Count, FamilyConfig
from regard.config.bert import BertConfig
from regard.config.data import BuiltinCorpus, CorporaConfig, Corpus
from regard.config.recipe import Recipe, StartConfig
from regard.config.text import TextConfig, WordPieceConfig
from regard.config.training import TrainingConfig
from regard.config.vectors import TextVectorsConfig

_SENTENCES = BuiltinCorpus(world="sentiment")


class _Text(Config):
    text: str = "text"
    """The column of the texts; a plain text file has one, called text."""
    documents: Literal["blocks", "rows"] = "blocks"
    """What belongs together: rows on lines that follow each other, so that an empty line ends a document; or
    each row is a document of its own."""
    length: Annotated[int, Field(strict=True, ge=8, le=2**16)] = 128
    """Tokens of a sequence, special ones included: as many sentences of a document as there is room for. A
    sentence that is longer than that is cut."""


class SequencesConfig(CorporaConfig, _Text):
    """Plain text, a sentence a row, and how sequences are made of it."""

    train: Corpus = _SENTENCES
    """The training set."""
    dev: Corpus = _SENTENCES
    """The dev set, which chooses the best checkpoint; its masks are the same at each validation."""
    max_tokens: Count = 100_000
    """A row with a longer text, in tokens, is left out; their number is reported."""


def _yaml_word(value: Any) -> Any:
    """YAML takes off and on for truth values."""
    return {False: "off", True: "on"}[value] if isinstance(value, bool) else value


class ObjectiveConfig(Config):
    """The objective: which words are masked, and whether the second part follows the first."""

    share: float = Field(default=0.15, gt=0.0, lt=1.0)
    """Each token is chosen with this probability, anew in every epoch, and is predicted from the others;
    one of every sequence is chosen in any case."""
    masked: float = Field(default=0.8, ge=0.0, le=1.0)
    """The share of the chosen ones that is replaced by [MASK]."""
    random: float = Field(default=0.1, ge=0.0, le=1.0)
    """The share that is replaced by a random entry of the vocabulary. The rest stays as it is."""
    whole_words: bool = False
    """Whole word masking: words with all of their pieces, instead of single pieces."""
    next_sentence: Annotated[Literal["off", "on", "order"], BeforeValidator(_yaml_word)] = "off"
    """on: a sequence is cut in two at the end of a sentence, the second part is of another document half of
    the time, and the first token predicts which. order: the two are swapped instead (Lan et al. 2020)."""

    @model_validator(mode="after")
    def _shares(self) -> Self:
        if self.masked + self.random > 1.0:
            raise ValueError(f"masked {self.masked} and random {self.random} are more than all")
        return self


class MaskedLanguageModelTrainingConfig(TrainingConfig):
    """One run: its length, its batches, its optimizer, and when it is validated."""

    label_smoothing: float = Field(default=0.0, ge=0.0, lt=1.0)
    """Label smoothing (Szegedy et al. 2016): probability that is spread over all words."""
    best_by: Literal["loss", "accuracy"] = "loss"
    """The metric that chooses the best checkpoint."""


class MaskedLanguageModelRecipe(Recipe):
    """A recipe for pre-training: its data, its text, the encoder, the objective, the training."""

    families: ClassVar[list[type[FamilyConfig]]] = [BertConfig]
    example: ClassVar[str] = "sequence"
    loss_unit: ClassVar[str] = "token"

    task: Literal["masked-language-model"] = "masked-language-model"
    """What the model is for."""
    data: SequencesConfig = SequencesConfig()
    text: TextConfig = WordPieceConfig()
    """How strings become numbers; [MASK] is always an entry."""
    model: BertConfig = BertConfig(pooler=False)
    objective: ObjectiveConfig = ObjectiveConfig()
    vectors: TextVectorsConfig = TextVectorsConfig()
    training: MaskedLanguageModelTrainingConfig = MaskedLanguageModelTrainingConfig()
    start: StartConfig | None = None
    """A trained model to start from; by default weights are initialised at random, from the seed."""

    @property
    def asks_for_pairs(self) -> bool:
        """Whether a sequence has two parts."""
        return self.objective.next_sentence != "off"

    @model_validator(mode="after")
    def _only_what_has_a_meaning(self) -> Self:
        if self.text.joint:
            raise ValueError("text.joint is for two languages; leave it out")
        if getattr(self.text, "dropout", 0.0):
            raise ValueError("text.dropout would change how long a packed sequence is; leave it out")
        if not self.model.masked_words:
            raise ValueError("model.masked_words: masked words need the head that predicts them; say true")
        return self

    @property
    def reads_left(self) -> bool:
        """Whether words are predicted from those before them."""
        return self.model.reads == "left"

    @model_validator(mode="after")
    def _left_to_right(self) -> Self:
        usual = ObjectiveConfig(next_sentence=self.objective.next_sentence)
        if self.reads_left and self.objective != usual:
            raise ValueError("model.reads: left masks nothing; leave out the settings of objective on that")
        if self.reads_left and self.asks_for_pairs:
            raise ValueError("model.reads: left has a first token that sees nothing; say next_sentence: off")
        return self

    @model_validator(mode="after")
    def _next_sentence(self) -> Self:
        if self.asks_for_pairs != self.model.pooler:
            raise ValueError(
                "model.pooler is for next sentence prediction: say true with "
                "objective.next_sentence, and false without it"
            )
        if self.asks_for_pairs and self.model.segments < 2:
            raise ValueError("objective.next_sentence needs two kinds of segment; say model.segments: 2")
        if self.asks_for_pairs and self.data.documents == "rows":
            raise ValueError("objective.next_sentence needs documents of several rows; say documents: blocks")
        if self.data.length > self.model.longest:
            raise ValueError(
                f"data.length {self.data.length} is longer than the model's {self.model.longest} positions"
            )
        return self
