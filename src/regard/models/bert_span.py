"""BERT for extractive question answering: start and end logits over [CLS] question [SEP] text [SEP].

Devlin et al. 2018, section 4.2; that there is no answer is scored at [CLS] (section 4.3).
"""

import torch
from torch import Tensor, nn

from regard.config.bert_reader import BertSpanConfig
from regard.models.bert_backbone import BertBackbone
from regard.nn.dropout import Dropout, DropoutRng
from regard.nn.linear import Linear
from regard.nn.masks import padding_mask
from regard.nn.sequence_classifier import PaddedTokens
from regard.nn.sliding_windows import encode_in_windows
from regard.nn.span_extractor import QuestionBatch, SpanLogits
from regard.nn.trace import Trace


class BertSpanExtractor(BertBackbone):
    """Scores where the answer to a question starts and ends in a text."""

    def __init__(self, config: BertSpanConfig, *, source_size: int) -> None:
        super().__init__(config, source_size=source_size)
        self.max_question_tokens = config.max_question_tokens
        self.dropout = Dropout(config.dropout)
        self.output = Linear(config.encoder.width, 2)

    def room(self, question: int) -> int:
        """The window size beside a question of so many tokens."""
        return self.frame.longest - self.frame.symbols(2) - question

    def forward(
        self, batch: QuestionBatch, *, rng: DropoutRng | None = None, trace: Trace | None = None
    ) -> SpanLogits:
        """Logits for questions and texts; where one is too long, row by row."""
        question, text = batch
        if int((question.lengths + text.lengths).max()) <= self.room(0):
            states = self._states(question, text, rng, trace)
        else:
            # Row by row: the window size depends on the question alone, not on the batch composition.
            rows = [self._in_windows(question, text, row, rng) for row in range(len(text.lengths))]
            states = nn.utils.rnn.pad_sequence(rows, batch_first=True)
        scores: Tensor = self.output(self.dropout(states, rng))
        real = padding_mask(text.lengths + 1, states.shape[1])
        start, end = scores.masked_fill(~real[:, :, None], -torch.inf).unbind(-1)
        return SpanLogits(start, end)

    def _states(
        self, question: PaddedTokens, text: PaddedTokens, rng: DropoutRng | None, trace: Trace | None
    ) -> Tensor:
        """The states of [CLS] and of the tokens of the text, (b, 1 + s, d)."""
        read = self.read_texts(question, text, rng, trace).words
        behind = question.lengths[:, None] + 1 + self.frame.separators
        places = torch.arange(-1, text.tokens.shape[1], device=read.device) + behind
        places[:, 0] = 0
        places = places.clamp(max=read.shape[1] - 1)
        return read.gather(1, places[:, :, None].expand(-1, -1, read.shape[2]))

    def _in_windows(
        self, question: PaddedTokens, text: PaddedTokens, row: int, rng: DropoutRng | None
    ) -> Tensor:
        """The states of a row, (1 + s, d); that of [CLS] is the mean of its windows."""
        asked = question.tokens[row : row + 1, : int(question.lengths[row])]
        own = text.tokens[row : row + 1, : int(text.lengths[row]), None]

        def encode(read: Tensor, sizes: Tensor) -> tuple[Tensor, Tensor]:
            together = PaddedTokens(asked.expand(len(read), -1), sizes.new_full(sizes.shape, asked.shape[1]))
            states = self._states(together, PaddedTokens(read.squeeze(2), sizes), rng, None)
            return states[:, 1:], states[:, 0]

        size = self.room(asked.shape[1])
        whole = encode_in_windows(encode, own, text.lengths[row : row + 1], size=size)
        return torch.cat([whole.mean(whole.ends), whole.states[0]])
