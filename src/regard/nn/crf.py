"""A linear-chain conditional random field over the labels of a sentence (Lafferty et al. 2001).

score(y) = start[y_1] + Σ_t e_t[y_t] + Σ_t A[y_t, y_{t+1}] + end[y_n], and p(y) = exp(score(y)) / Z, where Z
is the sum over all label sequences of the sentence. The softmax is the case without A, start and end.
"""

from dataclasses import dataclass

import torch
from torch import Tensor, nn

from regard.errors import ShapeError
from regard.nn.masks import padding_mask, reverse_within

FORBIDDEN = -1e4
"""The score of a forbidden transition: e^-10,000 is 0 in any precision, and no gradient meets an infinity."""


@dataclass(frozen=True, slots=True)
class AllowedTransitions:
    """Which transitions are allowed, True = yes: in BIO, no I-X after O."""

    between: Tensor
    """(l, l), from the label before to the label after."""
    first: Tensor
    """(l,), labels that a sentence may begin with."""
    last: Tensor
    """(l,), labels that it may end with."""


class CRF(nn.Module):
    """Turns emission scores into probabilities of whole label sequences.

    All of it is for padded batches: scores, (b, t, l), of which the first (b,) words are real; at least one.

    boundaries: learn scores of the first and of the last label too
    allowed:    label sequences outside have a probability of 0. A gold sequence must be inside
    """

    forbidden: Tensor
    """(l + 1, l + 1), True = forbidden: row l is before the first word, column l after the last."""

    def __init__(
        self, labels: int, *, boundaries: bool = True, allowed: AllowedTransitions | None = None
    ) -> None:
        super().__init__()
        self.labels = labels
        self.transitions = nn.Parameter(torch.zeros(labels, labels))  # A
        self.start = nn.Parameter(torch.zeros(labels)) if boundaries else None
        self.end = nn.Parameter(torch.zeros(labels)) if boundaries else None
        forbidden = torch.zeros(labels + 1, labels + 1, dtype=torch.bool)
        self.register_buffer("forbidden", forbidden, persistent=False)
        if allowed is not None:
            self.restrict(allowed)

    def restrict(self, allowed: AllowedTransitions) -> None:
        """From now on, label sequences outside have a probability of 0."""
        labels, found = self.labels, [tuple(p.shape) for p in (allowed.between, allowed.first, allowed.last)]
        expected = [(labels, labels), (labels,), (labels,)]
        if found != expected:
            raise ShapeError(f"expected allowed transitions of the shapes {expected}, found {found}")
        self.forbidden[:labels, :labels] = ~allowed.between
        self.forbidden[labels, :labels], self.forbidden[:labels, labels] = ~allowed.first, ~allowed.last

    def log_likelihood(self, scores: Tensor, labels: Tensor, lengths: Tensor) -> Tensor:
        """log p(y) of given label sequences, (b, t) -> (b,); labels in padding do not matter."""
        start, between, end = self._parts()
        real = padding_mask(lengths, scores.shape[1])
        labels = labels.masked_fill(~real, 0)
        of_words = scores.gather(2, labels[:, :, None]).squeeze(2)
        of_steps = between[labels[:, :-1], labels[:, 1:]]
        total = torch.where(real, of_words, 0.0).sum(1) + torch.where(real[:, 1:], of_steps, 0.0).sum(1)
        ends = labels.gather(1, lengths[:, None] - 1).squeeze(1)
        alphas = _forward(scores, start, between)
        return total + start[labels[:, 0]] + end[ends] - (_at_end(alphas, lengths) + end).logsumexp(1)

    def marginals(self, scores: Tensor, lengths: Tensor) -> Tensor:
        """p(y_t) of each word, over all label sequences, (b, t, l); 0 in padding. Forward-backward.

        Backwards is forwards over the sentence turned around.
        """
        start, between, end = self._parts()
        alphas = _forward(scores, start, between)
        mirrored = _forward(reverse_within(scores, lengths), end, between.t())
        probabilities = (alphas + reverse_within(mirrored, lengths) - scores).softmax(-1)
        return probabilities.masked_fill(~padding_mask(lengths, scores.shape[1])[..., None], 0.0)

    @torch.no_grad()
    def decode(self, scores: Tensor, lengths: Tensor) -> tuple[Tensor, Tensor]:
        """The most probable label sequence, (b, t), -1 in padding, and its score, (b,). Viterbi."""
        start, between, end = self._parts()
        best, pointers = [start + scores[:, 0]], []
        for step in range(1, scores.shape[1]):
            highest, before = (best[-1][:, :, None] + between).max(1)
            best.append(highest + scores[:, step])
            pointers.append(before)
        total, label = (_at_end(torch.stack(best, 1), lengths) + end).max(1)
        path = [label]  # in padding, the last real label is handed on
        for step in range(scores.shape[1] - 1, 0, -1):
            before = pointers[step - 1].gather(1, path[-1][:, None]).squeeze(1)
            path.append(torch.where(step < lengths, before, path[-1]))
        labels = torch.stack(path[::-1], 1)
        return labels.masked_fill(~padding_mask(lengths, scores.shape[1]), -1), total

    def _parts(self) -> tuple[Tensor, Tensor, Tensor]:
        """start, A and end, with what is forbidden."""
        none = self.transitions.new_zeros(self.labels)
        start, end = (none if part is None else part for part in (self.start, self.end))
        forbidden, last = self.forbidden, self.labels
        return (
            start.masked_fill(forbidden[last, :last], FORBIDDEN),
            self.transitions.masked_fill(forbidden[:last, :last], FORBIDDEN),
            end.masked_fill(forbidden[:last, last], FORBIDDEN),
        )


def _forward(scores: Tensor, start: Tensor, between: Tensor) -> Tensor:
    """log Σ exp(score) of all label sequences up to a word that give it this label, (b, t, l)."""
    alphas = [start + scores[:, 0]]
    for step in range(1, scores.shape[1]):
        alphas.append((alphas[-1][:, :, None] + between).logsumexp(1) + scores[:, step])
    return torch.stack(alphas, 1)


def _at_end(values: Tensor, lengths: Tensor) -> Tensor:
    """What stands at the last real word, (b, t, l) -> (b, l)."""
    return values[torch.arange(len(lengths), device=lengths.device), lengths - 1]
