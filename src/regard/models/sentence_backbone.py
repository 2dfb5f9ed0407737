"""The backbone that sentence classifiers and embedders share: embeddings, an encoder, a pooling."""

from collections.abc import Mapping
from functools import partial

from torch import Tensor, nn

from regard.config.sentence import (
    BagConfig,
    LSTMNEncoderConfig,
    RecurrentEncoderConfig,
    SentenceReaderConfig,
)
from regard.models.word_embeddings import scaled, word_embedding
from regard.nn.attention_kinds import AttentionSpec
from regard.nn.dropout import Dropout, DropoutRng
from regard.nn.lstmn import LSTMNEncoder
from regard.nn.masks import padding_mask
from regard.nn.pooling import EncoderStates, Pooled, StructuredSelfAttention, build_pooling
from regard.nn.recurrent import Recurrent
from regard.nn.sliding_windows import encode_in_windows
from regard.nn.trace import Trace


class SentenceBackbone(nn.Module):
    """Word embeddings, an encoder (none: a bag of words), a pooling."""

    source_vocab_params: tuple[str, ...] = ("embedding.weight",)

    def __init__(self, config: SentenceReaderConfig, *, source_size: int) -> None:
        super().__init__()
        self.embedding = word_embedding(source_size, config.embedding_size)
        self.encoder = build_encoder(config)
        self._window = config.window
        self.pooling = build_pooling(config.pooling, state_size=config.state_size)
        self.dropout_words = Dropout(config.dropout)
        self.dropout_states = Dropout(config.dropout)

    @property
    def longest(self) -> int | None:
        """Maximum number of words: the attention of an LSTMN is quadratic in time and memory."""
        return self._window if isinstance(self.encoder, LSTMNEncoder) else None

    @property
    def window(self) -> int | None:
        """The window size; None where there are no windows."""
        return self._window if isinstance(self.encoder, Recurrent) else None

    @property
    def attentions(self) -> Mapping[str, AttentionSpec]:
        """Those of the encoder and of the pooling, if there are any."""
        sites: dict[str, AttentionSpec] = {}
        if isinstance(self.encoder, LSTMNEncoder):
            sites = {
                f"encoder.layers.{n}": AttentionSpec("memory", n) for n in range(len(self.encoder.layers))
            }
        if isinstance(self.pooling, StructuredSelfAttention):
            sites["pooling"] = AttentionSpec("hops")
        return sites

    def read(
        self, tokens: Tensor, lengths: Tensor, *, rng: DropoutRng | None = None, trace: Trace | None = None
    ) -> EncoderStates:
        """The contextual states of sentences, (b, s) and (b,)."""
        words = self.dropout_words(scaled(self.embedding, tokens), rng)
        mask = padding_mask(lengths, tokens.shape[1])
        if self.encoder is None:
            return EncoderStates(words, words[:, 0], mask)
        if isinstance(self.encoder, LSTMNEncoder):
            read, last = self.encoder.encode(words, lengths, rng=rng, trace=trace)
        elif tokens.shape[1] <= self._window:
            read, last = self.encoder(words, lengths, rng=rng)
        else:
            encode = partial(self.encoder, rng=rng)
            whole = encode_in_windows(encode, words, lengths, size=self._window)
            read, last = whole.states, self.encoder.last_of(whole.first, whole.last)
        return EncoderStates(self.dropout_states(read, rng), self.dropout_states(last, rng), mask)

    def pooled(
        self, tokens: Tensor, lengths: Tensor, *, rng: DropoutRng | None = None, trace: Trace | None = None
    ) -> Pooled:
        """Pooled sentences, (b, s) and (b,) -> (b, r, d)."""
        pooled: Pooled = self.pooling(self.read(tokens, lengths, rng=rng, trace=trace), trace=trace)
        return pooled


def build_encoder(config: SentenceReaderConfig) -> Recurrent | LSTMNEncoder | None:
    """The encoder that the settings name; none for a bag of words."""
    match config.encoder:
        case BagConfig():
            return None
        case LSTMNEncoderConfig() as encoder:
            return LSTMNEncoder(encoder, input_size=config.embedding_size, dropout=config.dropout)
        case RecurrentEncoderConfig() as encoder:
            return Recurrent(encoder, input_size=config.embedding_size, dropout=config.dropout)
