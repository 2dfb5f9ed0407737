"""A forced prefix: tokens that an output begins with."""

from collections.abc import Sequence

from regard.decoding.rules.rule import Written


class Prefix:
    """While a sentence is still in its prefix, the next token of it is the only one."""

    def __init__(self, prefixes: Sequence[Sequence[int]]) -> None:
        self._prefixes = prefixes

    def due(self, written: Written) -> tuple[list[int], list[int]]:
        """Rows that are still in their prefix, and the next token of each."""
        rows, tokens = [], []
        for row, (sentence, done) in enumerate(zip(written.sentences, written.tokens, strict=True)):
            if len(done) < len(self._prefixes[sentence]):
                rows.append(row)
                tokens.append(self._prefixes[sentence][len(done)])
        return rows, tokens
