"""What all networks with an encoder and a decoder have: two embeddings, which may be one."""

from abc import ABC, abstractmethod
from collections.abc import Mapping

from torch import nn

from regard.config.model import LSTMNConfig, Seq2SeqConfig
from regard.config.transformer import TransformerConfig
from regard.errors import ConfigError
from regard.models.word_embeddings import word_embedding
from regard.nn.attention_kinds import AttentionSpec


class EncoderDecoderNetwork(nn.Module, ABC):
    """Word embeddings of the source and of the target; subclasses encode and decode."""

    source_vocab_params: tuple[str, ...] = ("source_embedding.weight",)
    target_vocab_params: tuple[str, ...] = ("target_embedding.weight", "output.weight", "output.bias")
    source_embedding: nn.Embedding
    target_embedding: nn.Embedding

    def add_embeddings(
        self,
        config: Seq2SeqConfig | TransformerConfig | LSTMNConfig,
        width: int,
        *,
        source_size: int,
        target_size: int,
    ) -> None:
        """Make the embeddings, or one for both; two vocabularies are refused where the model needs one."""
        if config.needs_one_vocabulary is not None and source_size != target_size:
            raise ConfigError(
                f"model.{config.needs_one_vocabulary} needs one vocabulary for both sides, found "
                f"{source_size:,} and {target_size:,} entries; set text.joint to true"
            )
        self.source_embedding = self.target_embedding = word_embedding(source_size, width)
        if config.share_embeddings:
            both = ("source_embedding.weight", *self.target_vocab_params)
            self.source_vocab_params = self.target_vocab_params = both
        else:
            self.target_embedding = word_embedding(target_size, width)

    @property
    @abstractmethod
    def attentions(self) -> Mapping[str, AttentionSpec]:
        """Every attention by its dotted path; lower layers first."""

    @property
    def cross_attention(self) -> tuple[str, ...]:
        """Those over the source."""
        return tuple(path for path, site in self.attentions.items() if site.kind == "cross")
