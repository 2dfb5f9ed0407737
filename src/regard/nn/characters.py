"""Character-level word embeddings: a vector made from the characters of a word, also of unknown words.

Every word form of a batch is read once, however often it stands there, and with others of like length: one
long word would else make all others long.
"""

from abc import ABC, abstractmethod
from itertools import pairwise

import numpy as np
import torch
from torch import Tensor, nn

from regard.config.model import EncoderConfig
from regard.nn.dropout import Dropout, DropoutRng
from regard.nn.masks import padding_mask
from regard.nn.recurrent import Recurrent

_LONGEST = (4, 6, 9, 13, 19, 28)
"""Words of up to so many characters are read together; each number is about 1.5 times the one before."""


class CharacterPooler(nn.Module, ABC):
    """Makes one vector of the characters of each word."""

    output_size: int

    @abstractmethod
    def forward(self, characters: Tensor, lengths: Tensor) -> Tensor:
        """(n, c, character_size), of which the first (n,) are real, at least one -> (n, output_size)."""


class CharacterLSTM(CharacterPooler):
    """[→h at the last character; ←h at the first] of a BiLSTM (Ling et al. 2015)."""

    def __init__(self, *, character_size: int, hidden_size: int) -> None:
        super().__init__()
        self.recurrent = Recurrent(EncoderConfig(hidden_size=hidden_size), input_size=character_size)
        self.output_size = self.recurrent.output_size

    def forward(self, characters: Tensor, lengths: Tensor) -> Tensor:
        """(n, c, character_size) -> (n, output_size)."""
        last: Tensor = self.recurrent(characters, lengths)[1]
        return last


class CharacterCNN(CharacterPooler):
    """tanh(max_i (W [x_i-w/2 … x_i+w/2] + b)) for filters of several widths w (Kim et al. 2016).

    A window stands around each character of the word; outside of the word it sees zeros.
    """

    def __init__(self, *, character_size: int, filters: int, widths: tuple[int, ...] = (2, 3, 4)) -> None:
        super().__init__()
        self.convolutions = nn.ModuleList(
            nn.Conv1d(character_size, filters, width, padding=width // 2) for width in widths
        )
        self.output_size = filters * len(widths)

    def forward(self, characters: Tensor, lengths: Tensor) -> Tensor:
        """(n, c, character_size) -> (n, output_size), `filters` values for each width."""
        longest = characters.shape[1]
        real = padding_mask(lengths, longest)
        signals = characters.masked_fill(~real[..., None], 0.0).mT  # (n, character_size, c)
        outside = ~real[:, None]
        found = [
            convolution(signals)[..., :longest].masked_fill(outside, -torch.inf).amax(-1)
            for convolution in self.convolutions
        ]
        return torch.cat(found, dim=-1).tanh()  # tanh rises, so it may come after the maximum


class CharacterEncoder(nn.Module):
    """Character embeddings, and an encoder that pools those of a word to one vector."""

    def __init__(
        self, characters: int, *, character_size: int, reader: CharacterPooler, dropout: float = 0.0
    ) -> None:
        super().__init__()
        self.embedding = nn.Embedding(characters, character_size)
        self.reader = reader
        self.dropout = Dropout(dropout)
        self.output_size = reader.output_size

    def forward(self, characters: Tensor, lengths: Tensor, *, rng: DropoutRng | None = None) -> Tensor:
        """The words of a batch, in any order, to their vectors; equal words get equal ones.

        characters: (n, c), ids, of which the first (n,) are real, at least one; the others do not matter
        returns:    (n, output_size)
        """
        forms, form = word_forms(characters, lengths)
        embedded = self.dropout(self.embedding(forms[:, 1:]), rng)
        vectors = [
            self.reader(embedded[first:end, :longest], forms[first:end, 0])
            for first, end, longest in _groups(forms[:, 0])
        ]
        return torch.cat(vectors)[form]


def word_forms(characters: Tensor, lengths: Tensor) -> tuple[Tensor, Tensor]:
    """Each different word once, and which of them each word is.

    returns: (u, 1 + c), the length and the characters, 0 after the last, short words first; and (n,), numbers
             from 0 to u - 1
    """
    real = padding_mask(lengths, characters.shape[1])
    words = torch.cat([lengths[:, None], characters.masked_fill(~real, 0)], dim=1)
    # As bytes, the largest first, rows have the order of their numbers. `torch.unique` compares number by
    # number: 8.7 ms for 1,800 words, against 1.2 ms.
    rows = words.cpu().numpy().astype(">i8")
    whole = rows.view(f"V{rows.itemsize * rows.shape[1]}")[:, 0]
    _, first, form = np.unique(whole, return_index=True, return_inverse=True)
    return words[torch.from_numpy(first).to(words.device)], torch.from_numpy(form).to(words.device)


def _groups(lengths: Tensor) -> list[tuple[int, int, int]]:
    """Of lengths in their order, (n,): where each group begins and ends, and its longest."""
    ends = torch.searchsorted(lengths.contiguous(), lengths.new_tensor(_LONGEST), right=True)
    borders = sorted({0, *ends.tolist(), len(lengths)})
    return [(first, end, int(lengths[end - 1])) for first, end in pairwise(borders)]
