"""A network without context under frozen attention: does the attention help who cannot look around?

The diagnostic of Wiegreffe and Pinter 2019: m = Σ_t α_t tanh(W e_t + b), then softmax(V m + c), where e_t is
the word vector of a token alone and α is given. It learns W, b, V and c. Half of the texts are predicted by
what was learned from the other half.
"""

from collections.abc import Sequence

import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy
from torch.nn.utils.rnn import pad_sequence

HIDDEN = 64
EPOCHS = 20
BATCH = 32
LEARNING_RATE = 0.01


def frozen_accuracy(
    vectors: Sequence[Tensor],
    attentions: Sequence[Tensor],
    labels: Tensor,
    *,
    seed: int,
) -> Tensor:
    """Whether each text is labelled rightly, (n,), by a network that learned from the other half.

    vectors:    of each text the word vectors of its tokens, (s, d)
    attentions: of each text its weights, (s,)
    labels:     (n,), the numbers of the right labels
    """
    count = len(vectors)
    order = torch.randperm(count, generator=torch.Generator().manual_seed(seed))
    halves = order[: count // 2], order[count // 2 :]
    words = pad_sequence(list(vectors), batch_first=True).float()
    weights = pad_sequence(list(attentions), batch_first=True).float()
    right = torch.zeros(count, dtype=torch.bool)
    for learned, asked in (halves, halves[::-1]):
        model = _fitted(words[learned], weights[learned], labels[learned], int(labels.max()) + 1, seed)
        with torch.no_grad():
            right[asked] = model(words[asked], weights[asked]).argmax(-1) == labels[asked]
    return right


class ContextFree(nn.Module):
    """Word vectors, one hidden layer for each word alone, a sum with given weights, labels."""

    def __init__(self, size: int, outputs: int) -> None:
        super().__init__()
        self.hidden = nn.Linear(size, HIDDEN)
        self.output = nn.Linear(HIDDEN, outputs)

    def forward(self, words: Tensor, weights: Tensor) -> Tensor:
        """(b, s, d) and (b, s) -> (b, outputs)."""
        found: Tensor = self.output((weights[:, None] @ self.hidden(words).tanh()).squeeze(1))
        return found


def _fitted(words: Tensor, weights: Tensor, labels: Tensor, outputs: int, seed: int) -> ContextFree:
    rng = torch.Generator().manual_seed(seed)
    with torch.random.fork_rng(devices=[]):  # nobody else's random state is touched
        torch.default_generator.manual_seed(seed)
        model = ContextFree(words.shape[-1], outputs)
    parameters = list(model.parameters())
    optimizer = torch.optim.Adam(parameters, lr=LEARNING_RATE)
    with torch.enable_grad():
        for _ in range(EPOCHS):
            for rows in torch.split(torch.randperm(len(labels), generator=rng), BATCH):
                loss = cross_entropy(model(words[rows], weights[rows]), labels[rows])
                found = torch.autograd.grad(loss, parameters)
                for parameter, gradient in zip(parameters, found, strict=True):
                    parameter.grad = gradient
                optimizer.step()
    return model
