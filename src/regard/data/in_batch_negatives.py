"""Which texts of a batch count against which: not those that are right as well."""

from collections.abc import Hashable, Sequence

import numpy as np
from numpy.typing import NDArray


def is_negative(
    firsts: Sequence[Hashable], seconds: Sequence[Hashable], negatives: Sequence[Hashable] = ()
) -> NDArray[np.bool_]:
    """Whether a text, of the seconds or of the negatives, counts against the first of a row: (b, b + n).

    Not if it is the same text as the first, nor if it is a partner of that text in any row of the batch.
    """
    numbers: dict[Hashable, int] = {}

    def numbered(texts: Sequence[Hashable]) -> NDArray[np.intp]:
        return np.array([numbers.setdefault(text, len(numbers)) for text in texts], dtype=np.intp)

    first, second = numbered(firsts), numbered(seconds)
    found = np.concatenate([second, numbered(negatives)])
    size = len(numbers)  # a pair of texts is one number
    right = np.isin(first[:, None] * size + found, first * size + second)
    against: NDArray[np.bool_] = ~right & (found != first[:, None])
    return against
