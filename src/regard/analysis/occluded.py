"""Inputs with the tokens of a word exchanged for one that says nothing."""

from dataclasses import replace
from functools import singledispatch
from typing import Any

from regard.errors import DataError
from regard.inference.inputs import EncodedTexts
from regard.tasks.embedding.inputs import EncodedInput
from regard.tasks.masked_lm.inputs import MaskedInput
from regard.tasks.tagging.inputs import EncodedWords
from regard.text.symbols import PAD, UNK
from regard.text.tokenizer import Encoding

Places = frozenset[int]


def occluded_encoding(text: Encoding, places: Places, token: int) -> Encoding:
    """A text with another token at some places; its pieces and characters stay, so that words are found."""
    return replace(text, ids=_put(text.ids, places, token))


def _put(ids: Any, places: Places, token: int) -> tuple[int, ...]:
    return tuple(token if place in places else own for place, own in enumerate(ids))


@singledispatch
def occluded_input(one: Any, side: int, places: Places, token: int) -> Any:
    """An input with another token at places of a side, which are counted without special tokens."""
    del side, places, token
    raise DataError(f"words of {type(one).__name__} cannot be occluded; remove them")


@occluded_input.register
def _(one: EncodedTexts, side: int, places: Places, token: int) -> EncodedTexts:
    texts = list(one.encodings)
    if one.frame is None or len(texts) == 1:
        texts[side] = occluded_encoding(texts[side], places, token)
        return replace(one, encodings=tuple(texts))
    behind = len(texts[0].ids) + one.frame.separators  # where the second begins
    texts[0] = occluded_encoding(texts[0], places, token)
    texts[1] = occluded_encoding(texts[1], frozenset(place - behind for place in places), token)
    return replace(one, encodings=tuple(texts))


@occluded_input.register
def _(one: MaskedInput, side: int, places: Places, token: int) -> MaskedInput:
    del side
    return replace(one, encoding=occluded_encoding(one.encoding, places, token))


@occluded_input.register
def _(one: EncodedWords, side: int, places: Places, token: int) -> EncodedWords:
    del side
    own = one.encoded
    letters = list(own.characters)  # of all words, with <pad> after each
    word = 0
    for place, letter in enumerate(letters):
        if letter != PAD and word in places:
            letters[place] = UNK  # else they would tell the word
        word += letter == PAD
    ids = list(_put(own.words, places, token))
    return replace(one, encoded=own._replace(words=ids, characters=letters))


@occluded_input.register
def _(one: EncodedInput, side: int, places: Places, token: int) -> EncodedInput:
    del side
    first = len(one.side.before)
    return replace(one, ids=_put(one.ids, frozenset(first + place for place in places), token))
