"""Corpora of words without a meaning: so many rows, so long, of so many words."""

from pathlib import Path

import numpy as np

SPECIAL = 4
"""Entries of every vocabulary that are no words."""
_LETTERS = "abcdefghijklmnopqrstuvwxyz"


def word(number: int) -> str:
    """Letters alone, so that no tokenizer cuts it."""
    letters = ""
    while True:
        number, last = divmod(number, len(_LETTERS))
        letters += _LETTERS[last]
        if not number:
            return f"{letters}q"


def write_corpus(path: Path, *, rows: int, length: int, vocabulary: int, spread: int = 0) -> None:
    """A table of pairs, `one` and `other`; every word is there if there is room for all.

    length:     words of a side
    vocabulary: entries, with the special ones
    spread:     a side may have so many words more or less
    """
    rng = np.random.default_rng(1)
    words = [word(number) for number in range(vocabulary - SPECIAL)]
    lengths = rng.integers(length - spread, length + spread, size=(rows, 2), endpoint=True)
    rounds = -(-int(lengths.sum()) // len(words))
    drawn = np.concatenate([rng.permutation(len(words)) for _ in range(rounds)])
    place = 0
    with path.open("w", encoding="utf-8") as file:
        file.write("one\tother\n")
        for pair in lengths.tolist():
            sides = []
            for size in pair:
                sides.append(" ".join(words[number] for number in drawn[place : place + size]))
                place += size
            file.write("\t".join(sides) + "\n")
