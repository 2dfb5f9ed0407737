"""Text embedders that are trained on pairs of texts (Reimers and Gurevych 2019)."""

from torch import Tensor
from torch.nn.functional import normalize

from regard.config.bert_reader import FirstPoolingConfig
from regard.config.embedder import BertEmbedderConfig, SentenceEmbedderConfig
from regard.models.bert_backbone import BertBackbone, framed_states
from regard.models.sentence_backbone import SentenceBackbone
from regard.nn.dropout import Dropout, DropoutRng
from regard.nn.pooling import EncoderStates, FirstPooling, Pooled, build_pooling
from regard.nn.sliding_windows import WindowedStates
from regard.nn.text_embedder import EmbedderOutput, PairClassifier
from regard.nn.trace import Trace


class SentenceEmbedder(SentenceBackbone):
    """Word embeddings, an encoder, a pooling."""

    def __init__(self, config: SentenceEmbedderConfig, *, source_size: int, outputs: int = 0) -> None:
        """outputs: labels that a pair can have; 0 = none are learned"""
        super().__init__(config, source_size=source_size)
        self.width, self.normalised = config.width, config.normalise
        self.relation = PairClassifier(width=self.width, outputs=outputs) if outputs else None

    def forward(
        self, tokens: Tensor, lengths: Tensor, *, rng: DropoutRng | None = None, trace: Trace | None = None
    ) -> EmbedderOutput:
        """Embed texts, (b, s) and (b,): (b, width)."""
        return _embedded(self.pooled(tokens, lengths, rng=rng, trace=trace), self.normalised)


class BertEmbedder(BertBackbone):
    """A BERT and a pooling."""

    def __init__(self, config: BertEmbedderConfig, *, source_size: int, outputs: int = 0) -> None:
        """outputs: labels that a pair can have; 0 = none are learned"""
        super().__init__(config, source_size=source_size)
        self.pooling = (
            FirstPooling()
            if isinstance(config.pooling, FirstPoolingConfig)
            else build_pooling(config.pooling, state_size=config.encoder.width)
        )
        self.width, self.normalised = config.width, config.normalise
        self.relation = PairClassifier(width=self.width, outputs=outputs) if outputs else None
        self.dropout = Dropout(config.dropout)

    def forward(
        self, tokens: Tensor, lengths: Tensor, *, rng: DropoutRng | None = None, trace: Trace | None = None
    ) -> EmbedderOutput:
        """Embed texts, (b, s) and (b,): (b, width)."""
        return _embedded(self.pooled(tokens, lengths, rng=rng, trace=trace), self.normalised)

    def pooled(
        self, tokens: Tensor, lengths: Tensor, *, rng: DropoutRng | None = None, trace: Trace | None = None
    ) -> Pooled:
        """Pooled texts, (b, s) and (b,) -> (b, r, d)."""
        found = self.pooling(self.read(tokens, lengths, rng=rng, trace=trace), trace=trace)
        return Pooled(self.dropout(found.vectors, rng), found.penalty)

    def whole_states(self, whole: WindowedStates, lengths: Tensor) -> EncoderStates:
        """Of first tokens in windows it is their mean, each counted as often as its window has words."""
        return framed_states(whole, lengths, mean_first=True)


def _embedded(pooled: Pooled, normalised: bool) -> EmbedderOutput:
    vectors = pooled.vectors.flatten(1)
    return EmbedderOutput(normalize(vectors, dim=-1) if normalised else vectors, pooled.penalty)
