"""Label-smoothed cross-entropy that never holds all the logits."""

from typing import Any

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable
from torch.nn.functional import logsigmoid

from regard.nn.decoder import DecoderOutput

BLOCK = 512
"""Positions whose logits exist at one time. On two cores, 3,400 positions over 6,000 words take 286 ms with
blocks of 256, 270 with 512, 246 with 1,024 (and 339 with torch's own loss); 512 keep the logits at 12 MB."""


class _BlockedCrossEntropy(torch.autograd.Function):
    """Makes the gradient on the way, block by block, inside the buffer of the block's logits.

    Left to autograd, the logits of all positions would be held three times (logits, log-softmax,
    gradient), and each pass over them goes through main memory.
    """

    @staticmethod
    def forward(
        ctx: Any,
        features: Tensor,
        weight: Tensor,
        bias: Tensor,
        gate: Tensor | None,
        copied: Tensor | None,
        targets: Tensor,
        smoothing: float,
        wanted: bool,
    ) -> tuple[Tensor, Tensor]:
        size = weight.shape[0]
        loss, likelihood = weight.new_zeros(()), weight.new_zeros(())
        # Where features come in bfloat16 the products are made in it; what is added up has all digits.
        digits = features.dtype
        used_weight, used_bias = weight.to(digits), bias.to(digits)
        if wanted:
            d_features = torch.empty_like(features)
            d_weight, d_bias = torch.zeros_like(weight), torch.zeros_like(bias)
            d_gate, d_copied = (None if part is None else torch.empty_like(part) for part in (gate, copied))
        for start in range(0, len(features), BLOCK):
            block = slice(start, start + BLOCK)
            right = targets[block, None]
            logits = torch.addmm(used_bias, features[block], used_weight.t()).to(weight.dtype)
            of_right, mean = logits.gather(1, right), logits.mean(1, keepdim=True)
            highest = logits.amax(1, keepdim=True)
            exponentials = logits.sub_(highest).exp_()
            total = exponentials.sum(1, keepdim=True)
            log_total = total.log() + highest
            likely = of_right - log_total
            share: Tensor | float = (
                1.0  # of the probability of the target token, what comes from the vocabulary
            )
            if gate is not None and copied is not None:
                kept, left = logsigmoid(gate[block, None]), logsigmoid(-gate[block, None])
                written = kept + likely
                likely = torch.logaddexp(written, left + copied[block, None].log())
                share = (written - likely).exp()
                if wanted:
                    d_gate[block] = (smoothing - 1) * (share - kept.exp()).squeeze(1)  # type: ignore[index]
                    pull = (
                        (left - likely).exp().squeeze(1).masked_fill(copied[block] == 0, 0.0)
                    )  # no path there
                    d_copied[block] = (smoothing - 1) * pull  # type: ignore[index]
            likelihood += likely.sum()
            loss += (smoothing * (log_total - mean) - (1 - smoothing) * likely).sum()
            if wanted:  # without copies: d loss / d logits = softmax - smoothed target
                scale = (1 - smoothing) * share
                gradient = exponentials.mul_((scale + smoothing) / total).sub_(smoothing / size)
                gradient.scatter_add_(1, right, torch.ones_like(of_right).mul_(-scale))
                d_bias += gradient.sum(0)
                gradient = gradient.to(digits)
                torch.mm(gradient, used_weight, out=d_features[block])
                if digits == weight.dtype:
                    d_weight.addmm_(gradient.t(), features[block])
                else:
                    d_weight += gradient.t() @ features[block]
        if wanted:
            ctx.save_for_backward(d_features, d_weight, d_bias, d_gate, d_copied)
        ctx.mark_non_differentiable(likelihood)
        return loss, likelihood

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, *grads: Tensor) -> tuple[Tensor | None, ...]:
        scale = grads[0]
        return *(None if part is None else part * scale for part in ctx.saved_tensors), None, None, None


def smoothed_cross_entropy(
    features: Tensor,
    weight: Tensor,
    bias: Tensor,
    targets: Tensor,
    *,
    smoothing: float = 0.0,
    copies: tuple[Tensor, Tensor] | None = None,
) -> tuple[Tensor, Tensor]:
    """Cross-entropy of softmax(features · weightᵀ + bias) against the target tokens.

    features: (n, d), one row a target position, without padding
    targets:  (n,)
    copies:   of a pointer-generator: its gate, (n,), and the attention on the target token, (n,). The
              probability is then σ(gate) softmax + (1 - σ(gate)) copied; only the softmax is smoothed
    returns:  the loss, summed over the positions; and their log-likelihood without smoothing (no gradient)
    """
    wanted = torch.is_grad_enabled()  # inside an autograd function it is always off
    device = features.device.type
    if torch.is_autocast_enabled(device):
        features = features.to(torch.get_autocast_dtype(device))
    gate, copied = copies or (None, None)
    loss, likelihood = _BlockedCrossEntropy.apply(  # type: ignore[no-untyped-call]
        features, weight, bias, gate, copied, targets, smoothing, wanted
    )
    return loss, likelihood


def loss_of(written: DecoderOutput, targets: Tensor, *, smoothing: float = 0.0) -> tuple[Tensor, Tensor]:
    """The loss of target positions, (n, …), summed, with the model's penalty; and their log-likelihood.

    targets: (n,), token ids
    """
    copies = None if written.copies is None else (written.copies.gate, written.copies.of(targets))
    loss, likelihood = smoothed_cross_entropy(
        written.features,
        written.output.weight,
        written.output.bias,
        targets,
        smoothing=smoothing,
        copies=copies,
    )
    return (loss if written.penalty is None else loss + written.penalty.sum()), likelihood
