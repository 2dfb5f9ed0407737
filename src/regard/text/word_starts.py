"""Which tokens begin a word, for whole word masking."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from regard.text.symbols import SPACE
from regard.text.tokenizer import Tokenizer
from regard.text.words import is_punctuation

Bools = NDArray[np.bool_]


class WordStarts:
    """Word starts by the vocabulary: a sign of a space begins a word, and punctuation is one by itself."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        pieces = [tokenizer.piece(number) for number in range(len(tokenizer))]
        bare = [piece.removeprefix(SPACE) for piece in pieces]
        marks = [bool(text) and is_punctuation(text[0]) for text in bare]
        self._alone: Bools = np.array(marks)
        self._heads: Bools = np.array([piece.startswith(SPACE) for piece in pieces]) | self._alone

    def __call__(self, ids: NDArray[np.integer[Any]]) -> Bools:
        """True where a word begins, (t,) -> (t,)."""
        begins: Bools = self._heads[ids]
        begins[1:] |= self._alone[ids[:-1]]
        begins[:1] = True
        return begins
