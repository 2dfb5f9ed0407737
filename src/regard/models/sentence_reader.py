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
from regard.models.words import scaled, word_vectors
from regard.nn.kinds import Site
from regard.nn.long_texts import read_in_windows
from regard.nn.lstmn import LSTMNEncoder
from regard.nn.masks import padding_mask
from regard.nn.noise import Dropout, Noise
from regard.nn.pooling import Pooled, States, StructuredSelfAttention, build_pooling
from regard.nn.recurrent import Recurrent
from regard.nn.trace import Trace


class SentenceReader(nn.Module):
    """Word embeddings, an encoder (none: a bag of words), a pooling."""

    source_rows: tuple[str, ...] = ("embedding.weight",)

    def __init__(self, config: SentenceReaderConfig, *, source_size: int) -> None:
        super().__init__()
        self.embedding = word_vectors(source_size, config.embedding_size)
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
    def attentions(self) -> Mapping[str, Site]:
        """Those of the encoder and of the pooling, if there are any."""
        sites: dict[str, Site] = {}
        if isinstance(self.encoder, LSTMNEncoder):
            sites = {f"encoder.layers.{n}": Site("memory", n) for n in range(len(self.encoder.layers))}
        if isinstance(self.pooling, StructuredSelfAttention):
            sites["pooling"] = Site("hops")
        return sites

    def read(
        self, tokens: Tensor, lengths: Tensor, *, noise: Noise | None = None, trace: Trace | None = None
    ) -> States:
        """The contextual states of sentences, (b, s) and (b,)."""
        words = self.dropout_words(scaled(self.embedding, tokens), noise)
        mask = padding_mask(lengths, tokens.shape[1])
        if self.encoder is None:
            return States(words, words[:, 0], mask)
        if isinstance(self.encoder, LSTMNEncoder):
            read, last = self.encoder.encode(words, lengths, noise=noise, trace=trace)
        elif tokens.shape[1] <= self._window:
            read, last = self.encoder(words, lengths, noise=noise)
        else:
            encode = partial(self.encoder, noise=noise)
            whole = read_in_windows(encode, words, lengths, size=self._window)
            read, last = whole.states, self.encoder.last_of(whole.first, whole.last)
        return States(self.dropout_states(read, noise), self.dropout_states(last, noise), mask)

    def pooled(
        self, tokens: Tensor, lengths: Tensor, *, noise: Noise | None = None, trace: Trace | None = None
    ) -> Pooled:
        """Pooled sentences, (b, s) and (b,) -> (b, r, d)."""
        pooled: Pooled = self.pooling(self.read(tokens, lengths, noise=noise, trace=trace), trace=trace)
        return pooled


def build_encoder(config: SentenceReaderConfig) -> Recurrent | LSTMNEncoder | None:
    """The encoder that the settings name; none for a bag of words."""
    match config.encoder:
        case BagConfig():
            return None
        case LSTMNEncoderConfig() as encoder:
            return LSTMNEncoder(
                input_size=config.embedding_size,
                hidden_size=encoder.hidden_size,
                attention_size=encoder.attention_size,
                layers=encoder.layers,
                residual=encoder.residual,
                dropout=config.dropout,
            )
        case RecurrentEncoderConfig() as encoder:
            return Recurrent(
                encoder.cell,
                input_size=config.embedding_size,
                hidden_size=encoder.hidden_size,
                layers=encoder.layers,
                bidirectional=encoder.bidirectional,
                reverse=encoder.reverse,
                residual=encoder.residual,
                dropout=config.dropout,
            )
