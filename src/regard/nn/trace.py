"""Looking is asked for per call: what one forward pass keeps, or changes."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from torch import Tensor, nn

from regard.errors import RegardError, ShapeError, did_you_mean


@dataclass(frozen=True, slots=True)
class Sight:
    """The attention weights of one look, and whose they are."""

    path: str
    """Dotted path of the attention in the model."""
    weights: Tensor
    """(b, q, k) or (b, h, q, k), before dropout."""
    examples: tuple[int, ...]
    """The example, of those the call was made for, that each row of the batch belongs to."""
    step: int
    """The target position of the first query row."""


Edit = Callable[[Sight], Tensor]
"""An intervention: sees weights, answers with the weights to go on with (same shape)."""


class Trace:
    """What one call was asked to keep, or to change, by dotted module path.

    A trace belongs to a call, never to the model: two requests that use the same model at the same time
    cannot see each other's tensors. Whoever drives the call says where it stands: `examples` when
    the batch is re-ordered or shrinks, `step` when a decoder moves on.
    """

    def __init__(self, model: nn.Module, edits: Mapping[str, Edit] | None = None) -> None:
        self._paths = {module: path for path, module in model.named_modules()}
        self._edits = dict(edits or {})
        unknown = set(self._edits) - set(self._paths.values())
        if unknown:
            name = min(unknown)
            raise RegardError(
                f"no part of this model is called '{name}'; {did_you_mean(name, self._paths.values())}"
            )
        self.examples: Sequence[int] | None = None
        self.step = 0
        self.kept: dict[str, list[Sight]] = defaultdict(list)

    def see(self, owner: nn.Module, weights: Tensor) -> Tensor:
        """Keep `weights` under the owner's path; return the weights to go on with."""
        examples = tuple(self.examples) if self.examples is not None else tuple(range(weights.shape[0]))
        sight = Sight(self._paths[owner], weights, examples, self.step)
        edit = self._edits.get(sight.path)
        if edit is not None:
            edited = edit(sight)
            if edited.shape != weights.shape:
                raise ShapeError(
                    f"an edit of {sight.path} must keep the shape {tuple(weights.shape)}, "
                    f"it gave {tuple(edited.shape)}"
                )
            sight = replace(sight, weights=edited)
        self.kept[sight.path].append(replace(sight, weights=sight.weights.detach()))
        return sight.weights
