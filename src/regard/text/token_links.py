"""Word links spread to the tokens of the words."""

import json
from collections.abc import Iterable, Sequence

from regard.text.normalise import Span
from regard.text.tokenizer import Encoding, Tokenizer
from regard.text.words import Links, between_spaces, word_spans

TokenLinks = list[tuple[int, int]]
"""(target token, source token), counted from 0, in their order."""


def owners(tokens: Sequence[Span], words: Sequence[Span]) -> list[list[int]]:
    """The words that each token has characters of; one that has none is of the word after it."""
    found = []
    for start, end in tokens:
        own = [word for word, (first, last) in enumerate(words) if min(end, last) > max(start, first)]
        after = next((word for word, (first, _) in enumerate(words) if first >= end), len(words) - 1)
        found.append(own or [after] * bool(words))
    return found


def token_links(source: Sequence[Sequence[int]], target: Sequence[Sequence[int]], links: Links) -> TokenLinks:
    """Each token of a target word with each of its source words; given the words of every token."""
    return [
        (written, read)
        for written, ours in enumerate(target)
        for read, theirs in enumerate(source)
        if any((word, own) in links for word in theirs for own in ours)
    ]


class TokenLinkIds:
    """The links between the tokens of a pair as numbers, two a link: the target token, the source token.

    The input is a JSON list of the two texts, what a word is, and the links of their words; or empty.
    """

    def __init__(self, source: Tokenizer, target: Tokenizer) -> None:
        self._sides = source, target

    def __len__(self) -> int:
        return 1 << 16  # more than a training row has tokens

    def to_json(self) -> str:
        """Everything that the numbers depend on."""
        return json.dumps(["token links", *(side.to_json() for side in self._sides)], ensure_ascii=False)

    @staticmethod
    def cell(source: str, target: str, links: Links, words: str) -> str:
        """The input for a pair. words: "word" or "token", as `data/alignments.py` has it."""
        return json.dumps([source, target, words, sorted(links)], ensure_ascii=False)

    def encode_ids(self, texts: Sequence[str]) -> list[list[int]]:
        """The numbers of each pair; none where the input is empty."""
        cells = [json.loads(text) for text in texts if text]
        sides = [side.encode_many([cell[place] for cell in cells]) for place, side in enumerate(self._sides)]
        found = iter(self._numbers(cell, encoded) for cell, *encoded in zip(cells, *sides, strict=True))
        return [next(found) if text else [] for text in texts]

    @staticmethod
    def _numbers(cell: tuple[str, str, str, list[list[int]]], encoded: Iterable[Encoding]) -> list[int]:
        *texts, kind, links = cell
        cut = word_spans if kind == "word" else between_spaces
        source, target = (
            owners([encoding.text.to_original(span) for span in encoding.spans], cut(text))
            for text, encoding in zip(texts, encoded, strict=True)
        )
        both = token_links(source, target, frozenset((read, written) for read, written in links))
        return [number for link in both for number in link]


def respelt_links(
    links: Sequence[int], source: tuple[Encoding, Encoding], target: tuple[Encoding, Encoding]
) -> list[int]:
    """The links of a pair in other tokens: a new token has those of the old ones that it has characters of.

    links:          as `TokenLinkIds` gives them
    source, target: the old tokens and the new ones, decoded
    """
    pairs = frozenset(
        (int(read), int(written)) for written, read in zip(links[::2], links[1::2], strict=True)
    )
    before = [owners(new.spans, old.spans) for old, new in (source, target)]
    return [number for link in token_links(before[0], before[1], pairs) for number in link]
