"""The finished hypotheses of one beam."""

from regard.decoding.hypothesis import Hypothesis
from regard.decoding.ranking import Ranking


class Finished:
    """What has ended so far, and whether it is enough."""

    def __init__(self, wanted: int, ranking: Ranking, expected: int | None = None) -> None:
        """`expected` is the length, in tokens, beyond which length gains nothing."""
        self.wanted = wanted
        self._expected = expected
        self.is_done = False
        self.hypotheses: list[Hypothesis] = []
        self._ranking = ranking

    def add(
        self, tokens: tuple[int, ...], total: float, *, ended: bool, met: bool = True, coverage: float = 0.0
    ) -> None:
        """Keep a hypothesis with this log-probability."""
        score = self._ranking.score(total, self._counted(max(1, len(tokens) + ended)), coverage)
        self.hypotheses.append(Hypothesis(tokens, total, score, ended, met))

    def is_complete(self, best_live: float, length: int) -> bool:
        """True if enough hypotheses are finished, each better than the best live one at its length.

        Coverage only takes away, so the live one is given none.
        """
        ranked = self.ranked()
        return len(ranked) == self.wanted and ranked[-1].score >= self._ranking.score(
            best_live, self._counted(length)
        )

    def _counted(self, length: int) -> int:
        return length if self._expected is None else min(length, self._expected)

    def ranked(self) -> list[Hypothesis]:
        """The best so far, best first."""
        return sorted(self.hypotheses, key=lambda h: h.rank, reverse=True)[: self.wanted]
