"""What laws of several families of models assert alike."""

from collections.abc import Callable

import torch
from torch import Tensor, nn

from regard.nn.dropout import DropoutRng
from regard.nn.trace import AttentionWeights, Trace


def only_the_edited_example_changes(model: nn.Module, logits: Callable[[Trace], Tensor]) -> None:
    """Forced to look at the first word alone, the third example changes, the others do not, by no bit.

    logits: of three examples, seen by a trace
    """
    plain = Trace(model)
    before = logits(plain)

    def look_at_the_first_word(sight: AttentionWeights) -> Tensor:
        weights = sight.weights.clone()
        weights[sight.examples.index(2)] = 0.0
        weights[sight.examples.index(2), ..., 0] = 1.0
        return weights

    after = logits(Trace(model, dict.fromkeys(plain.kept, look_at_the_first_word)))
    assert torch.equal(after[:2], before[:2])
    assert torch.equal(after[2], before[2]) == (not model.attentions)
    assert torch.equal(logits(Trace(model)), before), "no edit is left behind"


def every_parameter_learns_from(loss: Tensor, model: nn.Module) -> None:
    loss.backward()  # type: ignore[no-untyped-call]
    for path, parameter in model.named_parameters():
        assert parameter.grad is not None, path
        assert parameter.grad.abs().sum() > 0, path


def dropout_is_a_function_of_seed_and_step(
    model: nn.Module, loss: Callable[[DropoutRng | None], Tensor]
) -> None:
    """The same of both drops the same; another step, or none, gives another loss."""
    dropped = loss(DropoutRng(model, seed=1, step=1))
    assert torch.equal(dropped, loss(DropoutRng(model, seed=1, step=1)))
    assert not torch.equal(dropped, loss(DropoutRng(model, seed=1, step=2)))
    assert not torch.equal(dropped, loss(None))


def these_grow(model: nn.Module, larger: nn.Module) -> set[str]:
    """The parameters that a larger vocabulary makes larger."""
    shapes = {path: value.shape for path, value in model.named_parameters()}
    return {path for path, value in larger.named_parameters() if value.shape != shapes[path]}
