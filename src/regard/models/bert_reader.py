"""BERT as a reader: texts in the symbols that it expects, whole or in windows; heads are put on top of it."""

from collections.abc import Mapping

import torch
from torch import Tensor, nn
from torch.nn.functional import pad

from regard.config.bert_reader import BertTaskConfig
from regard.models.bert import Bert
from regard.nn.deciding import Frame, Padded
from regard.nn.kinds import Site
from regard.nn.long_texts import ReadWhole, read_in_windows
from regard.nn.masks import padding_mask
from regard.nn.noise import Noise
from regard.nn.pooling import States
from regard.nn.trace import Trace


class BertReader(nn.Module):
    """Reads texts without symbols around them, and adds its own; the two of a pair are read as one."""

    source_rows: tuple[str, ...] = ("bert.word_embedding.weight",)

    def __init__(self, config: BertTaskConfig, *, source_size: int) -> None:
        super().__init__()
        self.bert = Bert(config.as_reader, vocabulary_size=source_size)
        self.frame = Frame(*config.frame, longest=self.bert.longest)

    @property
    def attentions(self) -> Mapping[str, Site]:
        """Every attention of the encoder, lower layers first."""
        return {f"bert.{path}": site for path, site in self.bert.attentions.items()}

    @property
    def top(self) -> int:
        """How deep the head is."""
        return self.bert.top

    def depth_of(self, name: str) -> int:
        """How deep a parameter is: 0 for the vectors of words and places, 1 for the first layer."""
        part, _, rest = name.partition(".")
        return self.bert.depth_of(rest) if part == "bert" else self.top

    @property
    def window(self) -> int:
        """Words of one text that there are places for."""
        return self.frame.longest - self.frame.symbols(1)

    def read(
        self,
        tokens: Tensor,
        lengths: Tensor,
        *,
        second: Padded | None = None,
        noise: Noise | None = None,
        trace: Trace | None = None,
    ) -> States:
        """The words of texts, (b, s) and (b,), or of pairs, with the symbols around them.

        A text that is too long is read in windows. Words look at those of their own window, so the layers
        have no attention over the whole text.
        """
        if self.is_long(tokens, second):
            whole, width = self.in_windows(tokens, lengths, noise), self.bert.config.width
            rows = torch.arange(len(lengths), device=lengths.device)
            words = pad(whole.states, (0, 0, 1, 1))  # room for the symbols around the whole text
            words[:, 0] = whole.first[:, :width]
            words[rows, lengths + 1] = whole.last[:, width:]
            return States(words, words[:, 0], padding_mask(lengths + 2, words.shape[1]))
        framed, segments = self.frame.around(Padded(tokens, lengths), second)
        told = segments if self.bert.config.segments > 1 else None
        words = self.bert(framed.tokens, framed.lengths, told, noise=noise, trace=trace)
        return States(words, words[:, 0], padding_mask(framed.lengths, words.shape[1]))

    def is_long(self, tokens: Tensor, second: Padded | None) -> bool:
        """Whether texts have to be read in windows."""
        return second is None and tokens.shape[1] > self.window

    def in_windows(self, tokens: Tensor, lengths: Tensor, noise: Noise | None) -> ReadWhole:
        """Texts in windows, each in its frame; a window gives the states of its two symbols for itself."""

        def encode(read: Tensor, sizes: Tensor) -> tuple[Tensor, Tensor]:
            framed, segments = self.frame.around(Padded(read.squeeze(2), sizes))
            told = segments if self.bert.config.segments > 1 else None
            states = self.bert(framed.tokens, framed.lengths, told, noise=noise)
            last = states[torch.arange(len(sizes), device=sizes.device), sizes + 1]
            return states[:, 1 : self.window + 1], torch.cat([states[:, 0], last], dim=1)

        return read_in_windows(encode, tokens[:, :, None], lengths, size=self.window)
