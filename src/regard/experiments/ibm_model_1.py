"""IBM model 1 (Brown et al. 1993): which word translates which, learned by EM from sentence pairs alone."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from regard.text.words import Links

NULL = ""
"""The empty word of every source sentence: what it translates has no link."""

Sentence = Sequence[str]
_Ids = NDArray[np.int64]


class IBMModel1:
    """t(f | e): how probable a target word f is as a translation of a source word e.

    Each target word of a pair comes from one of the l source words or from the empty word, all as probable:
    p(f_1 … f_m | e) ∝ Π_j Σ_i t(f_j | e_i).
    """

    def __init__(self, table: Mapping[tuple[str, str], float]) -> None:
        self._table = table

    @classmethod
    def learn(
        cls, pairs: Sequence[tuple[Sentence, Sentence]], *, iterations: int = 5, null: bool = True
    ) -> "IBMModel1":
        """EM from a uniform t.

        pairs: the words of source and target
        null:  whether sources have the empty word
        """
        extra = [NULL] if null else []
        sources, targets = [[*extra, *source] for source, _ in pairs], [list(target) for _, target in pairs]
        read, written = _numbers(sources), _numbers(targets)
        # One entry for each target word with each word of its source; entries of one target word are a group.
        ends, starts, groups = [], [], []
        first = 0
        for source, target in zip(sources, targets, strict=True):
            own = np.array([read[word] for word in source], np.int64)
            other = np.array([written[word] for word in target], np.int64)
            starts.append(np.tile(own, len(other)))
            ends.append(np.repeat(other, len(own)))
            groups.append(np.repeat(np.arange(first, first + len(other)), len(own)))
            first += len(other)
        start, end, group = (_joined(part) for part in (starts, ends, groups))
        kinds, which = np.unique(start * max(1, len(written)) + end, return_inverse=True)
        owner = kinds // max(1, len(written))
        table = np.full(len(kinds), 1.0 / max(1, len(written)))
        for _ in range(iterations):
            weights = table[which]
            posterior = weights / np.bincount(group, weights, minlength=first)[group]
            counts = np.bincount(which, posterior, minlength=len(kinds))
            table = counts / np.bincount(owner, counts, minlength=len(read))[owner]
        names, others = list(read), list(written)
        return cls(
            {
                (names[int(kind) // len(others)], others[int(kind) % len(others)]): float(probability)
                for kind, probability in zip(kinds, table, strict=True)
            }
        )

    def __len__(self) -> int:
        return len(self._table)

    def probability(self, target: str, source: str) -> float:
        """t(target | source); 0 for words that were never in one pair."""
        return self._table.get((source, target), 0.0)

    def align(self, source: Sentence, target: Sentence) -> Links:
        """Link each target word with the source word that it most probably comes from, unless that is none.

        Of equals the first is taken; a word that was never seen with any of the others has no link.
        """
        links = set()
        for place, word in enumerate(target):
            found = np.array([self.probability(word, other) for other in source])
            if len(found) and found.max() > self.probability(word, NULL):
                links.add((int(found.argmax()), place))
        return frozenset(links)


def _numbers(sentences: Sequence[Sentence]) -> dict[str, int]:
    """The words, numbered in the order in which they come."""
    known: dict[str, int] = {}
    for sentence in sentences:
        for word in sentence:
            known.setdefault(word, len(known))
    return known


def _joined(parts: Sequence[_Ids]) -> _Ids:
    return np.concatenate(parts) if parts else np.zeros(0, np.int64)
