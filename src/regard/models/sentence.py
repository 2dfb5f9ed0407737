"""Sentence classifiers: an encoder, a pooling and a head (Lin et al. 2017 and simpler ones)."""

from collections.abc import Mapping
from dataclasses import replace

import torch
from torch import Tensor, nn
from torch.nn.functional import pad

from regard.config.sentence import LinearHeadConfig, MlpHeadConfig, PrunedHeadConfig, SentenceConfig
from regard.models.sentence_backbone import SentenceBackbone
from regard.nn.attention_kinds import TEXTS, AttentionSpec
from regard.nn.combination import build_combination
from regard.nn.dropout import Dropout, DropoutRng
from regard.nn.linear import Linear
from regard.nn.pooling import EncoderStates
from regard.nn.sequence_classifier import ClassifierOutput, PaddedTokens, TextClassifier
from regard.nn.trace import Trace


class SentenceModel(TextClassifier, SentenceBackbone):
    """Word embeddings, an encoder (none: a bag of words), a pooling, a head.

    Of a pair, both texts share the encoder and the pooling, and are combined.
    """

    def __init__(self, config: SentenceConfig, *, source_size: int, outputs: int, texts: int = 1) -> None:
        """texts: 1, or 2 for pairs of texts"""
        super().__init__(config, source_size=source_size)
        self.texts = texts
        self.combination = (
            build_combination(config.combines, rows=config.rows, size=config.state_size)
            if texts == 2
            else None
        )
        size = config.state_size if self.combination is None else self.combination.output_size
        self.head = build_head(config, size=size, outputs=outputs)

    @property
    def attentions(self) -> Mapping[str, AttentionSpec]:
        """Those of the encoder and of the pooling, if there are any; of a pair, over each text."""
        sites = super().attentions
        if self.combination is None:
            return sites
        return {
            f"{name}.{path}": replace(site, text=text)
            for text, name in enumerate(TEXTS)
            for path, site in sites.items()
        }

    def classify(
        self, text: PaddedTokens, second: PaddedTokens | None, rng: DropoutRng | None, trace: Trace | None
    ) -> ClassifierOutput:
        """Classify sentences, or pairs of them: logits, (b, outputs)."""
        if second is None or self.combination is None:
            pooled = self.pooled(*text, rng=rng, trace=trace)
            return ClassifierOutput(self.head(pooled.vectors, rng), pooled.penalty)
        if trace is None:
            one, other = (self.pooling(states) for states in self._read_both(text, second, rng))
        else:  # each text has paths of its own
            one, other = (
                self.pooled(*side, rng=rng, trace=trace.reading(number))
                for number, side in enumerate((text, second))
            )
        penalties = [text.penalty for text in (one, other) if text.penalty is not None]
        penalty = sum(penalties, torch.zeros_like(penalties[0])) if penalties else None
        return ClassifierOutput(self.head(self.combination(one.vectors, other.vectors), rng), penalty)

    def _read_both(
        self, first: PaddedTokens, second: PaddedTokens, rng: DropoutRng | None
    ) -> tuple[EncoderStates, EncoderStates]:
        """Both texts in one pass: a recurrent network takes as many steps as the longer one has words."""
        longest = max(first.tokens.shape[1], second.tokens.shape[1])
        tokens = [pad(text.tokens, (0, longest - text.tokens.shape[1])) for text in (first, second)]
        states = self.read(torch.cat(tokens), torch.cat([first.lengths, second.lengths]), rng=rng)
        words, last, mask = (part.chunk(2) for part in (states.words, states.last, states.mask))
        return EncoderStates(words[0], last[0], mask[0]), EncoderStates(words[1], last[1], mask[1])


class LinearHead(nn.Module):
    """W m + b, over all rows side by side."""

    def __init__(self, *, rows: int, size: int, outputs: int, dropout: float) -> None:
        super().__init__()
        self.output = Linear(rows * size, outputs)
        self.dropout = Dropout(dropout)

    def forward(self, vectors: Tensor, rng: DropoutRng | None = None) -> Tensor:
        """(b, r, d) -> (b, outputs)."""
        logits: Tensor = self.output(self.dropout(vectors.flatten(1), rng))
        return logits


class MlpHead(nn.Module):
    """W₂ relu(W₁ m + b₁) + b₂, over all rows side by side."""

    def __init__(self, *, rows: int, size: int, outputs: int, hidden_size: int, dropout: float) -> None:
        super().__init__()
        self.hidden = Linear(rows * size, hidden_size)
        self.output = Linear(hidden_size, outputs)
        self.dropout = Dropout(dropout)

    def forward(self, vectors: Tensor, rng: DropoutRng | None = None) -> Tensor:
        """(b, r, d) -> (b, outputs)."""
        logits: Tensor = self.output(self.dropout(self.hidden(vectors.flatten(1)).relu(), rng))
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
        self.output = Linear(rows * row_size + size * column_size, outputs)
        self.dropout = Dropout(dropout)

    def forward(self, vectors: Tensor, rng: DropoutRng | None = None) -> Tensor:
        """(b, r, d) -> (b, outputs)."""
        rows = torch.einsum("brd,rdp->brp", vectors, self.rows) + self.row_bias
        columns = torch.einsum("brd,drq->bdq", vectors, self.columns) + self.column_bias
        hidden = torch.cat([rows.flatten(1), columns.flatten(1)], dim=1).relu()
        logits: Tensor = self.output(self.dropout(hidden, rng))
        return logits


def build_head(config: SentenceConfig, *, size: int, outputs: int) -> LinearHead | MlpHead | PrunedHead:
    """The head that the settings name, over rows of this width."""
    sizes = {"rows": config.rows, "size": size, "outputs": outputs}
    match config.head:
        case LinearHeadConfig():
            return LinearHead(**sizes, dropout=config.dropout)
        case MlpHeadConfig(hidden_size=hidden_size):
            return MlpHead(**sizes, hidden_size=hidden_size, dropout=config.dropout)
        case PrunedHeadConfig(row_size=row_size, column_size=column_size):
            return PrunedHead(**sizes, row_size=row_size, column_size=column_size, dropout=config.dropout)
