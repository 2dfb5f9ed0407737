"""The symbols and bounds that a search must know."""

from dataclasses import dataclass

from torch import Tensor


@dataclass(frozen=True, slots=True)
class Limits:
    """Where a sentence begins and ends, what is never written, and how long it may get."""

    bos: int
    eos: int
    never: tuple[int, ...]
    """Tokens that are never written: padding, the unknown word, <s>."""
    max_lengths: tuple[int, ...]
    """For each sentence, the most tokens it may have, </s> counted; what has not ended by then is cut off."""

    def forbid(self, logits: Tensor) -> Tensor:
        """The model's own log-probabilities, (b, v), but none for what is never written.

        What is left is not scaled up: a translation has the probability that the model gives it.
        """
        log_probabilities = logits.log_softmax(dim=-1)
        log_probabilities[:, list(self.never)] = float("-inf")
        return log_probabilities
