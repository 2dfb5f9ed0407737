"""BERT as the encoder of a task: special tokens are added, and long texts encoded in windows."""

from collections.abc import Mapping

import torch
from torch import Tensor, nn
from torch.nn.functional import pad

from regard.config.bert_reader import BertTaskConfig
from regard.models.bert import Bert
from regard.nn.attention_kinds import AttentionSpec
from regard.nn.dropout import DropoutRng
from regard.nn.masks import padding_mask
from regard.nn.pooling import EncoderStates, StructuredSelfAttention
from regard.nn.sequence_classifier import PaddedTokens, SpecialTokens
from regard.nn.sliding_windows import WindowedStates, encode_in_windows
from regard.nn.trace import Trace


def read_windows(
    bert: Bert, frame: SpecialTokens, text: PaddedTokens, *, size: int, rng: DropoutRng | None = None
) -> WindowedStates:
    """Texts without special tokens in windows of `size` words, with the states of [CLS] and [SEP] of each."""

    def encode(read: Tensor, sizes: Tensor) -> tuple[Tensor, Tensor]:
        framed, _ = frame.around(PaddedTokens(read.squeeze(2), sizes))
        states = bert(framed.tokens, framed.lengths, rng=rng)
        last = states[torch.arange(len(sizes), device=sizes.device), sizes + 1]
        return states[:, 1 : size + 1], torch.cat([states[:, 0], last], dim=1)

    return encode_in_windows(encode, text.tokens[:, :, None], text.lengths, size=size)


def framed_states(whole: WindowedStates, lengths: Tensor, *, mean_first: bool = False) -> EncoderStates:
    """The states of whole texts, (b, s + 2, d): [CLS], the words, [SEP].

    mean_first: [CLS] is the mean of those of all windows, each as often as it gave words
    """
    width = whole.states.shape[2]
    firsts = whole.mean(whole.ends, by_words=True) if mean_first else whole.first
    rows = torch.arange(len(lengths), device=lengths.device)
    words = pad(whole.states, (0, 0, 1, 1))  # room for the special tokens of the whole text
    words[:, 0] = firsts[:, :width]
    words[rows, lengths + 1] = whole.last[:, width:]
    return EncoderStates(words, words[:, 0], padding_mask(lengths + 2, words.shape[1]))


class BertBackbone(nn.Module):
    """A BERT that gets texts without special tokens, and adds its own; pairs as one sequence."""

    source_vocab_params: tuple[str, ...] = ("bert.word_embedding.weight",)

    def __init__(self, config: BertTaskConfig, *, source_size: int) -> None:
        super().__init__()
        self.bert = Bert(config.as_reader, vocabulary_size=source_size)
        self._has_segments = config.has_segments
        self.frame = SpecialTokens(*config.frame, longest=self.bert.longest, separators=config.separators)

    @property
    def attentions(self) -> Mapping[str, AttentionSpec]:
        """Every attention of the encoder, lower layers first; then that of the pooling, if it is one."""
        own = {f"bert.{path}": site for path, site in self.bert.attentions.items()}
        attends = isinstance(getattr(self, "pooling", None), StructuredSelfAttention)
        return own | ({"pooling": AttentionSpec("hops")} if attends else {})

    @property
    def top(self) -> int:
        """The depth of what is above the encoder."""
        return self.bert.top

    def depth_of(self, name: str) -> int:
        """The depth of a parameter: 0 for the embeddings, 1 for the first layer."""
        part, _, rest = name.partition(".")
        return self.bert.depth_of(rest) if part == "bert" else self.top

    @property
    def window(self) -> int:
        """Maximum tokens of one text, without special tokens."""
        return self.frame.longest - self.frame.symbols(1)

    def read(
        self, tokens: Tensor, lengths: Tensor, *, rng: DropoutRng | None = None, trace: Trace | None = None
    ) -> EncoderStates:
        """The states of texts, (b, s) and (b,), with special tokens."""
        return self.read_texts(PaddedTokens(tokens, lengths), None, rng, trace)

    def read_texts(
        self, text: PaddedTokens, second: PaddedTokens | None, rng: DropoutRng | None, trace: Trace | None
    ) -> EncoderStates:
        """The states of texts, or of pairs, with special tokens.

        A text that is too long is encoded in windows. Words attend to those of their own window, so the
        layers have no attention over the whole text.
        """
        if self.is_long(text, second):
            return self.whole_states(self.in_windows(text, rng), text.lengths)
        framed, segments = self.frame.around(text, second)
        told = segments if self._has_segments else None
        words = self.bert(framed.tokens, framed.lengths, told, rng=rng, trace=trace)
        return EncoderStates(words, words[:, 0], padding_mask(framed.lengths, words.shape[1]))

    def is_long(self, text: PaddedTokens, second: PaddedTokens | None) -> bool:
        """Whether texts are encoded in windows; a pair never is."""
        return second is None and text.tokens.shape[1] > self.window

    def whole_states(self, whole: WindowedStates, lengths: Tensor) -> EncoderStates:
        """The states of texts that were encoded in windows, with the special tokens of each."""
        return framed_states(whole, lengths)

    def in_windows(self, text: PaddedTokens, rng: DropoutRng | None) -> WindowedStates:
        """Texts in windows, each with special tokens, whose states are those of the window as a whole."""
        return read_windows(self.bert, self.frame, text, size=self.window, rng=rng)
