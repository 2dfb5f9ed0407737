"""BERT for tagging: a pre-trained encoder, a vector for each word, a CRF or a softmax."""

from typing import ClassVar, Literal

from pydantic import Field

from regard.config.bert_reader import BertTaskConfig
from regard.config.tagger import LabellingConfig, SoftmaxLabellingConfig


class BertTaggerConfig(BertTaskConfig):
    """A BERT for tagging. Words are split into subwords (Devlin et al. 2018, section 5.3)."""

    tasks: ClassVar[tuple[str, ...]] = ("tagging",)
    characters: ClassVar[None] = None
    """There are no character embeddings."""

    kind: Literal["bert"] = "bert"
    dropout: float = Field(default=0.1, ge=0.0, le=0.98)
    """Dropout probability before the head."""
    word: Literal["first", "mean"] = "first"
    """The vector of a word: the state of its first piece, or the mean of all."""
    labelling: LabellingConfig = SoftmaxLabellingConfig()
    """How emission scores become tags: a CRF, or a softmax over each word."""
