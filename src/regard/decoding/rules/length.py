"""A least length."""

from torch import Tensor

from regard.decoding.rules.rule import NEVER, Written


class MinLength:
    """No sentence ends before it has so many tokens."""

    def __init__(self, tokens: int, eos: int) -> None:
        self._least = tokens
        self._eos = eos

    def forbid(self, log_probabilities: Tensor, written: Written) -> None:
        """Forbid </s> while the rows, which are all equally long, are too short."""
        if written.length < self._least:
            log_probabilities[:, self._eos] = NEVER
