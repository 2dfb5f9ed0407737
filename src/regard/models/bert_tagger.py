"""BERT for token classification: words in subwords, and a linear layer on top of each word.

The state of a word's first piece stands for it (Devlin et al. 2018, section 5.3), or the mean of its pieces.
"""

import torch
from torch import Tensor

from regard.config.bert_tagger import BertTaggerConfig
from regard.errors import ShapeError
from regard.models.bert_backbone import BertBackbone
from regard.models.tagger import build_tag_decoder
from regard.nn.dropout import Dropout, DropoutRng
from regard.nn.linear import Linear
from regard.nn.token_classifier import WordBatch
from regard.nn.trace import Trace


class BertTagger(BertBackbone):
    """Scores the labels of each word of sentences whose words are split into subwords."""

    def __init__(
        self, config: BertTaggerConfig, *, source_size: int, outputs: int, characters: int = 0
    ) -> None:
        """characters: unused; every builder of a tagger gets their number"""
        super().__init__(config, source_size=source_size)
        del characters
        self.word = config.word
        self.dropout = Dropout(config.dropout)
        self.output = Linear(config.encoder.width, outputs)
        self.labelling = build_tag_decoder(config.labelling, outputs)

    def forward(
        self, words: WordBatch, *, rng: DropoutRng | None = None, trace: Trace | None = None
    ) -> Tensor:
        """Emission scores of each word, (b, t, outputs)."""
        vectors = self.word_vectors(words, rng=rng, trace=trace)
        scores: Tensor = self.output(self.dropout(vectors, rng))
        return scores

    def word_vectors(
        self, words: WordBatch, *, rng: DropoutRng | None = None, trace: Trace | None = None
    ) -> Tensor:
        """The vector of each word, (b, t, width)."""
        if words.pieces is None:
            raise ShapeError("this model needs the number of subwords of each word, found none")
        ends = words.pieces.cumsum(1)
        states = self.read(words.tokens, ends[:, -1], rng=rng, trace=trace).words[:, 1:]
        if self.word == "first":
            return _at(states, ends - words.pieces)
        places = torch.arange(states.shape[1], device=ends.device).expand(len(ends), -1).contiguous()
        owners = torch.searchsorted(ends, places, right=True).clamp(max=ends.shape[1] - 1)
        real = places < ends[:, -1:]
        sums = states.new_zeros(*ends.shape, states.shape[2]).scatter_add(
            1, owners[:, :, None].expand_as(states), states * real[:, :, None]
        )
        return sums / words.pieces.clamp(min=1)[:, :, None]


def _at(states: Tensor, places: Tensor) -> Tensor:
    """States at positions, (b, p, d) and (b, t) -> (b, t, d)."""
    return states.gather(1, places[:, :, None].expand(-1, -1, states.shape[2]))
