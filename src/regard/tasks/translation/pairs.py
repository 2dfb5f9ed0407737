"""Sentences and their translations in tokens; what is too long is refused by its place."""

from collections.abc import Sequence

from regard.data.batching import EncodedPair
from regard.inference.inputs import check_length, check_pair, given_tuple, several
from regard.text.tokenizer import Encoding, Tokenizer


def placed_pair(pair: tuple[str, ...], number: int) -> tuple[str, str, str]:
    """A pair with its place."""
    source, target, *place = given_tuple(pair, f"pair {number}", sizes=(2, 3))
    return source, target, place[0] if place else f"pair {number}"


def given_pairs(
    source: Tokenizer, target: Tokenizer, pairs: Sequence[tuple[str, str]]
) -> tuple[list[Encoding], list[Encoding]]:
    """Both sides of pairs that a user gave, and that may be no pairs."""
    for number, pair in enumerate(several(pairs, "a list of pairs"), start=1):
        given_tuple(pair, f"pair {number}", sizes=(2,))
    sources = list(source.encode_many([text for text, _ in pairs]))
    targets = list(target.encode_many([text for _, text in pairs]))
    for number, (pair, own, other) in enumerate(zip(pairs, sources, targets, strict=True), 1):
        check_pair(*pair, f"pair {number}", EncodedPair(own.ids, other.ids))
    return sources, targets


def pairs_in_tokens(
    source: Tokenizer,
    target: Tokenizer,
    pairs: Sequence[tuple[str, str]],
    places: Sequence[str] | None,
    most: int,
) -> tuple[list[Encoding], list[Encoding]]:
    """Both sides of pairs, each with at most so many tokens."""
    sides = []
    for side, tokenizer in enumerate((source, target)):
        encoded = list(tokenizer.encode_many([pair[side] for pair in pairs]))
        for row, own in enumerate(encoded):
            where = places[row] if places else f"the {('sentence', 'translation')[side]}"
            check_length(own.ids, pairs[row][side], where, most)
        sides.append(encoded)
    return sides[0], sides[1]


def pairs_as_ids(
    source: Tokenizer, target: Tokenizer, placed: Sequence[tuple[str, str, str]]
) -> list[EncodedPair]:
    """Pairs with their places by the numbers of their tokens alone, which is faster."""
    sources = source.encode_ids([text for text, _, _ in placed])
    targets = target.encode_ids([text for _, text, _ in placed])
    encoded = [EncodedPair(*pair) for pair in zip(sources, targets, strict=True)]
    for pair, (own, other, where) in zip(encoded, placed, strict=True):
        check_pair(own, other, where, pair)
    return encoded
