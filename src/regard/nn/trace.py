"""A trace records, or edits, the attention weights of one forward pass."""

import copy
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from torch import Tensor, nn

from regard.errors import RegardError, ShapeError, did_you_mean
from regard.nn.attention_kinds import TEXTS


@dataclass(frozen=True, slots=True)
class AttentionInputs:
    """What attention weights were computed from: query, keys, values, mask."""

    query: Tensor
    """(b, q, …) or (b, h, q, …)."""
    keys: Tensor
    """(b, k, …) or (b, h, k, …), as the score wants them."""
    values: Tensor
    """(b, k, d) or (b, h, k, d)."""
    mask: Tensor
    """Broadcastable to the weights, True = may be attended to."""
    factor: Tensor | None = None
    """Broadcastable to the weights: what a window multiplies the softmax by; None = 1."""


@dataclass(frozen=True, slots=True)
class AttentionWeights:
    """The attention weights of one module in one call, and the rows they belong to."""

    path: str
    """Dotted path of the attention in the model."""
    weights: Tensor
    """(b, q, k) or (b, h, q, k), before dropout."""
    examples: tuple[int, ...]
    """The example, of those the call was made for, that each row of the batch belongs to."""
    step: int
    """The target position of the first query row."""
    asked: AttentionInputs | None = None
    """What they were computed from, if the trace keeps it."""

    @property
    def hypotheses(self) -> tuple[int, ...]:
        """Which hypothesis of its example each row of the batch is, in the order of the batch."""
        seen: Counter[int] = Counter()
        numbers = []
        for example in self.examples:
            numbers.append(seen[example])
            seen[example] += 1
        return tuple(numbers)


Edit = Callable[[AttentionWeights], Tensor]
"""An intervention: gets weights, returns the weights to use instead (same shape)."""


class Trace:
    """Records, or edits, the attention weights of one call, by dotted module path.

    A trace belongs to a call, never to the model: two requests that use the same model at the same time
    cannot see each other's tensors. The caller sets `examples` when the batch is re-ordered or
    shrinks, and `step` when a decoder takes a step.

    keep:   False keeps nothing: only the edits are wanted; paths keep those alone
    inputs: also keep what the weights were computed from
    """

    def __init__(
        self,
        model: nn.Module,
        edits: Mapping[str, Edit] | None = None,
        *,
        keep: bool | Collection[str] = True,
        inputs: bool = False,
    ) -> None:
        self.inputs = inputs
        self._paths = {module: path for path, module in model.named_modules()}
        self._edits = dict(edits or {})
        chosen = () if isinstance(keep, bool) else keep
        self._kept_paths = frozenset(self._paths.values() if keep is True else chosen)
        self._text = ""
        known = set(self._paths.values())
        unknown = {path for path in (*self._edits, *chosen) if module_path(path) not in known}
        if unknown:
            name = min(unknown)
            raise RegardError(
                f"this model has no module '{name}'; {did_you_mean(name, self._paths.values())}"
            )
        self.examples: Sequence[int] | None = None
        self.step = 0
        self.part: Sequence[int] | None = None
        """In a call for some of the examples only: which."""
        self.kept: dict[str, list[AttentionWeights]] = defaultdict(list)

    def begin(self) -> None:
        """A new search or pass over the examples begins: one row each, in their order."""
        self.examples, self.step = None, 0

    def reading(self, text: int) -> "Trace":
        """The same trace for one text of a pair, where one module encodes both: paths get its prefix."""
        one = copy.copy(self)
        one._text = f"{TEXTS[text]}."
        return one

    def capture(self, owner: nn.Module, weights: Tensor, asked: AttentionInputs | None = None) -> Tensor:
        """Keep `weights` under the owner's path; return them, edited where there is an edit."""
        rows = tuple(self.examples) if self.examples is not None else tuple(range(weights.shape[0]))
        examples = rows if self.part is None else tuple(self.part[row] for row in rows)
        part = self._paths[owner]
        captured = AttentionWeights(
            self._text + part, weights, examples, self.step, asked if self.inputs else None
        )
        edit = self._edits.get(captured.path)
        if edit is not None:
            edited = edit(captured)
            if edited.shape != weights.shape:
                raise ShapeError(
                    f"an edit of {captured.path} must keep the shape {tuple(weights.shape)}, "
                    f"it gave {tuple(edited.shape)}"
                )
            captured = replace(captured, weights=edited)
        if part in self._kept_paths or captured.path in self._kept_paths:
            self.kept[captured.path].append(replace(captured, weights=captured.weights.detach()))
        return captured.weights


def module_path(path: str) -> str:
    """The module path in a path that may begin with a text of a pair."""
    text, _, part = path.partition(".")
    return part if text in TEXTS and part else path
