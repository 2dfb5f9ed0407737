"""A sentence as a vector or a matrix, and what a head decides from it (Lin et al. 2017 and simpler ones)."""

from collections.abc import Mapping

import torch
from torch import Tensor, nn

from regard.config.sentence import (
    BagConfig,
    LinearHeadConfig,
    MlpHeadConfig,
    PrunedHeadConfig,
    SentenceConfig,
)
from regard.models.words import scaled, word_vectors
from regard.nn.deciding import Decided
from regard.nn.kinds import Site
from regard.nn.masks import padding_mask
from regard.nn.noise import Dropout, Noise
from regard.nn.pooling import Pooled, States, StructuredSelfAttention, build_pooling
from regard.nn.recurrent import Recurrent
from regard.nn.trace import Trace


class SentenceModel(nn.Module):
    """Word vectors, an encoder (none: a bag of words), a pooling, a head."""

    source_rows: tuple[str, ...] = ("embedding.weight",)

    def __init__(self, config: SentenceConfig, *, source_size: int, outputs: int) -> None:
        super().__init__()
        self.embedding = word_vectors(source_size, config.embedding_size)
        encoder = config.encoder
        self.encoder = (
            None
            if isinstance(encoder, BagConfig)
            else Recurrent(
                encoder.cell,
                input_size=config.embedding_size,
                hidden_size=encoder.hidden_size,
                layers=encoder.layers,
                bidirectional=encoder.bidirectional,
                reverse=encoder.reverse,
                residual=encoder.residual,
                dropout=config.dropout,
            )
        )
        self.pooling = build_pooling(config.pooling, state_size=config.state_size)
        self.head = build_head(config, outputs=outputs)
        self.dropout_words = Dropout(config.dropout)
        self.dropout_states = Dropout(config.dropout)

    @property
    def attentions(self) -> Mapping[str, Site]:
        """The attention of the pooling, if it is one."""
        attends = isinstance(self.pooling, StructuredSelfAttention)
        return {"pooling": Site("hops")} if attends else {}

    def read(
        self, tokens: Tensor, lengths: Tensor, *, noise: Noise | None = None, trace: Trace | None = None
    ) -> Pooled:
        """Sentences, (b, s) and (b,), as vectors, (b, r, d)."""
        words = self.dropout_words(scaled(self.embedding, tokens), noise)
        mask = padding_mask(lengths, tokens.shape[1])
        if self.encoder is None:
            states = States(words, words[:, 0], mask)
        else:
            read, last = self.encoder(words, lengths, noise=noise)
            states = States(self.dropout_states(read, noise), self.dropout_states(last, noise), mask)
        pooled: Pooled = self.pooling(states, trace=trace)
        return pooled

    def forward(
        self, tokens: Tensor, lengths: Tensor, *, noise: Noise | None = None, trace: Trace | None = None
    ) -> Decided:
        """Read sentences, (b, s) and (b,), and decide: (b, outputs)."""
        pooled = self.read(tokens, lengths, noise=noise, trace=trace)
        return Decided(self.head(pooled.vectors, noise), pooled.penalty)


class LinearHead(nn.Module):
    """W m + b, over all rows side by side."""

    def __init__(self, *, rows: int, size: int, outputs: int, dropout: float) -> None:
        super().__init__()
        self.output = nn.Linear(rows * size, outputs)
        self.dropout = Dropout(dropout)

    def forward(self, vectors: Tensor, noise: Noise | None = None) -> Tensor:
        """(b, r, d) -> (b, outputs)."""
        logits: Tensor = self.output(self.dropout(vectors.flatten(1), noise))
        return logits


class MlpHead(nn.Module):
    """W₂ relu(W₁ m + b₁) + b₂, over all rows side by side."""

    def __init__(self, *, rows: int, size: int, outputs: int, hidden_size: int, dropout: float) -> None:
        super().__init__()
        self.hidden = nn.Linear(rows * size, hidden_size)
        self.output = nn.Linear(hidden_size, outputs)
        self.dropout = Dropout(dropout)

    def forward(self, vectors: Tensor, noise: Noise | None = None) -> Tensor:
        """(b, r, d) -> (b, outputs)."""
        logits: Tensor = self.output(self.dropout(self.hidden(vectors.flatten(1)).relu(), noise))
        return logits


class PrunedHead(nn.Module):
    """The hidden layer of an MLP with most of its weights left out (Lin et al. 2017, appendix A).

    Of the sentence matrix M (r × d), p units see each row, with weights of that row's own, and q units see
    each column, likewise: r·d·(p + q) weights instead of r·d for every unit.
    """

    def __init__(
        self, *, rows: int, size: int, outputs: int, row_size: int, column_size: int, dropout: float
    ) -> None:
        super().__init__()
        self.rows = nn.Parameter(torch.empty(rows, size, row_size))
        self.columns = nn.Parameter(torch.empty(size, rows, column_size))
        for weight in (self.rows, self.columns):
            nn.init.uniform_(weight, -(weight.shape[1] ** -0.5), weight.shape[1] ** -0.5)
        self.row_bias = nn.Parameter(torch.zeros(rows, row_size))
        self.column_bias = nn.Parameter(torch.zeros(size, column_size))
        self.output = nn.Linear(rows * row_size + size * column_size, outputs)
        self.dropout = Dropout(dropout)

    def forward(self, vectors: Tensor, noise: Noise | None = None) -> Tensor:
        """(b, r, d) -> (b, outputs)."""
        rows = torch.einsum("brd,rdp->brp", vectors, self.rows) + self.row_bias
        columns = torch.einsum("brd,drq->bdq", vectors, self.columns) + self.column_bias
        hidden = torch.cat([rows.flatten(1), columns.flatten(1)], dim=1).relu()
        logits: Tensor = self.output(self.dropout(hidden, noise))
        return logits


def build_head(config: SentenceConfig, *, outputs: int) -> LinearHead | MlpHead | PrunedHead:
    """The head that the settings name."""
    sizes = {"rows": getattr(config.pooling, "hops", 1), "size": config.state_size, "outputs": outputs}
    match config.head:
        case LinearHeadConfig():
            return LinearHead(**sizes, dropout=config.dropout)
        case MlpHeadConfig(hidden_size=hidden_size):
            return MlpHead(**sizes, hidden_size=hidden_size, dropout=config.dropout)
        case PrunedHeadConfig(row_size=row_size, column_size=column_size):
            return PrunedHead(**sizes, row_size=row_size, column_size=column_size, dropout=config.dropout)
