"""The hypotheses that a beam has finished, and when they are enough."""

from regard.decoding.hypothesis import Hypothesis, Ranking


class FinishedHypotheses:
    """The finished hypotheses of one beam."""

    def __init__(self, wanted: int, ranking: Ranking, expected: int | None = None) -> None:
        """`expected` is the length, in tokens, beyond which length gains nothing."""
        self.wanted = wanted
        self._expected = expected
        self.is_done = False
        self.hypotheses: list[Hypothesis] = []
        self._ranking = ranking

    def add(
        self, tokens: tuple[int, ...], total: float, *, ended: bool, met: bool = True, coverage: float = 0.0
    ) -> Hypothesis:
        """Keep a hypothesis with this log-probability."""
        score = self.score(total, max(1, len(tokens) + ended), coverage)
        self.hypotheses.append(Hypothesis(tokens, total, score, ended, met))
        return self.hypotheses[-1]

    def is_complete(self, best_live: float, length: int) -> bool:
        """True if enough hypotheses are finished, each better than the best live one at its length.

        Coverage only takes away, so the live one is given none.
        """
        ranked = self.ranked()
        return len(ranked) == self.wanted and ranked[-1].score >= self.score(best_live, length)

    def score(self, total: float, length: int, coverage: float = 0.0) -> float:
        """What hypotheses are ranked by."""
        counted = length if self._expected is None else min(length, self._expected)
        return self._ranking.score(total, counted, coverage)

    def ranked(self) -> list[Hypothesis]:
        """The best so far, best first."""
        return sorted(self.hypotheses, key=lambda h: h.rank, reverse=True)[: self.wanted]
