"""The settings of taggers: word vectors, a character encoder, an encoder, a CRF or a softmax."""

from typing import Annotated, ClassVar, Literal, Self

from pydantic import Field, model_validator

from regard.config.base import Config, RecurrentFamilyConfig, Size
from regard.config.model import EncoderConfig


class _Characters(Config):
    character_size: Size = 32
    """Width of a character's vector."""
    split: Literal["none", "jamo"] = "none"
    """What Hangul is read as: syllables, or the letters of each."""
    longest: int = Field(default=32, ge=2, le=512)
    """Of a word with more characters than this, the first half of so many and the last are read."""


class CharacterLSTMConfig(_Characters):
    """The last states of a BiLSTM over the characters of a word (Ling et al. 2015)."""

    kind: Literal["bilstm"] = "bilstm"
    hidden_size: Size = 64
    """Width of one direction's state."""


class CharacterCNNConfig(_Characters):
    """The largest values of filters over the characters of a word (Kim et al. 2016)."""

    kind: Literal["cnn"] = "cnn"
    filters: Size = 50
    """Filters of each width."""
    widths: tuple[Annotated[int, Field(ge=1, le=16)], ...] = Field(default=(2, 3, 4), min_length=1)
    """How many characters a filter sees."""


CharactersConfig = Annotated[CharacterLSTMConfig | CharacterCNNConfig, Field(discriminator="kind")]


class SelfAttentionConfig(Config):
    """One block of multi-head self-attention (Vaswani et al. 2017) over the states of the words."""

    heads: Size = 4
    """Attention heads."""
    feed_forward: Size = 256
    """Width of the feed-forward layer after it."""


class CRFLabellingConfig(Config):
    """A CRF: the tags of a sentence are chosen together, by their transitions (Lafferty et al. 2001)."""

    kind: Literal["crf"] = "crf"
    scheme: Literal["bio", "bioes"] | None = None
    """Where tags encode spans: the output is always well-formed. The corpus must be well-formed, too."""


class SoftmaxLabellingConfig(Config):
    """A softmax: the tag of each word is chosen independently."""

    kind: Literal["softmax"] = "softmax"


LabellingConfig = Annotated[CRFLabellingConfig | SoftmaxLabellingConfig, Field(discriminator="kind")]


class TaggerConfig(RecurrentFamilyConfig):
    """A tagger: word vectors, a character encoder, a recurrent encoder, a CRF or a softmax."""

    tasks: ClassVar[tuple[str, ...]] = ("tagging",)

    kind: Literal["tagger"] = "tagger"
    embedding_size: Size = 128
    """Width of a word vector."""
    word_dropout: float = Field(default=0.1, ge=0.0, le=0.98)
    """Word dropout, in steps of 1/256: the share of words that become <unk> in training, which is learned so;
    their characters are still read."""
    characters: CharactersConfig | None = CharacterLSTMConfig()
    """The character encoder, beside the word's vector; null for none."""
    encoder: EncoderConfig = EncoderConfig()
    """What computes a state for each word in its context."""
    attention: SelfAttentionConfig | None = None
    """Self-attention over the words, after the encoder; by default none."""
    labelling: LabellingConfig = CRFLabellingConfig()
    """How emission scores become tags: a CRF, or a softmax over each word."""
    dropout: float = Field(default=0.3, ge=0.0, le=0.98)
    """Dropout probability, in steps of 1/256: of word and character vectors, and of states."""

    @model_validator(mode="after")
    def _heads_divide_the_width(self) -> Self:
        width = self.encoder.output_size
        if self.attention is not None and width % self.attention.heads:
            raise ValueError(
                f"attention.heads: the states have a width of {width}, no multiple of {self.attention.heads}"
            )
        return self
