"""Labels of words that are chosen one by one: the case of a CRF without transitions."""

import torch
from torch import Tensor, nn

from regard.nn.masks import padding_mask


class IndependentLabels(nn.Module):
    """p(y) = ∏_t softmax(e_t)[y_t]. What it offers is what `CRF` offers."""

    def log_likelihood(self, scores: Tensor, labels: Tensor, lengths: Tensor) -> Tensor:
        """log p(y) of given labellings, (b, t) -> (b,); labels in padding do not matter."""
        real = padding_mask(lengths, scores.shape[1])
        chosen = labels.masked_fill(~real, 0)[:, :, None]
        each = scores.log_softmax(-1).gather(2, chosen).squeeze(2)
        return torch.where(real, each, 0.0).sum(1)

    def marginals(self, scores: Tensor, lengths: Tensor) -> Tensor:
        """p(y_t) of each word, (b, t, l); 0 in padding."""
        real = padding_mask(lengths, scores.shape[1])
        return scores.softmax(-1).masked_fill(~real[..., None], 0.0)

    @torch.no_grad()
    def decode(self, scores: Tensor, lengths: Tensor) -> tuple[Tensor, Tensor]:
        """The most probable labelling, (b, t), -1 in padding, and its score, (b,)."""
        real = padding_mask(lengths, scores.shape[1])
        highest, labels = scores.max(-1)
        return labels.masked_fill(~real, -1), highest.masked_fill(~real, 0.0).sum(1)
