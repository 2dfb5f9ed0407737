"""Phrases that must not appear."""

from collections import defaultdict
from collections.abc import Sequence

from torch import Tensor

from regard.decoding.rules.rule import NEVER, Written

Phrase = tuple[int, ...]


class MustNot:
    """The last token of a phrase is forbidden where the others stand before it; <s> may be one of them."""

    def __init__(self, phrases: Sequence[Sequence[Phrase]], bos: int) -> None:
        self._bos = bos
        made: dict[tuple[Phrase, ...], _Endings] = {}  # sentences mostly share their phrases
        self._endings = [made.setdefault(tuple(own), _Endings(own)) for own in phrases]

    def forbid(self, log_probabilities: Tensor, written: Written) -> None:
        """Forbid every token that would complete a phrase."""
        rows, tokens = [], []
        for row, (sentence, done) in enumerate(zip(written.sentences, written.tokens, strict=True)):
            found = self._endings[sentence].after([self._bos, *done])
            rows += [row] * len(found)
            tokens += found
        if rows:
            log_probabilities[rows, tokens] = NEVER


class _Endings:
    """The last token of each phrase, by the tokens before it."""

    def __init__(self, phrases: Sequence[Phrase]) -> None:
        self._last: defaultdict[Phrase, list[int]] = defaultdict(list)
        for phrase in dict.fromkeys(phrases):
            self._last[phrase[:-1]].append(phrase[-1])
        self._lengths = sorted({len(head) for head in self._last})

    def after(self, done: Sequence[int]) -> list[int]:
        found: list[int] = []
        for length in self._lengths:
            if length <= len(done):
                found += self._last.get(tuple(done[len(done) - length :]), [])
        return found
