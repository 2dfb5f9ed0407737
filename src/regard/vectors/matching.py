"""Which words of a file the entries of a vocabulary are spelt like."""

from collections.abc import Iterator

from regard.text.pieces import GOES_ON
from regard.text.symbols import BYTES, SPACE, SPECIAL
from regard.text.tokenizer import Tokenizer
from regard.text.words import is_punctuation


def spellings(tokenizer: Tokenizer, *, inside_words: bool) -> Iterator[tuple[int, tuple[str, ...]]]:
    """For each entry that may have a vector: its number, and the words to look for, the best first.

    ▁학교, which begins a word, is first looked for as it is, then as 학교; a comma as a comma. A piece inside
    words, such as 는 or ##er, is looked for only where that is wanted. Symbols such as </s>, and bytes that
    spell a rare character, are never looked for.
    """
    for number in range(len(SPECIAL), len(tokenizer)):
        piece = tokenizer.piece(number)
        text = piece.removeprefix(SPACE).removeprefix(GOES_ON) or piece
        is_whole = piece.startswith(SPACE) or all(map(is_punctuation, piece))
        if piece not in _BYTES and text != SPACE and (is_whole or inside_words):
            yield number, tuple(dict.fromkeys((piece, text)))


_BYTES = frozenset(BYTES)
