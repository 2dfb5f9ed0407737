"""Whoever waits for a search, as it sees them: they may give up, and may want to see each token."""

from collections.abc import Sequence
from typing import Protocol


class SearchObserver(Protocol):
    """Asked and told at each step, by the place of a sentence among those that are searched."""

    def is_cancelled(self, sentence: int) -> bool:
        """Whether nobody waits for it any more: it leaves the batch before the next step."""
        ...

    def wrote(self, sentence: int, token: int, log_probability: float) -> None:
        """Greedy search and sampling: a token that was chosen; </s> is not told."""
        ...


class ObservedRows:
    """The same for some of the sentences, which are counted anew. A `SearchObserver`."""

    def __init__(self, observer: SearchObserver, rows: Sequence[int], *, tells: bool = True) -> None:
        """See the sentence `rows[n]` as the sentence n.

        tells: whether tokens are told, which are no part of the output otherwise
        """
        self._observer, self._rows, self._tells = observer, rows, tells

    def is_cancelled(self, sentence: int) -> bool:
        """Whether nobody waits for it any more."""
        return self._observer.is_cancelled(self._rows[sentence])

    def wrote(self, sentence: int, token: int, log_probability: float) -> None:
        """Pass on a token."""
        if self._tells:
            self._observer.wrote(self._rows[sentence], token, log_probability)


def observed_rows(
    observer: SearchObserver | None, rows: Sequence[int], *, tells: bool = True
) -> SearchObserver | None:
    """An observer of some of the sentences; None where there is none."""
    return None if observer is None else ObservedRows(observer, rows, tells=tells)
