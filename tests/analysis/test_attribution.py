"""Gradients of outcomes: as captum computes them, and as a product by hand."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch
from captum.attr import InputXGradient, IntegratedGradients
from tests.analysis.families import EVERY, SECOND, TARGET, TEXT, WORDS, family
from tests.examples import cells
from torch import Tensor, nn

from regard.analysis.attribution import gradient_times_attention, gradient_times_input, integrated_gradients
from regard.analysis.causes import outcome_of
from regard.nn.decoder import DecoderInputs
from regard.nn.trace import Trace
from regard.text.symbols import BOS, EOS

STEPS = 8


def ids(text: str) -> list[int]:
    return list(WORDS.encode(text).ids)


def several(tokens: list[int], count: int) -> Tensor:
    return torch.tensor([tokens] * count)


def translated(network: Any, count: int) -> Tensor:
    """log p of the whole translation and of </s>, written out."""
    source, target = ids(TEXT), ids(TARGET)
    read = several([*source, EOS], count)
    inputs = DecoderInputs(read, torch.full((count,), len(source) + 1), several([BOS, *target], count))
    logs = network.teacher_forced(inputs).logits().log_softmax(-1)
    found: Tensor = logs.gather(-1, several([*target, EOS], count)[..., None]).sum((1, 2))
    return found


def completed(network: Any, count: int) -> Tensor:
    """log p of the last word, from the ones before."""
    tokens, nothing = ids(TEXT), torch.zeros(count, 1, dtype=torch.long)
    inputs = DecoderInputs(nothing, torch.zeros(count, dtype=torch.long), several([BOS, *tokens], count))
    found: Tensor = network.teacher_forced(inputs).logits().log_softmax(-1)[:, 3, tokens[3]]
    return found


def labelled(network: Any, count: int) -> Tensor:
    """log p of the label `good`, by the temperature of the family."""
    tokens = several(ids(TEXT), count)
    logits = network(tokens, torch.full((count,), tokens.shape[1])).logits
    found: Tensor = (logits / 1.3).log_softmax(-1)[:, 1]
    return found


CASES: dict[str, tuple[Callable[[Any, int], Tensor], str, dict[str, Any]]] = {
    "translation:bahdanau-gru": (translated, "source_embedding", {}),
    "translation:luong-general": (translated, "source_embedding", {}),
    "translation:transformer": (translated, "source_embedding", {}),
    "translation:transformer-shared": (translated, "source_embedding", {}),
    "translation:plain": (translated, "source_embedding", {}),
    "language:lm-lstm": (completed, "embedding", {}),
    "language:lm-transformer": (completed, "embedding", {}),
    "label:bag-attention": (labelled, "embedding", {"target": "good"}),
    "label:self-attentive": (labelled, "embedding", {"target": "good"}),
    "label:lstmn-last": (labelled, "embedding", {"target": "good"}),
    "label:bert-first": (labelled, "bert.word_embedding", {"target": "good"}),
}


@pytest.mark.parametrize("name", CASES)
def test_gradients_are_those_of_captum(name: str) -> None:
    own = family(name)
    network, (score, path, options) = own.model.network, CASES[name]
    outcome = outcome_of(own.model, own.text, **own.options | options)
    layer: nn.Module = network.get_submodule(path)
    kept: list[Tensor] = []
    handle = layer.register_forward_hook(lambda *called: kept.append(called[2].detach()))
    score(network, 1)
    handle.remove()
    words = kept[0].reshape(1, -1, kept[0].shape[-1])

    def forward(embedded: Tensor) -> Tensor:
        calls = 0

        def put(_module: nn.Module, _given: Any, found: Tensor) -> Tensor:
            nonlocal calls
            calls += 1
            return embedded.reshape_as(found) if calls == 1 else found  # the target may share it

        hook = layer.register_forward_hook(put)
        try:
            return score(network, len(embedded))
        finally:
            hook.remove()

    size = len(outcome.sides[0].tokens)
    expected = InputXGradient(forward).attribute(words.clone().requires_grad_()).sum(-1)[0, :size]
    np.testing.assert_allclose(gradient_times_input(outcome), expected.detach(), atol=1e-5)

    side, baseline = outcome.sides[0], words.clone()
    first = len(side.before)
    baseline[:, first : first + len(side.pieces)] = 0.0
    found, lack = integrated_gradients(outcome, STEPS)
    method = IntegratedGradients(forward)
    expected, delta = method.attribute(words, baseline, n_steps=STEPS, return_convergence_delta=True)
    np.testing.assert_allclose(found, expected.sum(-1)[0, :size].detach(), atol=1e-5)
    assert lack == pytest.approx(abs(float(delta)), abs=1e-5)


@pytest.mark.parametrize("name", ["label:bag-attention", "label:bert-self-attentive", "label:bert-first"])
def test_gradient_times_attention_is_a_slope_of_edits(name: str) -> None:
    """Σ α ∂F/∂α of a token is how fast the score grows when all weights on it are scaled up."""
    own = family(name)
    outcome = outcome_of(own.model, own.text)
    main = "pooling" if "pooling" in outcome.sites else None
    paths = [main] if main else list(outcome.sites)
    found = gradient_times_attention(outcome)
    ((_, objective),) = outcome.objectives

    def scaled(token: int, factor: float) -> float:
        def edit(sight: Any) -> Tensor:
            weights: Tensor = sight.weights.clone()
            weights[..., token] *= factor
            return weights

        trace = Trace(outcome.network, dict.fromkeys(paths, edit))
        return float(objective(own.model, 1, trace).detach())

    for token, value in enumerate(found):
        slope = (scaled(token, 1 + 1e-5) - scaled(token, 1 - 1e-5)) / 2e-5
        assert value == pytest.approx(slope, abs=1e-6)


@cells("name", EVERY, quick=["translation:transformer-shared", "label:pairs-factored", "answer:none"])
def test_a_gradient_leaves_the_model_as_it_was(name: str) -> None:
    own = family(name)
    module = own.model.module
    before = {path: value.clone() for path, value in module.state_dict().items()}
    own.model.causes(own.text, by=("gradient", "gradient-attention", "integrated"), **own.options)
    assert all(torch.equal(before[path], value) for path, value in module.state_dict().items())
    assert not any(part._forward_hooks for part in module.modules())
    assert all(parameter.grad is None for parameter in module.parameters())


def test_enough_steps_leave_nothing_out() -> None:
    own = family("label:pairs-factored")
    outcome = outcome_of(own.model, own.text, second=SECOND)
    (coarse, fine) = (integrated_gradients(outcome, steps)[1] for steps in (1, 40))
    assert fine < 1e-6 < coarse
