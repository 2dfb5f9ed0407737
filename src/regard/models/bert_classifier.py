"""BERT for sequence classification: a pooling and a linear head (Devlin et al. 2018)."""

from typing import Literal

from torch import Tensor

from regard.config.bert_reader import BertReaderConfig, FirstPoolingConfig
from regard.models.bert_backbone import BertBackbone
from regard.models.sentence import LinearHead
from regard.nn.dropout import DropoutRng
from regard.nn.pooling import Pooled, Pooling, build_pooling
from regard.nn.sequence_classifier import ClassifierOutput, PaddedTokens, TextClassifier
from regard.nn.trace import Trace


class BertClassifier(TextClassifier, BertBackbone):
    """A BERT, a pooling (none: its own pooler), a head."""

    def __init__(self, config: BertReaderConfig, *, source_size: int, outputs: int, texts: int = 1) -> None:
        """texts: 1, or 2 for pairs of texts"""
        super().__init__(config, source_size=source_size)
        self.texts = texts
        self.pooling: Pooling | None = None
        self._activation: Literal["tanh", "relu"] = "tanh"
        if isinstance(config.pooling, FirstPoolingConfig):
            self._activation = config.pooling.activation
        else:
            self.pooling = build_pooling(config.pooling, state_size=config.encoder.width)
        self.head = LinearHead(
            rows=config.rows, size=config.encoder.width, outputs=outputs, dropout=config.dropout
        )

    def classify(
        self, text: PaddedTokens, second: PaddedTokens | None, rng: DropoutRng | None, trace: Trace | None
    ) -> ClassifierOutput:
        """Classify texts, or pairs of them: logits, (b, outputs)."""
        pooled = self._pooled(text, second, rng, trace)
        return ClassifierOutput(self.head(pooled.vectors, rng), pooled.penalty)

    def pooled(self, tokens: Tensor, lengths: Tensor, *, trace: Trace | None = None) -> Pooled:
        """Pooled texts, (b, s) and (b,) -> (b, r, d)."""
        return self._pooled(PaddedTokens(tokens, lengths), None, None, trace)

    def _pooled(
        self, text: PaddedTokens, second: PaddedTokens | None, rng: DropoutRng | None, trace: Trace | None
    ) -> Pooled:
        """Pooled texts, or pairs, (b, r, d); of the first tokens of windows, the mean."""
        if self.pooling is None and self.is_long(text, second):
            whole = self.in_windows(text, rng)
            firsts = whole.ends[:, None, : self.bert.config.width]
            return Pooled(whole.mean(self.bert.pooled(firsts, self._activation))[:, None])
        states = self.read_texts(text, second, rng, trace)
        if self.pooling is None:
            return Pooled(self.bert.pooled(states.words, self._activation)[:, None])
        return self.pooling(states, trace=trace)
