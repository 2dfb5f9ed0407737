"""A text that is longer than BERT has places for: read in windows, each in the symbols of a text."""

import torch
from torch import Tensor
from torch.nn.functional import pad

from regard.models.bert import Bert
from regard.nn.deciding import Frame, Padded
from regard.nn.long_texts import ReadWhole, read_in_windows
from regard.nn.masks import padding_mask
from regard.nn.noise import Noise
from regard.nn.pooling import States


def read_windows(
    bert: Bert, frame: Frame, text: Padded, *, size: int, noise: Noise | None = None
) -> ReadWhole:
    """Texts without symbols in windows of `size` words; a window gives the states of its two symbols."""

    def encode(read: Tensor, sizes: Tensor) -> tuple[Tensor, Tensor]:
        framed, _ = frame.around(Padded(read.squeeze(2), sizes))
        states = bert(framed.tokens, framed.lengths, noise=noise)
        last = states[torch.arange(len(sizes), device=sizes.device), sizes + 1]
        return states[:, 1 : size + 1], torch.cat([states[:, 0], last], dim=1)

    return read_in_windows(encode, text.tokens[:, :, None], text.lengths, size=size)


def framed_states(whole: ReadWhole, lengths: Tensor, *, mean_first: bool = False) -> States:
    """The states of whole texts, (b, s + 2, d): before the words the first symbol, behind them the last.

    mean_first: the first symbol is the mean of those of all windows, each as often as it gave words
    """
    width = whole.states.shape[2]
    firsts = whole.mean(whole.ends, by_words=True) if mean_first else whole.first
    rows = torch.arange(len(lengths), device=lengths.device)
    words = pad(whole.states, (0, 0, 1, 1))  # room for the symbols around the whole text
    words[:, 0] = firsts[:, :width]
    words[rows, lengths + 1] = whole.last[:, width:]
    return States(words, words[:, 0], padding_mask(lengths + 2, words.shape[1]))
