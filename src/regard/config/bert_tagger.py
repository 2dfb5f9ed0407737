"""BERT that tags: an encoder that was trained before, a vector for each word, a labelling."""

from typing import ClassVar, Literal

from pydantic import Field

from regard.config.bert_reader import BertTaskConfig
from regard.config.tagger import LabellingConfig, SoftmaxLabellingConfig


class BertTaggerConfig(BertTaskConfig):
    """A BERT that gives each word a tag. A word is read in pieces (Devlin et al. 2018, section 5.3)."""

    tasks: ClassVar[tuple[str, ...]] = ("tagging",)
    characters: ClassVar[None] = None
    """Pieces of words are all that is read of their spelling."""

    kind: Literal["bert"] = "bert"
    dropout: float = Field(default=0.1, ge=0.0, le=0.98)
    """Share of values hidden in training of what the head sees."""
    word: Literal["first", "mean"] = "first"
    """The vector of a word: the state of its first piece, or the mean of all."""
    labelling: LabellingConfig = SoftmaxLabellingConfig()
    """How scores of each word's tags become tags of a sentence."""
