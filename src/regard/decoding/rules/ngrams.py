"""No n-gram twice (Paulus et al. 2018)."""

from torch import Tensor

from regard.decoding.rules.rule import NEVER, Written


class NoRepeat:
    """No run of n tokens is written twice in a sentence."""

    def __init__(self, n: int) -> None:
        self._n = n

    def forbid(self, log_probabilities: Tensor, written: Written) -> None:
        """Forbid what followed the last n - 1 tokens before."""
        rows, tokens = [], []
        before = self._n - 1
        for row, done in enumerate(written.tokens):
            last = done[len(done) - before :]
            for end in range(before, len(done)):
                if done[end - before : end] == last:
                    rows.append(row)
                    tokens.append(done[end])
        if rows:
            log_probabilities[rows, tokens] = NEVER
